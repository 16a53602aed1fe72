"""What many messages say in the same words: the name that somebody probably meant."""

from __future__ import annotations

from collections.abc import Iterable

__all__ = ["did_you_mean", "nearest", "nearest_or_all"]

_LIKELY = 0.6
"""How alike two names are, from 0 to 1, before one is taken for the other misspelt."""

_SURE = 0.8
_MOST_NAMES = 6


def nearest(name: str, known: Iterable[str], *, least: float = _LIKELY) -> str:
    """The known name that ``name`` is likely to mean, in whatever case; empty if none is likely."""
    from difflib import get_close_matches  # only on the way to an error

    lowered = {text.lower(): text for text in known}
    near = get_close_matches(name.lower(), lowered, n=1, cutoff=least)
    return lowered[near[0]] if near else ""


def did_you_mean(name: str, known: Iterable[str], *, otherwise: str = "", least: float = _LIKELY) -> str:
    """``did you mean NAME?`` with the nearest known name; ``otherwise`` without one."""
    found = nearest(name, known, least=least)
    return f"did you mean {found}?" if found else otherwise


def nearest_or_all(wrong: str, names: Iterable[str]) -> str:
    """A hint with the name that is closest to ``wrong``, else with all of them; empty without names."""
    known = list(dict.fromkeys(name for name in names if name))
    more = ", ..." if len(known) > _MOST_NAMES else ""
    listed = f"choose from {', '.join(known[:_MOST_NAMES])}{more}" if known else ""
    return did_you_mean(wrong, known, otherwise=listed, least=_SURE)
