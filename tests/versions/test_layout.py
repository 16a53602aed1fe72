import copy
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from dractl.api.path import FieldPath
from dractl.versions.layout import (
    BARE,
    internal_text,
    same_wrappers,
    steps_in_internal,
    steps_in_version,
    to_internal,
    to_version,
    words_in_version,
)

ALPHA = "resource.k8s.io/v1alpha3"
BETA = "resource.k8s.io/v1beta1"
V1 = "resource.k8s.io/v1"


def claim(*requests: dict[str, Any]) -> dict[str, Any]:
    return {"spec": {"devices": {"requests": list(requests)}}}


def slice_of(*devices: dict[str, Any]) -> dict[str, Any]:
    return {"spec": {"devices": list(devices)}}


def test_flat_fields_move_into_exactly() -> None:
    found = to_internal(BETA, "ResourceClaim", claim({"name": "a", "deviceClassName": "c", "count": 1}))
    assert found == claim({"name": "a", "exactly": {"deviceClassName": "c", "count": 1}})


def test_a_request_without_flat_fields_gets_no_exactly() -> None:
    alternatives = {"name": "a", "firstAvailable": [{"name": "b"}]}
    assert to_internal(BETA, "ResourceClaim", claim(dict(alternatives))) == claim(alternatives)


def test_empty_selectors_next_to_alternatives_make_both_members() -> None:
    found = to_internal(BETA, "ResourceClaim", claim({"name": "a", "selectors": [], "firstAvailable": [{}]}))
    assert set(found["spec"]["devices"]["requests"][0]) == {"name", "exactly", "firstAvailable"}


def test_empty_tolerations_become_absent() -> None:
    found = to_internal(BETA, "ResourceClaim", claim({"name": "a", "tolerations": []}))
    assert found == claim({"name": "a", "exactly": {}})


def test_an_empty_exactly_shows_inside_only() -> None:
    some, none = claim({"name": "a", "exactly": {}}, {"name": "b"}), claim({"name": "a"}, {"name": "b"})
    assert to_version(BETA, "ResourceClaim", some) == to_version(BETA, "ResourceClaim", none)
    assert not same_wrappers(BETA, "ResourceClaim", some, none)
    assert same_wrappers(BETA, "ResourceClaim", some, some)
    assert same_wrappers(V1, "ResourceClaim", some, none)
    assert same_wrappers(BETA, "ResourceSlice", slice_of({"name": "d", BARE: True}), slice_of({"name": "d"}))


def test_basic_is_unwrapped_and_its_empty_maps_vanish() -> None:
    device = {"name": "d", "basic": {"attributes": {}, "capacity": {"m": {"value": "1"}}}}
    found = to_internal(BETA, "ResourceSlice", slice_of(device))
    assert found == slice_of({"name": "d", "capacity": {"m": {"value": "1"}}})


def test_a_device_without_basic_has_only_a_name_and_a_mark() -> None:
    found = to_internal(BETA, "ResourceSlice", slice_of({"name": "d"}))
    assert found == slice_of({"name": "d", BARE: True})


def test_the_mark_of_a_device_without_basic_does_not_go_back() -> None:
    marked = slice_of({"name": "d", BARE: True})
    assert to_version(BETA, "ResourceSlice", marked) == slice_of({"name": "d", "basic": {}})


def test_capacity_is_an_object_only_inside() -> None:
    device = {"name": "d", "basic": {"capacity": {"memory": "16Gi"}}}
    inside = to_internal(ALPHA, "ResourceSlice", slice_of(copy.deepcopy(device)))
    assert inside == slice_of({"name": "d", "capacity": {"memory": {"value": "16Gi"}}})
    assert to_version(ALPHA, "ResourceSlice", inside) == slice_of(device)


def test_basic_is_always_there_on_the_way_back() -> None:
    assert to_version(BETA, "ResourceSlice", slice_of({"name": "d"})) == slice_of({"name": "d", "basic": {}})


def test_templates_move_below_their_own_spec() -> None:
    template = {"spec": {"spec": {"devices": {"requests": [{"name": "a", "count": 1}]}}}}
    found = to_internal(BETA, "ResourceClaimTemplate", template)
    assert found["spec"]["spec"]["devices"]["requests"] == [{"name": "a", "exactly": {"count": 1}}]


def test_v1_stays_as_it_is() -> None:
    value = claim({"name": "a", "exactly": {"count": 1}})
    assert to_internal(V1, "ResourceClaim", copy.deepcopy(value)) == value
    assert to_version(V1, "ResourceClaim", value) is value


_FIELDS = st.fixed_dictionaries(
    {"deviceClassName": st.sampled_from(["c", "d"])},
    optional={
        "allocationMode": st.sampled_from(["All", "ExactCount"]),
        "count": st.integers(1, 5),
        "adminAccess": st.booleans(),
        "selectors": st.just([{"cel": {"expression": "true"}}]),
    },
)


@given(st.lists(_FIELDS, max_size=4))
def test_there_and_back_is_the_same(requests: list[dict[str, Any]]) -> None:
    value = claim(*({"name": f"r{number}", **fields} for number, fields in enumerate(requests)))
    there = to_internal(BETA, "ResourceClaim", copy.deepcopy(value))
    assert to_version(BETA, "ResourceClaim", there) == value


def test_to_version_leaves_its_argument_alone() -> None:
    value = claim({"name": "a", "exactly": {"count": 1}})
    before = copy.deepcopy(value)
    to_version(BETA, "ResourceClaim", value)
    assert value == before


def test_places_are_found_in_the_document_that_was_sent() -> None:
    steps = ("spec", "devices", "requests", 0, "exactly", "count")
    assert steps_in_version(BETA, "ResourceClaim", steps) == ("spec", "devices", "requests", 0, "count")
    assert steps_in_version(V1, "ResourceClaim", steps) == steps
    inside = ("spec", "devices", 3, "attributes", "x")
    assert steps_in_version(BETA, "ResourceSlice", inside) == (
        "spec",
        "devices",
        3,
        "basic",
        "attributes",
        "x",
    )


def test_a_place_in_the_version_s_shape_stays() -> None:
    for steps in (
        ("spec", "devices", 3, "basic", "taints"),
        ("spec", "devices", 3, "name"),
        ("metadata", "name"),
    ):
        assert steps_in_version(BETA, "ResourceSlice", steps) == steps


def test_versioned_paths_are_spelled_internally_for_comparison() -> None:
    path = FieldPath("spec").at("devices", "requests").index(1).child("selectors").index(0)
    assert internal_text(BETA, "ResourceClaim", path) == "spec.devices.requests[1].exactly.selectors[0]"
    basic = FieldPath("spec").child("devices").index(0).at("basic", "attributes").key("a.b/c")
    assert internal_text(BETA, "ResourceSlice", basic) == "spec.devices[0].attributes[a.b/c]"
    alternative = FieldPath("spec").at("devices", "requests").index(1).child("firstAvailable").index(0)
    assert internal_text(BETA, "ResourceClaim", alternative) == str(alternative)


def test_words_know_only_the_wrappers_of_their_version() -> None:
    text = "one of `exactly` and `firstAvailable`, in `spec.devices.requests[*].exactly.count`"
    assert words_in_version(BETA, "ResourceClaim", text) == (
        "one of `deviceClassName` and `firstAvailable`, in `spec.devices.requests[*].count`"
    )
    assert words_in_version(V1, "ResourceClaim", text) == text
    assert words_in_version(V1, "ResourceClaimTemplate", text) == text.replace("`spec.", "`spec.spec.")
    assert words_in_version(BETA, "ResourceSlice", "a `basic` part") == "a `basic` part"


def test_places_of_a_version_are_found_in_the_internal_shape() -> None:
    requests = ("spec", "devices", "requests", 0)
    beta = "resource.k8s.io/v1beta1"
    assert steps_in_internal(beta, "ResourceClaim", (*requests, "count")) == (*requests, "exactly", "count")
    assert steps_in_internal(beta, "ResourceClaim", (*requests, "name")) == (*requests, "name")
    device = ("spec", "devices", 3)
    assert steps_in_internal(beta, "ResourceSlice", (*device, "basic", "taints", 0)) == (*device, "taints", 0)
    assert steps_in_internal(beta, "ResourceSlice", ("spec", "driver")) == ("spec", "driver")
    assert steps_in_internal("resource.k8s.io/v1", "ResourceClaim", (*requests, "count")) == (
        *requests,
        "count",
    )
