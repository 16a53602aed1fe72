"""From what became of the devices of a node to causes: permanent ones first, each with its numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from dractl.explanation.funnel import Fate, Filled, Funnel, Why
from dractl.explanation.holders import Holders
from dractl.explanation.model import (
    CapacityShort,
    Cause,
    ConstraintUnmet,
    CounterShort,
    DeviceTainted,
    Holder,
    InUse,
    NotSelected,
    Other,
    TooFew,
)
from dractl.records import NamedTuple
from dractl.simulation.allocator.explain import describe
from dractl.simulation.allocator.model import reasons
from dractl.simulation.allocator.model.demand import Test
from dractl.simulation.pods.outcome import NO_DEVICES

__all__ = ["causes_of"]


class _Place(NamedTuple):
    """Where causes are looked for, and who can be in the way there."""

    node: str
    holders: Holders


def causes_of(funnel: Funnel, node: str, holders: Holders, filled: Filled | None = None) -> tuple[Cause, ...]:
    """Why a request does not get enough of the devices of a node.

    A device with a lasting reason counts for that only, whether it is in use or not. ``filled`` is what
    choosing devices one by one comes to, where enough of them are left.
    """
    place = _Place(node, holders)
    found: list[Cause] = []
    found += _selected(funnel)
    found += _by_reason(funnel, place, lambda fate: fate.lasting)
    is_few = len(funnel.able) < funnel.wanted and not funnel.is_shared
    if is_few and (funnel.able or not found):
        found.append(TooFew(funnel.wanted, len(funnel.able)))
    unmet = list(_constraint(funnel))
    is_lasting = funnel.if_free is not None and funnel.if_free.size < funnel.wanted
    found += unmet if is_lasting else ()
    found += _in_use(funnel, place)
    found += _by_reason(funnel, place, lambda fate: None if fate.lasting is not None else fate.passing)
    found += () if is_lasting else unmet
    found += () if filled is None else _together(funnel, filled, place)
    return tuple(found)


def _selected(funnel: Funnel) -> Iterator[Cause]:
    """The selectors that let devices fall; those of the class only if they let all fall."""
    fallen: dict[Test, list[Fate]] = {}
    for fate in funnel.fates:
        if fate.test is not None:
            fallen.setdefault(fate.test, []).append(fate)
    passes_class = any(fate.step not in ("reachable", "class") for fate in funnel.fates)
    for test, fates in fallen.items():
        errors = [fate.lasting for fate in fates if isinstance(fate.lasting, reasons.Fatal)]
        if test.owner == "request" or errors or not passes_class:
            error = errors[0].message.partition(": ")[2] if errors else ""
            yield NotSelected(test.owner, test.number, test.expression, len(fates), error=error)


def _by_reason(funnel: Funnel, place: _Place, why: Callable[[Fate], Why | None]) -> Iterator[Cause]:
    tainted: dict[reasons.Tainted, int] = {}
    counters: dict[str, list[tuple[Fate, reasons.CounterShort]]] = {}
    capacities: dict[str, list[tuple[Fate, reasons.CapacityShort]]] = {}
    others: dict[str, int] = {}
    for fate in funnel.fates:
        reason = why(fate)
        match reason:
            case None | reasons.SelectorFalse() | reasons.InUse() | reasons.OtherNode():
                continue
            case reasons.Tainted():
                tainted[reason] = tainted.get(reason, 0) + 1
            case reasons.CounterShort(counter=counter):
                counters.setdefault(counter, []).append((fate, reason))
            case reasons.CapacityShort(name=name):
                capacities.setdefault(name, []).append((fate, reason))
            case reasons.Fatal(message=message):
                if fate.test is None:
                    others[message] = others.get(message, 0) + 1
            case _:
                text = describe(reason)
                others[text] = others.get(text, 0) + 1
    for text, count in others.items():
        yield Other(NO_DEVICES, f"{count} device{'s' * (count != 1)} {text}")
    for taint, count in tainted.items():
        yield DeviceTainted(count, taint.key, taint.value, taint.effect)
    for short in counters.values():
        yield _counter(short, place)
    for little in capacities.values():
        yield _capacity(little, place)


def _counter(short: Sequence[tuple[Fate, reasons.CounterShort]], place: _Place) -> CounterShort:
    """The shortage of the device that comes nearest."""
    fate, reason = max(short, key=lambda entry: entry[1].available.subtract(entry[1].wanted))
    pool = fate.candidate.pool
    total = pool.counters.get(reason.counter_set, {}).get(reason.counter)
    if total is None:
        sets = dict(fate.device.slice.counter_sets())
        total = sets.get(reason.counter_set, {}).get(reason.counter)
    return CounterShort(
        len(short),
        reason.counter_set,
        reason.counter,
        str(reason.wanted),
        str(reason.available),
        str(reason.available if total is None else total),
        tuple(place.holders.of_counter(pool, reason.counter_set, reason.counter, place.node)),
    )


def _capacity(little: Sequence[tuple[Fate, reasons.CapacityShort]], place: _Place) -> CapacityShort:
    """The shortage of the device that has the most left."""
    fate, reason = max(little, key=lambda entry: entry[1].size.subtract(entry[1].taken))
    return CapacityShort(
        len(little),
        reason.name,
        str(reason.wanted),
        str(reason.size.subtract(reason.taken)),
        str(reason.size),
        tuple(place.holders.of_capacity(fate.device, reason.name, place.node)),
    )


def _in_use(funnel: Funnel, place: _Place) -> Iterator[Cause]:
    held = [fate for fate in funnel.fates if fate.lasting is None and isinstance(fate.passing, reasons.InUse)]
    holders: list[Holder] = []
    for fate in held:
        holders += place.holders.of_device(fate.device, place.node)
    if held:
        yield InUse(len(held), tuple(holders))


def _constraint(funnel: Funnel) -> Iterator[Cause]:
    rule, largest, if_free = funnel.constraint, funnel.largest, funnel.if_free
    if rule is None or largest is None or largest.size >= funnel.wanted:
        return
    is_enough = len(funnel.left) >= funnel.wanted
    is_enough_free = if_free is not None and if_free.size >= funnel.wanted
    if not is_enough and is_enough_free:
        # Too few are free in any case, and the constraint is no obstacle once they are.
        return
    told = largest if is_enough or if_free is None else if_free
    yield ConstraintUnmet(
        rule.number,
        rule.attribute,
        rule.is_distinct,
        largest.size,
        told.value,
        told.without,
        largest.size if if_free is None else if_free.size,
        funnel.wanted,
    )


def _together(funnel: Funnel, filled: Filled, place: _Place) -> Iterator[Cause]:
    """What runs short when each device fits alone, but not all that are wanted."""
    if filled.number >= funnel.wanted:
        return
    counters = [(c, r) for c, r in filled.refusals if isinstance(r, reasons.CounterShort)]
    capacities = [(c, r) for c, r in filled.refusals if isinstance(r, reasons.CapacityShort)]
    if counters:
        short = [(Fate(candidate), reason) for candidate, reason in counters]
        yield _counter(short, place)._replace(together=filled.number)
    elif capacities:
        little = [(Fate(candidate), reason) for candidate, reason in capacities]
        yield _capacity(little, place)._replace(together=filled.number)
