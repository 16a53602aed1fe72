import pytest

from dractl.admission.control_plane import check_deallocation
from tests.admission.minors import Json, created, status_written
from tests.admission.refusals import refused

RESULT = {"request": "gpu", "driver": "gpu.example.com", "pool": "a", "device": "gpu-0"}
USER = {"resource": "pods", "name": "a", "uid": "1"}


@pytest.mark.parametrize(
    ("name", "types"),
    [("gpu.example.com", set()), ("", set()), ("gpu_example", {"Invalid"}), ("a" * 64, {"TooLong"})],
)
def test_controllers_have_names_of_drivers(name: str, types: set[str]) -> None:
    found = created("1.31", "ResourceClaim", {"spec": {"controller": name}}, DRAControlPlaneController=True)
    assert found == {f"claim/controller {type_} spec.controller" for type_ in types}
    status = {"allocation": {"controller": name, "devices": {"results": [RESULT]}}}
    found = status_written("1.31", "ResourceClaim", status, DRAControlPlaneController=True)
    assert found == {f"alloc/controller {type_} status.allocation.controller" for type_ in types}


def test_without_the_gate_there_are_no_controllers() -> None:
    assert created("1.31", "ResourceClaim", {"spec": {"controller": "gpu_example"}}) == set()


def test_suitable_nodes_are_reported_without_the_spec() -> None:
    terms = [{"matchExpressions": [{"key": "a", "operator": "In"}]}]
    spec = {"spec": {"suitableNodes": {"nodeSelectorTerms": terms}}}
    found = created("1.31", "DeviceClass", spec, DRAControlPlaneController=True)
    place = "suitableNodes.nodeSelectorTerms[0].matchExpressions[0].values"
    assert found == {f"class/suitable-nodes Required {place}"}
    spec["spec"]["suitableNodes"] = {}
    found = created("1.31", "DeviceClass", spec, DRAControlPlaneController=True)
    assert found == {"class/suitable-nodes Required suitableNodes.nodeSelectorTerms"}


@pytest.mark.parametrize(
    ("status", "old", "expected"),
    [
        ({}, {}, set()),
        ({"allocation": {}, "deallocationRequested": True}, {"allocation": {}}, set()),
        (
            {"deallocationRequested": True, "reservedFor": [USER]},
            {},
            {
                "status/dealloc-unallocated Forbidden status",
                "status/dealloc-reserved Forbidden status.deallocationRequested",
            },
        ),
        (
            {"allocation": {}},
            {"allocation": {}, "deallocationRequested": True},
            {"status/dealloc-withdrawn Forbidden status.deallocationRequested"},
        ),
        ({}, {"allocation": {}, "deallocationRequested": True}, set()),
    ],
)
def test_devices_are_asked_back(status: Json, old: Json, expected: set[str]) -> None:
    for minor in ("1.30", "1.31"):
        assert refused(lambda ctx: check_deallocation(ctx, status, old), minor=minor) == expected
    assert refused(lambda ctx: check_deallocation(ctx, status, old), minor="1.32") == set()
