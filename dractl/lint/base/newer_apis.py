"""What a newer API may have meant: every one-of, and what is said where nothing of it is known.

An older reader cannot tell a one-of that is empty from one whose member it does not know: what it drops
leaves nothing behind. So nothing must not mean something, and both are refused with the same words.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from dractl.api.errors import ErrorType, FieldError
from dractl.api.path import Steps
from dractl.api.wording import did_you_mean
from dractl.finding import CANNOT_KNOW
from dractl.records import NamedTuple

__all__ = ["CANNOT_KNOW", "ONE_OFS", "OneOf", "meaning_of_error", "meaning_of_field", "value_at"]


class OneOf(NamedTuple):
    """Members of which exactly one is set, and the rules that refuse an object without any.

    ``at`` is the struct type that holds them, with its package, in the newest minor that has it. ``up``
    counts the steps from where the rules place their error to the object. Without rules an object with none
    of them has a meaning of its own.
    """

    at: str
    members: tuple[str, ...]
    rules: tuple[str, ...]
    up: int = 0


_VALUES = ("int", "bool", "string", "version")

ONE_OFS: tuple[OneOf, ...] = (
    OneOf("resource/v1.DeviceRequest", ("exactly", "firstAvailable"), ("request/union-none",)),
    OneOf("resource/v1.DeviceSelector", ("cel",), ("cel/required",), up=1),
    OneOf("resource/v1.DeviceConstraint", ("matchAttribute", "distinctAttribute"), ("constraint/none-any",)),
    OneOf("resource/v1.DeviceConstraint", ("matchAttribute",), ("constraint/none-match",), up=1),
    OneOf("resource/v1.DeviceClaimConfiguration", ("opaque",), ("config/opaque-required",), up=1),
    OneOf(
        "resource/v1.DeviceAttribute",
        (*_VALUES, *(f"{name}s" for name in _VALUES)),
        ("device/attr-none",),
    ),
    OneOf(
        "resource/v1.ResourceSliceSpec",
        ("nodeName", "nodeSelector", "allNodes", "perDeviceNodeSelection"),
        ("slice/node-selection-none",),
    ),
    OneOf("resource/v1.Device", ("nodeName", "nodeSelector", "allNodes"), ("device/node-selection-none",)),
    OneOf("resource/v1.CapacityRequestPolicy", ("validValues", "validRange"), ()),
    OneOf("resource/v1.NodeAllocatableMapping", ("capacityKey", "deviceMultiplier"), ("nar/union",)),
    OneOf(
        "core/v1.PodResourceClaim",
        ("resourceClaimName", "resourceClaimTemplateName"),
        ("pod/claim-none",),
    ),
    OneOf(
        "resource/v1alpha2.NamedResourcesAttribute",
        ("quantity", "bool", "int", "intSlice", "string", "stringSlice", "version"),
        ("oldslice/attr-none",),
    ),
    OneOf("resource/v1alpha2.ResourceSlice", ("namedResources",), ("oldslice/model",), up=1),
    OneOf("resource/v1alpha2.ResourceRequest", ("namedResources",), ("oldparams/model",)),
    OneOf("resource/v1alpha2.DriverAllocationResult", ("namedResources",), ("oldclaim/handle-model",)),
)
"""Every one-of of the API."""

_BY_RULE = {rule: row for row in ONE_OFS for rule in row.rules}


def meaning_of_error(value: object, error: FieldError, steps: Steps, unknown: Iterable[Steps]) -> str:
    """What to say next to ``error`` at ``steps`` of the document ``value``; often nothing.

    ``unknown`` are the places of fields that the version does not have.
    """
    if error.type is ErrorType.NOT_SUPPORTED or error.message.startswith("unknown "):
        likely = _likely_value(error)
        if likely or error.type is not ErrorType.NOT_SUPPORTED:
            return likely
        return f"a newer version may have it: {CANNOT_KNOW}"
    row = _BY_RULE.get(error.rule)
    if row is None:
        return ""
    holder = steps[: len(steps) - row.up]
    found = value_at(value, holder)
    if isinstance(found, dict) and any(found.get(name) not in (None, []) for name in row.members):
        return ""  # what is wrong is something else
    names = [str(place[-1]) for place in unknown if place[:-1] == holder]
    if names:
        listed = ", ".join(f"`{name}`" for name in names)
        return f"{listed} may be its replacement in a newer version: {CANNOT_KNOW}"
    return f"a member of a newer version may have been dropped here: {CANNOT_KNOW}"


def _likely_value(error: FieldError) -> str:
    """Advice with the value that a value is likely to mean, of those that the message or the hint lists."""
    listed = f"{error.message.partition('; use ')[2]} {error.hint.partition(' has ')[2]}"
    allowed = [word for word in _WORD.findall(listed) if word not in _CONNECTING]
    return did_you_mean(str(error.bad_value), allowed, least=_TYPO)


_WORD = re.compile(r"[A-Za-z0-9][A-Za-z0-9/_-]*")
_CONNECTING = frozenset(("all", "for", "it", "of", "omit", "one", "or"))
_TYPO = 0.7


def meaning_of_field(near: Iterable[str], *, is_typo: bool = False) -> str:
    """The message for an unknown field next to the fields ``near``: something if they are those of a one-of.

    Of what may be a typo, ``is_typo``, only where no rule says it of the one-of itself.
    """
    known = set(near)
    for row in ONE_OFS:
        if is_typo and row.rules:
            continue
        if known.issuperset(row.members) and known - set(row.members) <= _BESIDE:
            return f"it may be a member of a newer version: {CANNOT_KNOW}"
    return ""


_BESIDE = frozenset(("default", "name", "requests", "source", "vendorParameters", "vendorRequestParameters"))
"""The fields that are next to the members of a one-of."""


def value_at(value: Any, steps: Steps) -> object:
    """What plain data has at a place; None if nothing."""
    for step in steps:
        try:
            value = value[step]
        except (KeyError, IndexError, TypeError):
            return None
    return value
