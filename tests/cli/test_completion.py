"""Completion as each shell has it; a shell that this system lacks is skipped by name."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

from dractl.api import release
from dractl.cli import app
from dractl.cli.completion.command import SHELLS, print_script
from dractl.cli.reference_options import CompletionOptions
from dractl.cli.server import UsageError
from dractl.lint.catalog import known_ids
from tests.forking import as_text, run_dractl
from tests.shell import bash, fish, zsh
from tests.shell.model import NONE, commands

SCRIPTS = {"bash": bash.script, "zsh": zsh.script, "fish": fish.script}
MINORS = [str(minor) for minor in release.KNOWN]
REQUESTS = sorted(known for known in known_ids() if known.startswith("request/cl"))
LINES = {
    "dractl va": ["validate"],
    "dractl --v": ["--version"],
    "dractl validate --kube-v": ["--kube-version"],
    "dractl validate --strict --kube-version 1.": MINORS,
    "dractl validate manifests/ --format s": ["sarif"],
    "dractl simulate --format h": ["html"],
    "dractl validate --feature-gates DRAAdminA": ["DRAAdminAccess=false", "DRAAdminAccess=true"],
    "dractl rule request/cl": REQUESTS,
    "dractl validate --select cel/cost,request/cl": [f"cel/cost,{known}" for known in REQUESTS],
    "dractl convert --to v1beta": ["v1beta1", "v1beta2"],
    "dractl convert --to=v1beta": ["v1beta1", "v1beta2"],
    "dractl upgrade --to 1.3": MINORS,
    "dractl schema ResourceSl": ["ResourceSlice"],
    "dractl completion ": sorted(SHELLS),
    "dractl validate f/": ["f/a b.yaml", "f/c.json", "f/sub"],
    "dractl mcp --root f/": ["f/sub"],
    "dractl simulate f --save-state f/n": ["f/notes.txt"],
    "dractl gates ": [],
    "dractl unknown x": [],
}
"""Command lines, and what is offered at their end."""
_BASH = """
source {script}
while IFS= read -r line; do
  COMP_LINE=$line COMP_POINT=${{#line}}
  _dractl
  (IFS=$'\\t'; printf '%s\\n' "${{COMPREPLY[*]}}")
done
"""
_FISH = """
source {script}
for line in $argv
    printf '%s\\t' (complete -C $line | string split -f 1 \\t)
    echo
end
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "f" / "sub").mkdir(parents=True)
    for name in ("a b.yaml", "c.json", "notes.txt"):
        (tmp_path / "f" / name).touch()
    return tmp_path


def _found(shell: str) -> str:
    program = shutil.which(shell)
    if program is None:
        pytest.skip(f"{shell} is missing")
    return program


def _script(shell: str, folder: Path) -> str:
    path = folder / f"script.{shell}"
    path.write_text(SCRIPTS[shell](), encoding="utf-8")
    return shlex.quote(str(path))


def test_bash_completes(folder: Path) -> None:
    program = [_found("bash"), "--norc", "-c", _BASH.format(script=_script("bash", folder))]
    given = "".join(f"{line}\n" for line in LINES)
    done = subprocess.run(program, cwd=folder, input=given, capture_output=True, text=True, check=True)
    # bash replaces only what follows the last = of the command line.
    offered = [
        sorted(
            f"{re.sub('[^=]*$', '', line.split()[-1]) if '=' in line else ''}{reply}"
            for reply in row.split("\t")
            if reply
        )
        for line, row in zip(LINES, done.stdout.splitlines(), strict=True)
    ]
    expected = {**LINES, "dractl convert --to=v1beta": ["--to=v1beta1", "--to=v1beta2"]}
    assert dict(zip(LINES, offered, strict=True)) == expected
    assert done.stderr == ""


def test_fish_completes(folder: Path) -> None:
    script = _FISH.format(script=_script("fish", folder))
    program = [_found("fish"), "--no-config", "-c", script, *LINES]
    done = subprocess.run(program, cwd=folder, capture_output=True, text=True, check=True)
    offered = [sorted(filter(None, row.split("\t"))) for row in done.stdout.splitlines()]
    expected = {
        **LINES,
        "dractl convert --to=v1beta": ["--to=v1beta1", "--to=v1beta2"],
        "dractl validate f/": ["f/a b.yaml", "f/c.json", "f/notes.txt", "f/sub/"],
        "dractl mcp --root f/": ["f/a b.yaml", "f/c.json", "f/notes.txt", "f/sub/"],
    }
    assert dict(zip(LINES, offered, strict=True)) == expected
    assert done.stderr == ""


def test_zsh_reads_its_script(folder: Path) -> None:
    script = shlex.quote(_script("zsh", folder))
    line = (
        f"compdef() {{ print -- $@; }}; source {script}; _dractl_words_0 2>&1 | read -r word; print -- done"
    )
    done = subprocess.run(
        [_found("zsh"), "-f", "-c", line], capture_output=True, text=True, check=True, cwd=folder
    )
    assert done.stdout == "_dractl dractl\ndone\n"


@pytest.mark.parametrize("shell", SHELLS)
def test_the_script_is_the_generated_one(shell: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert print_script(CompletionOptions(shell)) == 0
    written = capsys.readouterr().out
    assert written == SCRIPTS[shell]()
    # Whoever has the script in a shell has no repository.
    assert f"dractl completion {shell}" in "".join(written.splitlines(keepends=True)[:2])
    assert "tests." not in written


@pytest.mark.parametrize("shell", SHELLS)
def test_every_command_and_option_is_in_the_script(shell: str) -> None:
    text = SCRIPTS[shell]()
    for command in commands():
        assert command.name in text
        for option in command.options:
            name = option.names[-1]
            assert (f"-l {name[2:]} " if shell == "fish" else name) in text


def test_options_with_a_choice_complete_it() -> None:
    """A new option gets its values from its type, its name or its metavar."""
    values = {
        name: option.value
        for command in commands()
        for option in command.options
        for name in option.names
        if option.value
    }
    unknown = {name for name, value in values.items() if value == NONE}
    assert {
        "--format",
        "--output",
        "--old",
        "--select",
        "--from",
        "--env",
        "--since",
    } <= values.keys() - unknown


def test_a_shell_of_another_name_is_rejected(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"SHELL: unsupported shell 'tcsh' \(choose from bash, zsh, fish\)"):
        print_script(CompletionOptions("tcsh"))
    for arguments in (["completion", "../../options.py"], ["completion"], ["completion", "bash", "zsh"]):
        done = as_text(run_dractl(arguments, tmp_path))
        assert (done.returncode, done.stdout) == (2, "")
        assert "Traceback" not in done.stderr


def test_both_ways_to_the_script_are_the_same(tmp_path: Path) -> None:
    short = as_text(run_dractl(["completion", "bash"], tmp_path))
    typer = as_text(run_dractl(["completion", "bash", "--output", "-"], tmp_path))
    assert (short.returncode, short.stdout) == (typer.returncode, typer.stdout) == (0, bash.script())
    assert "completion" in app.COMMANDS
