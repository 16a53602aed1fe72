"""The sentences of a page: each row of a table, each item of a list, and each sentence of a paragraph."""

from __future__ import annotations

import re
from collections.abc import Iterable

from tests.paths import ROOT

__all__ = ["not_covered", "sentences"]

_END = re.compile(r"(?<=[.:])\s+(?=[A-Z`\[])")


def sentences(name: str) -> list[str]:
    """What a page of the documentation says, without headings, code and the heads of tables."""
    text = (ROOT / "docs" / name).read_text(encoding="utf-8")
    text = re.sub(r"```.*?```", "", text, flags=re.DOTALL)
    found: list[str] = []
    for block in re.split(r"\n\s*\n|\n(?=- |\| )", text):
        flat = " ".join(block.split())
        if not flat or flat.startswith(("#", "|--", "|  --")):
            continue
        if flat.startswith("|"):
            found.append(flat.strip("| "))
        else:
            found += _END.split(flat.removeprefix("- "))
    return found


def not_covered(name: str, claims: Iterable[str]) -> list[str]:
    """The sentences of a page of which no claim is a part, and the claims that no sentence has."""
    said = sentences(name)
    known = list(claims)
    return [
        *(sentence for sentence in said if not any(claim in sentence for claim in known)),
        *(f"gone: {claim}" for claim in known if not any(claim in sentence for sentence in said)),
    ]
