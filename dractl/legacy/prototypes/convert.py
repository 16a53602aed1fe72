"""The door to converting prototypes: documents in; objects of v1 and losses with their places out."""

from __future__ import annotations

import re
from collections.abc import Sequence

from dractl.conversion.result import Lost
from dractl.conversion.run import LegacyConversion, location_of, object_of
from dractl.conversion.target import Target
from dractl.legacy.prototypes.dialects.reading import read
from dractl.legacy.prototypes.to_v1 import to_v1
from dractl.source.document import Document
from dractl.versions.registry import DRA_GROUP

__all__ = ["convert"]

_V1 = f"{DRA_GROUP}/v1"
_STEP = re.compile(r"\[(\d+)\]|([^.\[\]]+)")


def convert(documents: Sequence[Document], target: Target, dialect: str | None) -> LegacyConversion:
    """Convert the objects of prototypes among ``documents``; ``dialect`` is one of DIALECTS."""
    theirs = {id(item.origin): item.origin for item in read(documents, dialect).items}
    if target.api_version != _V1:
        reason = f"prototype objects can be converted only to {_V1}"
        refused = [_lost(found, "", reason) for found in theirs.values()]
        return LegacyConversion(frozenset(theirs), (), refused)
    converted = to_v1([document.value for document in documents], dialect)
    lost = [
        _lost(documents[entry.number], entry.field, entry.reason)._replace(is_broken=entry.is_broken)
        for entry in converted.lost
    ]
    return LegacyConversion(frozenset(theirs), converted.objects, lost)


def _lost(document: Document, field: str, reason: str) -> Lost:
    return Lost(location_of(document, _steps(field)), object_of(document), field, reason)


def _steps(field: str) -> tuple[str | int, ...]:
    """The steps that the text of a path means."""
    return tuple(int(index) if index else name for index, name in _STEP.findall(field))
