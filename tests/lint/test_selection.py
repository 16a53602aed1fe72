from __future__ import annotations

import pytest

import dractl
from dractl.lint.catalog import UnknownRuleError
from dractl.lint.report import Report
from dractl.lint.selection import chooser, only

CLAIM = """\
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: Gpu}
spec:
  devices:
    requests:
    - name: gpu
    - {name: nic, exactly: {deviceClassName: nic, allocationMode: All, count: 2}}
"""
REPORT = dractl.validate(CLAIM)


def _chosen(report: Report, select: list[str], ignore: list[str]) -> Report:
    return only(report, chooser(select, ignore))


def _rules(select: list[str], ignore: list[str]) -> list[str]:
    return [finding.rule for finding in _chosen(REPORT, select, ignore).findings]


def test_nothing_chosen_is_everything() -> None:
    everything = _rules([], [])
    assert everything == [finding.rule for finding in REPORT.findings]
    assert {"meta/name-format", "request/union-none", "request/count-all"} <= set(everything)


def test_only_some() -> None:
    assert _rules(["request/union-none"], []) == ["request/union-none"]
    assert _rules(["request/*"], []) == ["request/union-none", "request/count-all"]


def test_all_but_some() -> None:
    assert _rules([], ["request/*"]) == [r for r in _rules([], []) if not r.startswith("request/")]
    assert "meta/name-format" in _rules([], ["request/*"])


def test_what_is_both_is_left_out() -> None:
    assert _rules(["request/*"], ["*/count-*"]) == ["request/union-none"]


def test_counts_follow() -> None:
    report = _chosen(REPORT, [], ["request/*"])
    assert (REPORT.summary.errors, report.summary.errors) == (3, 1)
    assert _chosen(REPORT, ["decode/fatal"], []).ok


def test_an_unknown_id_is_refused() -> None:
    with pytest.raises(UnknownRuleError, match="did you mean request/union-none"):
        chooser(["request/union-non"], [])


def test_a_consequence_stands_for_itself_where_its_cause_is_not_chosen() -> None:
    flat = "{name: gpu, deviceClassName: gpu}"
    report = dractl.validate(CLAIM.replace("- name: gpu\n", f"- {flat}\n"))
    causes = {finding.rule: finding.cause for finding in report.findings}
    assert causes["request/union-none"] == "shape/request-flat"
    (chosen,) = _chosen(report, ["request/union-none"], []).findings
    assert chosen.cause == ""


def test_text_that_cannot_be_read_is_reported_whatever_is_chosen() -> None:
    report = dractl.validate("not: [yaml")
    for select, ignore in ((["request/name"], []), ([], ["decode/*"]), (["request/*"], ["decode/fatal"])):
        chosen = _chosen(report, select, ignore)
        assert [finding.rule for finding in chosen.findings] == ["decode/fatal"]
        assert not chosen.ok


def test_an_object_that_does_not_decode_can_be_left_out() -> None:
    report = dractl.validate(CLAIM.replace("name: Gpu", "name: [Gpu]"))
    assert "decode/fatal" in {finding.rule for finding in report.findings}
    assert "decode/fatal" not in {finding.rule for finding in _chosen(report, [], ["decode/fatal"]).findings}
