"""The limits that dractl sets itself, one row each, so that no input keeps a run busy or fills the memory.

Limits of the API server are another matter: they stand in ``limits``. ``python -m tests.drift --fix`` writes
the rows into docs/limits.md.
"""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["BUDGETS", "Budget"]


class Budget(NamedTuple):
    """A limit: its name in the docs, its value in ``unit``, and what happens to whoever reaches it.

    ``text`` is what dractl prints, ``{value}`` being the value; ``exit_code`` is that of the run (None where
    reaching the limit does not decide it). ``why`` says what it protects, with the figure that set it.
    """

    name: str
    value: int
    unit: str
    text: str
    exit_code: int | None
    why: str

    def message(self, **details: object) -> str:
        """What to print, with the value and the other ``details`` that the text names."""
        return self.text.format(value=f"{self.value:,}", **details)


_rows: list[Budget] = []


def _budget(name: str, value: int, unit: str, *, text: str, exit_code: int | None, why: str) -> Budget:
    row = Budget(name, value, unit, text, exit_code, why)
    _rows.append(row)
    return row


INPUT_SIZE = _budget(
    "input-size",
    256,
    "MiB per file",
    text="the input is larger than {value} MiB; split it into several files",
    exit_code=1,
    why="An object of the API is 3 MB at most; a dump of 5,000 nodes takes about 150 MB.",
)
NESTING = _budget(
    "nesting",
    256,
    "levels per document",
    text="mappings and lists are nested more than {value} levels deep",
    exit_code=1,
    why="No field of the API is deeper than 30 levels; go-yaml stops at 10,000, where Python cannot follow.",
)


BUDGETS: tuple[Budget, ...] = tuple(_rows)
"""Every row, in the order of the docs."""
