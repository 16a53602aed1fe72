from typing import Any

import pytest

from dractl.admission.device_status import device_key, key_text
from tests.admission.statuses import Json, allocation, claim, condition, judged, refused, result

DEVICE = "status.devices[0]"
NETWORK = f"{DEVICE}.networkData"
SHARE = "2b7a1a5e-94c4-4f5e-9f0d-3f3f8f0d7c11"
UNKNOWN = f"dstat/allocated Invalid {DEVICE}"


def device(**fields: Any) -> Json:
    return {"driver": "gpu.example.com", "pool": "node-a", "device": "gpu-0"} | fields


def found(*devices: Json, results: tuple[Json, ...] = (result(),)) -> set[str]:
    given = {"allocation": allocation(*results)}
    return refused(claim(given | {"devices": list(devices)}), claim(given))


@pytest.mark.parametrize(
    ("devices", "expected"),
    [
        ([], set()),
        ([device()], set()),
        ([device(driver="")], {UNKNOWN, f"dstat/driver Required {DEVICE}.driver"}),
        ([device(driver="a_b")], {UNKNOWN, f"dstat/driver Invalid {DEVICE}.driver"}),
        ([device(driver="a" * 64)], {UNKNOWN, f"dstat/driver TooLong {DEVICE}.driver"}),
        ([device(pool="")], {UNKNOWN, f"dstat/pool Required {DEVICE}.pool"}),
        ([device(pool="a//b")], {UNKNOWN, f"dstat/pool Invalid {DEVICE}.pool"}),
        ([device(device="")], {UNKNOWN, f"dstat/device Invalid {DEVICE}.device"}),
        ([device(device="gpu.0")], {UNKNOWN, f"dstat/device Invalid {DEVICE}.device"}),
        ([device(device="gpu-1")], {UNKNOWN}),
        ([device(shareID=SHARE)], {UNKNOWN}),
        ([device(shareID="a")], {UNKNOWN, f"dstat/share-id Invalid {DEVICE}.shareID"}),
        ([device(shareID="")], {f"dstat/share-id Invalid {DEVICE}.shareID"}),
        ([device(), device()], {"status/devices-duplicate Duplicate status.devices[1]"}),
    ],
)
def test_which_device_is_reported_about(devices: list[Json], expected: set[str]) -> None:
    assert found(*devices) == expected


def test_shares_of_a_device_are_devices_of_their_own() -> None:
    results = (result(shareID=SHARE), result(shareID=SHARE.replace("2b7a", "2b7b")))
    shares = [device(shareID=one["shareID"]) for one in results]
    assert found(*shares, results=results) == set()
    assert found(device(), results=results) == {UNKNOWN}
    assert found(shares[0], shares[1], shares[0], results=results) == {
        "status/devices-duplicate Duplicate status.devices[2]"
    }


def test_a_slash_in_a_pool_makes_no_other_device() -> None:
    assert key_text(device_key(device(pool="a/b"))) == "gpu.example.com/a/b/gpu-0"
    assert device_key(device(pool="a", device="b/gpu-0")) != device_key(device(pool="a/b"))
    assert key_text(device_key(device(shareID=SHARE))) == f"gpu.example.com/node-a/gpu-0/{SHARE}"


def test_nothing_can_be_reported_without_an_allocation() -> None:
    assert refused(claim({"devices": [device()]})) == {UNKNOWN}


def test_the_error_names_the_device_and_those_that_are_allocated() -> None:
    admission = judged(claim({"allocation": allocation(result()), "devices": [device(device="gpu-1")]}))
    (error,) = admission.errors
    assert error.bad_value == "gpu.example.com/node-a/gpu-1"
    assert error.hint == "allocated: gpu.example.com/node-a/gpu-0"


def conditions(count: int, **fields: Any) -> list[Json]:
    return [condition(type=f"C{number}", **fields) for number in range(count)]


@pytest.mark.parametrize(
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
    assert found(device(conditions=items)) == expected


@pytest.mark.parametrize(
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
    assert found(device(data=data)) == expected


@pytest.mark.parametrize(
    ("network", "expected"),
    [
        ({}, set()),
        ({"interfaceName": "n" * 256, "hardwareAddress": "h" * 128}, set()),
        ({"interfaceName": "é" * 129}, {f"dstat/if-name TooLong {NETWORK}.interfaceName"}),
        ({"hardwareAddress": "h" * 129}, {f"dstat/hw-addr TooLong {NETWORK}.hardwareAddress"}),
        ({"ips": ["192.0.2.7/24", "2001:db8::7/64"]}, set()),
        ({"ips": ["192.0.2.7"]}, {f"dstat/ips-format Invalid {NETWORK}.ips[0]"}),
        ({"ips": ["::/0", "2001:DB8::7/64"]}, {f"dstat/ips-format Invalid {NETWORK}.ips[1]"}),
        ({"ips": ["::/0", "::1/128", "::/0"]}, {f"dstat/ips-duplicate Duplicate {NETWORK}.ips[2]"}),
        ({"ips": [f"192.0.2.{number}/24" for number in range(16)]}, set()),
        ({"ips": [""] * 17}, {f"dstat/ips-size TooMany {NETWORK}.ips"}),
    ],
)
def test_network_data_of_a_device(network: Json, expected: set[str]) -> None:
    assert found(device(networkData=network)) == expected


def test_a_misspelled_address_is_written_for_the_user() -> None:
    given = {"allocation": allocation(result())}
    entry = device(networkData={"ips": ["192.0.2.007/24"]})
    (error,) = judged(claim(given | {"devices": [entry]})).errors
    assert error.message == "write '192.0.2.007/24' as 192.0.2.7/24"
