"""Which difference between two schedulers makes a pod move: the features of one tried in the other."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache

from dractl.records import NamedTuple
from dractl.simulation.allocator.model.features import FEATURES, Features
from dractl.upgrading.moves import States, Subject

__all__ = ["Cause", "causes_of", "differences", "gates_of"]


class Cause(NamedTuple):
    """One difference between two schedulers: a feature, or a quirk of one of the allocators."""

    name: str
    is_quirk: bool

    def applied(self, features: Features, target: Features) -> Features:
        """The features with this one as it is in the target."""
        if self.is_quirk:
            quirks = features.quirks._replace(**{self.name: getattr(target.quirks, self.name)})
            return features._replace(quirks=quirks)
        return features._replace(**{self.name: getattr(target, self.name)})


def differences(before: Features, after: Features, last: Callable[[str], bool]) -> list[Cause]:
    """The differences between two schedulers: features first, quirks that ``last`` names at the end."""
    flags = [
        Cause(name, is_quirk=False)
        for name in before._fields
        if name != "quirks" and getattr(before, name) != getattr(after, name)
    ]
    quirks = [
        Cause(name, is_quirk=True)
        for name in before.quirks._fields
        if getattr(before.quirks, name) != getattr(after.quirks, name)
    ]
    return [*flags, *sorted(quirks, key=lambda cause: last(cause.name))]


def causes_of(
    moved: Sequence[Subject],
    target: States,
    before: Features,
    after: Features,
    causes: Sequence[Cause],
    simulate: Callable[[Features], States],
) -> dict[Subject, Cause]:
    """For each of ``moved`` the difference that moves it, as far as the allocator does.

    The differences are applied one after the other; the one after which the pod is where the target has it
    is found by halving, so that few simulations are needed.
    """

    @cache
    def after_first(number: int) -> States:
        features = before
        for cause in causes[:number]:
            features = cause.applied(features, after)
        return simulate(features)

    found = {}
    for subject in moved:
        wanted = target[subject]
        low, high = 0, len(causes)
        if not causes or after_first(high).get(subject) != wanted:
            continue
        while high - low > 1:
            middle = (low + high) // 2
            if after_first(middle).get(subject) == wanted:
                high = middle
            else:
                low = middle
        found[subject] = causes[high - 1]
    return found


def gates_of(feature: str) -> tuple[str, ...]:
    """The feature gates of a feature of the scheduler, in any minor."""
    return next((row.gates for row in FEATURES if row.feature == feature and row.gates), ())
