"""The man page, rendered by the programs that this system has."""

from __future__ import annotations

import shutil
import subprocess

import pytest

from tests.shell.man import PAGE, page
from tests.shell.model import commands

RENDERERS = {
    "groff": ("-man", "-Tutf8", "-ww", "-P-c", "-rLL=100n"),
    "mandoc": ("-Tutf8", "-Owidth=100"),
}


@pytest.mark.parametrize("program", RENDERERS)
def test_the_page_is_rendered_without_warnings(program: str) -> None:
    found = shutil.which(program)
    if found is None:
        pytest.skip(f"{program} is missing")
    done = subprocess.run([found, *RENDERERS[program], PAGE], capture_output=True, text=True, check=True)
    assert done.stderr == ""
    assert "Follow this Kubernetes minor" in " ".join(done.stdout.split())


def test_the_page_has_every_command_and_option() -> None:
    text = page().replace("\\-", "-")
    for command in commands():
        assert f".SS dractl {command.name} " in text or not command.name
        for option in command.options:
            assert option.names[-1] in text


def test_no_line_of_the_page_is_a_request_by_accident() -> None:
    requests = {line.split()[0] for line in page().splitlines() if line.startswith((".", "'"))}
    assert requests <= {'.\\"', ".TH", ".SH", ".SS", ".TP", ".PP", ".B", ".BR", ".nf", ".fi", ".RS", ".RE"}
