"""All checks of a driver over one input."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from dractl.api.gates import GateSet
from dractl.api.release import NEWEST, Minor
from dractl.drivers import alike, classes, headroom, minors, names, partitions, pools
from dractl.drivers.checks import CHECKS
from dractl.drivers.model import Counts, DriverCheck, Fact
from dractl.drivers.view import View
from dractl.lint.earlier import Earlier
from dractl.source.load import Loaded
from dractl.workflows.matrix import validate_range
from dractl.workflows.possible import possible
from dractl.workflows.validate import EarlierState

__all__ = ["check_driver", "newest_of"]

_PARTITIONS = tuple(check.id for check in CHECKS if check.section == "partitions")
_POOLS = tuple(check.id for check in CHECKS if check.section == "pools")
_CLASS = "DeviceClass"
_OF_DEVICES = tuple(check.id for check in CHECKS if check.section in ("names", "devices", "classes"))
_ORDER = {check.id: number for number, check in enumerate(CHECKS)}


def newest_of(known: Sequence[Minor]) -> Minor:
    """The minor whose view counts: the newest released one, or the newest if none is released."""
    released = [minor for minor in known if minor.within(None, NEWEST)]
    return (released or list(known))[-1]


def check_driver(
    loaded: Iterable[Loaded], servers: Sequence[GateSet], old: Earlier | None = None
) -> DriverCheck:
    """Check slices, classes and claims for the author of their driver.

    ``servers`` are those of the minors, oldest first; ``old`` has what was published before, whose
    generations count.
    """
    everything = list(loaded)
    by_minor = {gates.minor: gates for gates in servers}
    known = tuple(by_minor)
    newest = newest_of(known)
    past = None if old is None else EarlierState(old)
    matrix = validate_range(everything, servers, None, past=past)
    view = View(everything, by_minor[newest])
    meant = minors.minors_with_slices(everything, known) or known
    rows = tuple(headroom.headroom(view, [by_minor[minor] for minor in meant]))
    facts = [
        *minors.about_versions(everything, known, newest),
        *minors.about_findings(matrix, meant, newest),
        *pools.about_rejected(view),
        *headroom.about_limits(rows, newest),
        *names.about_names(view),
        *alike.about_alike(view),
        *pools.about_pools(view),
    ]
    skipped = {} if old is not None else {"driver/generation": "needs --old"}
    if view.devices:
        facts += classes.about_classes(view)
    else:
        skipped |= dict.fromkeys(_OF_DEVICES, "no device to check")
    if not any(pool.is_sound for pool in view.pools):
        skipped |= dict.fromkeys(_POOLS, "no pool to check")
    if not view.inputs.of(_CLASS):
        skipped["driver/class-nothing"] = "no DeviceClass in the input"
        if _CLASS in view.unserved:
            skipped["driver/class-missing"] = f"no DeviceClass of a version that {newest} has"
        if not view.inputs.claims():
            skipped["driver/selectors"] = "no DeviceClass or claim in the input"
    if not view.devices:
        skipped |= dict.fromkeys(_PARTITIONS, "no device to check")
    elif partitions.uses_counters(view):
        sets = possible(everything, by_minor[newest]).pools
        lints = [fact for fact in facts if fact.check == "driver/never-allocated"]
        facts += partitions.about_possible(sets, lints)
        facts += partitions.about_unused_counters(view)
    else:
        skipped |= dict.fromkeys(_PARTITIONS, "no device consumes counters")
    ordered = sorted(facts, key=lambda fact: _ORDER[fact.check])
    return DriverCheck(
        known,
        newest,
        dict(servers[0].overrides),
        view.drivers,
        _counts(view),
        tuple(ordered),
        rows,
        {name: why for name, why in skipped.items() if not _has(ordered, name)},
    )


def _has(facts: Iterable[Fact], check: str) -> bool:
    return any(fact.check == check for fact in facts)


def _counts(view: View) -> Counts:
    return Counts(
        slices=sum(1 for _ in view.slices()),
        pools=len(view.pools),
        devices=len(view.devices),
        classes=len(view.inputs.of(_CLASS)),
        claims=len(view.inputs.claims()),
    )
