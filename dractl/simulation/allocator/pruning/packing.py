"""Proves that things of some sizes do not go into bins of some rooms.

Every thing gets a weight by its size, and no bin can hold more weight than the best mix of sizes that goes
into it. If all things together weigh more than all bins hold, they cannot be packed, however they are put.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

_MOST_SIZES = 16
_MOST_ROOMS = 4
_MOST_PARTS = 6
"""So many sizes, rooms and parts of a room make weights; more of them cost time and prove little."""

_DEEPEST = 40
"""A bin that holds more of the smallest things is taken to hold any fraction of them."""

_MOST_MIXES = 20_000


class Packing:
    """Decides about any numbers of things of sizes that are known beforehand."""

    __slots__ = ("_known", "_ratings", "_sizes")

    def __init__(self, sizes: Iterable[int], rooms: Iterable[int]) -> None:
        """Make the weights; sizes are positive, and ``rooms`` are those of empty bins."""
        self._sizes = tuple(sorted(set(sizes), reverse=True))
        self._ratings = tuple(_ratings(self._sizes, sorted({room for room in rooms if room > 0})))
        self._known: dict[tuple[int, int], int] = {}

    def fits(self, things: Mapping[int, int], bins: Mapping[int, int], single: int = 0) -> bool:
        """Whether the things may fit: their number by size, that of bins by what they have room for.

        ``single`` more bins hold one thing each, of any size. False is a proof, True is not.
        """
        for number, weights in enumerate(self._ratings):
            wanted = sum(count * weights[size] for size, count in things.items())
            held = sum(count * self._most(number, room) for room, count in bins.items())
            if wanted > held + single * max(weights.values()):
                return False
        return True

    def _most(self, number: int, room: int) -> int:
        """The most weight that goes into a room, or somewhat more."""
        key = (number, room)
        found = self._known.get(key)
        if found is not None:
            return found
        weights = self._ratings[number]
        fitting = [size for size in self._sizes if size <= room]
        if not fitting:
            return 0
        # Exactly where that is cheap; fractions of things never hold less.
        if room // fitting[-1] > _DEEPEST or len(self._known) > _MOST_MIXES:
            return max(weights[size] * room // size for size in fitting)
        found = max(weights[size] + self._most(number, room - size) for size in fitting)
        self._known[key] = found
        return found


def _ratings(sizes: tuple[int, ...], rooms: list[int]) -> Iterable[Mapping[int, int]]:
    """The weights of sizes, in several ways; any would be right, and these prove much."""
    if not sizes:
        return
    yield {size: size for size in sizes}
    # How many of one size fit.
    for unit in sizes[:_MOST_SIZES]:
        yield {size: size // unit for size in sizes}
    # Parts of a room: with 3 and 5 in 10 these weigh 2 and 3, and a room holds 6, so that 3 beside 5 is seen
    # to waste some. The dual feasible functions of Fekete and Schepers.
    for room in rooms[-_MOST_ROOMS:]:
        for parts in range(1, _MOST_PARTS + 1):
            yield {
                size: size * parts if (parts + 1) * size % room == 0 else (parts + 1) * size // room * room
                for size in sizes
            }
