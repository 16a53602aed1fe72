"""The possible sets for people: what is too long for a terminal is wrapped."""

from __future__ import annotations

from dractl.api import gates, release
from dractl.report import possible as report
from dractl.report.style import Style
from dractl.source.load import load
from dractl.workflows.possible import possible
from tests.paths import ROOT

EXAMPLES = ROOT / "testdata" / "examples"


def test_no_line_is_wider_than_the_terminal() -> None:
    found = possible(load(EXAMPLES), gates.resolve(release.parse("1.37"), {}))
    assert any(len(line) > 80 for line in report.render(found, Style(width=None)).splitlines())
    lines = report.render(found, Style(width=80)).splitlines()
    assert max(map(len, lines)) <= 80
    assert any(line.startswith("  ResourceSlice node-a-nic: replaced by") for line in lines)
