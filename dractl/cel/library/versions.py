"""Semantic versions, as ``k8s.io/apiserver/pkg/cel/library/semverlib.go``."""

from __future__ import annotations

from dractl.api import semver
from dractl.api.semver import Semver
from dractl.cel.common.arithmetic import INT64_MAX
from dractl.cel.common.errors import EvaluationError
from dractl.cel.common.overload import Overload, overload


def _semver(text: str) -> Semver:
    try:
        return semver.parse(text)
    except ValueError as error:
        raise EvaluationError(str(error)) from None


def _normalized(text: str, lenient: bool) -> Semver:
    try:
        return semver.normalized(text) if lenient else semver.parse(text)
    except ValueError as error:
        raise EvaluationError(str(error)) from None


def _is_normalized(text: str, lenient: bool) -> bool:
    try:
        _normalized(text, lenient)
    except EvaluationError:
        return False
    return True


def _wrapped(number: int) -> int:
    """A part of a version as an int64: the upper half of its range comes out negative."""
    return number if number <= INT64_MAX else number - 2**64


OVERLOADS: tuple[Overload, ...] = (
    overload(
        "semver", "string_to_semver", "(string) -> Semver", _semver, cost="parse", doc="parsed strictly"
    ),
    overload(
        "isSemver", "is_semver_string", "(string) -> bool", semver.is_valid, cost="parse", doc="if it is one"
    ),
    overload(
        "isGreaterThan", "semver_is_greater_than", "Semver.(Semver) -> bool", lambda a, b: a.compare(b) > 0
    ),
    overload("isLessThan", "semver_is_less_than", "Semver.(Semver) -> bool", lambda a, b: a.compare(b) < 0),
    overload("compareTo", "semver_compare_to", "Semver.(Semver) -> int", Semver.compare, doc="-1, 0 or 1"),
    overload("major", "semver_major", "Semver.() -> int", lambda v: _wrapped(v.major)),
    overload("minor", "semver_minor", "Semver.() -> int", lambda v: _wrapped(v.minor)),
    overload("patch", "semver_patch", "Semver.() -> int", lambda v: _wrapped(v.patch)),
)

UNPRICED: tuple[Overload, ...] = tuple(row._replace(cost="call") for row in OVERLOADS)
"""The same as up to 1.32, which charged them as any other function."""

NORMALIZING: tuple[Overload, ...] = (
    overload(
        "semver",
        "string_bool_to_semver",
        "(string, bool) -> Semver",
        _normalized,
        cost="parse",
        doc="parsed; with true a leading v, leading zeros and missing numbers are allowed",
    ),
    overload(
        "isSemver",
        "is_semver_string_bool",
        "(string, bool) -> bool",
        _is_normalized,
        cost="parse",
        doc="whether semver() accepts these arguments",
    ),
)
