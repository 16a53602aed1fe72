"""From a document's apiVersion and kind to the kind of a minor, or why there is none."""

from __future__ import annotations

from enum import Enum
from typing import Any, NamedTuple

from dractl.api import release
from dractl.api.release import Minor
from dractl.versions.table import Kind, tables

DRA_GROUP = "resource.k8s.io"


class Standing(Enum):
    """How a document's apiVersion and kind relate to what a server has."""

    KNOWN = "known"
    FOREIGN = "foreign"
    UNNAMED = "unnamed"
    UNSERVED = "unserved"
    MALFORMED = "malformed"


class Lookup(NamedTuple):
    """The answer about one document.

    ``kind`` is there if it is KNOWN. ``message`` says what is wrong if it is UNSERVED (the minor lacks the
    version or kind) or MALFORMED (no string, or only one of the two); ``hint`` what to write instead.
    FOREIGN documents are of kinds that are not read, UNNAMED ones have neither apiVersion nor kind.
    """

    standing: Standing
    kind: Kind | None = None
    message: str = ""
    hint: str = ""
    field: str = ""


def look_up(minor: Minor, document: Any) -> Lookup:
    """What a server of ``minor`` knows about the kind of ``document``."""
    if not isinstance(document, dict):
        return Lookup(Standing.UNNAMED)
    api_version, kind = document.get("apiVersion"), document.get("kind")
    if not api_version and not kind:
        return Lookup(Standing.UNNAMED)
    for name, value in (("apiVersion", api_version), ("kind", kind)):
        if not value or not isinstance(value, str):
            what = "is missing" if not value else "must be a string"
            return Lookup(Standing.MALFORMED, message=f"{name} {what}", field=name if value else "")
    assert isinstance(api_version, str)  # noqa: S101 - narrowed by the loop
    assert isinstance(kind, str)  # noqa: S101 - narrowed by the loop
    found = tables(minor).kinds.get((api_version, kind))
    if found is not None:
        return Lookup(Standing.KNOWN, found)
    if api_version.partition("/")[0] != DRA_GROUP:
        return Lookup(Standing.FOREIGN)
    return _unserved(minor, api_version, kind)


def _unserved(minor: Minor, api_version: str, kind: str) -> Lookup:
    here = [version for version in tables(minor).api_versions(kind) if version.startswith(DRA_GROUP)]
    message = f"Kubernetes {minor} does not have {kind} in {api_version}"
    if here:
        hint = f"use apiVersion: {here[0]}"
    else:
        having = [str(other) for other in release.KNOWN if (api_version, kind) in tables(other).kinds]
        hint = f"it is there in {', '.join(having)}" if having else ""
        if not having:
            message = f"there is no kind {kind} in {DRA_GROUP}"
            hint = _nearest(minor, kind)
    return Lookup(Standing.UNSERVED, message=message, hint=hint, field="apiVersion" if here else "kind")


def _nearest(minor: Minor, kind: str) -> str:
    import difflib  # noqa: PLC0415 - only on the way to an error

    kinds = sorted({name for version, name in tables(minor).kinds if version.startswith(DRA_GROUP)})
    near = difflib.get_close_matches(kind, kinds, n=1)
    return f"did you mean {near[0]}?" if near else f"kinds are: {', '.join(kinds)}"
