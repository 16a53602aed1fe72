"""From documents in one API to documents in another: versions among each other, prototypes to v1."""

from __future__ import annotations

from collections.abc import Iterable

from dractl.conversion.result import Conversion
from dractl.conversion.run import LegacyConversion
from dractl.conversion.run import convert as convert_versions
from dractl.conversion.target import Target
from dractl.source.document import Document
from dractl.source.load import Loaded
from dractl.versions.prototypes import any_prototype
from dractl.workflows.extensions import CONVERT, CONVERT_VERSION, PROTOTYPES, known_dialect

__all__ = ["convert"]


def convert(
    loaded: Iterable[Loaded], target: Target, *, lossy: bool = False, dialect: str | None = None
) -> Conversion:
    """``loaded`` in the API version of ``target``; what is lost is listed.

    Objects of prototypes and of 1.30 become objects of v1, and of no other version. ``dialect`` names the
    dialect of prototypes where shapes do not tell; raises ValueError for one that there is not.
    """
    everything = list(loaded)
    documents = [item for item in everything if isinstance(item, Document)]
    legacy = LegacyConversion(frozenset(), (), ())
    is_mixed = dialect is not None or any_prototype(document.value for document in documents)
    of_prototypes = CONVERT.get(PROTOTYPES) if is_mixed else None
    if of_prototypes is not None:
        legacy = of_prototypes(documents, target, known_dialect(dialect))
    rest = [document for document in documents if id(document) not in legacy.documents]
    for version in dict.fromkeys(map(_version, rest)):
        of_version = CONVERT_VERSION.get(version)
        if of_version is not None:
            legacy = legacy.plus(of_version(rest, target, dialect))
    return convert_versions(everything, target, lossy=lossy, legacy=legacy)


def _version(document: Document) -> str:
    value = document.value
    return str(value.get("apiVersion")) if isinstance(value, dict) else ""
