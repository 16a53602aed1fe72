"""From documents in one API to documents in another: versions among each other, prototypes to v1."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from dractl.conversion.named import carried, is_classic
from dractl.conversion.result import Conversion, Lost
from dractl.conversion.run import Elsewhere, location_of, object_of, path_text
from dractl.conversion.run import convert as convert_versions
from dractl.conversion.target import Target
from dractl.source.document import Document
from dractl.source.load import Loaded
from dractl.versions.convert import reads
from dractl.versions.prototypes import any_prototype
from dractl.versions.registry import DRA_GROUP

__all__ = ["convert"]

_V1 = f"{DRA_GROUP}/v1"
_STEP = re.compile(r"\[(\d+)\]|([^.\[\]]+)")


def convert(
    loaded: Iterable[Loaded], target: Target, *, lossy: bool = False, dialect: str | None = None
) -> Conversion:
    """``loaded`` in the API version of ``target``; what is lost is listed.

    Objects of prototypes and of 1.30 become objects of v1, and of no other version. ``dialect`` names the
    dialect of prototypes where shapes do not tell; raises ValueError for one that there is not.
    """
    everything = list(loaded)
    documents = [item for item in everything if isinstance(item, Document)]
    elsewhere = Elsewhere(frozenset(), (), ())
    if dialect is not None or any_prototype(document.value for document in documents):
        elsewhere = _of_prototypes(documents, target, dialect)
    if target.api_version == _V1:
        elsewhere = _with_classic(documents, elsewhere)
    return convert_versions(everything, target, lossy=lossy, elsewhere=elsewhere)


def _with_classic(documents: Sequence[Document], elsewhere: Elsewhere) -> Elsewhere:
    """``elsewhere`` with what the objects of 1.30 become."""
    theirs = [
        found for found in documents if is_classic(found.value) and id(found) not in elsewhere.documents
    ]
    # What a 1.30 server would not read is told as such, document by document.
    theirs = [found for found in theirs if not found.duplicates and reads(found.value)]
    if not theirs:
        return elsewhere
    done = carried([found.value for found in theirs])
    lost = [
        Lost(location_of(found, entry.steps), object_of(found), path_text(entry.steps), entry.reason)
        for entry in done.losses
        for found in (theirs[entry.number],)
    ]
    return Elsewhere(
        elsewhere.documents | {id(found) for found in theirs},
        (*elsewhere.objects, *done.objects),
        (*elsewhere.lost, *lost),
    )


def _of_prototypes(documents: Sequence[Document], target: Target, dialect: str | None) -> Elsewhere:
    """What becomes of the objects of prototypes among ``documents``."""
    from dractl.prototypes.dialects import DIALECTS  # noqa: PLC0415 - most inputs hold no prototypes
    from dractl.prototypes.reading import read  # noqa: PLC0415

    if dialect is not None and dialect not in DIALECTS:
        raise ValueError(f"there is no dialect {dialect}; there are {', '.join(DIALECTS)}")
    theirs = {id(item.origin): item.origin for item in read(documents, dialect).items}
    if target.api_version != _V1:
        reason = f"objects of prototypes become objects of {_V1}, and of no other version"
        whole = [_lost(found, "", reason) for found in theirs.values()]
        return Elsewhere(frozenset(theirs), (), whole)
    from dractl.prototypes.to_v1 import to_v1  # noqa: PLC0415 - as above

    converted = to_v1([document.value for document in documents], dialect)
    lost = [_lost(documents[entry.number], entry.field, entry.reason) for entry in converted.lost]
    return Elsewhere(frozenset(theirs), converted.objects, lost)


def _lost(document: Document, field: str, reason: str) -> Lost:
    return Lost(location_of(document, _steps(field)), object_of(document), field, reason)


def _steps(field: str) -> tuple[str | int, ...]:
    """The steps that the text of a path means."""
    return tuple(int(index) if index else name for index, name in _STEP.findall(field))
