"""From documents to the possible sets of allocations of their pools."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from dractl.api import budgets
from dractl.api.gates import GateSet
from dractl.api.json_types import JsonDict
from dractl.api.release import KNOWN, UnknownMinorError
from dractl.api.wording import choose_from, did_you_mean
from dractl.cluster.partitions import partition_model
from dractl.cluster.pools import Inventory, Pool, PoolRules, PoolState
from dractl.cluster.possible_sets import (
    Combination,
    Model,
    Part,
    Steps,
    all_sets,
    components,
    maximal_sets,
    undominated,
)
from dractl.cluster.possible_sets import Counter as CounterName
from dractl.finding import Finding
from dractl.records import NamedTuple
from dractl.simulation.allocator.device.inventory import pool_rules
from dractl.simulation.allocator.model.features import features_of
from dractl.simulation.pods.outcome import LeftOut
from dractl.source.document import Document
from dractl.source.load import Loaded
from dractl.versions.prototypes import any_prototype
from dractl.workflows.extensions import POSSIBLE, PROTOTYPES, PartitionModels, known_dialect
from dractl.workflows.intake.take_in import take_in

__all__ = ["SCHEMA", "Kind", "PoolSets", "Possible", "Sets", "UnknownPoolError", "possible"]

SCHEMA = "dractl.possible/1"


class UnknownPoolError(ValueError):
    """No pool matches the choice; ``argument`` is the part that none matches, empty without any pool."""

    def __init__(self, argument: str, message: str) -> None:
        """Keep the argument apart from the message."""
        super().__init__(message)
        self.argument = argument


class Kind(NamedTuple):
    """Devices that are alike, by what they are called; ``never``: those that cannot be in use at all."""

    name: str
    devices: tuple[str, ...]
    never: tuple[str, ...] = ()


class Sets(NamedTuple):
    """The possible sets of the devices that draw on common counter sets.

    ``alike`` are the counter sets of other devices of the pool with the same sets. ``combinations`` are those
    to which no other one adds anything, ``fragmented`` the other maximal ones: a device of some kind would
    fit if the devices had been placed otherwise. ``maximal`` counts the sets behind both, ``all`` those that
    fit at all, the empty one not counted; None: too many to count.
    """

    counter_sets: tuple[str, ...]
    alike: tuple[tuple[str, ...], ...]
    kinds: tuple[Kind, ...]
    combinations: tuple[Combination, ...]
    fragmented: tuple[Combination, ...]
    maximal: int
    all: int | None
    problem: str = ""

    def to_dict(self) -> JsonDict:
        """The entry of the JSON document."""
        return {
            "counterSets": list(self.counter_sets),
            "alike": [list(names) for names in self.alike],
            "kinds": [
                {"name": kind.name, "devices": list(kind.devices), "never": list(kind.never)}
                for kind in self.kinds
            ],
            "combinations": [_combination(entry) for entry in self.combinations],
            "fragmented": [_combination(entry) for entry in self.fragmented],
            "maximalSets": self.maximal,
            "sets": self.all,
            "problem": self.problem or None,
        }


class PoolSets(NamedTuple):
    """A pool with its possible sets, or why the scheduler does not use it.

    ``free`` devices take no counters.
    """

    driver: str
    pool: str
    sets: tuple[Sets, ...]
    free: tuple[Kind, ...]
    problem: str = ""

    @property
    def name(self) -> str:
        """The pool with its driver, if it has one."""
        return f"{self.driver}/{self.pool}" if self.driver else self.pool

    @property
    def problems(self) -> list[str]:
        """What keeps the result from being whole."""
        return [text for text in (self.problem, *(sets.problem for sets in self.sets)) if text]

    def to_dict(self) -> JsonDict:
        """The entry of the JSON document."""
        return {
            "driver": self.driver,
            "pool": self.pool,
            "problem": self.problem or None,
            "free": [{"name": kind.name, "devices": list(kind.devices)} for kind in self.free],
            "components": [sets.to_dict() for sets in self.sets],
        }


class Possible(NamedTuple):
    """The possible sets of every pool of an input, and what of the input was left out.

    ``is_of_prototypes``: all pools are of prototype APIs, which have no minors.
    """

    gates: GateSet
    pools: tuple[PoolSets, ...]
    left_out: tuple[LeftOut, ...]
    findings: tuple[Finding, ...]
    is_of_prototypes: bool = False

    @property
    def kube_version(self) -> str:
        """The minor or patch whose scheduler this follows."""
        return self.gates.minor.version

    @property
    def ok(self) -> bool:
        """Whether every pool is used, everything was read, and no search was cut short."""
        return not self.left_out and not any(pool.problems for pool in self.pools)

    def to_dict(self) -> JsonDict:
        """The JSON document of ``dractl possible --format json``."""
        return {
            "schema": SCHEMA,
            "kubeVersion": self.kube_version,
            "featureGates": dict(sorted(self.gates.overrides.items())),
            "pools": [pool.to_dict() for pool in self.pools],
            "leftOut": [
                {"object": dict(row.object), "reason": row.reason, "rules": list(row.rules)}
                for row in self.left_out
            ],
        }


def _combination(entry: Combination) -> JsonDict:
    return {"devices": dict(entry.kinds), "sets": entry.sets}


def possible(
    loaded: Iterable[Loaded],
    gates: GateSet,
    *,
    driver: str | None = None,
    pool: str | None = None,
    dialect: str | None = None,
) -> Possible:
    """The sets of devices of each pool that a scheduler with ``gates`` can have in use at once.

    Only pools of ``driver`` and with the name ``pool``, if these are given. Those of prototypes are among
    them; ``dialect`` selects theirs. Raises ValueError for an unknown dialect, UnknownMinorError for a minor
    whose devices never exclude each other, and UnknownPoolError if no pool is chosen.
    """
    if gates.minor == KNOWN[0]:
        reason = f"the named resources of {gates.minor} never exclude each other; use {KNOWN[1]} or newer"
        raise UnknownMinorError(reason)
    everything = list(loaded)
    foreign = _prototypes(everything, dialect)
    rest = [item for item in everything if not (isinstance(item, Document) and item in foreign.documents)]
    intake = take_in(rest, gates, None)
    rules = pool_rules(features_of(gates))
    steps = _Budget(Steps(budgets.POSSIBLE_STEPS.value), Steps(budgets.POSSIBLE_STEPS.value))
    slices = [item for item in intake.objects() if item["kind"] == "ResourceSlice"]
    entries = list(Inventory(slices).whole_pools(rules))
    _check_choice(
        driver,
        pool,
        [
            *((entry.id.driver, entry.id.pool) for entry in entries),
            *((model.driver, model.name) for model in foreign.models),
        ],
    )
    found = []
    for entry in entries:
        if driver in (None, entry.id.driver) and pool in (None, entry.id.pool):
            problem, parts, limits = _model(entry, rules)
            found.append(_pool_sets(entry.id.driver, entry.id.pool, parts, limits, steps, problem))
    found += (
        _pool_sets(model.driver, model.name, model.parts, model.limits, steps)
        for model in foreign.models
        if driver in (None, model.driver) and pool in (None, model.name)
    )
    left_out = (*foreign.left_out, *intake.left_out)
    missed = tuple(out for out in left_out if out.object.get("kind", "") in _POOLS)
    is_foreign = bool(foreign.models) and not slices and not intake.left_out
    return Possible(gates, tuple(found), missed, tuple(intake.findings), is_foreign)


def _check_choice(driver: str | None, pool: str | None, pools: Sequence[tuple[str, str]]) -> None:
    """Raise UnknownPoolError if no pool (a driver and a name) is the chosen one."""
    if not driver and not pool:
        return
    if not pools:
        raise UnknownPoolError("", "no pools in the input")
    drivers = [known for known, _ in pools]
    if driver is not None and driver not in drivers:
        advice = did_you_mean(driver, drivers) or choose_from(drivers)
        raise UnknownPoolError("driver", f"no pool of driver {driver}; {advice}")
    of_driver = [name for known, name in pools if driver in (None, known)]
    if pool is not None and pool not in of_driver:
        whose = "" if driver is None else f" of driver {driver}"
        advice = did_you_mean(pool, of_driver) or choose_from(of_driver)
        raise UnknownPoolError("pool", f"no pool {pool}{whose}; {advice}")


class _Budget(NamedTuple):
    """The steps of a run: to search for maximal sets, and to count all sets though that ends early."""

    search: Steps
    counting: Steps


_POOLS = frozenset({"ResourceSlice", "DevicePool", "ResourcePool", ""})
"""The kinds that publish devices, whose absence makes a difference; and text that cannot be read."""


def _prototypes(everything: Sequence[Loaded], dialect: str | None) -> PartitionModels:
    """The pools of prototypes in the input."""
    documents = [item for item in everything if isinstance(item, Document)]
    is_mixed = known_dialect(dialect) is not None or any_prototype(document.value for document in documents)
    models = POSSIBLE.get(PROTOTYPES) if is_mixed else None
    return PartitionModels(frozenset(), (), ()) if models is None else models(documents, dialect)


def _model(pool: Pool, rules: PoolRules) -> tuple[str, list[Part], dict[CounterName, int]]:
    """What is wrong with a pool, or nothing, with its devices and limits."""
    if pool.state is not PoolState.USABLE:
        return f"the scheduler does not use the pool: {pool.problem}", [], {}
    try:
        return ("", *partition_model(pool, rules))
    except ValueError as error:
        return f"the scheduler does not use the pool: {error}", [], {}


def _pool_sets(
    driver: str,
    pool: str,
    parts: Sequence[Part],
    limits: Mapping[CounterName, int],
    steps: _Budget,
    problem: str = "",
) -> PoolSets:
    free = _kinds([part for part in parts if not part.takes])
    found: dict[object, Sets] = {}
    known: dict[object, list[tuple[str, ...]]] = {}
    for model in components(parts, limits):
        key = _structure(model)
        known.setdefault(key, []).append(model.counter_sets)
        if key not in found:
            found[key] = _sets(model, steps)
    sets = tuple(entry._replace(alike=tuple(known[key][1:])) for key, entry in found.items())
    return PoolSets(driver, pool, sets, free, problem)


def _structure(model: Model) -> object:
    """What two models have in common that differ in the names of devices and counter sets only."""
    order = {owner: number for number, owner in enumerate(sorted(model.counter_sets))}

    def renamed(takes: Mapping[CounterName, int]) -> frozenset[object]:
        return frozenset(((order[owner], name), amount) for (owner, name), amount in takes.items())

    parts = Counter(
        (
            part.kind,
            renamed(part.takes),
            frozenset((order[owner], groups) for owner, groups in part.groups.items() if owner in order),
        )
        for part in model.parts
    )
    return frozenset(parts.items()), renamed(model.limits)


def _sets(model: Model, steps: _Budget) -> Sets:
    most = budgets.POSSIBLE_COMBINATIONS.value
    combinations, is_complete = maximal_sets(model, steps.search, most)
    problem = ""
    if not is_complete:
        budget = budgets.POSSIBLE_COMBINATIONS if len(combinations) >= most else budgets.POSSIBLE_STEPS
        problem = budget.message()
    kept = list(undominated(combinations))
    return Sets(
        model.counter_sets,
        (),
        _kinds(model.parts, model),
        tuple(kept),
        tuple(entry for entry in combinations if entry not in kept),
        sum(entry.sets for entry in combinations),
        all_sets(model, steps.counting),
        problem,
    )


def _kinds(parts: Sequence[Part], model: Model | None = None) -> tuple[Kind, ...]:
    """The kinds of devices, those that take most first."""
    members: dict[str, list[Part]] = {}
    for part in parts:
        members.setdefault(part.kind, []).append(part)
    sizes = {kind: max(sum(part.takes.values()) for part in found) for kind, found in members.items()}
    return tuple(
        Kind(
            kind,
            tuple(part.name for part in members[kind]),
            tuple(part.name for part in members[kind] if model is not None and not model.fits(part)),
        )
        for kind in sorted(members, key=lambda kind: -sizes[kind])
    )
