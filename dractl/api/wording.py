"""What many messages say in the same words: the name that somebody probably meant."""

from __future__ import annotations

from collections.abc import Iterable

__all__ = ["did_you_mean", "nearest"]

_LIKELY = 0.6
"""How alike two names are, from 0 to 1, before one is taken for the other misspelt."""


def nearest(name: str, known: Iterable[str], *, least: float = _LIKELY) -> str:
    """The known name that ``name`` is likely to mean, in whatever case; empty if there is none."""
    from difflib import get_close_matches  # only on the way to an error

    lowered = {text.lower(): text for text in known}
    near = get_close_matches(name.lower(), lowered, n=1, cutoff=least)
    return lowered[near[0]] if near else ""


def did_you_mean(name: str, known: Iterable[str], *, otherwise: str = "", least: float = _LIKELY) -> str:
    """``did you mean NAME?`` with the nearest known name; ``otherwise`` if there is none."""
    found = nearest(name, known, least=least)
    return f"did you mean {found}?" if found else otherwise
