from typing import Any

from dractl.admission.claim.device_status import device_key, key_text
from tests.admission.statuses import (
    Json,
    allocation,
    claim,
    condition,
    device_status,
    judged,
    of_devices,
    refused,
    result,
)
from tests.rows import each_row

DEVICE = "status.devices[0]"
SHARE = "2b7a1a5e-94c4-4f5e-9f0d-3f3f8f0d7c11"
UNKNOWN = f"dstat/allocated Invalid {DEVICE}"


@each_row(
    ("devices", "expected"),
    [
        ([], set()),
        ([device_status()], set()),
        ([device_status(driver="")], {UNKNOWN, f"dstat/driver Required {DEVICE}.driver"}),
        ([device_status(driver="a_b")], {UNKNOWN, f"dstat/driver Invalid {DEVICE}.driver"}),
        ([device_status(driver="a" * 64)], {UNKNOWN, f"dstat/driver TooLong {DEVICE}.driver"}),
        ([device_status(pool="")], {UNKNOWN, f"dstat/pool Required {DEVICE}.pool"}),
        ([device_status(pool="a//b")], {UNKNOWN, f"dstat/pool Invalid {DEVICE}.pool"}),
        ([device_status(device="")], {UNKNOWN, f"dstat/device Invalid {DEVICE}.device"}),
        ([device_status(device="gpu.0")], {UNKNOWN, f"dstat/device Invalid {DEVICE}.device"}),
        ([device_status(device="gpu-1")], {UNKNOWN}),
        ([device_status(shareID=SHARE)], {UNKNOWN}),
        ([device_status(shareID="a")], {UNKNOWN, f"dstat/share-id Invalid {DEVICE}.shareID"}),
        ([device_status(shareID="")], {f"dstat/share-id Invalid {DEVICE}.shareID"}),
        ([device_status(), device_status()], {"status/devices-duplicate Duplicate status.devices[1]"}),
    ],
)
def test_which_device_is_reported_about(devices: list[Json], expected: set[str]) -> None:
    assert of_devices(*devices) == expected


def test_shares_of_a_device_are_devices_of_their_own() -> None:
    results = (result(shareID=SHARE), result(shareID=SHARE.replace("2b7a", "2b7b")))
    shares = [device_status(shareID=one["shareID"]) for one in results]
    assert of_devices(*shares, results=results) == set()
    assert of_devices(device_status(), results=results) == {UNKNOWN}
    assert of_devices(shares[0], shares[1], shares[0], results=results) == {
        "status/devices-duplicate Duplicate status.devices[2]"
    }


def test_a_slash_in_a_pool_makes_no_other_device() -> None:
    assert key_text(device_key(device_status(pool="a/b"))) == "gpu.example.com/a/b/gpu-0"
    assert device_key(device_status(pool="a", device="b/gpu-0")) != device_key(device_status(pool="a/b"))
    assert key_text(device_key(device_status(shareID=SHARE))) == f"gpu.example.com/node-a/gpu-0/{SHARE}"


def test_nothing_can_be_reported_without_an_allocation() -> None:
    assert refused(claim({"devices": [device_status()]})) == {UNKNOWN}


def test_the_error_names_the_device_and_those_that_are_allocated() -> None:
    admission = judged(
        claim({"allocation": allocation(result()), "devices": [device_status(device="gpu-1")]})
    )
    (error,) = admission.errors
    assert error.bad_value == "gpu.example.com/node-a/gpu-1"
    assert error.hint == "allocated: gpu.example.com/node-a/gpu-0"


def conditions(count: int, **fields: Any) -> list[Json]:
    return [condition(type=f"C{number}", **fields) for number in range(count)]


@each_row(
    ("items", "expected"),
    [
        (conditions(8), set()),
        (conditions(9), {f"dstat/conditions-size TooMany {DEVICE}.conditions"}),
        ([condition(status="yes")], {f"dstat/conditions NotSupported {DEVICE}.conditions[0].status"}),
        ([condition(), condition()], {f"dstat/conditions Duplicate {DEVICE}.conditions[1]"}),
        (
            [*conditions(8), condition(reason=None)],
            {
                f"dstat/conditions-size TooMany {DEVICE}.conditions",
                f"dstat/conditions Required {DEVICE}.conditions[8].reason",
            },
        ),
    ],
)
def test_conditions_of_a_device(items: list[Json], expected: set[str]) -> None:
    assert of_devices(device_status(conditions=items)) == expected


@each_row(
    ("data", "expected"),
    [
        (None, set()),
        ({}, set()),
        ({"a": "x" * 10232}, set()),
        ({"a": "x" * 10233}, {f"dstat/data-size TooLong {DEVICE}.data"}),
        ([], {f"dstat/data-object Invalid {DEVICE}.data"}),
        ("", {f"dstat/data-object Invalid {DEVICE}.data"}),
        (0, {f"dstat/data-object Invalid {DEVICE}.data"}),
        (False, {f"dstat/data-object Invalid {DEVICE}.data"}),
    ],
)
def test_data_of_a_device(data: Any, expected: set[str]) -> None:
    assert of_devices(device_status(data=data)) == expected
