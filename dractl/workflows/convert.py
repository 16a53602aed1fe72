"""From documents in one API to documents in another: versions among each other, prototypes to v1."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from dractl.api.path import path_text
from dractl.conversion.named import carried, is_classic
from dractl.conversion.result import Conversion, Lost
from dractl.conversion.run import Elsewhere, location_of, object_of
from dractl.conversion.run import convert as convert_versions
from dractl.conversion.target import Target
from dractl.source.document import Document
from dractl.source.load import Loaded
from dractl.versions.convert import Loss, known_part
from dractl.versions.prototypes import any_prototype
from dractl.versions.registry import DRA_GROUP
from dractl.workflows.extensions import CONVERT, PROTOTYPES

__all__ = ["convert"]

_V1 = f"{DRA_GROUP}/v1"


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
    is_mixed = dialect is not None or any_prototype(document.value for document in documents)
    of_prototypes = CONVERT.get(PROTOTYPES) if is_mixed else None
    if of_prototypes is not None:
        elsewhere = of_prototypes(documents, target, dialect)
    if target.api_version == _V1:
        elsewhere = _with_classic(documents, elsewhere)
    return convert_versions(everything, target, lossy=lossy, elsewhere=elsewhere)


def _with_classic(documents: Sequence[Document], elsewhere: Elsewhere) -> Elsewhere:
    """``elsewhere`` with what the objects of 1.30 become."""
    theirs = [
        found for found in documents if is_classic(found.value) and id(found) not in elsewhere.documents
    ]
    read = {id(found): known_part(found.value) for found in theirs if not found.duplicates}
    unread = [
        _of_classic(found, loss, is_broken=read[id(found)].value is None)
        for found in theirs
        if id(found) in read
        for loss in read[id(found)].losses
    ]
    whole = [found for found in theirs if id(found) in read]
    theirs = [found for found in whole if read[id(found)].value is not None]
    done = carried([value for found in theirs if (value := read[id(found)].value) is not None])
    carrying = [
        _of_classic(theirs[entry.number], Loss(entry.steps, entry.reason), is_broken=False)
        for entry in done.losses
    ]
    lost = [*unread, *carrying]
    return Elsewhere(
        elsewhere.documents | {id(found) for found in whole},
        (*elsewhere.objects, *done.objects),
        (*elsewhere.lost, *lost),
    )


def _of_classic(document: Document, loss: Loss, *, is_broken: bool) -> Lost:
    place, named = location_of(document, loss.steps), object_of(document)
    return Lost(place, named, path_text(loss.steps), loss.reason, is_broken)
