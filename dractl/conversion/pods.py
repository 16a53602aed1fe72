"""The one difference that minors have in pods: 1.30 keeps the names of claims below ``source``."""

from __future__ import annotations

from collections.abc import Iterator

from dractl.api.edits import Edit, Unfold
from dractl.api.json_types import JsonDict
from dractl.versions.convert import Loss
from dractl.versions.workloads import workload_steps

__all__ = ["pod_changes"]

_NAMES = ("resourceClaimName", "resourceClaimTemplateName")
_WRAPPER = "source"
_EMPTY = f"must have {' or '.join(_NAMES)}; another field from a newer version cannot be converted"


def pod_changes(document: JsonDict) -> Iterator[Edit | Loss]:
    """What brings the claims of a pod, or of a workload's pods, into the form since 1.31."""
    steps = workload_steps(str(document.get("apiVersion")), str(document.get("kind")))
    if steps is None:
        return
    route: tuple[str | int, ...] = (*steps, "spec", "resourceClaims")
    claims: object = document
    for step in route:
        claims = claims.get(step) if isinstance(claims, dict) else None
    for position, claim in enumerate(claims if isinstance(claims, list) else ()):
        if isinstance(claim, dict) and isinstance(claim.get(_WRAPPER), dict | None) and _WRAPPER in claim:
            source = claim[_WRAPPER] or {}
            named = (*(claim.get(name) for name in _NAMES), *source.values())
            if all(name is None for name in named):
                yield Loss((*route, position, _WRAPPER), _EMPTY)
            else:
                yield from _unwrapped((*route, position), claim, source)


def _unwrapped(steps: tuple[str | int, ...], claim: JsonDict, source: JsonDict) -> Iterator[Edit | Loss]:
    inside = (*steps, _WRAPPER)
    for name in source:
        if name not in _NAMES:
            yield Loss(
                (*inside, name),
                "a pod's claim must come from " + " or ".join(_NAMES) + "; a field from a newer version "
                "cannot be converted",
            )
        elif claim.get(name) is not None:
            yield Loss((*inside, name), f"{name} is also set outside {_WRAPPER}; keep only one")
    yield Unfold(steps, _WRAPPER)
