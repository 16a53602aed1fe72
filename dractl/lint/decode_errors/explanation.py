"""What an explanation of a problem of decoding is made of, and what it is asked about."""

from __future__ import annotations

from collections.abc import Hashable

from dractl.api.json_types import JsonObject
from dractl.api.path import Steps
from dractl.api.release import Minor
from dractl.lint.fixes.repair import Repair
from dractl.records import NamedTuple
from dractl.versions.table import Field, Kind, Tables

__all__ = ["Explanation", "Unknown", "canonical", "real_name"]


class Explanation(NamedTuple):
    """What explains a problem of decoding. Problems with one ``rule`` and ``topic`` are one mistake.

    ``repair`` is how the document would be without it; None where that cannot be said. ``is_whole`` means
    that the whole document is of another shape, so that whatever it lacks follows from that. ``is_sure``
    means that nothing but the repair can be meant; ``meant`` is the scalar to write instead. ``may_go``: a
    value that the repair leaves out is one to remove.
    """

    rule: str
    topic: Hashable
    message: str
    hint: str
    repair: Repair | None
    is_whole: bool = False
    is_sure: bool = True
    meant: str | float | None = None
    may_go: bool = False


class Unknown(NamedTuple):
    """A field that its type does not have, and what is around it.

    ``holder`` is the mapping in which it was written, of the struct type ``type`` with ``fields``;
    ``companions`` are the last steps of all unknown fields of the document.
    """

    source: Tables
    kind: Kind
    steps: Steps
    value: object
    holder: JsonObject
    type: str
    fields: dict[str, Field]
    companions: frozenset[str]

    @property
    def name(self) -> str:
        """The field as it was written."""
        return str(self.steps[-1])

    @property
    def minor(self) -> Minor:
        """The minor that does not know the field."""
        return self.source.minor


def real_name(fields: JsonObject, name: str) -> str | None:
    """The field that ``name`` spells, apart from case, underscores and hyphens."""
    wanted = canonical(name)
    return next((known for known in fields if canonical(known) == wanted), None)


def canonical(name: str) -> str:
    """``name`` without what people spell in different ways."""
    return name.replace("_", "").replace("-", "").lower()
