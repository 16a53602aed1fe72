from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from dractl.cli.commands import app
from dractl.report import formats
from tests import drift
from tests.paths import ROOT

README = drift.README.read_text(encoding="utf-8")
COMMANDS = {command.callback.__name__ for command in app.registered_commands if command.callback}
PAGES = ("README.md", "CONTRIBUTING.md", "docs/pending.md")


def _blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", README, re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("path", drift.GENERATED, ids=lambda path: path.name)
def test_what_is_generated_is_up_to_date(path: Path) -> None:
    assert drift.GENERATED[path]() == path.read_text(encoding="utf-8")


def test_the_terminal_output_is_there() -> None:
    assert len(_blocks("console")) >= 3
    assert all(len(block.splitlines()) > 5 for block in _blocks("console"))


def test_the_two_commands_are_single_lines() -> None:
    first, second, *_ = _blocks("sh")
    assert first.count("\n") == second.count("\n") == 1
    assert "pip install" in first
    assert "dractl simulate testdata/examples/quickstart" in first
    assert second == ".venv/bin/python -m pytest -n auto\n"


def test_the_python_example_runs() -> None:
    (block,) = _blocks("python")
    done = subprocess.run(
        [sys.executable, "-c", block], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines()[-4:] == [
        "default/chat gpu gpu-0",
        "default/search gpu gpu-0",
        "default/train gpu gpu-1",
        "default/train nic eth-0",
    ]


@pytest.mark.parametrize("command", sorted(COMMANDS))
def test_the_table_has_the_options_of_the_command(command: str) -> None:
    shown = subprocess.run(
        [sys.executable, "-m", "dractl", command, "--help"], capture_output=True, text=True, check=True
    ).stdout
    # Options stand at the start of a line; what follows them may speak of others.
    has = set(re.findall(r"^  (?:-\w, )?(--[a-z-]+)", shown, re.MULTILINE)) - {"--help"}
    rows = re.findall(r"^\| (`--.*?) \| ([a-z, ]+) \|", README, re.MULTILINE)
    told = [
        option
        for cell, of in rows
        if command in of.split(", ")
        for option in re.findall(r"`(--[a-z-]+)", cell)
    ]
    assert set(told) == has
    assert len(told) == len(has)


def test_a_row_about_formats_follows_the_registry(monkeypatch: pytest.MonkeyPatch) -> None:
    toy = formats.TEST[0]._replace(name="toy")
    monkeypatch.setattr(drift, "COMMANDS", {**formats.COMMANDS, "test": (*formats.TEST, toy)})
    assert "| `--format text\\|junit\\|json\\|toy` | test | " in drift.readme()


def test_the_hook_runs_a_command_that_there_is(tmp_path: Path) -> None:
    hooks = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    (hook,) = hooks
    assert (hook["id"], hook["language"], hook["types"]) == ("dractl-validate", "python", ["yaml"])
    program, *arguments = hook["entry"].split()
    assert program == "dractl"
    file = tmp_path / "values.yaml"
    file.write_text("just: values\n", encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "dractl", *arguments, str(file)], capture_output=True, check=False
    )
    assert done.returncode == 0


def test_all_commands_are_told() -> None:
    rows = re.findall(r"^\| (`dractl .*?) \|", README, re.MULTILINE)
    assert {name for row in rows for name in re.findall(r"`dractl ([a-z]+)", row)} == COMMANDS


@pytest.mark.parametrize("page", PAGES)
def test_links_lead_somewhere(page: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    targets = re.findall(r"\]\(([^)#]+)\)", text)
    assert [target for target in targets if "://" not in target and not (ROOT / target).exists()] == []


@pytest.mark.parametrize("page", PAGES)
def test_files_that_are_named_exist(page: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    named = re.findall(r"\b(?:dractl|tests|testdata|benchmarks|docs|schemas)/[\w./-]*[\w/]", text)
    assert [name for name in named if not (ROOT / name).exists()] == []
