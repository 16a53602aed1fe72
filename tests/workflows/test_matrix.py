from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import dractl
from dractl.api import gates, release
from dractl.api.gates import GateError
from dractl.finding import Finding, Severity
from dractl.lint.base.placing import note
from dractl.source.document import Document
from dractl.workflows.matrix import Matrix, validate_range
from tests.lint.counting import CountingPath
from tests.paths import ROOT
from tests.rows import each_row

UPGRADE = ROOT / "testdata" / "output" / "inputs" / "upgrade.yaml"
CLAIM = """\
apiVersion: resource.k8s.io/v1beta1
kind: ResourceClaim
metadata: {name: gpu}
spec: {devices: {requests: [{name: gpu, deviceClassName: gpu, tolerations: [{operator: Exists}]}]}}
"""


def _matrix(docs: Any, kube_versions: str, **options: Any) -> Matrix:
    return dractl.validate_range(docs, kube_versions=kube_versions, **options)


def _of(version: str, kind: str) -> str:
    return f"apiVersion: resource.k8s.io/{version}\nkind: {kind}\nmetadata: {{name: a}}\nspec: {{}}\n"


def _verdicts(matrix: Matrix) -> dict[str, str]:
    """The names of objects, each with a letter a minor: a for accepted, r for refused."""
    return {
        row.object.name: "".join("a" if accepted else "r" for accepted in row.accepted.values())
        for row in matrix.objects
        if row.object is not None
    }


def test_each_object_has_a_verdict_in_each_minor() -> None:
    matrix = _matrix(UPGRADE, "1.32..1.37")
    assert matrix.kube_versions == ("1.32", "1.33", "1.34", "1.35", "1.36", "1.37")
    assert _verdicts(matrix) == {"gpu": "rraaaa", "node-a": "raaaaa", "sorted": "rrraaa", "wrong": "rrrrrr"}
    assert not matrix.ok


def test_changes_are_where_the_verdict_is_another_than_before() -> None:
    changes = {row.object and row.object.name: row.changes for row in _matrix(UPGRADE, "1.32..1.37").objects}
    assert {name: list(map(str, minors)) for name, minors in changes.items()} == {
        "gpu": ["1.34"],
        "node-a": ["1.33"],
        "sorted": ["1.35"],
        "wrong": [],
    }


@each_row("minor", ["1.33", "1.34", "1.35", "1.36", "1.37"])
def test_a_column_is_what_validating_for_that_minor_gives(minor: str) -> None:
    alone = dractl.validate(UPGRADE, kube_version=minor)
    matrix = _matrix(UPGRADE, "1.33..1.37")
    column = [row.finding for row in matrix.findings if minor in map(str, row.minors)]

    def key(finding: Any) -> tuple[Any, ...]:
        return finding.rule, finding.field, finding.location, finding.severity

    assert sorted(map(key, column)) == sorted(map(key, alone.findings))
    assert matrix.summaries[release.parse(minor)] == alone.summary


def test_a_finding_of_several_minors_stands_once_with_the_words_of_the_newest() -> None:
    rows = [row for row in _matrix(CLAIM, "1.34..1.37").findings if row.finding.rule.startswith("version/")]
    (row,) = rows
    assert list(map(str, row.minors)) == ["1.34", "1.35", "1.36", "1.37"]
    assert "a 1.37 server" in row.finding.message


def test_hints_that_differ_say_for_which_minors_they_are() -> None:
    (row,) = _matrix(_of("v1", "DeviceClass"), "1.31..1.33").findings
    assert list(map(str, row.minors)) == ["1.31", "1.32", "1.33"]
    assert row.finding.hint == (
        "in 1.33: use apiVersion: resource.k8s.io/v1beta2; in 1.32: use apiVersion: resource.k8s.io/v1beta1; "
        "in 1.31: use apiVersion: resource.k8s.io/v1alpha3"
    )


def test_a_hint_of_some_minors_says_so() -> None:
    rows = _matrix(_of("v1alpha3", "DeviceTaintRule"), "1.33..1.37").findings
    (row,) = [row for row in rows if row.finding.rule == "version/not-served-by-default"]
    assert len(row.minors) == 5
    assert row.finding.hint == "in 1.37: use apiVersion: resource.k8s.io/v1"
    (alone,) = _matrix(_of("v1", "DeviceClass"), "1.32..1.32").findings
    assert alone.finding.hint == "use apiVersion: resource.k8s.io/v1beta1"


def test_two_findings_at_one_place_stay_two() -> None:
    def check(document: Document) -> list[Finding]:
        return [note(document, Severity.WARNING, "config/schema", message) for message in ("one", "two")]

    servers = gates.resolve_each(release.parse_range("1.36..1.37"))
    matrix = validate_range([Document({"just": "values"}, file="values.yaml")], servers, None, [check])
    assert [
        (row.finding.message, len(row.minors))
        for row in matrix.findings
        if row.finding.rule == "config/schema"
    ] == [("one", 2), ("two", 2)]


def test_one_minor_is_a_range_of_one() -> None:
    matrix = _matrix(CLAIM, "1.37")
    assert matrix.kube_versions == ("1.37",)
    assert [row.changes for row in matrix.objects] == [()]


def test_files_are_read_once(tmp_path: Path) -> None:
    file = tmp_path / "claim.yaml"
    file.write_text(CLAIM, encoding="utf-8")
    path = CountingPath(file)
    assert len(_matrix(path, "1.33..1.37").objects) == 1
    assert path.asked == 1


def test_what_is_skipped_or_unreadable_is_no_object() -> None:
    text = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n"
    matrix = _matrix([text, "a: [", CLAIM], "1.36..1.37")
    assert list(_verdicts(matrix)) == ["gpu"]
    assert {row.finding.rule for row in matrix.findings} >= {"document/skipped", "decode/fatal"}
    assert {summary.skipped for summary in matrix.summaries.values()} == {1}


def test_gates_hold_for_every_minor() -> None:
    plain = _matrix(CLAIM, "1.35..1.36")
    dropped = [row for row in plain.findings if row.finding.rule == "gate/dropped"]
    assert [list(map(str, row.minors)) for row in dropped] == [["1.35"]]
    changed = _matrix(CLAIM, "1.35..1.36", feature_gates={"DRADeviceTaints": True})
    assert not any(row.finding.rule == "gate/dropped" for row in changed.findings)
    assert changed.to_dict()["featureGates"] == {"DRADeviceTaints": True}


def test_a_gate_that_a_minor_lacks_names_the_minors_that_have_it() -> None:
    with pytest.raises(GateError, match=r"^for Kubernetes 1\.34: .* in 1\.36, 1\.37, 1\.38 \(beta\)$"):
        _matrix(CLAIM, "1.34..1.37", feature_gates={"DRAListTypeAttributes": True})


def test_an_update_is_judged_in_every_minor() -> None:
    changed = CLAIM.replace("deviceClassName: gpu", "deviceClassName: nic")
    matrix = _matrix(changed, "1.36..1.37", old=CLAIM)
    assert _verdicts(matrix) == {"gpu": "rr"}
    gone = _matrix([], "1.36..1.37", old=CLAIM)
    assert [(row.finding.rule, len(row.minors)) for row in gone.findings] == [("update/gone", 2)]


def test_only_some_findings_count() -> None:
    matrix = _matrix(UPGRADE, "1.34..1.35").only(lambda finding: finding.rule == "cel/compile")
    assert _verdicts(matrix) == {"gpu": "aa", "node-a": "aa", "sorted": "ra", "wrong": "aa"}
    assert [summary.errors for summary in matrix.summaries.values()] == [1, 0]
    assert [summary.warnings for summary in matrix.summaries.values()] == [0, 0]


def test_what_follows_from_a_finding_that_is_not_wanted_stands_for_itself() -> None:
    flat = CLAIM.replace("v1beta1", "v1")
    matrix = _matrix(flat, "1.36..1.37")
    caused = [row for row in matrix.findings if row.finding.cause]
    assert caused
    kept = matrix.only(lambda finding: finding.rule == caused[0].finding.rule)
    assert kept.findings
    assert not any(row.finding.cause for row in kept.findings)


def test_pods_are_judged_in_part() -> None:
    pod = "apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec: {containers: [{name: c, image: i}]}\n"
    assert _matrix(pod, "1.36..1.37").is_partial
    assert not _matrix(CLAIM, "1.36..1.37").is_partial


def test_the_document() -> None:
    found = json.loads(json.dumps(_matrix(UPGRADE, "1.34..1.35").to_dict()))
    assert found["schema"] == "dractl.validate-matrix/1"
    assert found["kubeVersions"] == ["1.34", "1.35"]
    assert [row["verdicts"] for row in found["objects"]][2] == {"1.34": "refused", "1.35": "accepted"}
    assert [row["changes"] for row in found["objects"]][2] == ["1.35"]
    assert [row["kubeVersions"] for row in found["findings"] if row["rule"] == "cel/compile"] == [["1.34"]]


def test_the_input_is_not_changed() -> None:
    document = {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "DeviceClass",
        "metadata": {"name": "a"},
        "spec": {},
    }
    before = json.dumps(document)
    _matrix(document, "1.34..1.37")
    assert json.dumps(document) == before


def test_servers_are_given_in_order() -> None:
    servers = gates.resolve_each(release.parse_range("1.36..1.37"), {})
    matrix = validate_range([], servers, None)
    assert matrix.ok
    assert matrix.objects == ()
    assert all(row.finding.severity is not Severity.ERROR for row in matrix.findings)
