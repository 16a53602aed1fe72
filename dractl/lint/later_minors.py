"""Warnings ahead of the next minor: what it refuses, and quantities on which older servers hang."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, lru_cache
from string import hexdigits
from typing import Any

from dractl.admission.admit import admit
from dractl.admission.framework.server import Admission, Server
from dractl.api import gates as gate_table
from dractl.api import release
from dractl.api.gates import GateError, GateSet
from dractl.api.names import byte_length
from dractl.api.path import Steps
from dractl.api.quantity_reading import is_endless
from dractl.finding import Finding, Severity
from dractl.lint.base.lint_rule import OwnRule, own_rule
from dractl.lint.base.placing import note
from dractl.source.document import Document
from dractl.versions.layout import steps_in_version, to_version
from dractl.versions.registry import DRA_GROUP
from dractl.versions.table import Kind, tables

__all__ = ["LATER_RULES", "about_later"]

_LATER = release.at("1.38")
_V1 = f"{DRA_GROUP}/v1"
_MOST_DIGITS = 18

REFUSED_LATER = own_rule(
    "upgrade/refused",
    severity=Severity.WARNING,
    kind=("ResourceClaim", "ResourceClaimTemplate", "ResourceSlice"),
    doc="""An object that the server accepts is accepted by Kubernetes 1.38 as well.

    1.38 checks what earlier servers accept without a look: names with more than one `/`, numbers of more than
    18 digits in versions, names and amounts of requested and consumed capacity, several terms in the node
    selector of a device. What is in store already stays, but cannot be created again.

    Good:
        apiVersion: resource.k8s.io/v1
        kind: ResourceClaim
        metadata: {name: gpu}
        spec:
          devices:
            requests:
            - name: gpu
              exactly: {deviceClassName: gpu.example.com, capacity: {requests: {memory: 10Gi}}}
    Bad:
        apiVersion: resource.k8s.io/v1
        kind: ResourceClaim
        metadata: {name: gpu}
        spec:
          devices:
            requests:
            - name: gpu
              exactly: {deviceClassName: gpu.example.com, capacity: {requests: {gpu-memory: 10Gi}}}
    """,
)

ENDLESS_QUANTITY = own_rule(
    "quantity/endless",
    severity=Severity.WARNING,
    kind=(),
    doc="""A server can read a quantity without hanging on it.

    Servers up to 1.37 write out all zeros of a number that does not fit into 64 bits. For exponents beyond
    some ten thousands that takes minutes to years of a processor, so the request times out. Since 1.38 such a
    number is read at once, or rejected.

    Good:
        apiVersion: resource.k8s.io/v1
        kind: ResourceSlice
        metadata: {name: node-a}
        spec:
          driver: gpu.example.com
          nodeName: node-a
          pool: {name: node-a, generation: 1, resourceSliceCount: 1}
          devices: [{name: gpu-0, capacity: {memory: {value: 80e9}}}]
    Bad:
        apiVersion: resource.k8s.io/v1
        kind: ResourceSlice
        metadata: {name: node-a}
        spec:
          driver: gpu.example.com
          nodeName: node-a
          pool: {name: node-a, generation: 1, resourceSliceCount: 1}
          devices: [{name: gpu-0, capacity: {memory: {value: "1e2147483648"}}}]
    """,
)

LATER_RULES: tuple[OwnRule, ...] = (REFUSED_LATER, ENDLESS_QUANTITY)


def about_later(server: Server, document: Document, admission: Admission) -> list[Finding]:
    """What ``server`` accepts and a later minor does not, and the quantities on which it hangs itself."""
    if server.minor.within(_LATER, None):
        return []
    return [*_endless(document, admission), *_refused(server, document, admission)]


def _refused(server: Server, document: Document, admission: Admission) -> Iterator[Finding]:
    kind = admission.kind
    # A whole second look is only worth its time where it may find something.
    if not admission.accepted or kind.group != DRA_GROUP or not _may_be_refused(kind, admission.value):
        return
    later = tables(_LATER).kinds.get((_V1, kind.kind))
    if later is None:
        return
    gates = _gates_of(tuple(sorted(server.gates.overrides.items())))
    value = {**to_version(_V1, kind.kind, admission.value), "apiVersion": _V1, "kind": kind.kind}
    there = admit(Server(_LATER, gates, server.namespaces, server.now), later, value)
    for error in there.errors:
        steps = steps_in_version(kind.api_version, kind.kind, (error.place or error.path).steps())
        message = f"Kubernetes {release.title(_LATER)} rejects this: {error.message} ({error.rule})"
        yield note(
            document,
            Severity.WARNING,
            REFUSED_LATER.id,
            message,
            hint=error.hint,
            field=str(error.path),
            steps=steps,
            type=error.type.value,
        )


@cache
def _gates_of(overrides: tuple[tuple[str, bool], ...]) -> GateSet:
    """The gates of the later minor with those overrides that it has; its own defaults if they do not fit."""
    there = gate_table.gates_of(_LATER)
    kept = {name: value for name, value in overrides if name in there}
    try:
        return gate_table.resolve(_LATER, kept)
    except GateError:
        return gate_table.resolve(_LATER, {})


def _may_be_refused(kind: Kind, value: dict[str, Any]) -> bool:
    spec = value.get("spec") or {}
    if kind.kind == "ResourceSlice":
        return any(map(_is_odd_device, spec.get("devices") or ()))
    if kind.kind == "ResourceClaimTemplate":
        spec = spec.get("spec") or {}
    devices = spec.get("devices") or {}
    if any(_has_capacity(request) for request in devices.get("requests") or ()):
        return True
    attributes = (
        constraint.get(name) or ""
        for constraint in devices.get("constraints") or ()
        for name in ("matchAttribute", "distinctAttribute")
    )
    return any(name.count("/") > 1 for name in attributes)


def _has_capacity(request: dict[str, Any]) -> bool:
    bodies = (request.get("exactly") or {}, *(request.get("firstAvailable") or ()))
    return any(body.get("capacity") for body in bodies)


def _is_odd_device(device: dict[str, Any]) -> bool:
    if "nodeSelector" in device or "nodeAllocatableResources" in device:
        return True
    attributes = device.get("attributes") or {}
    if any(name.count("/") > 1 for part in (attributes, device.get("capacity") or {}) for name in part):
        return True
    versions = (
        text
        for attribute in attributes.values()
        for text in (attribute.get("version") or "", *(attribute.get("versions") or ()))
    )
    return any(byte_length(text) > _MOST_DIGITS for text in versions)


@cache
def _exponent() -> re.Pattern[str]:
    # A whole word, or one with an escape: uids and digests have such parts inside, in every dump.
    return re.compile(
        r"(?:(?<![0-9A-Za-z.-])[+-]?[0-9.]+|\\[xuU][0-9A-Fa-f.]*)[eE][+-]?[0-9]{5,}(?![0-9A-Za-z_-])"
    )


_AROUND = 200
"""Characters on both sides of a letter that may start an exponent; a longer number counts without a look."""


@lru_cache(maxsize=4)
def _has_exponent(text: str) -> bool:
    """Whether a text with any number of documents may have a large exponent; remembered for all of them."""
    # The pattern of a whole number stops at every digit: 2 s for a dump of 40 MB. The letters take 0.1 s.
    for letter in "eE":
        for found in re.finditer(letter + "[+-]?[0-9]{5}", text):
            start = max(0, found.start() - _AROUND)
            is_long = not text[start : found.start()].strip(f"{hexdigits}.")
            if is_long or _exponent().search(text, start, found.end() + _AROUND):
                return True
    return False


def _endless(document: Document, admission: Admission) -> Iterator[Finding]:
    text = document.text
    if text is not None and not _has_exponent(text):
        return
    for steps, value in _texts(document.value, ()):
        if _exponent().search(value) and is_endless(value) and _is_quantity(admission, steps):
            message = f"a server of Kubernetes {admission.minor} does not come back from reading {value}"
            hint = "write the number without an exponent, or with a small one"
            yield note(document, Severity.WARNING, ENDLESS_QUANTITY.id, message, hint=hint, steps=steps)


def _is_quantity(admission: Admission, steps: Steps) -> bool:
    from dractl.lint.decode_errors.field_places import field_at  # few quantities are suspects

    field = field_at(tables(admission.minor), admission.kind, steps)
    return field is not None and field.ref == "Quantity"


def _texts(value: Any, steps: Steps) -> Iterator[tuple[Steps, str]]:
    """All strings in a value, each with its steps."""
    if isinstance(value, str):
        yield steps, value
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from _texts(item, (*steps, key))
    elif isinstance(value, list):
        for position, item in enumerate(value):
            yield from _texts(item, (*steps, position))
