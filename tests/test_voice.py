"""The pages keep the voice of docs/contributing/voice.md: words of the old one do not come back."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.paths import ROOT

VOICE = ROOT / "docs" / "contributing" / "voice.md"
PAGES = [
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md")),
    *sorted(path for path in (ROOT / "docs").rglob("*.md") if path != VOICE),
]
OLD_WORDS = (
    *("anew", "for ever", "beside", "below `", "mend", "mended", "mends", "held against"),
    *("is no", "are no", "what becomes of", "what comes", "is told", "are told", "is judged", "are judged"),
    *("says that", "stands in", "stand in", "stands beside"),
)


def _prose(text: str) -> str:
    """The text without code, and without what a program writes."""
    text = re.sub(r"<!-- .*? -->.*?<!-- end -->", "", text, flags=re.DOTALL)
    text = re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL)
    return " ".join(text.split()).lower()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_a_page_has_none_of_the_old_words(page: Path) -> None:
    text = _prose(page.read_text(encoding="utf-8"))
    assert [word for word in OLD_WORDS if re.search(rf"(?<!\w){re.escape(word)}(?!\w)", text)] == []


def test_the_old_words_are_found() -> None:
    assert re.search(r"(?<!\w)for ever(?!\w)", _prose("It waits for\never.\n"))
