"""Advisories: each is proven by simulations of both sides of its fix, and reached by its reproduction."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import jsonschema
import pytest

import dractl
from dractl.advisories.conditions import CONDITIONS
from dractl.advisories.listing import listing
from dractl.advisories.reach import reached
from dractl.advisories.table import Advisory, advisories, of_quirk
from dractl.api import release
from dractl.api.release import Minor
from dractl.simulation.allocator.model.quirks import Quirks
from tests.advisories.outcomes import known, outcome
from tests.paths import ROOT

ALL = pytest.mark.parametrize("advisory", advisories(), ids=lambda advisory: advisory.id)
MOST_TITLE = 90


def _ends(advisory: Advisory) -> Iterator[Minor]:
    """The first and the last release of each span."""
    for span in advisory.affected:
        first, last = release.parse(span.first), release.parse(span.last)
        yield first if span.first.count(".") == 2 else first._replace(patch=0)
        yield last


@ALL
def test_the_fault_shows_in_every_span(advisory: Advisory) -> None:
    for minor in _ends(advisory):
        gates = advisory.gates_in(minor)
        assert advisory.affects(gates), minor.version
        found = outcome(advisory.reproduction, gates)
        assert found != advisory.after, minor.version
    assert found == advisory.before


@ALL
def test_the_fault_is_gone_after_its_fix(advisory: Advisory) -> None:
    assert advisory.fixed_in
    for version in advisory.fixed_in:
        gates = advisory.gates_in(release.parse(version))
        assert not advisory.affects(gates)
        assert outcome(advisory.reproduction, gates) == advisory.after, version


@ALL
def test_the_reproduction_reaches_the_fault(advisory: Advisory) -> None:
    for minor in _ends(advisory):
        assert reached(advisory, known(advisory, minor.version)), minor.version


@ALL
def test_upgrade_lists_the_fault_where_it_ends(advisory: Advisory) -> None:
    before = release.parse(advisory.affected[-1].last)
    after = release.parse(advisory.fixed_in[-1])
    plan = dractl.upgrade(
        advisory.reproduction,
        from_version=before.version,
        to_version=after.version,
        from_gates=advisory.gates_in(before).overrides,
        to_gates=advisory.gates_in(after).overrides,
    )
    assert advisory.id in {entry.id for entry in plan.ended}
    assert advisory.id not in {entry.id for entry in plan.begun}
    moved = {entry for move in plan.moved for entry in move.advisories}
    assert not moved or advisory.id in moved


def test_a_fault_that_begins_is_something_to_do() -> None:
    (advisory,) = of_quirk("scores_no_settled_claims")
    plan = dractl.upgrade(advisory.reproduction, from_version="1.34", to_version="1.35.4")
    (entry,) = (entry for entry in plan.begun if entry.id == advisory.id)
    assert (entry.since, entry.action) == ("1.35", advisory.fix)
    assert {item.name for item in entry.objects} == {"p"}
    assert not plan.ok


@ALL
def test_every_advisory_is_complete(advisory: Advisory) -> None:
    assert advisory.condition in CONDITIONS
    assert advisory.quirks
    assert set(advisory.quirks) <= set(Quirks._fields)
    assert len(advisory.title) <= MOST_TITLE
    assert not advisory.title.endswith(".")
    for text in (advisory.effect, advisory.fix):
        assert text.endswith(".")
    assert all(link.startswith("https://") for link in advisory.links)
    named = set(re.findall(r"1\.\d+(?:\.\d+)?", advisory.fix.partition(",")[0]))
    assert set(advisory.fixed_in) & named, advisory.fix


def test_files_are_named_by_id() -> None:
    names = {path.stem for path in (ROOT / "dractl" / "advisories" / "data").iterdir()}
    assert names == {advisory.id for advisory in advisories()}


def test_every_condition_is_used() -> None:
    assert {advisory.condition for advisory in advisories()} == set(CONDITIONS)


def test_shipped_examples_reach_no_fault() -> None:
    plan = dractl.upgrade(
        ROOT / "testdata" / "examples" / "quickstart", from_version="1.34", to_version="1.37"
    )
    assert plan.begun == plan.ended == ()


def test_the_json_document_matches_its_schema() -> None:
    schema = json.loads(Path(ROOT, "schemas/documents/dractl.advisories.1.json").read_text(encoding="utf-8"))
    advisory = advisories()[0]
    minor = release.parse(advisory.affected[0].last)
    for found in (
        listing(None, None),
        listing(advisory.gates_in(minor), known(advisory, minor.version)),
    ):
        jsonschema.validate(found.to_dict(), schema)
        assert found.entries
