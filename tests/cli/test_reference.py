from __future__ import annotations

import json
from pathlib import Path

import pytest

from dractl.cli.reference import explain_field, list_gates, list_rules, show_rule
from dractl.cli.reference_options import ExplainOptions, GatesOptions, RuleOptions, RulesOptions
from dractl.cli.server import UsageError


def test_a_rule_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    assert show_rule(RuleOptions("request/name")) == 0
    assert capsys.readouterr().out.startswith("request/name  error\n")


def test_an_unknown_rule_is_2(capsys: pytest.CaptureFixture[str]) -> None:
    assert show_rule(RuleOptions("nothing/like-it")) == 2
    assert "dractl rules lists them" in capsys.readouterr().err


def test_a_rule_as_a_document(tmp_path: Path) -> None:
    target = tmp_path / "rule.json"
    assert show_rule(RuleOptions("request/name", report_format="json", output=str(target))) == 0
    document = json.loads(target.read_text(encoding="utf-8"))
    assert [entry["id"] for entry in document["rules"]] == ["request/name"]


def test_a_field_is_explained(capsys: pytest.CaptureFixture[str]) -> None:
    assert explain_field(ExplainOptions("resourceclaim.spec.devices.requests.exactly.adminAccess")) == 0
    shown = capsys.readouterr().out
    assert shown.startswith("ResourceClaim.spec.devices.requests[*].exactly.adminAccess  boolean\n")
    assert "DRAAdminAccess" in shown
    assert "v1beta1" in shown


def test_fields_of_one_name_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert explain_field(ExplainOptions("adminAccess")) == 0
    assert capsys.readouterr().out.startswith("FIELD ")


def test_an_unknown_field_is_2(capsys: pytest.CaptureFixture[str]) -> None:
    assert explain_field(ExplainOptions("resourceclaim.spec.nothing")) == 2
    assert "has no field nothing" in capsys.readouterr().err


def test_a_list_can_be_narrowed(capsys: pytest.CaptureFixture[str]) -> None:
    assert list_rules(RulesOptions(kind="Pod", kube_version="1.33")) == 0
    shown = {line.split()[0] for line in capsys.readouterr().out.splitlines()[1:]}
    assert {"pod/claim-both", "decode/fatal"} <= shown
    assert not {"slice/driver", "request/name"} & shown


def test_a_list_as_a_document(capsys: pytest.CaptureFixture[str]) -> None:
    assert list_rules(RulesOptions(report_format="json")) == 0
    assert len(json.loads(capsys.readouterr().out)["rules"]) > 300


def test_gates_as_a_document(capsys: pytest.CaptureFixture[str]) -> None:
    assert (
        list_gates(
            GatesOptions(kube_version="1.35", feature_gates=["DRADeviceTaints=true"], report_format="json")
        )
        == 0
    )
    document = json.loads(capsys.readouterr().out)
    assert {row["name"]: row["on"] for row in document["gates"]}["DRADeviceTaints"] is True


def test_gates_for_people(capsys: pytest.CaptureFixture[str]) -> None:
    assert list_gates(GatesOptions(kube_version="1.30")) == 0
    assert "DynamicResourceAllocation  " in capsys.readouterr().out


def test_what_makes_no_sense_names_its_option() -> None:
    with pytest.raises(UsageError, match=r"^--kind: "):
        list_rules(RulesOptions(kind="Pood"))
    with pytest.raises(UsageError, match=r"^--kube-version: "):
        list_rules(RulesOptions(kube_version="2.0"))
    with pytest.raises(UsageError, match=r"^--kube-version: "):
        list_gates(GatesOptions(kube_version="newest"))
    with pytest.raises(UsageError, match=r"^--feature-gates: .*is locked on in 1\.37"):
        list_gates(GatesOptions(feature_gates=["DRAAdminAccess=false"]))


@pytest.mark.parametrize("value", ["", " ", "."])
def test_an_empty_name_is_no_name(value: str) -> None:
    with pytest.raises(UsageError, match=r"^ID: expected a rule id \(unset shell variable\?\)"):
        show_rule(RuleOptions(value))
    with pytest.raises(UsageError, match=r"^FIELD: expected a kind or field \(unset shell variable\?\)"):
        explain_field(ExplainOptions(value))


@pytest.mark.parametrize(
    "call",
    [
        lambda out: show_rule(RuleOptions("request/name", output=out)),
        lambda out: list_rules(RulesOptions(output=out)),
    ],
)
def test_a_file_that_cannot_be_written_is_2(tmp_path: Path, call: object) -> None:
    assert callable(call)
    assert call(str(tmp_path / "missing" / "out")) == 2
