"""The fix of an API version that the server lacks or does not serve: the object in one that it serves."""

from __future__ import annotations

from dractl.api.edits import Replace
from dractl.api.json_types import JsonDict
from dractl.api.release import Minor
from dractl.conversion.documents import change_of
from dractl.conversion.target import APART, Target
from dractl.finding import Applicability, Fix
from dractl.lint.fixes.text_edits import fix_of
from dractl.source.document import Document
from dractl.versions.registry import DRA_GROUP, type_meta
from dractl.versions.table import tables

__all__ = ["served_version", "version_fix", "with_version"]


def version_fix(document: Document, minor: Minor, *, fits_as_it_is: bool) -> Fix | None:
    """The fix that brings ``document`` into a version that a server of ``minor`` serves by default.

    ``fits_as_it_is``: the body is one of that version already, under the wrong name. Otherwise it is
    converted, unless something would be lost.
    """
    version = served_version(document.value, minor)
    if version is None:
        return None
    message = f"convert to {version}"
    if fits_as_it_is:
        return fix_of(document, [Replace(("apiVersion",), version)], Applicability.SAFE, f"use {version}")
    change = change_of(document, Target(version, minor))
    if change.value is None or change.losses:
        return None
    return fix_of(document, change.edits, Applicability.SAFE, message)


def served_version(value: object, minor: Minor) -> str | None:
    """Another version of the kind of ``value`` that a server of ``minor`` serves by default, the newest."""
    if not isinstance(value, dict):
        return None
    api_version, kind = type_meta(value)
    if not isinstance(kind, str) or not isinstance(api_version, str) or api_version == APART:
        return None
    if not api_version.startswith(f"{DRA_GROUP}/"):
        return None
    source = tables(minor)
    homes = (home for home in source.api_versions(kind) if home.startswith(f"{DRA_GROUP}/"))
    served = (home for home in homes if source.kinds[home, kind].served_by_default)
    return next((home for home in served if home != api_version), None)


def with_version(value: JsonDict, version: str) -> JsonDict:
    """The object under the name of another version."""
    return {**value, "apiVersion": version}
