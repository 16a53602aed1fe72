"""A baseline: known findings do not fail, new ones do, and entries without a finding are reported."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest

import dractl
from dractl.lint.report import Report
from dractl.lint.suppression.baseline import BaselineError, read_baseline, written
from dractl.lint.suppression.silencer import Silencer, silenced
from tests.paths import ROOT

CLAIM = """\
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: c}
spec:
  devices:
    requests:
    - {name: Gpu, exactly: {deviceClassName: gpu}}
"""


def _report(folder: Path, text: str, name: str = "a.yaml") -> Report:
    (folder / name).write_text(text, encoding="utf-8")
    return dractl.validate(folder / name)


def _known(folder: Path, report: Report, name: str = "a.yaml") -> Report:
    baseline = read_baseline(str(folder / "base.json"))
    return silenced(report, Silencer(None, baseline, [str(folder / name)]))


def _write(folder: Path, report: Report) -> None:
    file = folder / "base.json"
    file.write_text(written(report.findings, str(file)), encoding="utf-8")


def test_known_findings_do_not_fail_on_another_line_or_in_another_file(tmp_path: Path) -> None:
    report = _report(tmp_path, CLAIM)
    assert not report.ok
    _write(tmp_path, report)
    for text, name in ((CLAIM, "a.yaml"), ("# more\n\n" + CLAIM, "a.yaml"), (CLAIM, "b.yaml")):
        found = _known(tmp_path, _report(tmp_path, text, name), name)
        assert (found.ok, found.findings) == (True, ())
        assert found.summary.baseline == 1


def test_a_new_finding_fails(tmp_path: Path) -> None:
    _write(tmp_path, _report(tmp_path, CLAIM))
    more = CLAIM + "    - {name: Nic, exactly: {deviceClassName: nic}}\n"
    found = _known(tmp_path, _report(tmp_path, more))
    assert [finding.field for finding in found.findings] == ["spec.devices.requests[1].name"]
    twice = _known(tmp_path, _report(tmp_path, f"{CLAIM}---\n{CLAIM}"))
    assert [finding.rule for finding in twice.findings if finding.severity == "error"] == ["request/name"]


def test_an_entry_without_a_finding_is_reported(tmp_path: Path) -> None:
    _write(tmp_path, _report(tmp_path, CLAIM))
    report = _report(tmp_path, CLAIM.replace("Gpu", "gpu"))
    (stale,) = _known(tmp_path, report).findings
    assert (stale.rule, stale.severity.value) == ("baseline/stale", "warning")
    assert stale.location is not None
    assert (stale.location.file, stale.location.line) == (str(tmp_path / "base.json"), 4)
    # Nobody can tell about files that are not in the input.
    assert _known(tmp_path, report, "other.yaml").findings == ()
    (tmp_path / "a.yaml").unlink()
    assert [one.rule for one in _known(tmp_path, report, "other.yaml").findings] == ["baseline/stale"]


def test_what_has_no_object_is_known_by_its_file(tmp_path: Path) -> None:
    _write(tmp_path, _report(tmp_path, "a: [b\n"))
    assert _known(tmp_path, _report(tmp_path, "a: [b\n")).ok
    assert not _known(tmp_path, _report(tmp_path, "a: [b\n", "b.yaml"), "b.yaml").ok


def test_the_file_follows_its_schema(tmp_path: Path) -> None:
    _write(tmp_path, _report(tmp_path, CLAIM))
    document = json.loads((tmp_path / "base.json").read_text(encoding="utf-8"))
    schema = json.loads(
        (ROOT / "schemas" / "documents" / "dractl.baseline.1.json").read_text(encoding="utf-8")
    )
    jsonschema.validate(document, schema)
    assert document["findings"] == [
        {
            "rule": "request/name",
            "kind": "ResourceClaim",
            "name": "c",
            "field": "spec.devices.requests[0].name",
            "file": "a.yaml",
        }
    ]


WRONG = (
    ("", "expected one JSON object"),
    ("[]", "expected one JSON object"),
    ("{", ":1:"),
    ("{}", "schema must be dractl.baseline/1"),
    ('{"schema": "dractl.baseline/1"}', "findings must be a list"),
    ('{"schema": "dractl.baseline/1", "findings": [1]}', ":1: an entry must be an object"),
    ('{"schema": "dractl.baseline/1", "findings": [{}]}', ":1: rule is required"),
    ('{"schema": "dractl.baseline/1", "findings": [{"rule": 1}]}', ":1: rule must be a string"),
    ('{"schema": "dractl.baseline/1", "findings": [{"rule": "a", "count": 0}]}', ":1: count must be"),
)


@pytest.mark.parametrize(("text", "message"), WRONG)
def test_a_wrong_file_is_rejected(tmp_path: Path, text: str, message: str) -> None:
    file = tmp_path / "base.json"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(BaselineError) as error:
        read_baseline(str(file))
    assert message in str(error.value)
