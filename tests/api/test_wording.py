"""The name that somebody probably meant."""

from __future__ import annotations

from dractl.api.wording import did_you_mean, first_and_more, nearest, nearest_or_all
from tests.rows import each_row


@each_row(
    ("name", "meant"),
    [("deviceclas", "DeviceClass"), ("DEVICECLASS", "DeviceClass"), ("pod", "Pod"), ("Zebra", ""), ("", "")],
)
def test_the_nearest_name_in_whatever_case(name: str, meant: str) -> None:
    assert nearest(name, ["Pod", "DeviceClass"]) == meant


@each_row(
    ("name", "known", "meant"),
    [
        ("nic.example.com", "gpu.example.com", ""),
        ("gpus.example.com", "gpu.example.com", "gpu.example.com"),
        ("gpu.exmaple.com", "gpu.example.com", "gpu.example.com"),
        ("gpu.example.org", "gpu.example.com", "gpu.example.com"),
        ("request/foo", "request/mode", ""),
        ("request/mod", "request/mode", "request/mode"),
        ("mode", "request/mode", ""),
        ("gpu.example.com", "GPU.example.com", "GPU.example.com"),
    ],
)
def test_shared_parts_do_not_make_names_alike(name: str, known: str, meant: str) -> None:
    assert nearest(name, [known]) == meant


def test_the_advice() -> None:
    assert did_you_mean("Pood", ["Pod"]) == "did you mean Pod?"
    assert did_you_mean("Zebra", ["Pod"], otherwise="there is Pod") == "there is Pod"
    assert did_you_mean("Poood", ["Pod"], least=0.9) == ""


@each_row(
    ("names", "hint"),
    [
        ([], ""),
        (["gpu"], "the only one is gpu"),
        (["gpu", "nic", "gpu", ""], "choose from gpu, nic"),
        ([*"abcdefgh"], "choose from a, b, c, d, e, f, ... (8 in all)"),
        (["elephant"], "did you mean elephant?"),
    ],
)
def test_names_that_there_are(names: list[str], hint: str) -> None:
    assert nearest_or_all("elephants", names) == hint


def test_names_with_the_number_of_the_others() -> None:
    assert [first_and_more(list("abcde")[:number], 2) for number in range(6)] == [
        "",
        "a",
        "a, b",
        "a, b, c",
        "a, b and 2 more",
        "a, b and 3 more",
    ]
