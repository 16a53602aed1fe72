from typing import Any

from dractl.admission.framework.declarative import Declared, check_declared
from dractl.api import gates, release
from dractl.versions.registry import look_up
from tests.admission.conftest import claim, exactly

MINOR = release.parse("1.37")


def declared(document: dict[str, Any], **overrides: bool) -> list[Declared]:
    kind = look_up(MINOR, document).kind
    assert kind is not None
    return check_declared(kind, document, gates.resolve(MINOR, overrides))


def shown(found: list[Declared]) -> list[tuple[str, str, Any]]:
    return [
        (error.type.value.removeprefix("FieldValue"), str(error.path), error.bad_value) for error in found
    ]


def slice_with(**spec: Any) -> dict[str, Any]:
    return {"apiVersion": "resource.k8s.io/v1", "kind": "ResourceSlice", "metadata": {}, "spec": spec}


def test_an_object_without_anything_breaks_nothing() -> None:
    assert declared(claim()) == []


def test_sizes_stop_what_comes_after() -> None:
    constraints = [{"requests": ["a"] * 33}]
    assert shown(declared(claim(constraints=constraints))) == [
        ("TooMany", "spec.devices.constraints[0].requests", 33)
    ]


def test_duplicates_carry_the_whole_item() -> None:
    found = shown(declared(claim(exactly(), exactly())))
    assert found == [("Duplicate", "spec.devices.requests[1]", exactly())]


def test_map_keys_are_judged_at_the_map() -> None:
    found = shown(declared(slice_with(sharedCounters=[{"name": "a", "counters": {"A": {"value": "1"}}}])))
    assert found == [("Invalid", "spec.sharedCounters[0].counters", "A")]


def test_a_union_counts_lists_only_with_items() -> None:
    attributes = {"a": {"int": 1, "strings": []}, "b": {"strings": []}, "c": {"string": "x", "bool": False}}
    found = shown(declared(slice_with(devices=[{"name": "d", "attributes": attributes}])))
    assert found == [
        ("Invalid", "spec.devices[0].attributes[b]", ""),
        ("Invalid", "spec.devices[0].attributes[c]", "{bool, string}"),
    ]


def test_a_pointer_to_an_empty_text_is_still_judged() -> None:
    found = shown(declared(claim(constraints=[{"matchAttribute": ""}])))
    assert found == [
        ("Invalid", "spec.devices.constraints[0].matchAttribute", ""),
        ("Invalid", "spec.devices.constraints[0].matchAttribute", ""),
    ]


def test_the_domain_of_an_attribute_must_be_in_lower_case() -> None:
    found = shown(declared(claim(constraints=[{"matchAttribute": "GPU.example.com/numa"}])))
    assert found == [("Invalid", "spec.devices.constraints[0].matchAttribute", "GPU.example.com")]


def test_beta_rules_go_with_their_gate() -> None:
    document = claim(exactly(), exactly())
    assert declared(document, DeclarativeValidationBeta=False) == []
    both = slice_with(skipNodeOperations=["*", "*"])
    assert [error.is_beta for error in declared(both, DeclarativeValidationBeta=False)] == [False]


def test_conditional_rules_follow_their_gate() -> None:
    document = slice_with(partitionTypeAttribute="numa")
    assert shown(declared(document)) == [("Forbidden", "spec.partitionTypeAttribute", "")]
    on = declared(document, DRAPartitionableDevicesType=True, DRAResourcePoolStatus=True)
    assert shown(on) == [("Invalid", "spec.partitionTypeAttribute", "numa")]


def test_the_shape_of_the_version_decides_the_path() -> None:
    document = claim({"name": "a", "allocationMode": "x"}, version="v1beta1")
    assert shown(declared(document)) == [("NotSupported", "spec.devices.requests[0].allocationMode", "x")]


def test_numbers_have_bounds() -> None:
    document = {
        "apiVersion": "resource.k8s.io/v1alpha3",
        "kind": "ResourcePoolStatusRequest",
        "metadata": {},
        "spec": {"driver": "a", "limit": 1001},
    }
    assert shown(declared(document)) == [("Invalid", "spec.limit", 1001)]
    document["spec"] = {}
    assert shown(declared(document)) == [("Required", "spec.driver", ""), ("Required", "spec.limit", "")]
