from __future__ import annotations

from dractl.lint.base.typos import is_typo, surely_meant
from tests.rows import each_row


@each_row(
    ("wrong", "right"),
    [
        ("Model", "model"),
        ("driver_version", "driverVersion"),
        ("pcie-root", "pcieRoot"),
        ("modle", "model"),
        ("model", "models"),
        ("indx", "index"),
        ("memmory", "memory"),
        ("memary", "memory"),
        ("H100", "h100"),
        ("X", "x"),
    ],
)
def test_names_that_are_surely_meant_to_be_another(wrong: str, right: str) -> None:
    assert is_typo(wrong, right)
    assert is_typo(right, wrong)


@each_row(
    ("one", "other"),
    [
        ("model", "model"),
        ("port0", "port1"),
        ("sliceA", "sliceB"),
        ("port1", "port10"),
        ("gpu21", "gpu12"),
        ("A100", "H100"),
        ("uid", "uuid"),
        ("minor", "major"),
        ("cores", "corps"),
        ("memory", "memoryGi"),
        ("read", "road"),
        ("", "x"),
    ],
)
def test_names_that_may_well_be_two(one: str, other: str) -> None:
    assert not is_typo(one, other)
    assert not is_typo(other, one)


@each_row(
    ("wrong", "known", "meant"),
    [
        ("memroy", ["memory", "model"], "memory"),
        ("memory", ["memory", "memroy"], None),
        ("memroy", ["model"], None),
        ("shared-mem", ["sharedMem", "shared_mem"], None),
        ("memroy", [], None),
    ],
)
def test_only_one_name_can_be_meant(wrong: str, known: list[str], meant: str | None) -> None:
    assert surely_meant(wrong, known) == meant


def test_another_question_decides_what_is_alike() -> None:
    assert surely_meant("a", ["b", "c"], lambda _, name: name == "c") == "c"
