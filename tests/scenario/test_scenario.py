"""Scenario files are read, and their faults have a place."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from dractl.scenario.reading import Faulty
from dractl.scenario.scenario import Scenario, Step, read_scenario
from dractl.source.document import Document
from tests.paths import ROOT

HEAD = "schema: dractl.scenario/1\nsteps:\n"
EXAMPLES = ROOT / "testdata" / "examples"


def read(tmp_path: Path, text: str) -> Scenario | Faulty:
    file = tmp_path / "scenario.yaml"
    file.write_text(text, encoding="utf-8")
    return read_scenario(str(file))


def step(tmp_path: Path, text: str) -> Step:
    found = read(tmp_path, HEAD + text)
    assert isinstance(found, Scenario), found
    return found.steps[0]


def faults(tmp_path: Path, text: str) -> list[tuple[int, int, str, str]]:
    found = read(tmp_path, text)
    assert isinstance(found, Faulty)
    return [
        (place.line, place.column, fault.field, fault.message)
        for fault in found.findings
        for place in [fault.location]
        if place is not None
    ]


@pytest.mark.parametrize(
    ("metadata", "title"),
    [
        ("x", "apply Pod"),
        ("[1]", "apply Pod"),
        ("{name: [x]}", "apply Pod"),
        ("{generateName: p-}", "apply Pod p-"),
    ],
)
def test_an_object_without_a_readable_name_has_a_heading(tmp_path: Path, metadata: str, title: str) -> None:
    assert step(tmp_path, f"- apply: {{apiVersion: v1, kind: Pod, metadata: {metadata}}}\n").title == title


@pytest.mark.parametrize("replicas", [2**31, -1])
def test_a_number_of_replicas_is_an_int32(tmp_path: Path, replicas: int) -> None:
    (fault,) = faults(tmp_path, HEAD + f"- scale: {{kind: Job, name: j, replicas: {replicas}}}\n")
    assert fault[:3] == (3, 31, "steps[0].scale.replicas")


@pytest.mark.parametrize(
    ("text", "title", "subjects"),
    [
        ("- complete: p\n", "complete p", ("p",)),
        ("- fail: [p, team/q]\n", "fail p, team/q", ("p", "team/q")),
        ("- about: the end\n  drain: a\n", "the end", ("a",)),
        ("- delete: {kind: Pod, name: p, namespace: ns}\n", "delete Pod ns/p", None),
        ("- scale: {kind: Job, name: j, replicas: 3}\n", "scale Job j to 3", None),
        ("- taint: {node: a, key: k, value: v, effect: NoExecute}\n", "taint a k=v:NoExecute", None),
        ("- untaint: {node: a, key: k}\n", "untaint a k", None),
        (
            "- taintDevice: {driver: d, pool: p, device: x, key: k, effect: None}\n",
            "taintDevice d/p/x k:None",
            None,
        ),
        ("- withdraw: {driver: d, pool: p, devices: [x, z]}\n", "withdraw d/p/x, z", None),
        (
            '- conditions: {claim: c, conditions: {A: "True", B: "False"}}\n',
            "conditions c A=True B=False",
            None,
        ),
    ],
)
def test_a_step_has_a_heading_and_subjects(
    tmp_path: Path, text: str, title: str, subjects: tuple[Any, ...] | None
) -> None:
    found = step(tmp_path, text)
    assert found.title == title
    assert (found.place.line, found.place.column) == (4, 3) if "about" in text else (3, 3)
    if subjects is not None:
        assert found.subjects == subjects


def test_objects_come_from_files_next_to_and_from_the_step_itself(tmp_path: Path) -> None:
    (tmp_path / "more").mkdir()
    (tmp_path / "more" / "a.yaml").write_text("kind: A\n---\nkind: B\n", encoding="utf-8")
    found = step(
        tmp_path,
        "- apply:\n  - more/a.yaml\n"
        "  - apiVersion: v1\n    kind: List\n    items: [{apiVersion: v1, kind: C}]\n"
        "  - apiVersion: v1\n    kind: Pod\n    metadata: {name: p}\n",
    )
    assert found.title == "apply more/a.yaml, List, Pod p"
    documents = [item for item in found.loaded if isinstance(item, Document)]
    assert [item.value["kind"] for item in documents] == ["A", "B", "C", "Pod"]
    assert documents[3].locate(("metadata", "name")) == (10, 16)


def test_a_file_that_is_missing_is_a_fault_of_the_step(tmp_path: Path) -> None:
    ((line, column, field, message),) = faults(tmp_path, HEAD + "- apply: [nowhere.yaml]\n")
    assert (line, column, field) == (3, 11, "steps[0].apply[0]")
    assert message.endswith("nowhere.yaml: No such file or directory")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("steps: [{drain: a}]\n", (1, 1, "", "schema is required")),
        (
            "schema: dractl.scenario/2\nsteps: [{drain: a}]\n",
            (1, 1, "schema", "must be dractl.scenario/1, not 'dractl.scenario/2'"),
        ),
        (HEAD + "- drian: n\n", (3, 3, "steps[0].drian", "unknown field 'drian'; did you mean drain?")),
        (HEAD + "- {}\n", (3, 3, "steps[0]", "requires one of apply, delete")),
        (HEAD + "- drain: a\n  cordon: a\n", (4, 3, "steps[0].cordon", "cordon and drain")),
        (HEAD + "- drain: 7\n", (3, 3, "steps[0].drain", "must be a string or a list, not a number")),
        (HEAD + "- complete: a/b/c\n", (3, 3, "steps[0].complete", "must be NAME or NAMESPACE/NAME")),
        (HEAD + "- drain: a\n  drain: b\n", (4, 3, "steps[0].drain", "duplicate key drain")),
        (HEAD + "- taint: {node: a, key: k}\n", (3, 3, "steps[0].taint", "effect is required")),
        (
            HEAD + "- conditions: {claim: c, conditions: {A: True}}\n",
            (
                3,
                39,
                "steps[0].conditions.conditions.A",
                "must be True, False or Unknown, not true or false; put",
            ),
        ),
        (
            HEAD + "- apply: {kind: Pod}\n",
            (3, 3, "steps[0].apply", "must be an object with apiVersion and kind"),
        ),
        ("a: [\n", (2, 1, "", "")),
    ],
)
def test_a_fault_has_its_line_and_column(
    tmp_path: Path, text: str, expected: tuple[int, int, str, str]
) -> None:
    (found,) = faults(tmp_path, text)
    assert found[:3] == expected[:3]
    assert found[3].startswith(expected[3])


def test_all_faults_are_reported(tmp_path: Path) -> None:
    assert len(faults(tmp_path, HEAD + "- drian: n\n- taint: {node: a}\n- {}\n")) == 4


def test_the_first_errors_are_listed(tmp_path: Path) -> None:
    found = faults(tmp_path, HEAD + "- complete: [" + "1, " * 5000 + "]\n- {}\n")
    assert len(found) == 1001
    assert found[999][:3] == (3, 14 + 3 * 999, "steps[0].complete[999]")
    assert found[1000][3].startswith("the file has more than 1,000 errors")


def test_a_scenario_is_one_document_that_can_be_read(tmp_path: Path) -> None:
    found = read(tmp_path, HEAD + "- drain: a\n---\n" + HEAD + "- drain: a\n")
    assert isinstance(found, Faulty)
    assert found.error is not None
    assert found.error.message == "must contain one document, found 2"
    manifest = read(tmp_path, "apiVersion: v1\nkind: Node\n---\napiVersion: v1\nkind: Node\n")
    assert isinstance(manifest, Faulty)
    assert manifest.error is not None
    assert (
        manifest.error.message == "holds Kubernetes objects; expected a file with `schema: dractl.scenario/1`"
    )
    missing = read_scenario(str(tmp_path / "missing.yaml"))
    assert isinstance(missing, Faulty)
    assert missing.error is not None
    assert missing.error.message == "No such file or directory"


def test_the_example() -> None:
    found = read_scenario(str(EXAMPLES / "scenario.yaml"))
    assert isinstance(found, Scenario)
    assert found.about == "a job waits for GPUs, and a GPU fails"
    assert [entry.word for entry in found.steps] == ["apply", "complete", "taintDevice", "drain"]


@pytest.mark.parametrize("word", ["taint: {node: a", "taintDevice: {driver: d, pool: p, device: x"])
def test_a_taint_is_one_that_a_server_takes(tmp_path: Path, word: str) -> None:
    head = f"{HEAD}- {word}, effect: NoSchedule"
    for key in ("bad key!", "a/b/c", "-a", "k" * 64):
        ((*_, message),) = faults(tmp_path, f"{head}, key: '{key}'}}\n")
        assert message == f"must be a valid label key, not {key!r}"
    ((*_, message),) = faults(tmp_path, f"{head}, key: k, value: bad value!}}\n")
    assert message == "must be a valid label value, not 'bad value!'"
    assert step(tmp_path, f"- {word}, effect: NoSchedule, key: example.com/a_B.c, value: x-1}}\n")


@pytest.mark.parametrize(
    ("subject", "message"),
    [
        ("kind: pod, name: a", "unknown kind 'pod'; did you mean Pod?"),
        ("kind: Pods, name: a", "unknown kind 'Pods'; did you mean Pod?"),
        ("kind: po, name: a", "unknown kind 'po'; did you mean Pod?"),
        ("kind: Xyzzy, name: a", "unknown kind 'Xyzzy'; choose from "),
        (
            "kind: ResourceSlice, name: a, namespace: b",
            "ResourceSlice is cluster-scoped and has no namespace",
        ),
    ],
)
def test_an_object_is_named_by_a_kind_that_there_is(tmp_path: Path, subject: str, message: str) -> None:
    for text in (f"- delete: {{{subject}}}\n", f"- delete: [{{{subject}}}]\n"):
        ((line, _, _, said),) = faults(tmp_path, HEAD + text)
        assert line == 3
        assert said.startswith(message)
    ((*_, said),) = faults(tmp_path, f"{HEAD}- scale: {{{subject}, replicas: 1}}\n")
    assert said.startswith(message)


@pytest.mark.parametrize(
    "kind", ["Pod", "Service", "Namespace", "PodSchedulingContext", "PodGroup", "CronJob"]
)
def test_every_kind_that_is_read_can_be_named(tmp_path: Path, kind: str) -> None:
    assert step(tmp_path, f"- delete: {{kind: {kind}, name: a}}\n")


@pytest.mark.parametrize(
    ("subject", "message"),
    [
        ('"-"', "-: No such file or directory"),
        ("/proc/self/environ", "/proc/self/environ: is outside the folders on the command line; run"),
        ("../node.yaml", "node.yaml: is outside the folders on the command line; run dractl from"),
        ("pipe", "pipe: is not a regular file"),
    ],
)
def test_what_a_step_names_is_a_file_inside(tmp_path: Path, subject: str, message: str) -> None:
    inner = tmp_path / "inner"
    inner.mkdir()
    os.mkfifo(inner / "pipe")
    (tmp_path / "node.yaml").write_text("apiVersion: v1\nkind: Node\nmetadata: {name: a}\n", encoding="utf-8")
    (inner / "s.yaml").write_text(
        f"schema: dractl.scenario/1\nsteps: [{{apply: {subject}}}]\n", encoding="utf-8"
    )
    found = read_scenario(str(inner / "s.yaml"))
    assert isinstance(found, Faulty)
    assert message in found.findings[0].message
