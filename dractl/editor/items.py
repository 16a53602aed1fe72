"""One entry of a completion list."""

from __future__ import annotations

from enum import StrEnum

from dractl.records import NamedTuple

__all__ = ["Item", "Sort"]


class Sort(StrEnum):
    """What an entry is, for its icon."""

    FIELD = "field"
    ENUM = "enum"
    NAME = "name"
    ATTRIBUTE = "attribute"
    VALUE = "value"
    FUNCTION = "function"
    VARIABLE = "variable"


class Item(NamedTuple):
    """What may be written, with a note next to it; ``insert`` is the text where it differs from the label."""

    label: str
    sort: Sort
    detail: str
    insert: str = ""
    documentation: str = ""

    @property
    def text(self) -> str:
        """What is put into the file."""
        return self.insert or self.label
