"""Joins hand-written and declarative errors as the server does since 1.37, and in 1.35 if its gate is on."""

from __future__ import annotations

from dractl.admission.framework.declarative import Declared
from dractl.admission.framework.rule import rule_at
from dractl.api.errors import ErrorType, FieldError
from dractl.versions.layout import internal_text
from dractl.versions.table import Kind

_COVERED_LATER: dict[str, tuple[ErrorType, ...]] = {
    "alloc/driver": (ErrorType.TOO_LONG,),
    "config/driver": (ErrorType.TOO_LONG,),
    "constraint/distinct": tuple(ErrorType),
    "counterset/counter-name": tuple(ErrorType),
    "counterset/counters-required": tuple(ErrorType),
    "device/consumes-counter-name": tuple(ErrorType),
    "device/consumes-counters-required": tuple(ErrorType),
    "dstat/conditions": tuple(ErrorType),
    "request/tol-operator-required": tuple(ErrorType),
}
"""Errors that had no declarative twin yet in 1.35, the only minor in which the twins may take over."""


def merged(
    kind: Kind, hand: list[FieldError], declared: list[Declared], *, takes_over: bool = False
) -> list[FieldError]:
    """The errors that a server of ``kind`` returns.

    A declarative error at the beta stage takes the place of the covered hand-written ones with its type and
    path (compared in the internal shape) and keeps their rule and wording; all others are added. Equal
    errors are said once. If the declarative rules take over, covered errors go in any case.
    Mirrors ``FilterCoveredHandwrittenErrors``.
    """
    replaced: dict[tuple[str, str], FieldError] = {}
    places = {
        (error.type.value, internal_text(kind.api_version, kind.kind, error.path))
        for error in declared
        if error.is_beta
    }
    result: list[FieldError] = []
    for error in hand:
        key = (error.type.value, str(error.path))
        is_early = error.type not in _COVERED_LATER.get(error.rule, ())
        if error.covered and (is_early if takes_over else key in places):
            replaced.setdefault(key, error)
        else:
            result.append(error)
    for found in declared:
        text = internal_text(kind.api_version, kind.kind, found.path)
        twin = replaced.get((found.type.value, text))
        if twin is not None:
            result.append(twin._replace(path=found.path, bad_value=found.bad_value, covered=False))
        else:
            row = rule_at(kind.kind, text, found.type)
            identifier = row.id if row is not None else "declarative/other"
            result.append(FieldError(identifier, found.type, found.path, found.bad_value, found.message))
    return _distinct(result)


def _distinct(errors: list[FieldError]) -> list[FieldError]:
    seen: set[tuple[str, str, str, str]] = set()
    kept = []
    for error in errors:
        key = (error.rule, error.type.value, str(error.path), error.message)
        if key not in seen:
            seen.add(key)
            kept.append(error)
    return kept
