"""The documentation site: what its pages hold, and that Sphinx builds them where it is installed."""

from __future__ import annotations

import re
from importlib.util import find_spec
from pathlib import Path

import pytest

import dractl
from dractl.lint.catalog import known_ids
from dractl.lint.pages import page_of
from tests.paths import ROOT
from tests.tools.test_try_it import worlds
from tools.site import __main__ as site
from tools.site.reference import pages

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def reference() -> dict[str, str]:
    return pages()


def test_every_rule_has_a_section_with_examples(reference: dict[str, str]) -> None:
    headings = [
        heading
        for name, text in reference.items()
        if name.startswith("rules/")
        for heading in re.findall(r"^## (\S+)$", text, re.MULTILINE)
    ]
    assert sorted(headings) == sorted(set(known_ids()))


WITHOUT_LINK = {
    "baseline/stale": "needs a baseline",
    "config/schema": "needs a schema",
    "ignore/invalid": "only the command reads comments",
    "ignore/no-reason": "only the command reads comments",
    "ignore/unused": "only the command reads comments",
    "request/tol-operator-required": "has no example",
    "simulate/skew": "needs a second release",
    "update/unknown": "needs a repository",
}
"""Rules that the playground cannot report, besides those about updates and status."""


def test_the_link_of_a_rule_opens_an_example_that_reports_it(reference: dict[str, str]) -> None:
    unlinked = set()
    for name, text in reference.items():
        for section in text.split("\n## ")[1:] if name.startswith("rules/") else ():
            rule = section.partition("\n")[0]
            found = worlds(section)
            if not found:
                unlinked.add(rule)
            for world in found:
                run = dractl.simulate if world.view == "placements" else dractl.validate
                texts = [file.text for file in world.files]
                result = run(texts, kube_version=world.kube_version, feature_gates=world.feature_gates)
                assert rule in {id_ for each in result.findings for id_ in (each.rule, each.narrowest)}, rule
    of_updates = {
        rule
        for rule in unlinked
        if any(
            example.is_update or re.search(r"^status:|^# after$", example.text, re.MULTILINE)
            for row in page_of(rule).rows
            for example in row.examples()
        )
    }
    assert unlinked - of_updates == set(WITHOUT_LINK)


def test_a_gate_has_its_defaults_by_minor(reference: dict[str, str]) -> None:
    (row,) = [
        line for line in reference["gates.md"].splitlines() if line.startswith("| `DRAPartitionableDevices`")
    ]
    assert "| 1.33 to 1.35: alpha, off<br>1.36 to " in row


def test_every_command_has_a_page_with_its_help(reference: dict[str, str]) -> None:
    validate = reference["commands/validate.md"]
    assert "--kube-version" in validate.partition("## Help text")[0]
    assert "$ dractl validate --help" in validate


def test_the_first_page_lists_every_page_of_the_docs() -> None:
    listed = set(re.findall(r"^docs/\S+$", site.index(), re.MULTILINE))
    pages_of_docs = {
        path.relative_to(ROOT).with_suffix("").as_posix() for path in (ROOT / "docs").rglob("*.md")
    }
    assert listed == pages_of_docs


def test_a_link_to_what_the_site_has_not_becomes_text(tmp_path: Path) -> None:
    (tmp_path / "page.md").write_text("", encoding="utf-8")
    text = "[a](page.md#there), [b](folder), [c](https://example.com), [d](#here)"
    assert site._linked(text, tmp_path) == "[a](page.md#there), b, [c](https://example.com), [d](#here)"


@pytest.mark.skipif(find_spec("sphinx") is None, reason="Sphinx is not installed: pip install -e '.[docs]'")
def test_the_site_builds_without_a_warning(tmp_path: Path) -> None:
    assert site.main([str(tmp_path / "site")]) == 0
    assert (tmp_path / "site" / "reference" / "rules" / "request.html").is_file()
