"""The hooks of pre-commit: what each runs, and all of them by pre-commit itself."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.forking import as_text, run_dractl
from tests.paths import ROOT

HOOKS: list[dict[str, Any]] = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
LINES = {hook["id"]: hook["entry"].split()[1:] for hook in HOOKS}
EXAMPLES = ROOT / "testdata" / "examples"
CLAIM = """\
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: gpu}
spec:
  devices:
    requests:
    - {name: gpu, exactly: {deviceClassName: gpu.example.com}}
"""
TEST = """\
schema: dractl.test/1
manifests: claim.yaml
expect: {complete: true}
"""


def test_each_hook_runs_dractl() -> None:
    assert set(LINES) == {"dractl-fix", "dractl-validate", "dractl-validate-changes", "dractl-test"}
    for hook in HOOKS:
        assert (hook["language"], hook["types"], hook["entry"].split()[0]) == ("python", ["yaml"], "dractl")


@pytest.mark.parametrize("extra", [(), ("--strict",)], ids=["short", "typer"])
def test_the_hook_takes_files_without_documents(tmp_path: Path, extra: tuple[str, ...]) -> None:
    command = [*LINES["dractl-validate"], *extra]
    (tmp_path / "empty.yaml").write_text("---\n# nothing yet\n", encoding="utf-8")
    done = as_text(run_dractl([*command, "empty.yaml"], tmp_path))
    assert (done.returncode, done.stderr) == (0, "")
    assert run_dractl([*command, "empty.yaml", str(EXAMPLES / "broken.yaml")], tmp_path).returncode == 1
    assert run_dractl([*command, "missing.yaml"], tmp_path).returncode == 2


class Repository:
    """A scratch repository whose hooks are the installed dractl, by the lines of this checkout."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        names = ("GIT_DIR", "GIT_INDEX_FILE", "GIT_WORK_TREE")
        environment = {key: text for key, text in os.environ.items() if key not in names}
        self.environment = environment | {
            "PRE_COMMIT_HOME": str(folder.parent / "cache"),
            "GIT_CONFIG_GLOBAL": os.devnull,
            "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")]),
        }
        folder.mkdir()
        local = [{**hook, "language": "system"} for hook in HOOKS]
        config = {"repos": [{"repo": "local", "hooks": local}]}
        self.write(".pre-commit-config.yaml", yaml.safe_dump(config))
        self.git("init", "--quiet")
        self.git("config", "user.name", "Somebody")
        self.git("config", "user.email", "somebody@example.com")
        self.run(sys.executable, "-m", "pre_commit", "install")

    def write(self, name: str, text: str) -> None:
        (self.folder / name).write_text(text, encoding="utf-8")

    def run(self, *command: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            command, cwd=self.folder, env=self.environment, capture_output=True, text=True, check=False
        )

    def git(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        return self.run("git", *arguments)

    def commit(self) -> tuple[int, str]:
        """Commit everything; the exit code, and what the hooks print."""
        self.git("add", "--all")
        done = self.git("commit", "--message", "Change")
        return done.returncode, done.stdout + done.stderr


@pytest.mark.slow
def test_pre_commit_runs_the_hooks(tmp_path: Path) -> None:
    if shutil.which("git") is None:
        pytest.skip("git is missing")
    if find_spec("pre_commit") is None:
        pytest.skip("pre-commit is missing; run: pip install pre-commit")
    repository = Repository(tmp_path / "repository")
    repository.write("claim.yaml", CLAIM)
    repository.write("dractl-test.yaml", TEST)
    code, printed = repository.commit()
    assert code == 0, printed
    assert printed.count("Passed") == 4

    repository.write("claim.yaml", CLAIM.replace("name: gpu,", "name: GPU,"))
    code, printed = repository.commit()
    assert (code, "[request/name]" in printed) == (1, True), printed

    repository.write("claim.yaml", CLAIM.replace("name: gpu,", "name: other,"))
    code, printed = repository.commit()
    assert (code, "immutable" in printed, printed.count("Passed")) == (1, True, 3), printed

    repository.write("claim.yaml", CLAIM)
    repository.write("dractl-test.yaml", TEST.replace("complete: true", "pods: {train: {node: a}}"))
    code, printed = repository.commit()
    assert (code, "train" in printed, printed.count("Passed")) == (1, True, 3), printed
