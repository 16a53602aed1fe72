from tests.admission.statuses import Json, allocation, claim, device_status, judged, of_devices, result
from tests.rows import each_row

NETWORK = "status.devices[0].networkData"


@each_row(
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
    assert of_devices(device_status(networkData=network)) == expected


def test_a_misspelled_address_is_written_for_the_user() -> None:
    given = {"allocation": allocation(result())}
    entry = device_status(networkData={"ips": ["192.0.2.007/24"]})
    (error,) = judged(claim(given | {"devices": [entry]})).errors
    assert error.message == "write '192.0.2.007/24' as 192.0.2.7/24"
