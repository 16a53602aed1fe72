"""Pages and messages follow docs/contributing/voice.md: words of the old voice do not come back."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from tests.paths import ROOT
from tests.rows import each_row

VOICE = ROOT / "docs" / "contributing" / "voice.md"
PAGES = [
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md")),
    *sorted(path for path in (ROOT / "docs").rglob("*.md") if path != VOICE),
    *sorted((ROOT / "tools").glob("*/README.md")),
]
PACKAGE = ROOT / "dractl"
PARTS = sorted(
    path.name for path in PACKAGE.iterdir() if path.suffix == ".py" or (path / "__init__.py").exists()
)
OLD_WORDS = (
    *("anew", "for ever", "beside", "below `", "mend", "mended", "mends", "held against"),
    *("is no", "are no", "what becomes of", "what comes", "is told", "are told", "is judged", "are judged"),
    *("says that", "stands in", "stand in", "stands beside"),
)
OTHER_WORDS = (
    "refuse",
    "refuses",
    "refused",
    "takes no part",
    "took no part",
    "take no part",
    "not considered",
)
"""Second words for what docs/contributing/voice.md has one word for; code spans may have them as names."""
OLD_WORDS_OF_MESSAGES = (
    *OLD_WORDS,
    *OTHER_WORDS,
    *("below", "judged", "told", "tells", "say", "says", "said", "speak", "speaks", "knows", "wants"),
    *("stand", "stands", "stood", "there is", "there are", "is there already", "leave it out"),
    *("looked at", "is needed", "are needed", "may be what", "comes to rest", "a text", "texts"),
    *("is there", "are there", "want", "wanted", "to be had", "known here", "given up", "just being"),
    *("ask for", "asks for", "asked for"),
)
"""What messages must not contain besides; pages may need some of these words for other things."""
ALLOWED = {
    "api": {"wanted"},  # a placeholder in the texts of limits
}
"""Words that a part of the package needs, each for the reason given."""


def _prose(text: str) -> str:
    """The text without code, and without what a program writes."""
    text = re.sub(r"<!-- .*? -->.*?<!-- end -->", "", text, flags=re.DOTALL)
    text = re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL)
    return " ".join(text.split()).lower()


@each_row("page", PAGES)
def test_a_page_has_none_of_the_old_words(page: Path) -> None:
    text = _prose(page.read_text(encoding="utf-8"))
    assert [word for word in OLD_WORDS if re.search(rf"(?<!\w){re.escape(word)}(?!\w)", text)] == []


@each_row("page", PAGES)
def test_a_page_has_one_word_for_a_verdict(page: Path) -> None:
    text = re.sub(r"`[^`]*`", "", _prose(page.read_text(encoding="utf-8")))
    assert [word for word in OTHER_WORDS if re.search(rf"(?<!\w){word}(?!\w)", text)] == []


def _messages(source: str) -> Iterator[tuple[int, str]]:
    """Each string with a space, except docstrings and the examples of rules, with its line."""
    tree = ast.parse(source)
    docstrings = {node.value for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in docstrings:
            text = re.split(r"^\s*(?:Good|Bad)(?: here)?:\n", node.value, maxsplit=1, flags=re.MULTILINE)[0]
            if " " in text.strip():
                yield node.lineno, " ".join(text.split()).lower()


def _old_words_of_messages(text: str) -> list[str]:
    return [word for word in OLD_WORDS_OF_MESSAGES if re.search(rf"(?<!\w){re.escape(word)}(?!\w)", text)]


def _found_in(part: str) -> list[tuple[str, str]]:
    """The old words in the messages of a part of the package, each with its place and text."""
    place = PACKAGE / part
    return [
        (word, f"{path.relative_to(ROOT)}:{line}: {text[:80]!r}")
        for path in (sorted(place.rglob("*.py")) if place.is_dir() else [place])
        for line, text in _messages(path.read_text(encoding="utf-8"))
        for word in _old_words_of_messages(text)
    ]


@each_row("part", PARTS)
def test_a_message_has_none_of_the_old_words(part: str) -> None:
    found = _found_in(part)
    allowed = ALLOWED.get(part, set())
    assert [entry for entry in found if entry[0] not in allowed] == []
    assert allowed <= {word for word, _ in found}


def test_messages_are_found_without_docstrings_and_examples() -> None:
    source = '''
"""It stands here."""
message = f"{name} is no name of a request"
page = """A name is short.

    Good:
        name: it stands here
"""
part = """A name is long.

    Bad here:
        name: it stands here
"""
'''
    assert sorted(text for _, text in _messages(source)) == [
        "a name is long.",
        "a name is short.",
        "is no name of a request",
    ]
    assert _old_words_of_messages("is no name of a request") == ["is no"]


def test_an_old_word_in_a_message_is_found() -> None:
    text = 'def a():\n    """There is no x."""\n    return f"{told} is no name; it wants {1} of these"\n'
    found = [(line, word) for line, message in _messages(text) for word in _old_words_of_messages(message)]
    assert found == [(3, "is no"), (3, "wants")]


def test_the_old_words_are_found() -> None:
    assert re.search(r"(?<!\w)for ever(?!\w)", _prose("It waits for\never.\n"))
