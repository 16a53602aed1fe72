"""Tables that are too wide: names are broken at their separators, and nothing is lost."""

from __future__ import annotations

from dractl.report.columns import fitted
from tests.rows import each_row

HEADINGS = ("POD", "NODE", "DEVICE")
ROW = ("machine-learning/train-1", "ip-10-0-12-233.internal", "gpu.example.com/ip-10-0-12-233.internal/gpu-0")


def _width(rows: list[list[str]], gap: int = 2) -> int:
    columns = zip(*rows, strict=True)
    widths = [max(len(line) for cell in column for line in cell.split("\n")) for column in columns]
    return sum(widths) + gap * (len(widths) - 1)


def test_what_fits_stays_as_it_is() -> None:
    assert fitted([HEADINGS, ROW], 200, 2) == [list(HEADINGS), list(ROW)]


def test_the_widest_column_is_broken_first_and_at_a_slash() -> None:
    assert fitted([HEADINGS, ROW], 80, 2)[1] == [
        "machine-learning/train-1",
        "ip-10-0-12-233.internal",
        "gpu.example.com/\nip-10-0-12-233.internal/gpu-0",
    ]


def test_other_separators_come_next() -> None:
    _, (pod, node, device) = fitted([HEADINGS, ROW], 50, 2)
    assert pod == "machine-\nlearning/\ntrain-1"
    assert node == "ip-10-0-12-233.\ninternal"
    assert device.split("\n")[0] == "gpu.example.com/"


@each_row("room", range(20, 100, 3))
def test_no_text_is_lost_and_the_table_fits(room: int) -> None:
    rows = fitted([HEADINGS, ROW], room, 2)
    assert [cell.replace("\n", "") for cell in rows[1]] == list(ROW)
    assert _width(rows) <= max(room, 3 * 6 + 2 * 2)


def test_a_word_without_separators_is_broken_where_it_must() -> None:
    assert fitted([("A",), ("x" * 15,)], 10, 2) == [["A"], ["x" * 10 + "\n" + "x" * 5]]
