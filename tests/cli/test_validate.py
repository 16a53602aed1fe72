from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from dractl.cli.options import ValidateOptions
from dractl.cli.server import UsageError
from dractl.cli.validate import validate
from dractl.lint.catalog import known_ids
from dractl.lint.selection import OUTSIDE as OUTSIDE_RULES

OLD = "apiVersion: resource.k8s.io/v1beta1\n"
CLAIM = """\
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: gpu}
spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: gpu}}]}}
"""
WARNED = OLD + CLAIM.split("\n", 1)[1].replace("exactly: {deviceClassName: gpu}", "deviceClassName: gpu")
WRONG = CLAIM.replace("gpu, exactly", "GPU, exactly")


def _file(folder: Path, text: str) -> str:
    path = folder / "claim.yaml"
    path.write_text(text, encoding="utf-8")
    return str(path)


@pytest.mark.parametrize(
    ("text", "strict", "code"),
    [
        (CLAIM, False, 0),
        (CLAIM, True, 0),
        (WARNED, False, 0),
        (WARNED, True, 1),
        (WRONG, False, 1),
        ("a: [", False, 1),
    ],
)
def test_the_exit_code_follows_the_heaviest_finding(
    tmp_path: Path, text: str, strict: bool, code: int
) -> None:
    assert validate(ValidateOptions([_file(tmp_path, text)], strict=strict)) == code


def test_what_is_not_chosen_does_not_count(tmp_path: Path) -> None:
    path = _file(tmp_path, WRONG)
    assert validate(ValidateOptions([path], ignore=["request/name"])) == 0
    assert validate(ValidateOptions([path], select=["meta/*,class/*"])) == 0
    assert validate(ValidateOptions([path], select=["request/*"])) == 1


def test_the_result_can_go_to_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "findings.json"
    assert (
        validate(ValidateOptions([_file(tmp_path, WRONG)], report_format=["json"], output=str(target))) == 1
    )
    assert json.loads(target.read_text(encoding="utf-8"))["summary"]["errors"] == 1
    assert capsys.readouterr() == ("", "")


def test_a_file_that_cannot_be_written_is_2(tmp_path: Path) -> None:
    assert validate(ValidateOptions([_file(tmp_path, CLAIM)], output=str(tmp_path / "missing" / "out"))) == 2


def test_quiet_says_nothing_where_nothing_fails(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert validate(ValidateOptions([_file(tmp_path, WARNED)], quiet=True)) == 0
    assert capsys.readouterr() == ("", "")
    assert validate(ValidateOptions([_file(tmp_path, WARNED)], quiet=True, strict=True)) == 1
    assert "warning" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("option", "value", "message"),
    [
        ("select", "no/such", "--select or --ignore: unknown rule no/such"),
        ("ignore", "no/such", "--select or --ignore: "),
        (
            "config_schema",
            "gpu.example.com=x.json",
            "--config-schema: expected DRIVER/KIND=FILE, got 'gpu.example.com=x.json'",
        ),
        (
            "config_schema",
            "gpu.example.com/Config=",
            "expected DRIVER/KIND=FILE, got 'gpu.example.com/Config='",
        ),
        ("config_schema", "gpu.example.com/Config=missing.json", "missing.json: No such file"),
        ("feature_gates", "DRAX=true", "--feature-gates: unknown feature gate DRAX"),
        ("namespace_labels", "monitoring", "--namespace-labels: "),
    ],
)
def test_options_that_make_no_sense(tmp_path: Path, option: str, value: str, message: str) -> None:
    path = _file(tmp_path, CLAIM)
    with pytest.raises(UsageError) as raised:
        validate(ValidateOptions([path], **{option: [value]}))  # type: ignore[arg-type]
    assert message in str(raised.value)


def test_a_kind_of_parameters_has_one_schema(tmp_path: Path) -> None:
    schema = tmp_path / "schema.json"
    schema.write_text("{}", encoding="utf-8")
    options = [f"gpu.example.com/{kind}={schema}" for kind in ("Config", "Other", "Config")]
    with pytest.raises(UsageError, match=r"^--config-schema: duplicate schema for gpu.example.com/Config"):
        validate(ValidateOptions([_file(tmp_path, CLAIM)], config_schema=options))


CHANGED = CLAIM.replace("deviceClassName: gpu", "deviceClassName: nic")


def test_an_earlier_state_makes_a_change_of_it(tmp_path: Path) -> None:
    old = tmp_path / "old.yaml"
    old.write_text(CLAIM, encoding="utf-8")
    path = _file(tmp_path, CHANGED)
    assert validate(ValidateOptions([path])) == 0
    assert validate(ValidateOptions([path], old=[str(old)])) == 1
    assert validate(ValidateOptions([path], old=[str(old)], subresource="status")) == 0


@pytest.mark.parametrize(
    ("options", "option"),
    [
        ({"old": ["a"], "since": "HEAD"}, "--since"),
        ({"subresource": "status"}, "--subresource"),
        ({"old": ["a"], "subresource": "scale"}, "--subresource"),
        ({"old": ["missing.yaml"]}, "--old"),
        ({"old": [""]}, "--old"),
        ({"old": [], "since": ""}, "--since"),
        ({"since": " "}, "--since"),
        ({"old": ["a", ""]}, "--old"),
        ({"since": "no-such-commit"}, "--since"),
    ],
)
def test_an_earlier_state_that_makes_no_sense_is_refused(
    tmp_path: Path, options: dict[str, Any], option: str
) -> None:
    with pytest.raises(UsageError, match=f"^{option}: "):
        validate(ValidateOptions([_file(tmp_path, CLAIM)], **options))


def test_an_earlier_state_that_is_no_yaml_is_refused_with_its_place(tmp_path: Path) -> None:
    old = tmp_path / "old.yaml"
    old.write_text("a: [\n", encoding="utf-8")
    with pytest.raises(UsageError, match=r"old\.yaml:2:1: "):
        validate(ValidateOptions([_file(tmp_path, CLAIM)], old=[str(old)]))


def test_standard_input_has_no_past() -> None:
    with pytest.raises(UsageError, match="standard input"):
        validate(ValidateOptions(["-"], since="HEAD"))


SORTED = CLAIM.replace(
    "{deviceClassName: gpu}",
    "{deviceClassName: gpu, selectors: [{cel: {expression: '[device.driver].sort() == []'}}]}",
)


def test_a_range_fails_if_any_minor_refuses(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = _file(tmp_path, SORTED)
    assert validate(ValidateOptions([path], kube_version="1.35..1.37")) == 0
    assert validate(ValidateOptions([path], kube_version="1.34..1.37")) == 1
    assert "from 1.34 to 1.37 the verdict changes for 1 of 1 object" in capsys.readouterr().out


def test_a_range_knows_the_other_options(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = _file(tmp_path, SORTED)
    assert validate(ValidateOptions([path], kube_version="1.34..1.35", ignore=["cel/*"])) == 0
    assert validate(ValidateOptions([path], kube_version="1.34..1.35", select=["request/*"])) == 0
    assert validate(ValidateOptions([_file(tmp_path, WARNED)], kube_version="1.36..1.37", strict=True)) == 1
    capsys.readouterr()
    assert validate(ValidateOptions([_file(tmp_path, WARNED)], kube_version="1.36..1.37", quiet=True)) == 0
    assert capsys.readouterr().out == ""
    old = tmp_path / "old.yaml"
    old.write_text(CLAIM, encoding="utf-8")
    assert (
        validate(ValidateOptions([_file(tmp_path, CHANGED)], kube_version="1.36..1.37", old=[str(old)])) == 1
    )


def test_a_range_as_a_document(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert (
        validate(ValidateOptions([_file(tmp_path, CLAIM)], kube_version="1.36..1.37", report_format=["json"]))
        == 0
    )
    document = json.loads(capsys.readouterr().out)
    assert (document["schema"], document["kubeVersions"]) == ("dractl.validate-matrix/1", ["1.36", "1.37"])


def test_a_range_has_its_formats(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="choose from text, json"):
        validate(
            ValidateOptions([_file(tmp_path, CLAIM)], kube_version="1.36..1.37", report_format=["sarif"])
        )


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"old": ["-"]}, "--old: standard input can hold the earlier state or the new one, not both"),
        ({"config_schema": ["gpu.example.com/Config=-"]}, "--config-schema: standard input can hold"),
    ],
)
def test_standard_input_is_one_thing(options: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        validate(ValidateOptions(["-"], **options))


def test_an_earlier_state_is_not_overwritten(tmp_path: Path) -> None:
    old = tmp_path / "old.yaml"
    old.write_text(CLAIM, encoding="utf-8")
    path = _file(tmp_path, CHANGED)
    with pytest.raises(UsageError, match=r"--output: .*old\.yaml is also an input"):
        validate(ValidateOptions([path], old=[str(old)], output=str(old)))
    assert old.read_text(encoding="utf-8") == CLAIM


def test_several_formats_go_to_several_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sarif, summary = tmp_path / "out.sarif", tmp_path / "summary.md"
    wanted = [f"sarif={sarif}", f"markdown={summary}"]
    assert validate(ValidateOptions([_file(tmp_path, WRONG)], report_format=wanted)) == 1
    assert sarif.read_text(encoding="utf-8").startswith("{")
    assert summary.read_text(encoding="utf-8").startswith("### dractl: ")
    assert "error:" in capsys.readouterr().out, "text still goes to standard output"


@pytest.mark.parametrize(
    ("wanted", "message"),
    [
        (["sarif", "json"], "only one format can go to one place"),
        (["sarif=a", "json=a"], "two formats go to a"),
        (["sarif=a", "json=./a"], "two formats go to one file: a and ./a"),
        (["json", "sarif=-"], "only one format can go to one place"),
        (["sarif="], "no file after sarif="),
        (["srif"], "unsupported format 'srif'"),
    ],
)
def test_formats_that_cannot_be_written_are_refused(tmp_path: Path, wanted: list[str], message: str) -> None:
    with pytest.raises(UsageError, match=re.escape(message)):
        validate(ValidateOptions([_file(tmp_path, WRONG)], report_format=wanted))


def test_the_file_minus_is_standard_output(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert validate(ValidateOptions([_file(tmp_path, WRONG)], report_format=["json=-"])) == 1
    assert capsys.readouterr().out.startswith("{")
    assert not (tmp_path / "-").exists()


def test_a_format_never_overwrites_an_input(tmp_path: Path) -> None:
    file = _file(tmp_path, WRONG)
    with pytest.raises(UsageError, match="would be overwritten"):
        validate(ValidateOptions([file], report_format=[f"sarif={file}"]))


OUTSIDE = """
apiVersion: resource.k8s.io/v1
kind: DeviceClass
metadata: {name: mine}
---
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: gpu}
spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: gpu.vendor.example.com}}]}}
"""


def test_one_more_file_never_makes_a_strict_run_fail(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = _file(tmp_path, OUTSIDE)
    assert validate(ValidateOptions([file], strict=True)) == 0
    said = capsys.readouterr()
    assert "[across/class-missing]" in said.out
    assert "--strict ignores 1 warning about objects that are not in the input" in said.err
    assert validate(ValidateOptions([file], strict=True, closed_world=True)) == 1
    assert validate(ValidateOptions([file], strict=True, kube_version="1.36..1.37")) == 0
    assert validate(ValidateOptions([file], strict=True, closed_world=True, kube_version="1.36..1.37")) == 1


def test_every_rule_about_the_outside_exists() -> None:
    assert frozenset(known_ids()) >= OUTSIDE_RULES
