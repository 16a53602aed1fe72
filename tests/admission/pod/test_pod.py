from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dractl.admission.pod.pod import check_pod_claims
from dractl.api.path import FieldPath
from tests.admission.refusals import SPEC, bad_values, refused
from tests.rows import each_row

if TYPE_CHECKING:
    pass

GPU = {"name": "gpu", "resourceClaimName": "shared"}
CLAIM = "spec.resourceClaims[0]"
USES = "spec.containers[0].resources.claims"


def found(spec: Any, *, is_static: bool = False, gates: dict[str, bool] | None = None) -> set[str]:
    return refused(lambda ctx: check_pod_claims(ctx, spec, SPEC, is_static=is_static), gates)


@each_row(
    ("claims", "expected"),
    [
        ([], set()),
        ([GPU, {"name": "nic", "resourceClaimTemplateName": "one.nic"}], set()),
        ([GPU | {"name": ""}], {f"pod/claim-name-required Required {CLAIM}.name"}),
        ([GPU | {"name": "a.b"}], {f"pod/claim-name-format Invalid {CLAIM}.name"}),
        ([GPU, GPU], {"pod/claim-name-duplicate Duplicate spec.resourceClaims[1].name"}),
        (
            [GPU | {"name": "A"}, GPU | {"name": "A"}],
            {
                f"pod/claim-name-format Invalid {CLAIM}.name",
                "pod/claim-name-duplicate Duplicate spec.resourceClaims[1].name",
            },
        ),
        ([{"name": "gpu"}], {f"pod/claim-none Invalid {CLAIM}"}),
        ([GPU | {"resourceClaimTemplateName": "t"}], {f"pod/claim-both Invalid {CLAIM}"}),
        ([GPU | {"resourceClaimName": ""}], {f"pod/claim-ref Invalid {CLAIM}.resourceClaimName"}),
        ([GPU | {"resourceClaimName": "a/b"}], {f"pod/claim-ref Invalid {CLAIM}.resourceClaimName"}),
        (
            [{"name": "gpu", "resourceClaimTemplateName": "A"}],
            {f"pod/claim-template-ref Invalid {CLAIM}.resourceClaimTemplateName"},
        ),
    ],
)
def test_claims_of_the_pod(claims: list[dict[str, Any]], expected: set[str]) -> None:
    assert found({"resourceClaims": claims}) == expected


@each_row(
    ("uses", "expected"),
    [
        ([], set()),
        ([{"name": "gpu"}], set()),
        ([{"name": "gpu", "request": "a"}, {"name": "gpu", "request": "b"}], set()),
        ([{}], {f"ctr/claim-name-required Required {USES}[0]"}),
        ([{"name": "nic"}], {f"ctr/claim-unknown NotFound {USES}[0]"}),
        ([{"name": "gpu"}, {"name": "gpu"}], {f"ctr/claim-duplicate Duplicate {USES}[1]"}),
        ([{"name": "gpu"}, {"name": "gpu", "request": "A"}], {f"ctr/claim-duplicate Duplicate {USES}[1]"}),
        (
            [{"name": "gpu", "request": "a"}, {"name": "gpu", "request": "a"}],
            {f"ctr/claim-duplicate Duplicate {USES}[1]"},
        ),
        ([{"name": "gpu", "request": "a"}, {"name": "gpu"}], {f"ctr/claim-duplicate Duplicate {USES}[1]"}),
        ([{"name": "gpu", "request": "a/b"}], {f"ctr/claim-request Invalid {USES}[0].request"}),
        (
            [{"name": "nic"}, {"name": "nic"}],
            {f"ctr/claim-unknown NotFound {USES}[{number}]" for number in (0, 1)}
            | {f"ctr/claim-duplicate Duplicate {USES}[1]"},
        ),
    ],
)
def test_claims_of_a_container(uses: list[dict[str, Any]], expected: set[str]) -> None:
    spec = {"resourceClaims": [GPU], "containers": [{"name": "main", "resources": {"claims": uses}}]}
    assert found(spec) == expected


def test_bad_values_of_repeated_claims() -> None:
    def bad(*uses: dict[str, str]) -> list[Any]:
        spec: Any = {"resourceClaims": [GPU], "containers": [{"resources": {"claims": list(uses)}}]}
        return bad_values(lambda ctx: check_pod_claims(ctx, spec, SPEC, is_static=False))

    one = {"name": "gpu", "request": "a"}
    assert bad(one, one) == ["gpu/a"]
    assert bad(one, {"name": "gpu", "request": "b"}, {"name": "gpu"}) == ["gpu"]


def test_containers_of_every_kind_are_looked_at() -> None:
    container = {"name": "a", "resources": {"claims": [{"name": "nic"}]}}
    lists = ("containers", "initContainers", "ephemeralContainers")
    spec = {name: [{"name": "b"}, container] for name in lists}
    assert found(spec) == {f"ctr/claim-unknown NotFound spec.{name}[1].resources.claims[0]" for name in lists}


def test_the_pod_as_a_whole_has_no_claims() -> None:
    forbidden = "ctr/pod-level Forbidden spec.resources.claims"
    assert found({"resources": {"requests": {"cpu": "1"}}}) == set()
    assert found({"resources": {"claims": []}}) == {forbidden}
    assert found({"resources": {"claims": [{"name": "gpu"}]}}) == {
        forbidden,
        "ctr/claim-unknown NotFound spec.resources.claims[0]",
    }
    assert found({"os": {"name": "windows"}, "resources": {"claims": []}}) == set()
    off = {"PodLevelResources": False, "InPlacePodLevelResourcesVerticalScaling": False}
    assert found({"resources": {"claims": [{"name": "gpu"}]}}, gates=off) == set()


def test_static_pods_have_no_claims_and_these_are_not_looked_at() -> None:
    spec = {"resourceClaims": [{}, GPU], "containers": [{"resources": {"claims": [{"name": "gpu"}]}}]}
    assert found(spec, is_static=True) == {"pod/static Forbidden []"}
    assert found({}, is_static=True) == set()


def test_pods_inside_workloads_are_reported_where_they_stand() -> None:
    path = FieldPath("spec").at("template", "spec")
    lines = refused(
        lambda ctx: check_pod_claims(ctx, {"resourceClaims": [{"name": "a"}]}, path, is_static=False)
    )
    assert lines == {"pod/claim-none Invalid spec.template.spec.resourceClaims[0]"}


def test_1_30_knows_no_requests_of_claims() -> None:
    spec: Any = {
        "resourceClaims": [{"name": "gpu", "source": {"resourceClaimName": "shared"}}],
        "containers": [{"resources": {"claims": [{"name": "gpu/x"}, {"name": "gpu"}]}}],
    }

    def lines(minor: str) -> set[str]:
        return refused(lambda ctx: check_pod_claims(ctx, spec, SPEC, is_static=False), minor=minor)

    assert lines("1.30") == {f"ctr/claim-unknown NotFound {USES}[0]"}
    assert f"ctr/claim-duplicate Duplicate {USES}[1]" in lines("1.31")
