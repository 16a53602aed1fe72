import pytest

from dractl.api import release
from dractl.versions.registry import Standing, look_up

MINOR = release.parse("1.37")
DRA = "resource.k8s.io"


@pytest.mark.parametrize(
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
    ],
)
def test_standing(document: object, standing: Standing) -> None:
    assert look_up(MINOR, document).standing is standing


def test_an_unserved_version_names_the_one_to_use() -> None:
    found = look_up(MINOR, {"apiVersion": f"{DRA}/v1alpha3", "kind": "ResourceClaim"})
    assert found.hint == "use apiVersion: resource.k8s.io/v1"


def test_a_kind_that_is_gone_names_its_minors() -> None:
    found = look_up(MINOR, {"apiVersion": f"{DRA}/v1alpha2", "kind": "ResourceClass"})
    assert found.hint == "it is there in 1.30"


def test_a_misspelt_kind_names_the_nearest() -> None:
    found = look_up(MINOR, {"apiVersion": f"{DRA}/v1", "kind": "ResourceClaimTemplates"})
    assert found.hint == "did you mean ResourceClaimTemplate?"
