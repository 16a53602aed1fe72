"""What a simulation writes is a state of the cluster: the server takes it, and nothing more happens in it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

import dractl
from dractl.report.objects import render
from tests.paths import ROOT
from tests.simulation.random_clusters import WorldMaker

TESTDATA = ROOT / "testdata"
EXAMPLES = TESTDATA / "examples"
STORIES = 60
WORLDS = 60
MAY_REALLOCATE = "status/allocation-immutable"
"""A claim that was freed and allocated anew takes two updates, which no server takes as one."""


def _texts() -> Iterator[Any]:
    yield pytest.param([EXAMPLES / "quickstart", EXAMPLES / "pending.yaml"], id="examples")
    for folder in sorted((TESTDATA / "cases").iterdir()):
        yield pytest.param([folder], id=folder.name)


def _stories() -> Iterator[Any]:
    """The worlds of recorded stories, all of whose objects are there from the start."""
    lines = (TESTDATA / "conformance" / "scenario-1.37.jsonl").read_text(encoding="utf-8").splitlines()
    for line in lines[:STORIES]:
        row = json.loads(line)
        created = [step["create"] for step in row["steps"] if "create" in step]
        yield pytest.param([*row["objects"], *created], row.get("gates"), id=row["id"])


def _holds(docs: list[Any], gates: Mapping[str, bool] | None = None) -> None:
    first = dractl.simulate(docs, feature_gates=gates, allocate_unreferenced=True)
    saved = render(first.objects)
    again = dractl.simulate(saved, feature_gates=gates, allocate_unreferenced=True)
    before, after = first.to_dict(), again.to_dict()
    # What was refused is not in the state, and what misses it says so in other words.
    is_whole = not before["leftOut"]
    assert _comparable(after, is_whole=is_whole) == _comparable(before, is_whole=is_whole)
    assert render(again.objects) == saved
    report = dractl.validate(saved, old=docs, subresource="status", feature_gates=gates)
    errors = [found for found in report.findings if found.severity == "error"]
    assert [found.message for found in errors if found.rule != MAY_REALLOCATE] == []


def _comparable(document: dict[str, Any], *, is_whole: bool) -> dict[str, Any]:
    """The document without what a saved state cannot know: objects that were left out, and other orders."""
    pending = [
        {**row, "message": ""} if row["category"] in ("class-missing", "claim-missing") else row
        for row in document["pending"]
    ]
    # An order in which all pods fit is one of pods that wait; those of a saved state have their nodes.
    unknown = {"together", *(() if is_whole else ("summary", "groups", "waysOut", "cut"))}
    pending = [{key: value for key, value in row.items() if key not in unknown} for row in pending]
    # Notes tell of the run: what is placed already ties no more, and nothing is freed for it.
    return {**document, "pending": pending, "leftOut": [], "ties": [], "notes": []}


@pytest.mark.parametrize("paths", list(_texts()))
def test_files(paths: list[Path]) -> None:
    _holds(paths)


@pytest.mark.parametrize(("docs", "gates"), list(_stories()))
def test_stories(docs: list[Any], gates: Mapping[str, bool] | None) -> None:
    _holds(docs, gates)


@pytest.mark.slow
def test_random_worlds() -> None:
    maker = WorldMaker(7)
    for _ in range(WORLDS):
        api_objects = maker.api_objects()
        claims = [claim for step in api_objects["steps"] for claim in step["claims"]]
        _holds([*api_objects["objects"], *claims], api_objects["gates"])
