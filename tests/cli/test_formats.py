"""Each format of each command, asked for by its name."""

from __future__ import annotations

import json

import pytest

from dractl.cli.commands import app
from dractl.cli.server import UsageError
from dractl.cli.terminal import format_named
from dractl.report.formats import COMMANDS, VALIDATE, Format, names
from tests.paths import ROOT

EXAMPLES = ROOT / "testdata" / "examples"
ARGUMENTS = {
    "validate": [str(EXAMPLES / "broken.yaml")],
    "migrate": [str(EXAMPLES / "migrate")],
    "upgrade": [str(EXAMPLES / "quickstart"), "--from", "1.34", "--to", "1.37"],
    "diff": [str(EXAMPLES / "driver-update" / name) for name in ("driver-1.0", "driver-1.1")],
    "advisories": [],
    "audit": [str(EXAMPLES / "quickstart")],
    "size": [str(EXAMPLES / "quickstart"), "--pod", "default/train"],
    "simulate": [str(EXAMPLES / "quickstart")],
    "why": ["--all", str(EXAMPLES / "quickstart"), str(EXAMPLES / "pending.yaml")],
    "test": [str(EXAMPLES / "dractl-test.yaml")],
    "cel": ["true"],
    "possible": [str(EXAMPLES / "partitions")],
    "driver check": [str(EXAMPLES / "partitions")],
    "convert": [str(EXAMPLES / "quickstart"), "--to", "v1beta1"],
    "rule": ["request/name"],
    "rules": [],
    "explain": ["resourceclaim.spec"],
    "gates": [],
    "replay": [str(ROOT / "testdata" / "recordings" / "quickstart.jsonl")],
}


EACH = [(command, row) for command, rows in COMMANDS.items() for row in rows]


@pytest.mark.parametrize(("command", "row"), EACH, ids=lambda each: getattr(each, "name", each))
def test_a_format_is_written(command: str, row: Format[object], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        app([*command.split(), *ARGUMENTS[command], "--format", row.name], prog_name="dractl")
    written = capsys.readouterr().out
    assert end.value.code in (0, 1)
    assert written
    if row.name == "json":
        assert json.loads(written)["schema"].startswith("dractl.")


def test_an_unknown_format_is_refused() -> None:
    with pytest.raises(UsageError, match=rf"--format: .*{', '.join(names(VALIDATE))}"):
        format_named("html", VALIDATE)
