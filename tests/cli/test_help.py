"""Help pages: one line per command, options in groups, examples that run, and nothing cut off."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, cast

import pytest
import typer

from dractl.cli import app as app_module
from dractl.cli.commands import app
from dractl.cli.program import help_page
from dractl.cli.program.help_page import epilog
from dractl.cli.program.pages import EXAMPLES, EXIT_CODES
from tests.forking import as_text, run_dractl
from tests.live.fake_kubectl import FakeKubectl
from tests.paths import ROOT
from tests.repository import commit_all, git, new_repository
from tests.test_voice import OLD_WORDS, OTHER_WORDS

PROGRAM = cast("Any", typer.main.get_command(app))
COMMANDS = sorted(PROGRAM.commands)
QUICKSTART = ROOT / "testdata" / "examples" / "quickstart"
WEB = """\
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  selector: {matchLabels: {app: web}}
  template: {metadata: {labels: {app: web}}, spec: {containers: [{name: web, image: web}]}}
"""
WIDTHS = {"80": 80, "120": 100}
"""The longest line of a help page for each width of the terminal."""


def _help(*arguments: str, **environment: str) -> str:
    done = as_text(run_dractl(arguments, ROOT, environment={**os.environ, "COLUMNS": "80", **environment}))
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


@pytest.mark.parametrize("columns", WIDTHS)
@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_help_fits_the_terminal_and_cuts_nothing_off(command: str, columns: str) -> None:
    shown = _help(*command.split(), "--help", COLUMNS=columns)
    assert max(map(len, shown.splitlines())) <= WIDTHS[columns]
    assert "\x1b" not in shown
    # metavars are lists such as "ID,..." and "PATH..."; a text that is cut ends in " ..." or "word..."
    assert re.findall(r"[a-z]\.\.\.|…", shown) == []


@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_the_short_name_of_help_and_no_colour_print_the_same(command: str) -> None:
    shown = _help(*command.split(), "--help")
    assert _help(*command.split(), "-h") == shown
    assert _help(*command.split(), "--help", NO_COLOR="1") == shown


def test_each_command_is_summed_up_in_one_imperative_line() -> None:
    shown = _help("--help")
    rows = dict(
        re.findall(
            r"^  ([a-z]+)  +(\S.*)$", shown.partition("Commands:")[2].partition("\n\n")[0], re.MULTILINE
        )
    )
    assert sorted(rows) == COMMANDS
    for command, summary in rows.items():
        assert re.fullmatch(r"[A-Z][a-z]+ .*\.", summary), command
        assert not re.match(r"[A-Z]\w*s ", summary), command


@pytest.mark.parametrize("command", COMMANDS)
def test_each_option_has_one_sentence_and_a_group(command: str) -> None:
    page = PROGRAM.commands[command]
    groups = help_page.groups(page, page.context_class(page, **help_page.CONTEXT))
    assert [name for name, _ in groups.pop("Options")] == ["-h, --help"]
    for title, rows in groups.items():
        for name, text in rows:
            sentence = text.partition("  [")[0]
            assert re.fullmatch(r"[A-Z].*\.", sentence), name
            assert ". " not in sentence, name
            if title != "Arguments":
                assert not re.match(r"(The|A|An|If) ", sentence), name


def _run(line: str, folder: Path) -> int:
    """The exit code of an example, with ``dractl`` from this checkout."""
    program, *arguments = shlex.split(line)
    if program == "dractl" and not set("|&;<>$*~`").intersection(line):
        ran = as_text(run_dractl(arguments, folder))
        assert "Traceback" not in ran.stderr
        return ran.returncode
    module = shlex.join([sys.executable, "-m", "dractl"])
    script = re.sub(r"\bdractl (?=[a-z])", lambda _: f"{module} ", line)
    done = subprocess.run(
        ["/bin/sh", "-c", script], cwd=folder, capture_output=True, text=True, timeout=60, check=False
    )
    assert "Traceback" not in done.stderr
    return done.returncode


@pytest.mark.parametrize("line", sorted({line for lines in EXAMPLES.values() for line in lines}))
def test_the_examples_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, line: str) -> None:
    if line.startswith("dractl snapshot"):
        FakeKubectl(tmp_path, monkeypatch)
    shutil.copy(ROOT / "testdata" / "recordings" / "quickstart.jsonl", tmp_path / "events.jsonl")
    shutil.copytree(QUICKSTART, tmp_path / "manifests")
    (tmp_path / "manifests" / "web.yaml").write_text(WEB, encoding="utf-8")
    shutil.copytree(QUICKSTART, tmp_path / "released")
    shutil.copytree(QUICKSTART, tmp_path / "tests")
    (tmp_path / "tests" / "dractl-test.yaml").write_text(
        "schema: dractl.test/1\nexpect: {pods: {chat: {node: node-b}}}\n", encoding="utf-8"
    )
    (tmp_path / "drain.yaml").write_text(
        "schema: dractl.scenario/1\nsteps: [{cordon: node-a}]\n", encoding="utf-8"
    )
    (tmp_path / "cluster.yaml").write_text(
        "\n---\n".join(path.read_text(encoding="utf-8") for path in sorted(QUICKSTART.glob("*.yaml"))),
        encoding="utf-8",
    )
    (tmp_path / "selectors.txt").write_text("# drivers\ndevice.driver != ''\n", encoding="utf-8")
    if "origin/" in line:
        new_repository(tmp_path)
        commit_all(tmp_path)
        git(tmp_path, "update-ref", "refs/remotes/origin/main", "HEAD")
    assert _run(line, tmp_path) in (0, 1)


@pytest.mark.parametrize("command", COMMANDS)
def test_the_page_ends_with_examples_and_exit_codes(command: str) -> None:
    shown = _help(command, "--help")
    assert shown.endswith(f"\n\n{epilog(EXAMPLES[command], EXIT_CODES.get(command, ()))}\n")
    assert {line.split("dractl ")[1].split()[0] for line in EXAMPLES[command]} == {command}


def test_an_exit_code_without_a_meaning_is_not_listed() -> None:
    assert epilog(("dractl rule a/b",), ("", "", "wrong usage")) == (
        "Examples:\n  dractl rule a/b\n\nExit codes:\n  2  wrong usage"
    )
    assert epilog(("dractl rules",)) == "Examples:\n  dractl rules"


def test_help_does_not_load_rich_or_the_commands() -> None:
    script = (
        "import sys\nfrom dractl.cli.app import main\nsys.argv = ['dractl', 'simulate', '--help']\n"
        "try:\n    main()\nexcept SystemExit:\n    pass\nprint(*sorted(sys.modules))\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    loaded = set(done.stdout.splitlines()[-1].split())
    assert loaded & {"rich", "yaml", "jsonschema", "dractl.simulation", "dractl.cli.simulate"} == set()


@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_help_has_none_of_the_old_words(command: str) -> None:
    shown = " ".join(_help(*command.split(), "--help").lower().split())
    words = (*OLD_WORDS, *OTHER_WORDS)
    assert [word for word in words if re.search(rf"(?<!\w){re.escape(word)}(?!\w)", shown)] == []


@pytest.mark.parametrize("path", ["missing.yaml", "testdata/", "-"])
def test_a_path_without_a_command_is_sent_to_validate(path: str) -> None:
    done = as_text(run_dractl([path], ROOT))
    assert done.returncode == 2
    assert done.stderr == f"dractl: {path}: is not a command; did you mean `dractl validate {path}`?\n"


def test_the_commands_are_known_without_typer() -> None:
    assert sorted(app_module.COMMANDS) == COMMANDS


def test_a_misspelt_command_gets_no_path() -> None:
    assert "Did you mean 'validate'?" in as_text(run_dractl(["validat", "x.yaml"], ROOT)).stderr
