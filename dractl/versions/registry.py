"""From a document's apiVersion and kind to the kind of a minor, or why it has none."""

from __future__ import annotations

import re
from enum import Enum
from typing import Any

from dractl.api import names, release
from dractl.api.release import Minor
from dractl.api.wording import choose_from, did_you_mean, nearest
from dractl.records import NamedTuple
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
    FOREIGN documents are of kinds that are not read, with a ``message`` where the group looks like a slip of
    the pen; UNNAMED ones have neither apiVersion nor kind.
    """

    standing: Standing
    kind: Kind | None = None
    message: str = ""
    hint: str = ""
    field: str = ""


class TypeMeta(NamedTuple):
    """The kind of a document, of any type; None if unset."""

    api_version: object
    kind: object


def type_meta(document: dict[Any, object]) -> TypeMeta:
    """The apiVersion and kind of ``document``, also where their keys are in another case.

    The server knows the kind even then, and refuses the key as an unknown field; mirrors
    ``SimpleMetaFactory.Interpret``.
    """
    api_version, kind = document.get("apiVersion"), document.get("kind")
    if api_version and kind:
        return TypeMeta(api_version, kind)
    folded = {key.casefold(): item for key, item in document.items() if item and isinstance(key, str)}
    return TypeMeta(api_version or folded.get("apiversion"), kind or folded.get("kind"))


def look_up(minor: Minor, document: object) -> Lookup:
    """What a server of ``minor`` knows about the kind of ``document``."""
    if not isinstance(document, dict):
        return Lookup(Standing.UNNAMED)
    api_version, kind = type_meta(document)
    if _is_unnamed(minor, document, api_version, kind):
        return Lookup(Standing.UNNAMED)
    for name, value in (("apiVersion", api_version), ("kind", kind)):
        if not value:
            return _missing(minor, document, name, kind if name == "apiVersion" else api_version)
        if not isinstance(value, str):
            field = name if name in document else _like(document, name)
            return Lookup(Standing.MALFORMED, message=f"{name} must be a string", field=field)
    assert isinstance(api_version, str)  # noqa: S101 - narrowed by the loop
    assert isinstance(kind, str)  # noqa: S101 - narrowed by the loop
    found = tables(minor).kinds.get((api_version, kind))
    if found is not None:
        return Lookup(Standing.KNOWN, found)
    if api_version.partition("/")[0] != DRA_GROUP:
        return _in_other_group(minor, api_version, kind)
    return _unserved(minor, api_version, kind)


def _is_unnamed(minor: Minor, document: dict[object, object], api_version: object, kind: object) -> bool:
    """Whether a document has neither apiVersion nor kind, and nothing that is surely meant to be one.

    One of the two alone and in another spelling may be a value like any other, unless it is one of DRA.
    """
    if document.get("apiVersion") or document.get("kind"):
        return False
    api_version = api_version or document.get(_like(document, "apiVersion"))
    kind = kind or document.get(_like(document, "kind"))
    if api_version and kind:
        return False
    homes = tables(minor).api_versions(kind) if isinstance(kind, str) else [api_version]
    return not any(isinstance(home, str) and home.startswith(f"{DRA_GROUP}/") for home in homes)


def _missing(minor: Minor, document: dict[object, object], name: str, other: object) -> Lookup:
    """That ``name`` is missing, with what is written for it or what goes with the ``other`` of the two."""
    written = _like(document, name)
    slips = [(right, _like(document, right)) for right in ("apiVersion", "kind")]
    hints = [
        f"use `{right}` instead of `{wrong}`" for right, wrong in slips if wrong and not document.get(right)
    ]
    if written:
        message = f"{name} is required; `{written}` is not the same"
    else:
        message = f"{name} is required"
        hints = [*_values(minor, name, other if isinstance(other, str) else ""), *hints]
    return Lookup(Standing.MALFORMED, message=message, hint="; ".join(hints), field=written)


def _values(minor: Minor, name: str, other: str) -> list[str]:
    """What ``name`` can be where the other one of apiVersion and kind is ``other``."""
    if name == "apiVersion":
        return [f"use apiVersion: {home}" for home in tables(minor).api_versions(other)[:1]]
    kinds = [kind for version, kind in tables(minor).kinds if version == other]
    is_ours = other.startswith(f"{DRA_GROUP}/") and kinds
    return [f"{other} has {', '.join(kinds)}"] if is_ours else []


def _like(document: dict[object, object], name: str) -> str:
    """The key that ``document`` has in the place of ``name``; empty if missing."""
    wanted = name.casefold()
    keys = (key for key in document if isinstance(key, str) and key != name)
    return next((key for key in keys if re.sub(r"[\s_-]", "", key).casefold() == wanted), "")


_CLOSED_GROUPS = frozenset({"", "apps", "batch", "scheduling.k8s.io"})
"""Groups of which the tables have every version of the kinds that are read, and that nobody can extend."""


def _in_other_group(minor: Minor, api_version: str, kind: str) -> Lookup:
    """Look up a kind in a group other than DRA's: foreign, unserved, or a misspelt group.

    Groups of custom resources are lower-case DNS subdomains, so a server has none of another form.
    """
    homes = tables(minor).api_versions(kind)
    group = api_version.rpartition("/")[0]
    if not homes:
        return _misspelt_kind(minor, group, kind)
    hint = f"use apiVersion: {homes[0]}"
    if group in _CLOSED_GROUPS or names.dns_subdomain(group):
        message = f"Kubernetes {minor} does not have {kind} in {api_version}"
        return Lookup(Standing.UNSERVED, message=message, hint=hint, field="apiVersion")
    if homes[0].startswith(f"{DRA_GROUP}/") and _is_like_dra(group):
        message = f"{group} is not the API group of {kind}, so the object is skipped and not validated"
        return Lookup(Standing.FOREIGN, message=message, hint=f"did you mean {homes[0]}?", field="apiVersion")
    return Lookup(Standing.FOREIGN)


def _misspelt_kind(minor: Minor, group: str, kind: str) -> Lookup:
    """An unknown kind in an unknown group: foreign, with a message if both resemble those of DRA."""
    if "." not in group or not _is_like_dra(group):
        return Lookup(Standing.FOREIGN)
    meant = nearest(kind, {name for version, name in tables(minor).kinds if version.startswith(DRA_GROUP)})
    if not meant:
        return Lookup(Standing.FOREIGN)
    message = f"{group} is not the API group of {meant}, so the object is skipped and not validated"
    hint = f"did you mean {meant} in {tables(minor).api_versions(meant)[0]}?"
    return Lookup(Standing.FOREIGN, message=message, hint=hint, field="apiVersion")


def _is_like_dra(group: str) -> bool:
    """Whether a group is DRA's misspelt; one without a dot cannot be that of a custom resource."""
    import difflib  # few documents come here

    if "." not in group:
        return True
    is_in_its_words = group.startswith(("resource.", "resources.")) and "kubernetes" in group
    return is_in_its_words or difflib.SequenceMatcher(None, group, DRA_GROUP).ratio() >= 0.8


def _unserved(minor: Minor, api_version: str, kind: str) -> Lookup:
    homes = tables(minor).api_versions(kind)
    here = [version for version in homes if version.startswith(DRA_GROUP)]
    message = f"Kubernetes {release.title(minor)} does not have {kind} in {api_version}"
    successor = _SUCCESSORS.get(kind)
    if here:
        hint = f"use apiVersion: {here[0]}" + _other_form(minor, here[0], api_version)
        hint += _REMOVED.get((str(minor), api_version), "")
    elif homes:
        hint = f"use apiVersion: {homes[0]}"
    elif successor:
        message = f"{kind} was removed: Kubernetes {minor} does not have it in {api_version}"
        hint = successor
    else:
        having = [
            release.title(other) for other in release.KNOWN if (api_version, kind) in tables(other).kinds
        ]
        hint = f"available in {', '.join(having)}" if having else ""
        if not having:
            message = f"unknown kind {kind} in {DRA_GROUP}"
            hint = _nearest(minor, kind)
    return Lookup(Standing.UNSERVED, message=message, hint=hint, field="apiVersion" if homes else "kind")


_REMOVED = {
    ("1.38", f"{DRA_GROUP}/v1beta1"): (
        "; `dractl convert` rewrites it, and an API server of 1.38 serves the version once more with "
        "KUBE_APISERVER_SERVE_REMOVED_APIS_FOR_ONE_RELEASE=true"
    )
}
"""Versions that a minor no longer serves, with more that helps."""

_CLASSIC = f"{DRA_GROUP}/v1alpha2"

_SUCCESSORS = {
    "ResourceClass": "removed in 1.31; use a DeviceClass, which has another structure",
    "ResourceClaimParameters": "removed in 1.31; use the requests of a claim",
    "ResourceClassParameters": "removed in 1.31; use a DeviceClass",
    "PodSchedulingContext": "removed in 1.32; drivers no longer allocate devices",
}
"""Kinds of earlier minors, with what to write instead."""


def _other_form(minor: Minor, wanted: str, written: str) -> str:
    """That the kind has another form there, as the kinds of v1alpha2 have."""
    if (wanted == _CLASSIC) is (written == _CLASSIC):
        return ""
    return f"; its structure there differs from the one here, see `dractl schema KIND --kube-version {minor}`"


def _nearest(minor: Minor, kind: str) -> str:
    kinds = sorted({name for version, name in tables(minor).kinds if version.startswith(DRA_GROUP)})
    return did_you_mean(kind, kinds, otherwise=choose_from(kinds))
