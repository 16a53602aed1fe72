"""Much to pack into few devices, in every minor: few steps are enough, and shortcuts change nothing."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest

from dractl.api import release
from dractl.simulation.allocator.model.reasons import Fatal
from dractl.simulation.allocator.search import search
from dractl.simulation.allocator.search_result import Found
from tests.simulation.hard_worlds import (
    all_alternative,
    distinct,
    first_all,
    match_claims,
    of_minor,
    partitions,
    shares,
    sized_alternatives,
    written,
)
from tests.simulation.oracle_allocator import searches_of
from tests.simulation.pathologies import Pathology
from tests.simulation.test_plain_search import PLAIN, shown

STEPS = 9_000
PACKED = 60_000
"""To find the one way in which shares go in takes more."""
MINORS = [str(minor) for minor in release.KNOWN if minor >= release.parse("1.31")]


def arguments(found: Pathology, kube: str) -> Any:
    (made,) = searches_of(written(found.question(), kube), kube)
    return made


Make = Callable[[str], Pathology]
"""Makes a world of a minor."""

HARD: Mapping[str, tuple[str, Make]] = {
    "claims for groups": ("1.31", lambda _: match_claims()),
    "all first": ("1.31", lambda _: first_all()),
    "counters": ("1.33", lambda kube: partitions(kube, 14, [3, 2, 2, 1] * 16, 13, each=True)),
    "alternatives over counters": ("1.33", sized_alternatives),
    "an alternative for all": ("1.33", lambda _: all_alternative()),
    "different values": ("1.35", lambda _: distinct()),
    "too many shares": ("1.34", lambda _: shares(96, 40, (4,), 10, fits=False)),
    "shares of two sizes": ("1.34", lambda _: shares(41, 20, (6, 4), 10, fits=False)),
    "shares that just fit": ("1.35", lambda _: shares(48, 20, (3, 5), 10, fits=True)),
}


@pytest.mark.parametrize("name", HARD)
@pytest.mark.parametrize("kube", ["1.31", "1.33", "1.34", "1.35", "1.37"])
def test_few_steps_are_enough_in_every_minor(kube: str, name: str) -> None:
    since, make = HARD[name]
    if release.parse(kube) < release.parse(since):
        pytest.skip("this minor does not know the parts")
    found = make(kube)
    end = search(*arguments(found, kube), budget=PACKED if found.fits else STEPS)
    # In 1.31 a request for all devices makes an error of whatever fails after it.
    if isinstance(end, Fatal):
        assert kube == "1.31"
        assert not end.is_timeout
    assert isinstance(end, Found) is found.fits


SMALL: Sequence[Make] = (
    lambda _: match_claims(4, 2, 3, 3),
    lambda _: first_all(8),
    lambda kube: partitions(kube, 4, [3, 2, 1] * 3, 5, each=True),
    lambda _: shares(6, 3, (6, 4), 10, fits=True),
    lambda _: shares(5, 2, (6, 4), 10, fits=False),
    lambda _: shares(6, 3, (3, 5), 10, fits=True),
    lambda _: distinct(3, 2, 6),
)


@pytest.mark.parametrize("kube", MINORS)
def test_shortcuts_find_what_a_plain_search_finds(kube: str) -> None:
    for make in SMALL:
        found = make(kube)
        if release.parse(kube) < release.parse("1.34") and found.gates:
            continue
        given = arguments(found, kube)
        plain = search(*given, patience=PLAIN)
        assert not (isinstance(plain, Fatal) and plain.is_timeout)
        for patience in (1, 7):
            assert shown(search(*given, patience=patience)) == shown(plain), (found.name, patience)


def test_every_minor_has_hard_worlds() -> None:
    assert all(len(list(of_minor(kube))) > 15 for kube in MINORS)
