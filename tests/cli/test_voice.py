"""One voice to the terminal and the CI: whatever strangers write, no line of the output is theirs."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from dractl.api import characters
from tests.forking import run_dractl
from tests.paths import ROOT

EXAMPLES = ROOT / "testdata" / "examples"
NAMES = (
    "::error title=approved::all checks passed.yaml",
    "##vso[task.setvariable variable=x]y.yaml",
    "a\n::error::b.yaml",
    "a\u202eb\u200b\x9b.yaml",
)
EVIL = "::warning::x ##vso[task.x]y ##[set-env name=A]b ##teamcity[z 'q'] \u202e\u200b\x85\u2028"
QUOTED = json.dumps(EVIL)
MANIFEST = f"""\
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {{name: {QUOTED}, labels: {{{QUOTED}: 1}}}}
spec:
  devices:
    requests:
    - name: a
      {QUOTED}: 1 # ##vso[task.x]y
      exactly: {{deviceClassName: {QUOTED}, selectors: [{{cel: {{expression: {QUOTED}}}}}]}}
    - ::error::x
---
apiVersion: v1
kind: Pod
metadata: {{name: p}}
spec:
  nodeSelector: {{a: {QUOTED}}}
  containers: [{{name: {QUOTED}}}]
---
kind: {QUOTED}
apiVersion: {QUOTED}
---
apiVersion: resource.k8s.io/v1
kind: {QUOTED}
---
- ##[x]
---
a: [ ##vso[x]
"""
TESTS = f"""\
schema: dractl.test/1
manifests: {{}}
cases:
- name: {QUOTED}
  expect: {{pods: {{nobody: {{node: {QUOTED}, because: [{QUOTED}]}}}}}}
"""
SCENARIO = f"""\
schema: dractl.scenario/1
about: {QUOTED}
steps:
- about: {QUOTED}
  complete: nobody
- apply: {{apiVersion: v1, kind: Pod, metadata: {{name: {QUOTED}}}}}
"""

Done = subprocess.CompletedProcess[bytes]


@pytest.fixture
def run(tmp_path: Path) -> Callable[..., Done]:
    def command(*arguments: str, stdin: str = "") -> Done:
        environment = {**os.environ, "DRACTL_TRACEBACK": "1"}
        return run_dractl(arguments, tmp_path, stdin=stdin.encode(), environment=environment)

    return command


def assert_quiet(output: bytes) -> None:
    """That no CI finds a command in what was written, and nobody is deceived by it."""
    text = output.decode()
    for line in text.split("\n"):
        assert not line.strip().startswith("::"), line
        assert not any(word in line for word in ("##vso[", "##[", "##teamcity[")), line
        assert all(map(characters.is_plain, line)), line
        assert len(line) < 10_000


@pytest.mark.parametrize(
    "command",
    [
        "validate",
        "validate --format json",
        "validate --kube-version 1.36..1.37",
        "validate --quiet --strict",
        "simulate",
        "simulate --format json",
        "simulate --format yaml",
        "convert --to v1beta1",
        "convert --to v1 --diff --lossy",
        "cel true",
        "cel true --format json",
        "test",
        "test --format json",
        "test --format junit",
    ],
)
def test_neither_names_nor_contents_begin_a_command(
    tmp_path: Path, run: Callable[..., Done], command: str
) -> None:
    for name in NAMES:
        (tmp_path / name).write_text(MANIFEST, encoding="utf-8")
    done = run(*command.split(), *NAMES)
    assert done.returncode in (0, 1, 2)
    assert b"Traceback" not in done.stderr
    assert_quiet(done.stdout)
    assert_quiet(done.stderr)
    if "json" in command and done.stdout:
        json.loads(done.stdout)


@pytest.mark.parametrize("report_format", ["text", "json", "junit"])
def test_results_of_tests_hold_no_command(
    tmp_path: Path, run: Callable[..., Done], report_format: str
) -> None:
    shutil.copytree(EXAMPLES / "quickstart", tmp_path / "quickstart")
    text = TESTS.replace("manifests: {}", "manifests: quickstart")
    (tmp_path / NAMES[0]).write_text(text, encoding="utf-8")
    done = run("test", NAMES[0], "--format", report_format)
    assert (done.returncode, done.stderr) == (1, b"")
    assert_quiet(done.stdout)
    if report_format == "text":
        assert done.stdout.decode().startswith(f"./{NAMES[0]}:5:19: pod default/nobody is not as expected")
    elif report_format == "json":
        (case,) = json.loads(done.stdout)["cases"]
        assert (case["file"], case["case"]) == (NAMES[0], EVIL)
    else:
        case = ET.fromstring(done.stdout)[0][0]  # noqa: S314 - our own
        assert (case.get("file"), case.get("name")) == (NAMES[0], EVIL)
        assert f"- node: {EVIL}\n" in (case[0].text or "")


@pytest.mark.parametrize("report_format", ["table", "json", "yaml"])
def test_a_scenario_holds_no_command(tmp_path: Path, run: Callable[..., Done], report_format: str) -> None:
    (tmp_path / NAMES[0]).write_text(SCENARIO, encoding="utf-8")
    done = run("simulate", str(EXAMPLES / "quickstart"), "--scenario", NAMES[0], "--format", report_format)
    assert done.returncode == 1
    assert_quiet(done.stdout)
    assert_quiet(done.stderr)


def test_expressions_hold_no_command(run: Callable[..., Done]) -> None:
    done = run("cel", "-", stdin=f"::error::x\n##vso[x]y\n'{EVIL[:70]}' == 'b'\n--- a\n")
    assert done.returncode == 1
    assert_quiet(done.stdout)
    done = run("cel", f"'{EVIL}' == \n::error::x")
    assert done.returncode == 1
    assert_quiet(done.stdout)


@pytest.mark.parametrize(
    "arguments",
    [
        ("validate", "--x\n::error::y"),
        ("validate", "a.yaml", "--format", "a\n::error::y"),
        ("validate", "a.yaml", "--kube-version", "##vso[x]y\n::error::y"),
        ("a\n::error::y ##[x]",),
        ("rule", "a\n::error::y"),
        ("rule", "x", "a\n::error::y"),
        ("gates", "--feature-gates", "a\n::error::y=true"),
    ],
)
def test_arguments_hold_no_command(run: Callable[..., Done], arguments: tuple[str, ...]) -> None:
    done = run(*arguments)
    assert done.returncode == 2
    assert done.stderr
    assert_quiet(done.stderr)


def test_objects_read_back_from_a_log(tmp_path: Path, run: Callable[..., Done]) -> None:
    """The annotations have lines that a CI would take for commands if they stood in a block."""
    text = "a\n::error::x\n##vso[x]y\n"
    claim = {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "ResourceClaim",
        "metadata": {"name": "gpu", "annotations": {"a": text, "b": EVIL}},
        "spec": {"devices": {"requests": [{"name": "a", "exactly": {"deviceClassName": "g"}}]}},
    }
    (tmp_path / "a.json").write_text(json.dumps(claim), encoding="utf-8")
    done = run("simulate", "a.json", "--format", "yaml")
    assert_quiet(done.stdout)
    (tmp_path / "b.yaml").write_bytes(done.stdout)
    again = run("simulate", "b.yaml", "--format", "yaml")
    assert again.stdout == done.stdout
    assert b"\\n\\u0023#vso[x]y" in done.stdout


def test_text_that_is_copied_byte_for_byte_does_not_go_into_a_log(
    tmp_path: Path, run: Callable[..., Done]
) -> None:
    text = "apiVersion: resource.k8s.io/v1beta1 # {}\nkind: DeviceClass\nmetadata: {{name: a}}\nspec: {{}}\n"
    (tmp_path / "a.yaml").write_text(text.format("##vso[task.x]y"), encoding="utf-8")
    for options in ((), ("--diff",)):
        done = run("convert", "a.yaml", "--to", "v1", *options)
        assert (done.returncode, done.stdout) == (2, b"")
        assert b"--output: name a file" in done.stderr
        assert_quiet(done.stderr)
        assert run("convert", "a.yaml", "--to", "v1", *options, "--output", "out").returncode == 0
        assert b"##vso[task.x]y" in (tmp_path / "out").read_bytes()
    with (tmp_path / "out").open("wb") as out:
        command = [sys.executable, "-m", "dractl", "convert", "a.yaml", "--to", "v1"]
        subprocess.run(command, cwd=tmp_path, stdout=out, check=True)
    assert (
        (tmp_path / "out").read_text(encoding="utf-8").startswith("apiVersion: resource.k8s.io/v1 # ##vso[")
    )
    (tmp_path / "a.yaml").write_text(text.format("harmless"), encoding="utf-8")
    assert run("convert", "a.yaml", "--to", "v1").returncode == 0
