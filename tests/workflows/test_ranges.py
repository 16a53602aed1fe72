"""Simulations and answers for a range of minors: what is the same once, and what changes with its minors."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from dractl.workflows.ranges.groups import grouped, spanning_rows
from tests.forking import as_text, run_dractl
from tests.paths import ROOT

INPUT = str(ROOT / "testdata" / "output" / "inputs" / "across-minors.yaml")
RANGE = ("--kube-version", "1.34..1.37")


def _run(*arguments: str) -> tuple[int, str, str]:
    done = as_text(run_dractl(arguments, ROOT))
    return done.returncode, done.stdout, done.stderr


def _document(*arguments: str) -> Any:
    _, out, _ = _run(*arguments, *RANGE, "--format", "json")
    found = json.loads(out)
    schema = (ROOT / "schemas" / "documents" / f"{found['schema'].replace('/', '.')}.json").read_text()
    jsonschema.validate(found, json.loads(schema))
    return found


def test_the_document_has_each_row_once_with_its_minors() -> None:
    found = _document("simulate", INPUT)
    assert found["kubeVersions"] == ["1.34", "1.35", "1.36", "1.37"]
    rows = {(row["pod"], row["device"]): row["kubeVersions"] for row in found["placements"]}
    assert rows == {
        ("default/first", "gpu-1"): ["1.36", "1.37"],
        ("default/first", "gpu-0"): ["1.34", "1.35"],
        ("default/shared", "gpu-1"): ["1.34", "1.35"],
    }
    subjects = {row["subject"]: row for row in found["subjects"]}
    assert subjects["default/shared"]["changes"] == ["1.36"]
    assert [row["outcome"] for row in subjects["default/shared"]["outcomes"].values()] == [
        "placed",
        "placed",
        "pending",
        "pending",
    ]
    assert found["summaries"]["1.35"] == {"podsWithDevices": 2, "pending": 1, "leftOut": 0}


def test_the_rows_of_one_minor_are_those_of_its_own_run() -> None:
    found = _document("simulate", INPUT)
    _, out, _ = _run("simulate", INPUT, "--kube-version", "1.35", "--format", "json")
    alone = json.loads(out)
    for name in ("placements", "pending", "leftOut", "ties", "notes"):
        of_minor = [
            {key: value for key, value in row.items() if key != "kubeVersions"}
            for row in found[name]
            if "1.35" in row["kubeVersions"]
        ]
        assert sorted(map(repr, of_minor)) == sorted(map(repr, alone[name]))


def test_what_all_minors_share_is_printed_as_for_one() -> None:
    quickstart = str(ROOT / "testdata" / "examples" / "quickstart")
    _, alone, _ = _run("simulate", quickstart)
    code, out, _ = _run("simulate", quickstart, *RANGE)
    assert code == 0
    table = alone.partition("\n\n")[0]
    assert out.startswith(table)
    assert "Changes" not in out
    assert out.endswith("from 1.34 to 1.37 no result changes (3 results)\n")


def test_answers_are_those_of_each_minor() -> None:
    found = _document("why", "shared", INPUT)
    assert [row["kubeVersions"] for row in found["answers"]] == [["1.34", "1.35"], ["1.36", "1.37"]]
    for version in ("1.34", "1.37"):
        _, out, _ = _run("why", "shared", INPUT, "--kube-version", version, "--format", "json")
        (row,) = [row for row in found["answers"] if version in row["kubeVersions"]]
        assert row["answer"] == json.loads(out)


def test_all_names_the_minors_where_a_pod_is_not_pending() -> None:
    code, out, _ = _run("why", "--all", INPUT, *RANGE)
    assert code == 1
    assert "Kubernetes 1.34 to 1.35\ndefault/shared: not Pending\n" in out
    assert "Kubernetes 1.36 to 1.37\nPending default/shared: no-devices\n" in out


def test_a_name_that_some_minors_do_not_have_is_exit_code_2(tmp_path: Path) -> None:
    group = tmp_path / "group.yaml"
    group.write_text(
        "apiVersion: v1\nkind: Node\nmetadata: {name: n}\n---\n"
        "apiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nmetadata: {name: c, namespace: default}\n"
        "spec: {devices: {requests: [{name: a, exactly: {deviceClassName: gpu}}]}}\n"
    )
    code, out, _ = _run("why", "claim/c", str(group), "--kube-version", "1.33..1.34", "--quiet")
    assert code == 2
    assert "1.34" in out
    code, out, err = _run("why", "claim/d", str(group), *RANGE)
    assert (code, out) == (2, "")
    assert err.count("no claim named d") == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("simulate", INPUT, "--format", "yaml"), "unsupported format 'yaml' for a range of minors"),
        (("simulate", INPUT, "--save-state", "x"), "--save-state: requires one minor"),
        (("simulate", INPUT, "--scenario", INPUT), "--scenario: requires one minor"),
        (("simulate", INPUT, "--scheduler-version", "1.35"), "--scheduler-version: requires one minor"),
        (("simulate", INPUT, "--pod", "nobody"), "--pod: unknown pod: default/nobody"),
        (("simulate", INPUT, "--node-order", "elsewhere"), "--node-order: unknown node: elsewhere"),
        (("why", "--all", INPUT, "--prove", "x"), "--prove: requires one minor"),
        (("why", "first", INPUT, "--format", "html"), "unsupported format 'html' for a range of minors"),
    ],
)
def test_options_for_one_minor_are_errors(arguments: tuple[str, ...], message: str) -> None:
    code, out, err = _run(*arguments, *RANGE)
    assert (code, out) == (2, "")
    assert message in err


def test_equal_results_are_one_group_with_the_newest() -> None:
    from dractl.api.release import parse

    by_minor = {parse("1.34"): "a", parse("1.35"): "b", parse("1.36"): "A"}
    assert [(each.kube_versions, each.result) for each in grouped(by_minor, str.lower)] == [
        (["1.34", "1.36"], "A"),
        (["1.35"], "b"),
    ]


def test_rows_that_occur_twice_stay_two() -> None:
    from dractl.api.release import parse

    row: dict[str, object] = {"name": "x"}
    found = spanning_rows({parse("1.34"): [row], parse("1.35"): [row, row]})
    assert found == [
        {"name": "x", "kubeVersions": ["1.34", "1.35"]},
        {"name": "x", "kubeVersions": ["1.35"]},
    ]
