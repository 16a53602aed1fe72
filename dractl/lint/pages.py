"""The rules as a reader meets them: one page an id, with its history and its neighbours."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from textwrap import dedent
from typing import Any

from dractl.admission.framework.rule import Rule, pattern_of
from dractl.admission.framework.warning import warned
from dractl.api import release
from dractl.api.json_types import JsonDict
from dractl.api.release import Minor
from dractl.api.wording import choose_from, did_you_mean
from dractl.finding import Severity
from dractl.lint.catalog import OWN_RULES, known_ids, of_servers, unknown_rule
from dractl.records import NamedTuple
from dractl.versions.table import tables
from dractl.versions.workloads import pod_steps

__all__ = ["SCHEMA", "Page", "UnknownKindError", "document", "page_of", "pages", "paragraphs"]

SCHEMA = "dractl.rules/1"
_CLAIM, _TEMPLATE, _POD = "ResourceClaim", "ResourceClaimTemplate", "Pod"
_FEW = 4
"""Of so many ids or fewer that share their first part each is worth naming on the others' pages."""


class UnknownKindError(ValueError):
    """A kind that no rule covers; the message names the nearest one."""


class Page(NamedTuple):
    """All that is known of an id; ``rows`` has the row that counts in the newest minor first."""

    id: str
    severity: Severity
    rows: tuple[Rule, ...]

    @property
    def summary(self) -> str:
        """What the rule demands, in a sentence."""
        return self.rows[0].summary

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds it covers; empty for all of them."""
        return tuple(dict.fromkeys(kind for row in self.rows for kind in kinds_of(row)))

    @property
    def related(self) -> tuple[str, ...]:
        """The ids of rules to look at as well: those of the same place, and those that its text names."""
        found = dict.fromkeys((*_named(self), *_neighbours(self)))
        return tuple(name for name in found if name != self.id)

    def to_dict(self) -> JsonDict:
        """The entry of the JSON document of ``dractl rules --format json``."""
        return {
            "id": self.id,
            "severity": self.severity.value,
            "kinds": list(self.kinds),
            "summary": self.summary,
            "seeAlso": list(self.related),
            "history": [_history(row) for row in self.rows],
        }


def _history(row: Rule) -> JsonDict:
    return {
        "since": None if row.since is None else str(row.since),
        "until": None if row.until is None else str(row.until),
        "gate": row.gate or None,
        "onlyWith": row.only_with or None,
        "onlyWithout": row.only_without or None,
        "places": list(row.at),
        "types": [kind.value for kind in row.types],
        "upstream": row.upstream or None,
        "covered": row.covered,
        "summary": row.summary,
        "explanation": "\n\n".join(paragraphs(row)),
        "examples": [{"good": example.good, "yaml": example.text} for example in row.examples()],
    }


def document(found: list[Page]) -> dict[str, Any]:
    """The JSON document about these pages."""
    return {"schema": SCHEMA, "rules": [page.to_dict() for page in found]}


def paragraphs(row: Rule) -> list[str]:
    """The explanation of a row, each paragraph on one line."""
    return [" ".join(part.split()) for part in re.split(r"\n\s*\n", dedent(row.explanation)) if part.strip()]


def kinds_of(row: Rule) -> tuple[str, ...]:
    """The kinds a row covers; what holds of a claim's spec holds for the spec in a template."""
    if _CLAIM in row.kinds and any(place.startswith("spec") for place in row.at):
        return tuple(dict.fromkeys((*row.kinds, _TEMPLATE)))
    return row.kinds


def page_of(id: str) -> Page:  # noqa: A002 - the column's name
    """The page of an id; raises UnknownRuleError if no rule has it."""
    rows = _rows().get(id)
    if rows is None:
        raise unknown_rule(id, known_ids())
    return _page(id, rows)


def pages(*, kind: str | None = None, minor: Minor | None = None) -> list[Page]:
    """The pages in order: all, or those of rules about a kind, with the rows that a minor has.

    A workload has the rules of its pods. Raises UnknownKindError for a kind that dractl does not read.
    """
    wanted = None if kind is None else _known_kind(kind)
    found = []
    for name, rows in _rows().items():
        kept = rows if minor is None else tuple(row for row in rows if row.applies(minor))
        if kept:
            page = _page(name, kept)
            if wanted is None or not page.kinds or wanted in page.kinds:
                found.append(page)
    return found


def _page(name: str, rows: tuple[Rule, ...]) -> Page:
    return Page(name, _severities().get(name, Severity.ERROR), rows)


@cache
def _rows() -> Mapping[str, tuple[Rule, ...]]:
    found = {
        name: tuple(sorted(rows, key=lambda row: row.since or release.KNOWN[0], reverse=True))
        for name, rows in of_servers().items()
    }
    return found | {row.id: (row,) for row in OWN_RULES}


@cache
def _severities() -> Mapping[str, Severity]:
    return dict.fromkeys(warned(), Severity.WARNING) | {row.id: row.severity for row in OWN_RULES}


def _named(page: Page) -> Iterator[str]:
    """The ids that the text of a page mentions."""
    rows = _rows()
    for row in page.rows:
        for name in re.findall(r"`([a-z0-9-]+/[a-z0-9-]+)`", row.doc):
            if name in rows:
                yield name


def _neighbours(page: Page) -> Iterator[str]:
    """The rules about the same places; for one without a place those of a small family of ids."""
    places = {place for row in page.rows for place in _places(row)}
    if places:
        yield from (
            name for name, rows in _rows().items() if any(not places.isdisjoint(_places(row)) for row in rows)
        )
        return
    part = page.id.partition("/")[0]
    family = [name for name in _rows() if name.partition("/")[0] == part]
    if len(family) <= _FEW:
        yield from family


@cache
def _places(row: Rule) -> frozenset[tuple[str, str]]:
    return frozenset((kind, pattern_of(place)) for kind in row.kinds for place in row.at)


@cache
def _known_kinds() -> Mapping[str, str]:
    """The kinds that dractl reads, by their names in lower case, with the kind whose rules they have."""
    found: dict[str, str] = {}
    for minor in release.KNOWN:
        for kind in tables(minor).kinds.values():
            found[kind.kind.lower()] = kind.kind if pod_steps(kind) is None else _POD
    for name in dict.fromkeys(kind for rows in _rows().values() for row in rows for kind in kinds_of(row)):
        found.setdefault(name.lower(), name)
    return found


def _served_kinds() -> list[str]:
    """The kinds that the newest minor serves."""
    return [kind.kind for kind in tables(release.NEWEST).kinds.values()]


def _known_kind(text: str) -> str:
    known = _known_kinds()
    name = text.lower()
    found = known.get(name) or known.get(name.removesuffix("es")) or known.get(name.removesuffix("s"))
    if found is not None:
        return found
    names = sorted({kind for row in _rows().values() for part in row for kind in kinds_of(part)})
    longer = next((kind for kind in _served_kinds() if kind.lower().endswith(name)), "")
    advice = did_you_mean(longer or text, names, otherwise=choose_from(names))
    raise UnknownKindError(f"no rules for kind {text}; {advice}")
