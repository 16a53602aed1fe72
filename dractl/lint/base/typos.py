"""Whether a name is another one misspelled, in the few ways that are hardly ever meant."""

from __future__ import annotations

from collections.abc import Callable, Iterable

__all__ = ["is_typo", "surely_meant"]

_SHORTEST = 4


def surely_meant(
    wrong: str, known: Iterable[str], same: Callable[[str, str], bool] | None = None
) -> str | None:
    """The one name of ``known`` that ``wrong`` is surely meant to be.

    None if several are possible, or none, or if ``wrong`` is known. ``same`` is asked instead of is_typo.
    """
    found = set(known)
    alike = [] if wrong in found else [name for name in found if (same or is_typo)(wrong, name)]
    return alike[0] if len(alike) == 1 else None


def is_typo(wrong: str, right: str) -> bool:
    """Whether ``wrong`` is surely meant to be ``right``.

    It is so in another case or with other separators, with a letter more or less, with two neighbours
    exchanged, or, inside of longer names, with another letter. Names that differ in a digit or in their last
    letter are taken for different ones: ``port0`` and ``port1``, ``sliceA`` and ``sliceB``.
    """
    if wrong == right:
        return False
    one, other = _plain(wrong), _plain(right)
    if one == other:
        return True
    if min(len(one), len(other)) < _SHORTEST:
        return False
    if len(one) == len(other):
        return _is_exchanged(one, other) or _is_replaced(one, other)
    longer, shorter = (one, other) if len(one) > len(other) else (other, one)
    return len(longer) == len(shorter) + 1 and _is_inserted(longer, shorter)


def _plain(name: str) -> str:
    return name.lower().replace("_", "").replace("-", "").replace(".", "")


def _differences(one: str, other: str) -> list[int]:
    return [number for number, (left, right) in enumerate(zip(one, other, strict=True)) if left != right]


def _is_exchanged(one: str, other: str) -> bool:
    places = _differences(one, other)
    if len(places) != 2 or places[1] != places[0] + 1:
        return False
    first, second = places
    letters = one[first] + one[second]
    return letters.isalpha() and letters == other[second] + other[first]


def _is_replaced(one: str, other: str) -> bool:
    places = _differences(one, other)
    if len(one) <= _SHORTEST + 1 or len(places) != 1 or places[0] in {0, len(one) - 1}:
        return False
    return one[places[0]].isalpha() and other[places[0]].isalpha()


def _is_inserted(longer: str, shorter: str) -> bool:
    for number, letter in enumerate(longer):
        if longer[:number] + longer[number + 1 :] == shorter:
            return letter.isalpha()
    return False
