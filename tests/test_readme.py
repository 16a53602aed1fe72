from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
import typer
from typer.core import TyperGroup

from dractl.cli.commands import app
from tests import drift
from tests.forking import as_text, run_dractl
from tests.paths import ROOT

README = drift.README.read_text(encoding="utf-8")
COMMANDS = {command.callback.__name__ for command in app.registered_commands if command.callback}
REFERENCE = (ROOT / "docs" / "commands.md").read_text(encoding="utf-8")
DOCS = sorted(path.relative_to(ROOT).as_posix() for path in (ROOT / "docs").rglob("*.md"))
TOOLS = sorted(path.relative_to(ROOT).as_posix() for path in (ROOT / "tools").glob("*/README.md"))
PAGES = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md", *DOCS, *TOOLS)
# Names of formats, as they stand in `schema:`, look like paths.
NAMES_OF_FORMATS = ("dractl.scenario/1", "dractl.test/1")
FOR_MAINTAINERS = "docs/contributing/"


def _blocks(language: str, text: str = README) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.MULTILINE | re.DOTALL)


def _section(title: str, text: str) -> str:
    """The one section of level 2 with the title."""
    (section,) = re.findall(rf"^## {re.escape(title)}\n(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)
    return str(section)


@pytest.mark.parametrize("path", drift.GENERATED, ids=lambda path: path.name)
def test_what_is_generated_is_up_to_date(path: Path) -> None:
    assert drift.GENERATED[path]() == path.read_text(encoding="utf-8")


def test_the_terminal_output_is_there() -> None:
    assert len(_blocks("console")) >= 3
    assert all(len(block.splitlines()) > 5 for block in _blocks("console"))


def test_the_two_commands_are_single_lines() -> None:
    first, second, *_ = _blocks("sh", _section("From a checkout", README))
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
def test_the_reference_has_the_options_of_the_command(command: str) -> None:
    shown = as_text(run_dractl([command, "--help"], ROOT)).stdout
    # Options start a line; the texts behind them may name others.
    has = set(re.findall(r"^  (?:-\w, )?(--[a-z-]+)", shown, re.MULTILINE)) - {"--help"}
    listed = re.findall(r"^\| `(--[a-z-]+)", _section(f"`dractl {command}`", REFERENCE), re.MULTILINE)
    assert set(listed) == has
    assert len(listed) == len(has)


def test_a_table_of_options_follows_the_commands(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    row = "| `--format text\\|junit\\|json[=FILE]` | "
    stale = tmp_path / "commands.md"
    stale.write_text(REFERENCE.replace(row, "| `--form html` | ").replace("| `--quiet` | ", "| `--lax` | "))
    assert stale.read_text() != REFERENCE
    monkeypatch.setattr(drift, "REFERENCE", stale)
    assert drift.reference() == REFERENCE


def test_all_commands_are_listed() -> None:
    rows = re.findall(r"^\| (\[`dractl .*?) \|", README, re.MULTILINE)
    assert {name for row in rows for name in re.findall(r"`dractl ([a-z]+)", row)} == COMMANDS
    assert set(re.findall(r"^## `dractl ([a-z]+)`", REFERENCE, re.MULTILINE)) == COMMANDS


def test_the_readme_is_short() -> None:
    assert len(README.splitlines()) < 200


def test_the_index_lists_every_page() -> None:
    index = (ROOT / "docs" / "README.md").read_text(encoding="utf-8")
    pages = {page.removeprefix("docs/") for page in DOCS} - {"README.md"}
    for_maintainers = {page for page in pages if f"docs/{page}".startswith(FOR_MAINTAINERS)}
    linked = {
        title: set(re.findall(r"^- \[.*?\]\(([^)#]+)\)", _section(title, index), re.MULTILINE))
        for title in ("For users", "For maintainers")
    }
    assert linked["For users"] == pages - for_maintainers
    assert linked["For maintainers"] == for_maintainers | {
        "../CONTRIBUTING.md",
        *(f"../{page}" for page in TOOLS),
    }


@pytest.mark.parametrize("page", PAGES)
def test_links_lead_somewhere(page: str) -> None:
    targets = re.findall(r"\]\(([^)\s]+)\)", _prose(page))
    assert [target for target in targets if "://" not in target and not _leads_somewhere(page, target)] == []


def _leads_somewhere(page: str, target: str) -> bool:
    name, _, anchor = target.partition("#")
    path = (ROOT / page).parent / name if name else ROOT / page
    return path.exists() and (not anchor or anchor in _anchors(path.read_text(encoding="utf-8")))


def _anchors(text: str) -> set[str]:
    """The anchors of headings, as GitHub makes them."""
    headings = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


def _prose(page: str) -> str:
    """The text of a page without blocks of code."""
    return re.sub(
        r"^```.*?^```", "", (ROOT / page).read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL
    )


@pytest.mark.parametrize("page", PAGES)
def test_files_that_are_named_exist(page: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    named = re.findall(
        r"(?<![\w/.])(?:dractl|tests|testdata|benchmarks|docs|schemas|tools)/[\w./-]*[\w/]", text
    )
    assert [name for name in named if not (ROOT / name).exists() and name not in NAMES_OF_FORMATS] == []


def _shell_commands() -> list[tuple[str, str]]:
    """Every line of a shell block that calls dractl, with its page; a pipe before the command is left out."""
    return [
        (page, line.split("| ")[-1].partition(" #")[0])
        for page in PAGES
        for block in _blocks("sh", (ROOT / page).read_text(encoding="utf-8"))
        for line in block.replace("\\\n", " ").splitlines()
        if line.split("| ")[-1].startswith("dractl ")
    ]


@pytest.mark.parametrize(("page", "line"), _shell_commands())
def test_a_shell_command_is_one_that_dractl_accepts(page: str, line: str) -> None:
    arguments = [argument for argument in shlex.split(line)[1:] if argument != "…"]
    group = typer.main.get_command(app)
    assert isinstance(group, TyperGroup), page
    # Parsing finds unknown commands, options and choices without running anything.
    with group.make_context("dractl", [arguments[0]], resilient_parsing=True) as context:
        _, command, _ = group.resolve_command(context, arguments)
        assert command is not None
        command.make_context(arguments[0], arguments[1:])
