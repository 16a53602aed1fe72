"""Every rule is one row with an explanation, and its excerpts do what the explanation says."""

from __future__ import annotations

import pytest

from dractl.admission.framework.rule import Rule
from dractl.api import release
from tests.admission.excerpts import Case, cases, rules

CASES = list(cases())

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


def named(case: Case) -> str:
    return f"{case.rule.id}-{'good' if case.good else 'bad'}"


@pytest.mark.parametrize("case", CASES, ids=named)
def test_an_excerpt_does_what_its_page_says(case: Case) -> None:
    admission = case.admitted()
    assert admission.problems == []
    expected = set() if case.good else {case.rule.id} | COMPANY.get(case.rule.id, set())
    assert {error.rule for error in admission.errors} == expected


@pytest.mark.parametrize("case", [case for case in CASES if not case.good], ids=named)
def test_an_error_of_an_excerpt_has_a_type_of_its_row_and_says_something(case: Case) -> None:
    for error in case.admitted().errors:
        assert error.type in case.rule.types or error.rule != case.rule.id
        assert len(error.message) > 10


@pytest.mark.parametrize("row", rules(), ids=lambda row: row.id)
def test_a_row_is_whole(row: Rule) -> None:
    assert row.summary.endswith(".")
    assert row.summary[0].isupper() or row.summary[0] == "`"
    assert len(row.summary) < 111
    assert row.kinds
    assert row.at
    assert row.types
    assert row.upstream
    assert row.since is None or row.until is None or row.since <= row.until


@pytest.mark.parametrize("row", rules(), ids=lambda row: row.id)
def test_a_row_has_a_good_and_a_bad_excerpt(row: Rule) -> None:
    goods = [example.good for example in row.examples()]
    assert goods == ([] if row.id in UNREACHABLE else [True, False])


@pytest.mark.parametrize("minor", release.KNOWN, ids=str)
def test_an_id_has_one_row_in_a_minor(minor: release.Minor) -> None:
    ids = [row.id for row in rules() if row.applies(minor)]
    assert sorted(ids) == sorted(set(ids))
