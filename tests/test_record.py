"""The recorded cases are those of the pages of the rules, and speak of rules that there are."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from dractl.api import release
from tests.admission.excerpts import rules
from tests.admission.test_rules import UNREACHABLE
from tests.reading import read_yaml
from tests.record import FOLDER, Recorded, from_pages, main, on_disk


class Said(NamedTuple):
    """A case, and what stands in its file before the verdicts."""

    case: Recorded
    head: dict[str, Any]


@cache
def all_cases() -> list[Said]:
    return [Said(case, read_yaml(case.head)) for case in on_disk()]


def test_every_excerpt_has_its_case() -> None:
    heads = {case.path: case.head for case, _ in all_cases()}
    # Those for older minors are written only where there is a program of such a minor.
    pages = from_pages([release.NEWEST]) | {
        path: head for path, head in from_pages().items() if path in heads
    }
    stale = [str(path.relative_to(FOLDER)) for path, head in pages.items() if heads.get(path) != head]
    assert stale == [], "write them with python -m tests.record"


def test_a_case_is_about_a_rule_and_has_a_verdict() -> None:
    ids = {row.id for row in rules()}
    for case, said in all_cases():
        assert said["about"], case.path
        assert said["rule"] in ids, case.path
        assert case.verdicts, case.path
        assert {release.parse(minor) for minor in case.verdicts} <= set(release.KNOWN), case.path


def test_every_rule_has_a_case_that_some_minor_refuses() -> None:
    refused = {said["rule"] for case, said in all_cases() if any(case.verdicts.values())}
    assert {row.id for row in rules()} - refused == UNREACHABLE.keys()


CREATED_ONLY = {
    "meta/name-required", "meta/name-format", "meta/generate-name", "meta/ns-format",
    "pod/claim-generated-name", "meta/generation",
}  # fmt: skip
"""Rules about names, which make another object, and about a number that the server sets on an update."""


def _refused_as() -> dict[str, set[str]]:
    """How objects are written that some minor refuses, by rule."""
    found: dict[str, set[str]] = {row.id: set() for row in rules()}
    for case, said in all_cases():
        if any(case.verdicts.values()):
            found[said["rule"]].add(said.get("subresource", "update" if "old" in said else "create"))
    return found


def test_a_rule_has_a_case_for_each_way_to_break_it() -> None:
    refused = _refused_as()
    created = {name for name, ways in refused.items() if "create" in ways}
    assert {name for name in created if "update" not in refused[name]} == CREATED_ONLY
    of_status = {row.id for row in rules() if any(place.startswith("status") for place in row.at)}
    assert {name for name in of_status if "status" not in refused[name]} == UNREACHABLE.keys()


def test_a_case_is_written_as_it_was_read() -> None:
    case = all_cases()[0].case
    before = case.path.read_bytes()
    case.write()
    assert case.path.read_bytes() == before


def test_a_program_of_an_older_patch_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "oracle-1.36"
    program.write_text('#!/bin/sh\necho \'{"version": "v1.36.3"}\'\n', encoding="utf-8")
    program.chmod(0o755)
    monkeypatch.setenv("DRACTL_ORACLE", str(tmp_path))
    assert main(["1.36"]) == 2
