"""Devices that consume shared counters: which never fit, which never together, and unused counters."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import TYPE_CHECKING

from dractl.drivers.model import Fact
from dractl.drivers.view import View, place
from dractl.finding import Location, Severity
from dractl.lint.base.input_pools import InputPool
from dractl.workflows.possible import PoolSets, Sets

if TYPE_CHECKING:
    from dractl.api.objects.resource import ResourceSliceSpec

__all__ = ["about_possible", "about_unused_counters", "uses_counters"]

_FEW = 4


def uses_counters(view: View) -> bool:
    """Whether any device consumes counters, or any slice has some."""
    return any(one.device.get("consumesCounters") for one in view.devices) or any(
        entry.given.spec.get("sharedCounters") for entry in view.slices()
    )


def about_possible(pools: Sequence[PoolSets], lints: Sequence[Fact]) -> Iterator[Fact]:
    """What cannot be in use at all, and what not at once, in the possible sets of ``pools``.

    ``lints`` are the facts that already name a device that never fits.
    """
    together: dict[str, list[str]] = {}
    for pool in pools:
        never = [name for sets in pool.sets for kind in sets.kinds for name in kind.never]
        if never and not lints:
            yield Fact(
                "driver/never-allocated",
                Severity.WARNING,
                f"pool {pool.name}: {_some(never)} can never be allocated: too little of a counter",
                details=tuple(never),
            )
        for sets in pool.sets:
            if sets.problem:
                yield Fact(
                    "driver/never-together",
                    Severity.INFO,
                    f"pool {pool.name}: not all sets are known: {sets.problem}",
                )
                continue
            names = [", ".join(owners) for owners in (sets.counter_sets, *sets.alike)]
            for message in _exclusions(sets):
                together.setdefault(message, []).extend(f"{name} of pool {pool.name}" for name in names)
    for message, where in together.items():
        more = f" and {len(where) - 1} more" if len(where) > 1 else ""
        yield Fact(
            "driver/never-together",
            Severity.INFO,
            f"counter set {where[0]}{more}: {message}",
            "dractl possible lists all sets",
            details=tuple(f"counter set {each}" for each in where),
        )


def _exclusions(sets: Sets) -> Iterator[str]:
    """The kinds that exclude each other, and of how many of a kind only some fit, in one text."""
    every = [dict(entry.kinds) for entry in (*sets.combinations, *sets.fragmented)]
    kinds = [kind for kind in sets.kinds if len(kind.devices) > len(kind.never)]
    parts = []
    pairs = [
        f"{one.name} and {other.name}"
        for one, other in combinations(kinds, 2)
        if not any(entry.get(one.name) and entry.get(other.name) for entry in every)
    ]
    if pairs:
        parts.append(f"never at once: {_some(pairs, '; ')}")
    for kind in kinds:
        most = max((entry.get(kind.name, 0) for entry in every), default=0)
        number = len(kind.devices) - len(kind.never)
        if most < number:
            parts.append(f"at most {most} of {number} x {kind.name}")
    if parts:
        yield "; ".join(parts)


def _some(names: Sequence[str], between: str = ", ") -> str:
    more = f"{between}and {len(names) - _FEW} more" if len(names) > _FEW + 1 else ""
    return between.join(names[:_FEW] if more else names) + more


def about_unused_counters(view: View) -> Iterator[Fact]:
    """Counter sets and counters of complete pools that no device consumes."""
    found: dict[str, list[tuple[str, Location]]] = {}
    for pool in view.pools:
        if pool.is_complete:
            for message, where in _unused(pool):
                found.setdefault(message, []).append((f"pool {pool}", where))
    for message, places in found.items():
        pools = places[0][0] if len(places) == 1 else f"{len(places)} pools, such as {places[0][0]}"
        yield Fact(
            "driver/counter-unused",
            Severity.WARNING,
            f"{message} ({pools})",
            "consume it in consumesCounters of the devices, or remove it",
            places=tuple(where for _, where in places),
            details=tuple(name for name, _ in places),
        )


def _unused(pool: InputPool) -> Iterator[tuple[str, Location]]:
    consumed: dict[str, set[str]] = {}
    for entry in pool.newest:
        for device in entry.devices:
            for use in device.get("consumesCounters") or ():
                consumed.setdefault(use.get("counterSet", ""), set()).update(use.get("counters") or {})
    for entry in pool.newest:
        spec: ResourceSliceSpec = entry.given.spec
        for number, counter_set in enumerate(spec.get("sharedCounters") or ()):
            name = counter_set.get("name", "")
            steps = ("spec", "sharedCounters", number)
            if name not in consumed:
                yield f"no device consumes counter set {name}", place(entry.given, (*steps, "name"))
                continue
            for counter in counter_set.get("counters") or {}:
                if counter not in consumed[name]:
                    message = f"no device consumes counter {counter} of counter set {name}"
                    yield message, place(entry.given, (*steps, "counters", counter))
