"""Colours of the page: every text has a contrast of 4.5 or more, in light and in dark."""

from __future__ import annotations

import re

import pytest

from tests.paths import ROOT

CSS = (ROOT / "dractl" / "report" / "html" / "templates" / "page.css").read_text(encoding="utf-8")
LEAST = 4.5
LEAST_DRAWING = 3.0
GROUNDS = ("bg", "card")
CELLS = ("used", "placed", "shared", "short", "warn", "bad")


def _palettes() -> dict[str, dict[str, str]]:
    blocks = re.findall(r":root\{([^}]*--bg[^}]*)\}", CSS)
    light, dark = (dict(re.findall(r"--([\w-]+):(#\w+)", block)) for block in blocks[:2])
    return {"light": light, "dark": {**light, **dark}}


def _luminance(color: str) -> float:
    digits = color[1:] if len(color) == 7 else "".join(digit * 2 for digit in color[1:])
    parts = [int(digits[n : n + 2], 16) / 255 for n in (0, 2, 4)]
    linear = [part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def _contrast(one: str, other: str) -> float:
    high, low = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_texts_and_marks_stand_out(scheme: str) -> None:
    colors = _palettes()[scheme]
    texts = [
        (text, ground)
        for text in ("text", "soft", "link", "good-text", "warn-text", "bad-text")
        for ground in GROUNDS
    ] + [("text", cell) for cell in CELLS]
    weak = [pair for pair in texts if _contrast(colors[pair[0]], colors[pair[1]]) < LEAST]
    marks = [
        (f"{kind}-line", ground)
        for kind in ("used", "placed", "shared", "free", "warn", "bad")
        for ground in GROUNDS
    ]
    marks += [(part, "rest") for part in ("part0", "part1")] + [("focus", ground) for ground in GROUNDS]
    weak += [pair for pair in marks if _contrast(colors[pair[0]], colors[pair[1]]) < LEAST_DRAWING]
    assert weak == []
