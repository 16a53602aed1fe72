"""The pool protocol: counts, generations, nodes and names."""

from __future__ import annotations

from collections.abc import Iterator

from dractl.drivers.model import Fact
from dractl.drivers.view import View, place
from dractl.finding import Location, Severity
from dractl.lint.base.input_pools import InputSlice
from dractl.lint.cross_object.pools import check_pool

__all__ = ["about_pools", "about_rejected"]

_CHOICES = {
    "nodeName": "for one node",
    "nodeSelector": "with a nodeSelector",
    "allNodes": "for all nodes",
    "perDeviceNodeSelection": "with nodes per device",
}
"""The fields in which a slice names its nodes, with the words for each."""


def about_pools(view: View) -> Iterator[Fact]:
    """What is wrong between the slices of each pool, with as many slices as there are in the folder."""
    for pool in view.pools:
        for lint in check_pool(pool, view.gates.minor, is_alone=False):
            finding = lint.finding()
            yield Fact(
                "driver/pool",
                finding.severity,
                finding.message,
                finding.hint,
                places=(place(lint.given, lint.steps),),
                rule=finding.rule,
            )
        chosen: dict[str, Location] = {}
        for entry in pool.newest if pool.is_sound else ():
            # A slice with counter sets only may be for more nodes than the devices.
            if entry.devices:
                for field in _chosen(entry):
                    chosen.setdefault(field, place(entry.given, ("spec", field)))
        if len(chosen) > 1:
            kinds = " and slices ".join(_CHOICES[field] for field in chosen)
            yield Fact(
                "driver/pool-nodes",
                Severity.WARNING,
                f"pool {pool} has slices {kinds}",
                "use one pool for each set of nodes",
                places=tuple(chosen.values()),
            )
    yield from _shared_names(view)


def about_rejected(view: View) -> Iterator[Fact]:
    """The pools that the checks of devices leave out, because the server rejects one of their slices."""
    rejected = [pool for pool in view.pools if not pool.is_sound]
    if rejected:
        number = sum(len(entry.devices) for pool in rejected for entry in pool.newest)
        more = f" and {len(rejected) - 1} more" if len(rejected) > 1 else ""
        yield Fact(
            "driver/minors",
            Severity.INFO,
            f"pool {rejected[0]}{more} with {number} device{'' if number == 1 else 's'}: "
            "not checked further, because a slice is rejected",
            details=tuple(f"pool {pool}" for pool in rejected),
        )


def _chosen(entry: InputSlice) -> Iterator[str]:
    yield from (field for field in _CHOICES if entry.given.spec.get(field))


def _shared_names(view: View) -> Iterator[Fact]:
    """One fact for all pool names of the same drivers: node names, nearly always."""
    owners: dict[str, list[str]] = {}
    for pool in view.pools:
        owners.setdefault(pool.name, []).append(pool.driver)
    groups: dict[tuple[str, ...], list[str]] = {}
    for name, drivers in owners.items():
        if len(drivers) > 1:
            groups.setdefault(tuple(drivers), []).append(name)
    for of_drivers, names in groups.items():
        named = " and ".join(of_drivers)
        what = f"pool name {names[0]}" if len(names) == 1 else f"{len(names)} pool names, such as {names[0]}"
        yield Fact(
            "driver/pool-drivers",
            Severity.INFO,
            f"{what}: {named} have a pool of this name each",
            "these are separate pools",
            details=tuple(f"pool name {name}" for name in names),
        )
