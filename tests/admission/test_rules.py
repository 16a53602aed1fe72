"""Every rule is one row with an explanation, and its excerpts do what the explanation says."""

from __future__ import annotations

from functools import cache

from dractl.admission.framework.rule import Rule
from dractl.admission.framework.server import Admission
from dractl.api import release
from tests.admission.excerpts import Case, cases_of_rule, rules
from tests.rows import each_row

COMPANY = {
    "request/derived-size": {"request/derived-unused"},
    "request/derived-name-format": {"constraint/match"},
    "dstat/driver": {"dstat/allocated"},
    "dstat/pool": {"dstat/allocated"},
    "dstat/device": {"dstat/allocated"},
    "dstat/share-id": {"dstat/allocated"},
    "device/attr-list-empty": {"device/attr-none"},
    "policy/min-max": {"policy/default-max"},
    "policy/values-size": {"policy/values-default"},
    "slice/node-name-empty": {"slice/node-selection-none"},
    "device/node-empty": {"device/node-selection-none"},
    "device/consumes-total": {"slice/counters-total"},
}
"""What nothing can break without breaking something else as well."""

UNREACHABLE = {
    "request/tol-operator-required": "the server fills in an operator before it looks",
}
"""Rules that no manifest can break, with the reason."""


PARTS = sorted({row.id.partition("/")[0] for row in rules()})
"""The parts of objects that rules are named after; a test runs all rules of one."""


def rules_of(part: str) -> list[Rule]:
    return [row for row in rules() if row.id.partition("/")[0] == part]


@cache
def cases_of(part: str) -> list[tuple[Case, Admission]]:
    """The excerpts of the rules of a part, and what a server makes of each."""
    return [(case, case.admitted()) for row in rules_of(part) for case in cases_of_rule(row)]


@each_row("part", PARTS)
def test_an_excerpt_does_what_its_page_says(part: str) -> None:
    for case, admission in cases_of(part):
        expected = set() if case.good else {case.rule.id} | COMPANY.get(case.rule.id, set())
        found = {error.rule for error in admission.errors}
        assert (case.rule.id, case.good, admission.problems, found) == (case.rule.id, case.good, [], expected)


@each_row("part", PARTS)
def test_an_error_of_an_excerpt_has_a_type_of_its_row_and_says_something(part: str) -> None:
    for case, admission in cases_of(part):
        for error in admission.errors:
            assert error.type in case.rule.types or error.rule != case.rule.id, case.rule.id
            assert len(error.message) > 10, case.rule.id


@each_row("part", PARTS)
def test_a_row_is_whole(part: str) -> None:
    for row in rules_of(part):
        assert row.summary.endswith("."), row.id
        assert row.summary[0].isupper() or row.summary[0] == "`", row.id
        assert len(row.summary) < 111, row.id
        assert row.kinds, row.id
        assert row.at, row.id
        assert row.types, row.id
        assert row.upstream, row.id
        assert row.since is None or row.until is None or row.since <= row.until, row.id


@each_row("part", PARTS)
def test_a_row_has_a_good_and_a_bad_excerpt(part: str) -> None:
    for row in rules_of(part):
        goods = [example.good for example in row.examples()]
        assert goods == ([] if row.id in UNREACHABLE else [True, False]), row.id


@each_row("minor", release.KNOWN)
def test_an_id_has_one_row_in_a_minor(minor: release.Minor) -> None:
    ids = [row.id for row in rules() if row.applies(minor)]
    assert sorted(ids) == sorted(set(ids))
