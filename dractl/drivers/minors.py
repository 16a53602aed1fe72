"""What each minor makes of the objects: one fact for all minors and places that have it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from fnmatch import fnmatchcase

from dractl.api.release import Minor
from dractl.api.wording import first_and_more
from dractl.drivers.checks import CHECKS
from dractl.drivers.model import Fact
from dractl.finding import Location, Severity, rank
from dractl.lint.selection import OUTSIDE
from dractl.records import NamedTuple
from dractl.source.document import Document
from dractl.source.load import Loaded
from dractl.versions.registry import DRA_GROUP, type_meta
from dractl.versions.table import tables
from dractl.workflows.matrix import Matrix, Spanning, in_words

__all__ = ["about_findings", "about_versions", "minors_with_slices"]

_VERSIONS = "driver/served"
_OWN = frozenset({"driver/pool"})
"""Checks whose lints are run for the folder as a whole, where a single slice is a pool too."""

_FEW = 3
"""Fields that are named where there are more than one more."""

_INDEX = re.compile(r"\[\d+\]")
_ELSEWHERE = frozenset({"across/same-name", "across/slice-node-missing"})


def about_versions(loaded: Iterable[Loaded], minors: tuple[Minor, ...], newest: Minor) -> Iterator[Fact]:
    """Which minors serve the API versions of the DRA objects: an error if ``newest`` does not."""
    groups: dict[tuple[str, _Spans], list[str]] = {}
    for api_version, kind in dict.fromkeys(_types(loaded)):
        groups.setdefault((api_version, _spans(api_version, kind, minors)), []).append(kind)
    for (api_version, spans), kinds in groups.items():
        parts = [f"{said} {in_words(span)}" for said, span in zip(_STANDINGS, spans, strict=True) if span]
        severity = next(
            (found for found, span in zip(_SEVERITIES, spans, strict=True) if newest in span), Severity.INFO
        )
        yield Fact(
            _VERSIONS,
            severity,
            f"{api_version} ({', '.join(kinds)}): {'; '.join(parts)}",
            "" if severity is Severity.INFO else f"dractl convert makes a version that {newest} serves",
        )


def minors_with_slices(loaded: Iterable[Loaded], minors: tuple[Minor, ...]) -> tuple[Minor, ...]:
    """The minors that have an API version of the slices of the input; others reject all of them."""
    slices = {api_version for api_version, kind in _types(loaded) if kind == _SLICE}
    return tuple(
        minor for minor in minors if any((version, _SLICE) in tables(minor).kinds for version in slices)
    )


class _Spans(NamedTuple):
    """The minors that serve an API version, that serve it only if it is enabled, and that lack it."""

    default: tuple[Minor, ...]
    enabled: tuple[Minor, ...]
    missing: tuple[Minor, ...]


_SLICE = "ResourceSlice"

_SEVERITIES = (Severity.INFO, Severity.WARNING, Severity.ERROR)
"""How bad it is if the newest minor is among them."""

_STANDINGS = ("served in", "served only if enabled in", "not in")
"""The words for each of them."""


def _spans(api_version: str, kind: str, minors: tuple[Minor, ...]) -> _Spans:
    found = {minor: tables(minor).kinds.get((api_version, kind)) for minor in minors}
    rows = {minor: row for minor, row in found.items() if row is not None}
    return _Spans(
        tuple(minor for minor, row in rows.items() if row.served_by_default),
        tuple(minor for minor, row in rows.items() if not row.served_by_default),
        tuple(minor for minor in minors if minor not in rows),
    )


def _types(loaded: Iterable[Loaded]) -> Iterator[tuple[str, str]]:
    for item in loaded:
        if isinstance(item, Document) and isinstance(item.value, dict):
            api_version, kind = type_meta(item.value)
            if (
                isinstance(api_version, str)
                and isinstance(kind, str)
                and api_version.startswith(f"{DRA_GROUP}/")
            ):
                yield api_version, kind


def about_findings(matrix: Matrix, minors: tuple[Minor, ...], newest: Minor) -> Iterator[Fact]:
    """The errors and warnings of ``minors``, each once, under the check that reports its rule.

    An error that ``newest`` does not have is a warning: the driver may not mean to support older minors.
    """
    groups: dict[tuple[object, ...], list[Spanning]] = {}
    for row in matrix.listed:
        finding = row.finding
        check = _check_of(finding.rule)
        if finding.severity is Severity.INFO or check == _VERSIONS:
            continue
        in_minors = tuple(minor for minor in row.minors if minor in minors)
        if not in_minors:
            continue
        if check in _OWN and finding.rule not in _ELSEWHERE:
            continue
        key = (check, finding.rule, finding.severity, in_minors, finding.message)
        groups.setdefault(key, []).append(row._replace(minors=in_minors))
    facts = [_fact(rows, minors, newest) for rows in groups.values()]
    yield from sorted(facts, key=lambda fact: rank(fact.severity))


def _check_of(rule: str) -> str:
    return next(check.id for check in _BY_PRECISION if any(fnmatchcase(rule, one) for one in check.rules))


_BY_PRECISION = sorted(CHECKS, key=lambda check: "*" in check.rules)


def _fact(rows: list[Spanning], minors: tuple[Minor, ...], newest: Minor) -> Fact:
    finding, in_minors = rows[0].finding, rows[0].minors
    severity = finding.severity
    if finding.rule in OUTSIDE:
        # The object is only missing from the folder: other drivers bring it, or the user.
        severity = Severity.INFO
    elif severity is Severity.ERROR and newest not in in_minors:
        severity = Severity.WARNING
    fields = list(dict.fromkeys(_INDEX.sub("[*]", row.finding.field) for row in rows if row.finding.field))
    field = f"{first_and_more(fields, _FEW)}: " if fields else ""
    if len(rows) == 1 and finding.field:
        field = f"{finding.field}: "
    places: list[Location] = [row.finding.location for row in rows if row.finding.location is not None]
    return Fact(
        _check_of(finding.rule),
        severity,
        f"{field}{finding.message}",
        finding.hint,
        () if in_minors == minors else in_minors,
        tuple(places),
        rule=finding.rule,
    )
