"""Pods of 1.30, which name their claims under ``source``, in the form of later minors, and back."""

from __future__ import annotations

from typing import Any

from dractl.api.json_types import JsonDict, Object

__all__ = ["inlined", "sourced"]

_WRAPPER = "source"
_NAMES = ("resourceClaimName", "resourceClaimTemplateName")


def inlined(pod: Object) -> Object:
    """The pod with the names of claims directly in its entries."""
    return _with_claims(pod, lambda entry: {**_without(entry, (_WRAPPER,)), **(entry.get(_WRAPPER) or {})})


def sourced(pod: Object) -> Object:
    """The pod with the names of claims under ``source``."""

    def wrapped(entry: JsonDict) -> JsonDict:
        return {
            **_without(entry, _NAMES),
            _WRAPPER: {name: entry[name] for name in _NAMES if name in entry},
        }

    return _with_claims(pod, wrapped)


def _without(entry: JsonDict, names: tuple[str, ...]) -> JsonDict:
    return {name: value for name, value in entry.items() if name not in names}


def _with_claims(pod: Object, change: Any) -> Object:
    spec = pod.get("spec") or {}
    claims = spec.get("resourceClaims")
    if not claims:
        return pod
    return {**pod, "spec": {**spec, "resourceClaims": [change(entry) for entry in claims]}}
