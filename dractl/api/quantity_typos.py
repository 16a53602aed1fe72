"""What somebody probably meant who wrote a quantity in another notation, such as ``40GB``."""

from __future__ import annotations

import re

__all__ = ["advice_for", "likely_quantities"]

_NOTATION = re.compile(
    r"([+-]?(?:[0-9]+[.,]?[0-9]*|[.,][0-9]+))\s*([kmgtpe]?)(i?)(?:b|bytes?)?", re.IGNORECASE | re.ASCII
)


def advice_for(text: str) -> str:
    """``did you mean 40G or 40Gi?`` for a text that is not a quantity; empty if it resembles none."""
    meant = likely_quantities(text)
    return f"did you mean {' or '.join(meant)}?" if meant else ""


def likely_quantities(text: str) -> list[str]:
    """The quantities that a text in another notation is likely to mean."""
    found = _NOTATION.fullmatch(text.strip())
    if found is None:
        return []
    number, letter, binary = found[1].replace(",", ".").rstrip("."), found[2].upper(), found[3]
    forms = [f"{letter}i"] if binary else [letter, f"{letter}i"] if letter else [""]
    if binary and not letter:
        return []
    return [f"{number}{'k' if form == 'K' else form}" for form in forms]
