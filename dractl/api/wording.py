"""What many messages say in the same words: the name that somebody probably meant."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

__all__ = ["choose_from", "did_you_mean", "first_and_more", "first_few", "nearest", "nearest_or_all"]

_LIKELY = 0.6
"""How alike two names are, from 0 to 1, before one is taken for the other misspelt."""

_SURE = 0.8
_MOST_NAMES = 6
_CANDIDATES = 5
"""Similar names that are compared again without the parts that they share with the wrong one."""


def nearest(name: str, known: Iterable[str], *, least: float = _LIKELY) -> str:
    """The known name that ``name`` is likely to mean, in whatever case; empty if none is likely.

    Parts that two names share, such as the domain of ``gpu.example.com`` and ``nic.example.com``, do not
    make them alike.
    """
    from difflib import SequenceMatcher, get_close_matches  # only on the way to an error

    lowered = {text.lower(): text for text in known}
    wrong = name.lower()
    for near in get_close_matches(wrong, lowered, n=_CANDIDATES, cutoff=least):
        one, other = _without_shared_parts(wrong, near)
        if one == other or SequenceMatcher(None, one, other).ratio() >= least:
            return lowered[near]
    return ""


def _without_shared_parts(one: str, other: str) -> tuple[str, str]:
    """Two names without the group before a slash, or the domain after a dot, that both have."""
    group, slash, name = one.rpartition("/")
    if slash and other.startswith(f"{group}/"):
        return name, other[len(group) + 1 :]
    first, second = one.split("."), other.split(".")
    while len(first) > 1 and len(second) > 1 and first[-1] == second[-1]:
        del first[-1], second[-1]
    return ".".join(first), ".".join(second)


def did_you_mean(name: str, known: Iterable[str], *, otherwise: str = "", least: float = _LIKELY) -> str:
    """``did you mean NAME?`` with the nearest known name; ``otherwise`` without one."""
    found = nearest(name, known, least=least)
    return f"did you mean {found}?" if found else otherwise


def choose_from(names: Iterable[str]) -> str:
    """``choose from a, b``: the first few names; empty without names, ``the only one is a`` for one."""
    known = list(dict.fromkeys(name for name in names if name))
    if len(known) == 1:
        return f"the only one is {known[0]}"
    return f"choose from {first_few(known)}" if known else ""


def first_few(names: Iterable[str]) -> str:
    """``a, b, ... (8 in all)``: the first few names, each once; empty without names."""
    known = list(dict.fromkeys(name for name in names if name))
    more = f", ... ({len(known)} in all)" if len(known) > _MOST_NAMES else ""
    return ", ".join(known[:_MOST_NAMES]) + more


def first_and_more(names: Sequence[str], most: int) -> str:
    """``a, b and 3 more``: the first ``most`` names; a single further one is named, too."""
    more = f" and {len(names) - most} more" if len(names) > most + 1 else ""
    return ", ".join(names[:most] if more else names) + more


def nearest_or_all(wrong: str, names: Iterable[str]) -> str:
    """A hint with the name that is closest to ``wrong``, else with the first few; empty without names."""
    known = list(dict.fromkeys(name for name in names if name))
    return did_you_mean(wrong, known, otherwise=choose_from(known), least=_SURE)
