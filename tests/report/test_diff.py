"""Differences as text and Markdown: grouped, cut where they are long, and safe whatever the names are."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.token import Token

import dractl
from dractl.diffing.model import Diff, Move, ObjectChange, Placed, SelectorChange, Selects
from dractl.finding import Finding, Location, ObjectRef, Severity
from dractl.report.changes import diff as text
from dractl.report.changes import diff_markdown
from dractl.report.style import Style

PLACE = Location("a.yaml", 1, 1, "")
HOSTILE = "x` | <img src=x onerror=a> @everyone #1 </details> [a](https://b) \x1b[31m\n::error::y"


def _diff(**fields: Any) -> Diff:
    return Diff("1.37", {}, "old", "new", 1, 1, **fields)


def _move(name: str, change: str = "pending") -> Move:
    before, after = Placed("a", ("gpu: d/p/x",)), Placed(None, (), "no-devices", "none")
    return Move(change, name, True, before, after, "no-devices: none")


def _object(name: str) -> ObjectChange:
    return ObjectChange("added", ObjectRef("v1", "Pod", "", name), PLACE)


def _hostile() -> Diff:
    ref = ObjectRef(HOSTILE, HOSTILE, HOSTILE, HOSTILE)
    place = Location(HOSTILE, 1, 1, "")
    finding = Finding("a/b", Severity.ERROR, None, HOSTILE, None, HOSTILE, HOSTILE, (), ref, place)
    selector = SelectorChange(
        ref, "", HOSTILE, 0, place, HOSTILE, "", Selects(2, 0, 2), Selects(0, 0, 2), 2, 0, 0
    )
    found = _diff(
        findings_begin=(finding,),
        findings_end=(finding,),
        objects=(ObjectChange("added", ref, place),),
        placements=(_move(HOSTILE)._replace(reason=HOSTILE),),
        selectors=(selector,),
        notes=(HOSTILE,),
    )
    return found._replace(old=HOSTILE, new=HOSTILE)


def test_objects_with_one_fact_are_one_entry() -> None:
    found = _diff(placements=tuple(_move(f"ml/p{number}") for number in range(32)))
    shown = text.render(found, Style(width=None))
    assert shown.count("- no-devices: none") == 1
    assert "and 29 more" in shown
    assert "differs: 32 pods become Pending" in shown
    assert "(32)" in diff_markdown.render(found)


def test_the_headline_of_a_comment_is_short() -> None:
    found = _hostile()
    headline = diff_markdown.render(found).partition("\n")[0]
    assert headline == (
        "### dractl diff: 1 new error, 1 pod becomes Pending, 1 selector selects other devices and more"
    )


def _inline(tokens: list[Token]) -> Iterator[Token]:
    for token in tokens:
        yield token
        yield from _inline(token.children or [])


def test_names_cannot_write_markdown() -> None:
    shown = diff_markdown.render(_hostile())
    parser = MarkdownIt("commonmark", {"html": True}).enable("table")
    tokens = list(_inline(parser.parse(shown)))
    markup = {token.content.strip() for token in tokens if token.type in ("html_inline", "html_block")}
    titles = {one for one in markup if re.fullmatch(r"<details><summary>[\w ]+ \(1\)</summary>", one)}
    assert titles
    assert markup - titles == {"<br>", "</details>"}
    assert not [token for token in tokens if token.type in ("link_open", "image", "fence", "code_block")]
    assert not [token for token in tokens if token.type == "text" and "@everyone" in token.content]
    assert len([token for token in tokens if token.type == "heading_open"]) == 1
    assert "\x1b" not in shown
    assert "\n::error" not in shown
    rows = [line for line in shown.splitlines() if line.startswith("| ")]
    # A row has three cells, whatever is in them.
    assert {len(re.findall(r"(?<!\\)\|", row)) for row in rows} == {4}


def test_names_cannot_steer_a_terminal() -> None:
    shown = text.render(_hostile(), Style(width=80))
    assert "\x1b" not in shown
    assert not any(line.startswith("::") for line in shown.splitlines())


def test_a_comment_is_not_longer_than_github_takes() -> None:
    objects = tuple(_object(f"{number}-{'x' * 300}") for number in range(3000))
    moves = tuple(_move("p" * 300)._replace(reason=f"{number} {'y' * 1500}") for number in range(60))
    shown = diff_markdown.render(_diff(objects=objects, placements=moves))
    assert len(shown) < 65_536
    assert shown.count("<details>") == shown.count("</details>")
    assert "more" in shown


def test_text_is_capped() -> None:
    moves = tuple(_move("p")._replace(reason=str(number)) for number in range(12_000))
    assert "lines are not shown" in text.render(_diff(placements=moves), Style(width=None))


def test_nothing_differs() -> None:
    found = dractl.diff([], [])
    assert text.render(found, Style(width=None)).endswith("no difference\n")
    assert text.render(found, Style(width=None), summary=False) == ""
    assert diff_markdown.render(found).startswith("### dractl diff: nothing differs\n")
