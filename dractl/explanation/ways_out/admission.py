"""Ways out by what the API server takes: a feature gate that is off, or a label of the namespace."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from dractl.api import gates, limits
from dractl.api.gates import GateError, GateSet
from dractl.api.json_types import JsonDict
from dractl.cel.common.environment import Environment
from dractl.cluster.objects import Key, key_of
from dractl.explanation.trials.edits import at, replaced
from dractl.explanation.trials.situation import Situation
from dractl.explanation.ways_out.candidate import Candidate
from dractl.explanation.world import Change
from dractl.simulation.allocator.model.features import FEATURES, features_of
from dractl.simulation.engine.settings import Settings
from dractl.simulation.pods.claims import owner_of

__all__ = ["label_namespace", "switch_gate"]

GATE = "FeatureGate"
"""What stands for the kind of a feature gate, which is no object."""

_WRITTEN = frozenset({"DeviceClass", "ResourceClaim", "ResourceClaimTemplate", "ResourceSlice"})
"""The kinds that lose fields, or are refused, at admission."""


def switch_gate(situation: Situation) -> Iterator[Candidate]:
    """A feature gate that is off, with those that it needs, the fields included that were dropped without."""
    environment = situation.world.settings.environment
    for names in dict.fromkeys(row.gates for row in FEATURES):
        switched = _with_gates(environment.gates, names)
        if switched is None:
            continue
        gate_set, fresh = switched
        settings = _settings(situation.world.settings, gate_set)
        change = {} if situation.readmit is None else _readmitted(situation, gate_set, situation.labels)
        if situation.fits(change, settings) is not None:
            owner = Key(GATE, "", next(iter(fresh)))
            yield Candidate(owner, "", None, fresh, len(fresh) - 1, change, settings=settings)


def label_namespace(situation: Situation) -> Iterator[Candidate]:
    """The label of the namespace that lets claims have admin access."""
    world = situation.world
    environment = world.settings.environment
    label = limits.constant("DRAAdminNamespaceLabelKey", environment.minor)
    name = world.pod_key.namespace
    labels = dict(situation.labels.get(name) or {})
    if situation.readmit is None or not label or labels.get(label) == "true":
        return
    new = {**situation.labels, name: {**labels, label: "true"}}
    change = dict(_readmitted(situation, environment.gates, new))
    key = Key("Namespace", "", name)
    space: JsonDict = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}}
    change[key] = replaced(world.objects.get(key) or space, ("metadata", "labels"), new[name])
    if len(change) > 1 and situation.fits(change) is not None:
        yield Candidate(key, "metadata.labels", None, {label: "true"}, 0, change)


def _with_gates(before: GateSet, names: Iterable[str]) -> tuple[GateSet, dict[str, bool]] | None:
    """The gates with some more on, and which are; None if they are on, or cannot be."""
    known = gates.gates_of(before.minor)
    wanted: dict[str, bool] = {}
    waiting = [name for name in names if name not in before]
    while waiting:
        name = waiting.pop(0)
        if name not in known or known[name].locked:
            return None
        if name not in wanted:
            wanted[name] = True
            needed = known[name].depends_on
            waiting += (other for other in needed if other in known and other not in before)
    if not wanted:
        return None
    try:
        return gates.resolve(before.minor, {**before.overrides, **wanted}), wanted
    except GateError:
        return None


def _settings(settings: Settings, gate_set: GateSet) -> Settings:
    environment = Environment(gate_set.minor, gate_set, stored=True)
    return settings._replace(features=features_of(gate_set), environment=environment)


def _readmitted(situation: Situation, gate_set: GateSet, labels: Mapping[str, Mapping[str, str]]) -> Change:
    """What is otherwise, or there at all, if the API server takes the documents under other conditions."""
    world = situation.world
    change: dict[Key, JsonDict | None] = {}
    for item in () if situation.readmit is None else situation.readmit(gate_set, labels):
        key = key_of(item)
        known = world.objects.get(key)
        spec = at(item, ("spec",))
        if key.kind in _WRITTEN and owner_of(item) is None and spec != at(known, ("spec",)):
            change[key] = dict(item) if known is None else replaced(known, ("spec",), spec)
    for source in situation.sources:
        changed = change.get(source.key)
        if changed is not None:
            change.update(source.rewritten(world, at(changed, source.place)))
    return change
