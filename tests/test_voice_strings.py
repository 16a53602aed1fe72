"""String literals keep the voice of docs/contributing/voice.md, in the packages that are rewritten."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from tests.paths import ROOT
from tests.test_voice import OLD_WORDS

REWRITTEN = (
    *("cli", "report", "scenario", "testing", "simulation", "workflows", "conversion"),
    *("public.py", "finding.py"),
)
"""What of ``dractl/`` is checked."""

OLD_IN_MESSAGES = (
    *OLD_WORDS,
    *("there is", "there are", "is there", "are there", "stand", "stands", "told", "say", "says", "judged"),
    *("want", "wants", "wanted", "looked at", "to be had", "known here", "given up", "just being"),
)
"""What is fine in a page, but has a shorter word in a message."""


def _files() -> list[Path]:
    places = [ROOT / "dractl" / name for name in REWRITTEN]
    return sorted(file for place in places for file in (place.rglob("*.py") if place.is_dir() else [place]))


def _literals(text: str) -> Iterator[tuple[int, str]]:
    """The string literals with their lines, without docstrings and without what f-strings insert."""
    tree = ast.parse(text)
    docstrings = {
        id(node.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings:
            yield node.lineno, node.value


def _old_words(text: str) -> list[str]:
    return [word for word in OLD_IN_MESSAGES if re.search(rf"(?<![\w-]){re.escape(word)}(?![\w-])", text)]


def test_messages_have_none_of_the_old_words() -> None:
    found = [
        f"{file.relative_to(ROOT)}:{line}: {word}"
        for file in _files()
        for line, text in _literals(file.read_text(encoding="utf-8"))
        if " " in text
        for word in _old_words(text.lower())
    ]
    assert found == []


def test_an_old_word_in_a_message_is_found() -> None:
    text = 'def a():\n    """There is no x."""\n    return f"{told} is no name; it wants {1} of these"\n'
    found = [(line, word) for line, literal in _literals(text) for word in _old_words(literal)]
    assert found == [(3, "is no"), (3, "wants")]


def test_each_place_exists() -> None:
    assert [name for name in REWRITTEN if not (ROOT / "dractl" / name).exists()] == []
