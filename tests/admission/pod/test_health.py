from functools import partial
from typing import Any

import pytest

from dractl.admission.pod.health import check_resource_health
from dractl.api.path import FieldPath
from tests.admission import refusals
from tests.admission.statuses import Json, pod, refused
from tests.rows import each_row

PLACE = "status.containerStatuses[0].allocatedResourcesStatus"
DEVICES = f"{PLACE}[0].resources"
EXTENDED = {
    "extendedResourceClaimStatus": {
        "resourceClaimName": "pod-ext",
        "requestMappings": [
            {"containerName": "main", "resourceName": "example.com/gpu", "requestName": "r0"},
            {"containerName": "main", "resourceName": "example.com/none", "requestName": "r1"},
        ],
    }
}


def of_container(name: str, *resources: Json, field: str = "containerStatuses") -> Any:
    return {field: [{"name": name, "allocatedResourcesStatus": list(resources)}]}


@each_row(
    ("container", "name", "is_known"),
    [
        ("main", "cpu", True),
        ("main", "example.com/gpu", True),
        ("main", "example.com/fpga", True),
        ("main", "memory", False),
        ("main", "", False),
        ("main", "claim:gpu/big", True),
        ("main", "claim:gpu", False),
        ("main", "claim:gpu/small", False),
        ("main", "claim:nic", True),
        ("main", "claim:nic/any", False),
        ("main", "claim:pod-ext/r0", True),
        ("main", "claim:pod-ext/r1", False),
        ("main", "claim:pod-ext/r2", False),
        ("main", "claim:pod-ext", False),
        ("side", "claim:pod-ext/r0", False),
        ("side", "cpu", False),
        ("other", "anything", True),
    ],
)
def test_of_what_health_is_reported(container: str, name: str, is_known: bool) -> None:
    expected = set() if is_known else {f"pstat/health-name Invalid {PLACE}[0].name"}
    assert refused(pod(EXTENDED | of_container(container, {"name": name}))) == expected


@pytest.mark.parametrize(("minor", "is_known"), [("1.31", False), ("1.32", True)])
def test_the_first_minor_knows_no_health_of_claims(minor: str, is_known: bool) -> None:
    place = FieldPath("status")
    for name in ("claim:gpu/big", "claim:nic"):
        status = of_container("main", {"name": name})
        said = refusals.refused(
            partial(check_resource_health, spec=pod()["spec"], status=status, path=place), minor=minor
        )
        assert said == (set() if is_known else {f"pstat/health-name Invalid {PLACE}[0].name"})
    status = of_container("main", {"name": "cpu"})
    assert not refusals.refused(
        partial(check_resource_health, spec=pod()["spec"], status=status, path=place), minor=minor
    )


def test_init_containers_report_health_too() -> None:
    place = "status.initContainerStatuses[0].allocatedResourcesStatus"
    resources = ({"name": "claim:nic"}, {"name": "cpu"})
    assert refused(pod(of_container("setup", *resources, field="initContainerStatuses"))) == {
        f"pstat/health-name Invalid {place}[1].name"
    }


def test_ephemeral_containers_report_none() -> None:
    field = "ephemeralContainerStatuses"
    assert refused(pod(of_container("debug", field=field))) == set()
    assert refused(pod(of_container("debug", {"name": "cpu", "resources": [{}]}, field=field))) == {
        f"pstat/health-ephemeral Forbidden status.{field}[0].allocatedResourcesStatus"
    }


@each_row(
    ("devices", "expected"),
    [
        ([{"resourceID": "a", "health": "Healthy"}, {"resourceID": "b", "health": "Unhealthy"}], set()),
        ([{"health": "Unknown"}], set()),
        ([{"resourceID": "a"}], {f"pstat/health NotSupported {DEVICES}[0].health"}),
        ([{"resourceID": "a", "health": "Good"}], {f"pstat/health NotSupported {DEVICES}[0].health"}),
        (
            [{"resourceID": "a", "health": "Healthy"}] * 3,
            {f"pstat/health-duplicate Duplicate {DEVICES}[{number}].resourceID" for number in (1, 2)},
        ),
        ([{"health": "Unknown", "message": "m" * 1024}], set()),
        (
            [{"health": "Unknown", "message": ""}],
            {f"pstat/health-message Required {DEVICES}[0].message"},
        ),
        (
            [{"health": "Unknown", "message": "é" * 513}],
            {f"pstat/health-message TooLong {DEVICES}[0].message"},
        ),
    ],
)
def test_the_health_of_devices(devices: list[Json], expected: set[str]) -> None:
    for container in ("main", "other"):
        resource = {"name": "cpu", "resources": devices}
        assert refused(pod(of_container(container, resource))) == expected


def test_the_same_device_can_be_in_two_resources() -> None:
    devices = [{"resourceID": "a", "health": "Healthy"}]
    resources = ({"name": "cpu", "resources": devices}, {"name": "claim:nic", "resources": devices})
    assert refused(pod(of_container("main", *resources))) == set()
