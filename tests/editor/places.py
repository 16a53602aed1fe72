"""Texts with marked places, and a world for them; where completion is right is recorded in a table."""

from __future__ import annotations

from functools import cache

from dractl.editor.buffer import Buffer, Position
from dractl.editor.completion import complete
from dractl.editor.settings import Settings, settings_of
from dractl.editor.world import World, world_of
from dractl.source.load import load_paths
from tests.paths import ROOT

__all__ = ["MARK", "labels_at", "marked", "settings", "world"]

MARK = "█"
EXAMPLES = ROOT / "testdata" / "examples"


@cache
def settings() -> Settings:
    return settings_of({"kubeVersion": "1.37"})


@cache
def world() -> World:
    return world_of(load_paths([str(EXAMPLES / "quickstart")]), settings().gates)


def marked(text: str) -> tuple[list[str], Position]:
    """The lines of a text without its mark, and the place of that."""
    before, _, after = text.partition(MARK)
    line = before.count("\n")
    return Buffer(before + after).lines, Position(line, len(before) - before.rfind("\n") - 1)


def labels_at(text: str) -> list[str]:
    """What is offered at the mark."""
    lines, at = marked(text)
    return [item.label for item in complete(lines, at, settings().gates, world()).items]
