"""Attributes as constraints compare them since 1.38: versions by precedence, and only usable values.

Mirrors ``attrValue`` of ``k8s.io/dynamic-resource-allocation/api``, to which slices are converted, and what
constraints make of its result.
"""

from __future__ import annotations

from dractl.api import semver
from dractl.cluster.devices import Attribute

_SCALARS = ("int", "bool", "string", "version")
_LISTS = ("ints", "bools", "strings", "versions")


def readable(attribute: Attribute, *, lists: bool) -> Attribute | None:
    """The value to be compared, without the build metadata of versions; None if it cannot be used.

    ``lists``: lists can be compared, too. A scalar wins over a list, and an empty list counts for nothing.
    """
    for kind in _SCALARS:
        if attribute.get(kind) is not None:
            return _of_scalar(kind, attribute)
    kind = next((kind for kind in _LISTS if attribute.get(kind)), "")
    if not kind or not lists:
        return None
    if kind != "versions":
        return {kind: attribute[kind]}
    compared = [_compared(text) for text in attribute[kind]]
    return None if None in compared else {kind: compared}


def _of_scalar(kind: str, attribute: Attribute) -> Attribute | None:
    if kind != "version":
        return {kind: attribute[kind]}
    compared = _compared(attribute[kind])
    return None if compared is None else {kind: compared}


def _compared(text: str) -> str | None:
    """A version without what does not count in a comparison; None for a text that is no version."""
    return text.partition("+")[0] if semver.is_valid(text) else None
