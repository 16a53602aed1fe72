import pytest

from dractl.api import release
from dractl.versions.registry import Standing, look_up
from tests.rows import each_row

MINOR = release.parse("1.37")
DRA = "resource.k8s.io"


@each_row(
    ("document", "standing"),
    [
        ({"apiVersion": f"{DRA}/v1", "kind": "ResourceClaim"}, Standing.KNOWN),
        ({"apiVersion": "v1", "kind": "Pod"}, Standing.KNOWN),
        ({"apiVersion": "apps/v1", "kind": "Deployment"}, Standing.KNOWN),
        ({"apiVersion": "v1", "kind": "ConfigMap"}, Standing.FOREIGN),
        ({"apiVersion": "example.com/v1", "kind": "ResourceClaim"}, Standing.FOREIGN),
        ({"replicas": 3}, Standing.UNNAMED),
        ("just text", Standing.UNNAMED),
        ([1, 2], Standing.UNNAMED),
        ({"apiVersion": "v1"}, Standing.MALFORMED),
        ({"kind": "Pod"}, Standing.MALFORMED),
        ({"apiVersion": "v1", "kind": {}}, Standing.MALFORMED),
        ({"apiVersion": "v1", "kind": 1}, Standing.MALFORMED),
        ({"apiVersion": ["v1"], "kind": "Pod"}, Standing.MALFORMED),
        ({"apiVersion": f"{DRA}/v1alpha2", "kind": "ResourceClaim"}, Standing.UNSERVED),
        ({"apiVersion": f"{DRA}/v1", "kind": "ResourceClaims"}, Standing.UNSERVED),
        ({"apiVersion": "v1", "kind": "ResourceClaim"}, Standing.UNSERVED),
        ({"apiVersion": "v2", "kind": "ResourceSlice"}, Standing.UNSERVED),
        ({"apiVersion": "apps/v1", "kind": "DeviceClass"}, Standing.UNSERVED),
        ({"apiVersion": "v1", "kind": "Deployment"}, Standing.UNSERVED),
        ({"apiVersion": "Resource.K8s.io/v1", "kind": "ResourceClaim"}, Standing.UNSERVED),
        ({"apiVersion": f"{DRA}/v1", "kind": "Pod"}, Standing.UNSERVED),
        ({"apiVersion": "batch.example.com/v1", "kind": "Job"}, Standing.FOREIGN),
        ({"apiVersion": "scheduling.k8s.io/v1beta1", "kind": "PodGroup"}, Standing.KNOWN),
        ({"apiVersion": "scheduling.k8s.io/v1alpha2", "kind": "PodGroup"}, Standing.UNSERVED),
        ({"apiVersion": "scheduling.x-k8s.io/v1alpha1", "kind": "PodGroup"}, Standing.FOREIGN),
        ({"apiVersion": "scheduling.volcano.sh/v1beta1", "kind": "PodGroup"}, Standing.FOREIGN),
        ({"apiVersion": "scheduling.k8s.io/v1", "kind": "PriorityClass"}, Standing.FOREIGN),
        ({"apiversion": f"{DRA}/v1", "Kind": "ResourceClaim"}, Standing.KNOWN),
        ({"APIVERSION": f"{DRA}/v1", "kind": "ResourceClaim"}, Standing.KNOWN),
        ({"apiVersion": f"{DRA}/v1", "Kind": "ResourceClaim", "kind": None}, Standing.KNOWN),
        ({"api_version": f"{DRA}/v1", "Kind": "ResourceClaim"}, Standing.MALFORMED),
        ({"api_version": "example.com/v1", "Kind": "Foo"}, Standing.MALFORMED),
        ({"apiversion": f"{DRA}/v1"}, Standing.MALFORMED),
        ({"Kind": "ResourceClaim"}, Standing.MALFORMED),
        ({"Kind": "Deployment"}, Standing.UNNAMED),
        ({"api_version": "2.0"}, Standing.UNNAMED),
        ({1: "x", "Kind": 1}, Standing.UNNAMED),
    ],
)
def test_standing(document: object, standing: Standing) -> None:
    assert look_up(MINOR, document).standing is standing


@each_row(
    ("document", "message", "hint", "field"),
    [
        (
            {"api-version": f"{DRA}/v1", "kind": "ResourceClaim"},
            "apiVersion is required; `api-version` is not the same",
            "use `apiVersion` instead of `api-version`",
            "api-version",
        ),
        (
            {"api_version": f"{DRA}/v1", "Kind": "ResourceClaim"},
            "apiVersion is required; `api_version` is not the same",
            "use `apiVersion` instead of `api_version`; use `kind` instead of `Kind`",
            "api_version",
        ),
        (
            {"Kind": "ResourceClaim"},
            "apiVersion is required",
            f"use apiVersion: {DRA}/v1; use `kind` instead of `Kind`",
            "",
        ),
        ({"kind": "Pod"}, "apiVersion is required", "use apiVersion: v1", ""),
        ({"kind": "Elephant"}, "apiVersion is required", "", ""),
        (
            {"apiVersion": f"{DRA}/v1alpha3"},
            "kind is required",
            f"{DRA}/v1alpha3 has DeviceTaintRule, ResourcePoolStatusRequest",
            "",
        ),
        ({"apiVersion": "v1"}, "kind is required", "", ""),
        ({"apiVersion": "v1", "KIND": ["a"]}, "kind must be a string", "", "KIND"),
    ],
)
def test_what_to_write_where_one_is_missing(
    document: dict[str, object], message: str, hint: str, field: str
) -> None:
    found = look_up(MINOR, document)
    assert (found.message, found.hint, found.field) == (message, hint, field)


def test_an_unserved_version_names_the_one_to_use() -> None:
    found = look_up(MINOR, {"apiVersion": f"{DRA}/v1alpha3", "kind": "ResourceClaim"})
    assert found.hint == "use apiVersion: resource.k8s.io/v1"


def test_a_kind_that_is_gone_names_its_successor() -> None:
    found = look_up(MINOR, {"apiVersion": f"{DRA}/v1alpha2", "kind": "ResourceClass"})
    assert (
        found.message
        == "ResourceClass was removed: Kubernetes 1.37 does not have it in resource.k8s.io/v1alpha2"
    )
    assert found.hint == "removed in 1.31; use a DeviceClass, which has another structure"
    also = look_up(release.parse("1.31"), {"apiVersion": f"{DRA}/v1alpha3", "kind": "ResourceClass"})
    assert also.hint == found.hint


def test_a_misspelt_kind_names_the_nearest() -> None:
    found = look_up(MINOR, {"apiVersion": f"{DRA}/v1", "kind": "ResourceClaimTemplates"})
    assert found.hint == "did you mean ResourceClaimTemplate?"


@each_row("group", ["resources.k8s.io", "resource.k8s", "resorce.k8s.io", "resource.kubernetes.io"])
def test_a_group_that_looks_like_the_one_of_dra_is_reported(group: str) -> None:
    found = look_up(MINOR, {"apiVersion": f"{group}/v1", "kind": "ResourceClaim"})
    assert found.standing is Standing.FOREIGN
    assert found.message == (
        f"{group} is not the API group of ResourceClaim, so the object is skipped and not validated"
    )
    assert found.hint == "did you mean resource.k8s.io/v1?"


def test_a_group_and_a_kind_with_a_typo_are_reported_together() -> None:
    found = look_up(MINOR, {"apiVersion": "resources.k8s.io/v1", "kind": "DeviceClas"})
    assert (found.standing, found.hint) == (
        Standing.FOREIGN,
        "did you mean DeviceClass in resource.k8s.io/v1?",
    )
    assert look_up(MINOR, {"apiVersion": "resources.k8s.io/v1", "kind": "Zebra"}).message == ""
    assert look_up(MINOR, {"apiVersion": "example.com/v1", "kind": "DeviceClas"}).message == ""


def test_a_group_without_a_dot_is_nobodys_custom_resource() -> None:
    found = look_up(MINOR, {"apiVersion": "resource/v1", "kind": "DeviceClass"})
    assert found.hint == "did you mean resource.k8s.io/v1?"


@pytest.mark.parametrize("group", ["example.com", "resource.nvidia.com", "gpu.resource.example.com"])
def test_a_group_of_its_own_is_nobodys_mistake(group: str) -> None:
    assert look_up(MINOR, {"apiVersion": f"{group}/v1", "kind": "ResourceClaim"}).message == ""


def test_a_kind_in_the_wrong_group_names_the_right_one() -> None:
    claim = look_up(MINOR, {"apiVersion": "v1", "kind": "ResourceClaim"})
    assert claim.message == "Kubernetes 1.37 does not have ResourceClaim in v1"
    assert claim.hint == "use apiVersion: resource.k8s.io/v1"
    pod = look_up(MINOR, {"apiVersion": f"{DRA}/v1", "kind": "Pod"})
    assert (pod.hint, pod.field) == ("use apiVersion: v1", "apiVersion")


def test_a_version_of_another_form_says_so() -> None:
    found = look_up(release.parse("1.30"), {"apiVersion": f"{DRA}/v1", "kind": "ResourceClaim"})
    assert found.hint == (
        "use apiVersion: resource.k8s.io/v1alpha2; its structure there differs from the one here, "
        "see `dractl schema KIND --kube-version 1.30`"
    )
