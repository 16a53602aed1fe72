"""The door to converting objects of 1.30: documents in; objects of v1 and losses with their places out."""

from __future__ import annotations

from collections.abc import Sequence

from dractl.api.path import path_text
from dractl.conversion.result import Lost
from dractl.conversion.run import LegacyConversion, location_of, object_of
from dractl.conversion.target import Target
from dractl.legacy.v1alpha2.conversion.to_v1 import carried, is_classic
from dractl.source.document import Document
from dractl.versions.convert import Loss, known_part
from dractl.versions.registry import DRA_GROUP

__all__ = ["convert"]

_V1 = f"{DRA_GROUP}/v1"


def convert(documents: Sequence[Document], target: Target, _dialect: str | None) -> LegacyConversion:
    """What the objects of 1.30 among ``documents`` become in v1; other targets have nothing for them."""
    if target.api_version != _V1:
        return LegacyConversion(frozenset(), (), ())
    theirs = [found for found in documents if is_classic(found.value)]
    read = {id(found): known_part(found.value) for found in theirs if not found.duplicates}
    unread = [
        _of_classic(found, loss, is_broken=read[id(found)].value is None)
        for found in theirs
        if id(found) in read
        for loss in read[id(found)].losses
    ]
    readable = [found for found in theirs if id(found) in read]
    theirs = [found for found in readable if read[id(found)].value is not None]
    done = carried([value for found in theirs if (value := read[id(found)].value) is not None])
    carrying = [
        _of_classic(theirs[entry.number], Loss(entry.steps, entry.reason), is_broken=False)
        for entry in done.losses
    ]
    return LegacyConversion(frozenset(id(found) for found in readable), done.objects, [*unread, *carrying])


def _of_classic(document: Document, loss: Loss, *, is_broken: bool) -> Lost:
    place, named = location_of(document, loss.steps), object_of(document)
    return Lost(place, named, path_text(loss.steps), loss.reason, is_broken)
