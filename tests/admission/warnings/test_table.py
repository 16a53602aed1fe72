"""Every warning is one row with an explanation, and its excerpts do what the explanation says."""

from __future__ import annotations

from dractl.admission.framework.rule import GROUPS, Rule, declared
from dractl.admission.framework.warning import warned
from dractl.api import release
from tests.admission.excerpts import cases_of_rule
from tests.admission.warnings.objects import pod, warnings_about

ROWS: list[Rule] = [row for rows in warned().values() for row in rows]


def test_the_bad_excerpt_has_this_warning_and_the_good_one_has_none() -> None:
    for row in ROWS:
        cases = list(cases_of_rule(row))
        assert [case.good for case in cases] == [True, False], row.id
        for case in cases:
            found = {warning.rule for warning in warnings_about(case.manifest, minor=case.minor)}
            assert found == (set() if case.good else {row.id}), row.id


def test_a_row_is_whole() -> None:
    for row in ROWS:
        assert row.summary.endswith("."), row.id
        assert len(row.summary) < 111, row.id
        assert row.explanation, row.id
        assert row.at, row.id
        assert row.upstream, row.id
        assert not row.types, row.id
        assert row.id.partition("/")[0] in GROUPS, row.id


def test_a_warning_is_not_a_rule_that_refuses() -> None:
    assert not warned().keys() & declared().keys()


def test_each_warning_has_a_place_of_its_row_and_a_hint() -> None:
    for row in ROWS:
        (case,) = (case for case in cases_of_rule(row) if not case.good)
        for warning in warnings_about(case.manifest, minor=case.minor):
            assert warning.hint, row.id
            assert any(str(warning.path).split("[")[0] == at.split("[")[0].split("{")[0] for at in row.at)


def test_updates_of_pods_have_no_warnings() -> None:
    named = pod("train.v1")
    for minor in release.KNOWN:
        assert len(warnings_about(named, minor=minor)) == 1
        assert warnings_about(named, minor=minor, old=named) == []
