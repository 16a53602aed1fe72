"""The report of a driver check: length, marks, and what is left out."""

from __future__ import annotations

import json

import jsonschema
import pytest

from dractl.api import gates, release
from dractl.drivers.model import DriverCheck
from dractl.drivers.run import check_driver
from dractl.report.driver import render, render_failing
from dractl.report.style import Style
from dractl.source.load import load_paths
from tests.paths import ROOT


def _checked(path: str) -> DriverCheck:
    servers = gates.resolve_each(release.parse_range("1.34..1.38"), {})
    return check_driver(load_paths([str(ROOT / "testdata" / path)]), servers)


@pytest.mark.parametrize(
    "path", ["examples/partitions", "examples/broken.yaml", "cases/several-faults-in-one-slice"]
)
def test_a_report_is_short_and_has_no_colour_in_a_file(path: str) -> None:
    shown = render(_checked(path), Style(width=None))
    assert len(shown.splitlines()) <= 60
    assert "\x1b" not in shown
    assert shown.splitlines()[-1] == "--verbose shows every fact, with places and hints"


def test_lines_fit_the_terminal() -> None:
    shown = render(_checked("examples/partitions"), Style(width=80), verbose=True)
    assert max(map(len, shown.splitlines())) <= 80


def test_verbose_leaves_nothing_out() -> None:
    found = _checked("examples/broken.yaml")
    shown = render(found, Style(width=None), verbose=True)
    assert [fact.message for fact in found.facts if fact.message not in shown] == []
    assert [fact.hint for fact in found.facts if fact.hint not in shown] == []
    assert "more limits" not in shown
    assert "and 2 more of" not in shown


def test_quiet_shows_what_fails() -> None:
    found = _checked("examples/partitions")
    assert render_failing(found, Style(width=None), strict=False) == ""
    assert render_failing(found, Style(width=None), strict=True).startswith("  [warning] ")


@pytest.mark.parametrize("path", ["examples/partitions", "examples/broken.yaml", "examples/quickstart"])
def test_the_document_follows_its_schema(path: str) -> None:
    schema = json.loads((ROOT / "schemas/documents/dractl.driver-check.1.json").read_text(encoding="utf-8"))
    jsonschema.validate(json.loads(json.dumps(_checked(path).to_dict())), schema)
