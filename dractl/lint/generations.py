"""What the generation of a pool says of changes: it rises with each one, and never falls."""

from __future__ import annotations

from collections.abc import Iterator

from dractl.api.json_types import JsonObject
from dractl.api.path import Steps, path_text
from dractl.finding import Finding, Severity
from dractl.lint.base.placing import note
from dractl.lint.earlier import Earlier
from dractl.source.document import Document

__all__ = ["about_generation"]

_GENERATION: Steps = ("spec", "pool", "generation")
_CONTENT = ("devices", "sharedCounters")


def about_generation(document: Document, before: Document | None, earlier: Earlier) -> Iterator[Finding]:
    """Warnings about a slice whose pool has a lower generation than earlier, or other devices in the same.

    ``before`` is the earlier version of the slice, if there is one.
    """
    spec = _spec(document.value)
    pool, driver = _pool(spec), spec.get("driver")
    generation = pool.get("generation")
    if document.value.get("kind") != "ResourceSlice" or not isinstance(generation, int):
        return
    newest = max(
        (
            found
            for other in earlier.of_kind("ResourceSlice")
            if _same_pool(_spec(other.value), driver, pool)
            and isinstance(found := _pool(_spec(other.value)).get("generation"), int)
        ),
        default=generation,
    )
    if generation < newest:
        message = f"the generation goes back from {newest} to {generation}"
        hint = "raise it above all earlier ones: consumers ignore slices of a lower generation"
        yield _warning(document, "update/generation-back", message, hint)
        return
    old = _spec(before.value) if before is not None else {}
    changed = [name for name in _CONTENT if spec.get(name) != old.get(name)]
    if changed and _same_pool(old, driver, pool) and _pool(old).get("generation") == generation:
        message = f"{' and '.join(changed)} change, but the generation stays {generation}"
        hint = "raise it in all slices of the pool, so that consumers do not mix old and new devices"
        yield _warning(document, "update/generation-same", message, hint)


def _warning(document: Document, rule: str, message: str, hint: str) -> Finding:
    field = path_text(_GENERATION)
    return note(document, Severity.WARNING, rule, message, hint=hint, field=field, steps=_GENERATION)


def _spec(value: object) -> JsonObject:
    found = value.get("spec") if isinstance(value, dict) else None
    return found if isinstance(found, dict) else {}


def _pool(spec: JsonObject) -> JsonObject:
    found = spec.get("pool")
    return found if isinstance(found, dict) else {}


def _same_pool(spec: JsonObject, driver: object, pool: JsonObject) -> bool:
    return spec.get("driver") == driver and _pool(spec).get("name") == pool.get("name")
