"""Random YAML texts: real ones changed a little, and such that hold many odd things on purpose."""

from __future__ import annotations

import json
from random import Random

from tests.paths import ROOT

__all__ = ["Texts"]

_TESTDATA = ROOT / "testdata"

_PIECES = [
    *"{}[],:?-!#|>'\"\\%@`~ \n\t\r1=é",
    *(
        "\r\n",
        ": ",
        "- ",
        "? ",
        "---",
        "...",
        "<<: ",
        "<<",
        "&a",
        "*a",
        "!!str ",
        "!a ",
        "! ",
        "!!int ",
        "!<x> ",
    ),
    *(
        "\x85",
        "\u2028",
        "\\/",
        "\\x41",
        "\\u00e9",
        "{}",
        "[]",
        "\x00",
        "\x7f",
        "0x1",
        "1e3",
        ".5",
        "null",
        "yes",
    ),
    *("|2", "|+", "|-", ">-", "\U0001f600", "\\\n", "''", '""', "a: ", "b", "\\'", "  "),
]
_VALUES = [
    *(
        "",
        "1",
        "x",
        "1.0",
        "a b",
        "a: b",
        "a#b",
        "a #c",
        "# c",
        " # c",
        '"x"',
        "'y'",
        '"x" # c',
        '"x"#c',
        "{}",
    ),
    *(
        "[]",
        "{a: 1}",
        "[a, b]",
        "{a: {b: [1]}}",
        "{a: 1,}",
        "[a,b]",
        "|",
        ">",
        "|-",
        ">+",
        "- z",
        "-1",
        "--",
        "? x",
    ),
    *(
        "&a b",
        "*a",
        "!t",
        "<<",
        "a:",
        "12:30",
        "http://x:1/y#z",
        "0x1F",
        ".inf",
        "yes",
        "~",
        '{"a": 1}',
        "[a: b]",
    ),
    *(
        "{a}",
        "it's",
        "(x)",
        "=",
        "a,b",
        "a]",
        "}",
        "%",
        "@x",
        "\\x",
        '"\\n"',
        "'it''s'",
        "\tb",
        "b\t",
        "2026-01-01",
    ),
]
_KEYS = ["a", "b", "c", "y", '"q"', "'s'", "x.y/z", "no", "k e", "1", "~", '"a"', "-a", "f:b", "? a", "<<"]
_DIGITS = "0011223456789..._eE+-xXbBoOaf"


class Texts:
    """A source of texts, the same for the same ``seed``."""

    def __init__(self, seed: int) -> None:
        """Start with the texts of our own cases and examples."""
        self._random = Random(seed)  # noqa: S311 - not for secrets
        rows = (_TESTDATA / "conformance" / "yaml.jsonl").read_text(encoding="utf-8").split("\n")
        self._odd = [json.loads(row)["text"] for row in rows if row]
        files = sorted((_TESTDATA / "examples").rglob("*.yaml"))
        texts = [file.read_text(encoding="utf-8") for file in files]
        self._manifests = [part for text in texts for part in text.split("\n---\n")]

    def next(self) -> str:
        """One more text."""
        pick = self._random.choice
        match self._random.randrange(5):
            case 0:
                return self._changed(pick(self._odd))
            case 1:
                return self._changed(pick(self._manifests))
            case 2:
                return "".join(pick(_PIECES) for _ in range(self._random.randrange(1, 12)))
            case 3:
                return self._lines()
            case _:
                return f"? {self._number()}\n: {self._number()}\n"

    def _changed(self, text: str) -> str:
        """The text after one to four changes: something put in, taken out, or a line moved."""
        random = self._random
        for _ in range(random.randrange(1, 5)):
            start = random.randrange(len(text) + 1)
            end = min(len(text), start + random.randrange(1, 8))
            lines = text.split("\n")
            match random.randrange(4):
                case 0:
                    text = text[:start] + random.choice(_PIECES) + text[start:]
                case 1:
                    text = text[:start] + text[end:]
                case 2:
                    text = text[:start] + random.choice(self._odd) + text[start:]
                case _:
                    lines.insert(random.randrange(len(lines) + 1), random.choice(lines))
                    text = "\n".join(lines)
        return text

    def _lines(self) -> str:
        """Lines of keys and items, indented at random."""
        random = self._random
        lines: list[str] = []
        indent = 0
        for _ in range(random.randrange(1, 9)):
            indent = max(0, indent + random.choice((-2, -2, 0, 0, 0, 2, 2, 1, -1)))
            dash = random.choice(("", "", "", "- ", "-   ", "- - ", "-"))
            colon = random.choice((": ", ": ", ": ", ":", ":  ", " :", ":x"))
            lines.append(" " * indent + dash + random.choice(_KEYS) + colon + random.choice(_VALUES))
            if not random.randrange(4):
                lines.append(random.choice(("", "  ", "    text", "# c", "   # c", "---", "\t", "  - x")))
        return "\n".join(lines) + random.choice(("", "\n", "\n\n", " "))

    def _number(self) -> str:
        """What looks like a number, perhaps with a tag."""
        random = self._random
        tag = random.choice(("", "", "", "!!int ", "!!float ", "!!str ", "!!timestamp ", "! "))
        first = random.choice(("", ".", "-", "0x", "0b", "0o", "2026-1-"))
        return (
            tag + first + "".join(random.choice(_DIGITS) for _ in range(random.choice((1, 2, 3, 5, 8, 20))))
        )
