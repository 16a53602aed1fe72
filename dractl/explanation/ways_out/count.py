"""Ways out by asking for fewer devices: a smaller count, or a smaller alternative in a prioritized list."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from dractl.api.json_types import JsonDict
from dractl.explanation.trials.claims import Body, Source
from dractl.explanation.trials.edits import at, replaced
from dractl.explanation.trials.situation import Situation
from dractl.explanation.ways_out.candidate import Candidate
from dractl.explanation.world import Change
from dractl.simulation.allocator.model.demand import MAX_RESULTS

__all__ = ["add_smaller_alternative", "largest", "lower_count"]

_ALTERNATIVES = ("larger", "smaller")


def lower_count(situation: Situation) -> Iterator[Candidate]:
    """The largest count that fits, for each request that asks for several devices, or for all."""
    for source, body in _countable(situation):
        most = _asked(body)

        def counted(count: int, source: Source = source, body: Body = body) -> Change:
            return source.replaced(situation.world, body.steps, _with_count(body, count))

        count = largest(situation, counted, most - 1)
        if count is None:
            continue
        name = "allocationMode" if body.data.get("allocationMode") == "All" else "count"
        after = count if name == "count" else {"allocationMode": "ExactCount", "count": count}
        before = body.data.get(name)
        field = source.field((*body.steps, name))
        size = most - count if name == "count" else 1
        yield Candidate(source.key, field, before, after, size, counted(count))


def add_smaller_alternative(situation: Situation) -> Iterator[Candidate]:
    """A list that still prefers the count as it is, and takes the largest one that fits otherwise."""
    if not situation.world.settings.features.prioritized_list:
        return
    for source, body in _countable(situation):
        if body.is_subrequest or body.data.get("adminAccess") is not None or _asked(body) > MAX_RESULTS:
            continue
        request = source.requests[body.request]

        def listed(
            count: int, source: Source = source, body: Body = body, request: JsonDict = request
        ) -> Change:
            bodies = (body.data, _with_count(body, count))
            entries = [{"name": name, **data} for name, data in zip(_ALTERNATIVES, bodies, strict=True)]
            changed = {key: value for key, value in request.items() if key != "exactly"}
            return source.replaced(situation.world, body.steps[:-1], {**changed, "firstAvailable": entries})

        count = largest(situation, listed, _asked(body) - 1)
        if count is not None:
            change = listed(count)
            field = source.field((*body.steps[:-1], "firstAvailable"))
            after = at(change[source.key], (*source.place, *body.steps[:-1], "firstAvailable"))
            yield Candidate(source.key, field, None, after, _asked(body) - count, change)


def largest(situation: Situation, change: Callable[[int], Change], most: int) -> int | None:
    """The largest number up to ``most`` with which the pod fits, or None if not even 1 does."""
    if most < 1 or situation.fits(change(1)) is None:
        return None
    low, high = 1, most
    while low < high:
        middle = (low + high + 1) // 2
        if situation.fits(change(middle)) is None:
            high = middle - 1
        else:
            low = middle
    return low


def _countable(situation: Situation) -> Iterator[tuple[Source, Body]]:
    for source in situation.sources:
        for body in source.bodies:
            if _asked(body) > 1:
                yield source, body


def _asked(body: Body) -> int:
    if body.data.get("allocationMode") == "All":
        return MAX_RESULTS + 1
    count = body.data.get("count")
    return count if isinstance(count, int) else 1


def _with_count(body: Body, count: int) -> JsonDict:
    return replaced(replaced(body.data, ("allocationMode",), "ExactCount"), ("count",), count)
