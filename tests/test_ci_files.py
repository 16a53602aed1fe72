"""The GitHub Action, the GitLab component and the container file."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
import yaml

from tests import ci_files
from tests.paths import ROOT

EXAMPLES = ROOT / "testdata" / "examples"
BROKEN = str(EXAMPLES / "broken.yaml")
QUICKSTART = str(EXAMPLES / "quickstart")
CONTAINER = (ROOT / "Containerfile").read_text(encoding="utf-8")
HOW_TO = (ROOT / "docs" / "how-to" / "ci.md").read_text(encoding="utf-8")


def _run(script: str, folder: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    bash = shutil.which("bash")
    if bash is None:
        pytest.skip("bash is missing")
    (folder / "dractl").write_text(f'#!/bin/sh\nexec "{sys.executable}" -m dractl "$@"\n', encoding="utf-8")
    (folder / "dractl").chmod(0o755)
    path = os.pathsep.join([str(folder), os.environ["PATH"]])
    environment = {**os.environ, **variables, "PATH": path, "PYTHONPATH": str(ROOT)}
    return subprocess.run(
        [bash, "-c", script], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )


def _validate(folder: Path, **inputs: str) -> subprocess.CompletedProcess[str]:
    """The step of the action, with its inputs and the files of a runner."""
    names = {"paths": QUICKSTART, "kube": "", "args": "", "sarif": "false", **inputs}
    return _run(
        ci_files.step("validate"),
        folder,
        SCRATCH=str(folder),
        GITHUB_OUTPUT=str(folder / "outputs"),
        GITHUB_STEP_SUMMARY=str(folder / "summary"),
        **{f"INPUT_{name.upper()}": text for name, text in names.items()},
    )


def test_other_actions_are_pinned_by_hash_and_version() -> None:
    uses = re.findall(r"^\s*uses: (.*)$", ci_files.ACTION.read_text(encoding="utf-8"), re.MULTILINE)
    assert len(uses) == 2
    for line in uses:
        assert re.fullmatch(r"[\w.-]+(/[\w.-]+)+@[0-9a-f]{40} # v\d+\.\d+\.\d+", line)


def test_inputs_never_become_part_of_a_script() -> None:
    scripts = [step["run"] for step in ci_files.action()["runs"]["steps"] if "run" in step]
    assert len(scripts) == 2
    assert [script for script in scripts if "${{" in script] == []


def test_every_input_is_used_and_described() -> None:
    action = ci_files.action()
    used = set(re.findall(r"inputs\.([\w-]+)", json.dumps(action["runs"])))
    assert used == set(action["inputs"])
    assert all(row["description"].endswith(".") for row in action["inputs"].values())


def test_the_action_passes(tmp_path: Path) -> None:
    done = _validate(tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert (tmp_path / "summary").read_text(encoding="utf-8")
    assert not (tmp_path / "outputs").exists()


def test_the_action_annotates_and_writes_sarif(tmp_path: Path) -> None:
    done = _validate(tmp_path, paths=f"{QUICKSTART}\n{BROKEN}\n", args="--strict", sarif="true")
    assert done.returncode == 1
    assert "\n::error file=" in done.stdout
    name = (tmp_path / "outputs").read_text(encoding="utf-8").removeprefix("sarif-file=").strip()
    assert json.loads(Path(name).read_text(encoding="utf-8"))["version"] == "2.1.0"
    assert "request/count-all" in (tmp_path / "summary").read_text(encoding="utf-8")


def test_the_action_takes_a_range_of_minors(tmp_path: Path) -> None:
    done = _validate(tmp_path, kube="1.36..1.37", paths=BROKEN)
    assert (done.returncode, done.stderr) == (1, "")
    assert "request/count-all" in done.stdout


@pytest.mark.parametrize("hostile", ["$(touch made)", "`touch made`", "x; touch made", "*"])
def test_inputs_of_the_action_run_nothing(tmp_path: Path, hostile: str) -> None:
    for name in ("paths", "args", "kube"):
        assert _validate(tmp_path, **{name: hostile}).returncode == 2
    assert not (tmp_path / "made").exists()


def test_the_gitlab_component_writes_its_reports(tmp_path: Path) -> None:
    (job,) = yaml.safe_load(ci_files.gitlab({"paths": BROKEN, "args": "--strict"})).values()
    done = _run("\n".join(job["script"]), tmp_path, **job["variables"])
    assert (done.returncode, done.stderr) == (1, "")
    reports = job["artifacts"]["reports"]
    assert json.loads((tmp_path / reports["codequality"]).read_text(encoding="utf-8"))
    assert ET.parse(tmp_path / reports["junit"]).getroot().tag == "testsuites"  # noqa: S314 - our own file


def test_the_gitlab_component_has_no_other_inputs() -> None:
    with pytest.raises(KeyError):
        ci_files.gitlab({"path": "."})
    assert "$[[" not in ci_files.gitlab({})


def test_the_page_names_inputs_that_exist() -> None:
    for block in re.findall(r"^```yaml\n(.*?)^```", HOW_TO, re.MULTILINE | re.DOTALL):
        workflow = yaml.safe_load(block)
        for job in workflow.get("jobs", {}).values():
            for step in job["steps"]:
                if "/dractl@" in step.get("uses", ""):
                    assert set(step["with"]) <= set(ci_files.action()["inputs"])
        for part in workflow.get("include", []):
            ci_files.gitlab(part["inputs"])


def _instructions() -> list[tuple[str, str]]:
    text = re.sub(r"^\s*#.*\n", "", CONTAINER, flags=re.MULTILINE)
    lines = re.sub(r"\\\n\s*", "", text).splitlines()
    return [(word, rest) for word, _, rest in (line.partition(" ") for line in lines) if word]


def test_the_container_runs_a_wheel_as_a_user_without_rights() -> None:
    words = _instructions()
    stages = [index for index, (word, _) in enumerate(words) if word == "FROM"]
    assert len(stages) == 2
    for index in stages:
        assert re.match(r"docker\.io/library/python:\d+\.\d+\.\d+-slim-\w+( AS build)?$", words[index][1])
    last = words[stages[1] :]
    assert [word for word, _ in last if word in ("COPY", "ADD")] == []
    assert ("USER", "65532:65532") in last
    assert last.index(("USER", "65532:65532")) > max(i for i, (word, _) in enumerate(last) if word == "RUN")
    assert ("ENTRYPOINT", '["dractl"]') in last


def test_the_container_copies_what_the_wheel_is_built_from() -> None:
    allowed = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
    for word, rest in _instructions():
        for source in rest.split()[:-1] if word == "COPY" else ():
            assert (ROOT / source).exists()
            assert f"!{source.rstrip('/')}" in allowed
