"""Which sets of the devices of a partition model can be in use at once.

A device takes amounts of counters, of which there is only so much. Devices that take the same are
interchangeable, so that a search chooses numbers of them and not names.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from math import comb
from types import MappingProxyType

from dractl.records import NamedTuple

__all__ = ["Combination", "Model", "Part", "Steps", "all_sets", "components", "maximal_sets", "undominated"]

Counter = tuple[str, str]
"""A counter by its set and its name."""

Groups = Mapping[str, frozenset[str]]
"""Compatibility groups by counter set; an empty set goes only with other empty ones."""


class Part(NamedTuple):
    """A device: its name, what people call devices like it, and what it takes while it is in use."""

    name: str
    kind: str
    takes: Mapping[Counter, int]
    groups: Groups = MappingProxyType({})


class Model(NamedTuple):
    """Devices that draw on the same counters, and how much there is of each."""

    parts: tuple[Part, ...]
    limits: Mapping[Counter, int]

    @property
    def counter_sets(self) -> tuple[str, ...]:
        """The counter sets that the devices draw on, in order."""
        return tuple(dict.fromkeys(owner for part in self.parts for owner, _ in part.takes))

    def fits(self, part: Part) -> bool:
        """Whether the device can be in use at all."""
        return all(self.limits.get(counter, -1) >= amount for counter, amount in part.takes.items())


class Steps:
    """How many steps the searches of a run may still take."""

    __slots__ = ("left",)

    def __init__(self, number: int) -> None:
        """Allow ``number`` steps."""
        self.left = number

    def take(self, number: int = 1) -> bool:
        """Take some steps; False if there are too few."""
        self.left -= number
        return self.left >= 0


class Combination(NamedTuple):
    """How many devices of each kind are in use, and how many maximal sets have these numbers."""

    kinds: tuple[tuple[str, int], ...]
    sets: int

    def covers(self, other: Combination) -> bool:
        """Whether it has as many of every kind as the other."""
        numbers = dict(self.kinds)
        return all(numbers.get(kind, 0) >= number for kind, number in other.kinds)


def components(parts: Iterable[Part], limits: Mapping[Counter, int]) -> list[Model]:
    """The models of devices that draw on common counter sets, in the order of the devices.

    Devices that take nothing are in none.
    """
    drawing = [part for part in parts if part.takes]
    leader: dict[str, str] = {}

    def first(owner: str) -> str:
        while leader.setdefault(owner, owner) != owner:
            owner = leader[owner]
        return owner

    for part in drawing:
        one, *others = dict.fromkeys(owner for owner, _ in part.takes)
        for other in others:
            leader[first(other)] = first(one)
    groups: dict[str, list[Part]] = {}
    for part in drawing:
        groups.setdefault(first(next(iter(part.takes))[0]), []).append(part)
    return [Model(tuple(group), _limits_of(group, limits)) for group in groups.values()]


def _limits_of(parts: Iterable[Part], limits: Mapping[Counter, int]) -> dict[Counter, int]:
    used = dict.fromkeys(counter for part in parts for counter in part.takes)
    return {counter: limits[counter] for counter in used if counter in limits}


class _Item(NamedTuple):
    """Interchangeable devices: their kind, their number, and what each takes of which counter."""

    kind: str
    number: int
    takes: tuple[tuple[int, int], ...]
    groups: Groups


class _Search:
    """The devices of a model as numbers, those that take most first."""

    def __init__(self, model: Model) -> None:
        counters = list(model.limits)
        positions = {counter: number for number, counter in enumerate(counters)}
        alike: dict[Hashable, list[Part]] = {}
        for part in filter(model.fits, model.parts):
            takes = frozenset((counter, amount) for counter, amount in part.takes.items() if amount)
            alike.setdefault((part.kind, takes, frozenset(part.groups.items())), []).append(part)
        items = [
            _Item(
                parts[0].kind,
                len(parts),
                tuple((positions[counter], amount) for counter, amount in parts[0].takes.items() if amount),
                parts[0].groups,
            )
            for parts in alike.values()
        ]
        self.limits = tuple(model.limits.values())
        self.items = sorted(items, key=self._share, reverse=True)
        self.has_groups = any(any(item.groups.values()) for item in items)
        # What all later devices together can take of each counter.
        self.later = [[0] * len(counters)]
        for item in reversed(self.items):
            sums = list(self.later[0])
            for position, amount in item.takes:
                sums[position] += amount * item.number
            self.later.insert(0, sums)

    def _share(self, item: _Item) -> float:
        return sum(amount / self.limits[position] for position, amount in item.takes if self.limits[position])

    def most(self, item: _Item, left: Sequence[int], groups: Groups) -> int:
        """How many of these devices fit."""
        if groups and not _are_compatible(item, groups):
            return 0
        most = item.number
        for position, amount in item.takes:
            if left[position] < amount:
                return 0
            most = min(most, left[position] // amount)
        return most


def _are_compatible(item: _Item, groups: Groups) -> bool:
    for owner, own in item.groups.items():
        others = groups.get(owner)
        if others is not None and not (own & others if own and others else own == others):
            return False
    return True


def _with_groups(item: _Item, groups: Groups) -> Groups:
    if not item.groups:
        return groups
    return {**groups, **{owner: own & groups.get(owner, own) for owner, own in item.groups.items()}}


def maximal_sets(model: Model, steps: Steps, most: int) -> tuple[list[Combination], bool]:
    """The numbers of devices by kind in sets to which no further device fits; and whether these are all.

    The search ends when the ``steps`` are spent, or when ``most`` combinations are found.
    """
    search = _Search(model)
    items = search.items
    found: dict[tuple[tuple[str, int], ...], int] = {}
    chosen: list[int] = []

    def visit(depth: int, left: tuple[int, ...], groups: Groups, sets: int, passed: Sequence[_Item]) -> bool:
        """Choose from ``depth`` on; ``passed`` are devices that were passed over. False ends the search."""
        if not steps.take(1 + len(passed) // 8) or len(found) > most:
            return False
        # What does not fit now never will; what will still fit at the end keeps the set from being maximal.
        passed = [item for item in passed if search.most(item, left, groups)]
        later = search.later[depth]
        if (
            passed
            and (depth == len(items) or not search.has_groups)
            and any(
                all(left[position] - later[position] >= amount for position, amount in item.takes)
                for item in passed
            )
        ):
            return True
        if depth == len(items):
            numbers: dict[str, int] = {}
            for item, number in zip(items, chosen, strict=True):
                if number:
                    numbers[item.kind] = numbers.get(item.kind, 0) + number
            key = tuple(sorted(numbers.items()))
            found[key] = found.get(key, 0) + sets
            return True
        item = items[depth]
        for number in range(search.most(item, left, groups), -1, -1):
            rest = list(left)
            for position, amount in item.takes:
                rest[position] -= amount * number
            chosen.append(number)
            goes_on = visit(
                depth + 1,
                tuple(rest),
                _with_groups(item, groups) if number else groups,
                sets * comb(item.number, number),
                passed if number == item.number else [*passed, item],
            )
            chosen.pop()
            if not goes_on:
                return False
        return True

    is_complete = len(items) <= _DEEPEST and visit(0, search.limits, {}, 1, ())
    return [Combination(kinds, sets) for kinds, sets in list(found.items())[:most]], is_complete


_DEEPEST = 200
"""More kinds of devices than that are not searched: each is a level of the search."""


def all_sets(model: Model, steps: Steps) -> int | None:
    """How many sets of devices can be in use at once, the empty one not counted; None: too many to count."""
    search = _Search(model)
    items = search.items
    states: dict[tuple[tuple[int, ...], Hashable], int] = {(search.limits, frozenset()): 1}
    for depth, item in enumerate(items):
        later = search.later[depth + 1]
        after: dict[tuple[tuple[int, ...], Hashable], int] = {}
        for (left, frozen), count in states.items():
            groups: Groups = dict(frozen)  # type: ignore[call-overload]
            for number in range(search.most(item, left, groups) + 1):
                if not steps.take():
                    return None
                rest = list(left)
                for position, amount in item.takes:
                    rest[position] -= amount * number
                # What is left beyond what later devices can take makes no difference.
                key = tuple(map(min, rest, later))
                joined = _with_groups(item, groups) if number else groups
                state = (key, frozenset(joined.items()))
                after[state] = after.get(state, 0) + count * comb(item.number, number)
        states = after
    return sum(states.values()) - 1


def undominated(combinations: Sequence[Combination]) -> Iterator[Combination]:
    """The combinations to which no other one adds anything, the ones with most devices first."""
    ordered = sorted(combinations, key=lambda entry: (-sum(number for _, number in entry.kinds), entry.kinds))
    kept: list[Combination] = []
    for entry in ordered:
        if not any(other.covers(entry) for other in kept):
            kept.append(entry)
            yield entry
