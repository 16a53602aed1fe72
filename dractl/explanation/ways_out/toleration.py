"""Ways out by a toleration: of the taints of devices, or of those of a node."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from dractl.api.json_types import JsonDict, JsonObject
from dractl.explanation.trials.claims import Body, Source
from dractl.explanation.trials.edits import at, field, replaced
from dractl.explanation.trials.situation import Situation
from dractl.explanation.ways_out.candidate import Candidate
from dractl.explanation.world import Change
from dractl.simulation.allocator.checks.taints import BLOCKING_EFFECTS, tolerates

__all__ = ["tolerate_device_taint", "tolerate_node_taint"]

_MOST_TRIED = 8

_Taints = tuple[JsonDict, ...]


def tolerate_device_taint(situation: Situation) -> Iterator[Candidate]:
    """The toleration of one taint, or of all of one device, that lets a request have devices."""
    sets = _sets(_of_devices(situation))
    for source in situation.sources:
        for body in source.bodies:
            steps = (*body.steps, "tolerations")
            given = list(at(body.data, ("tolerations",)) or ())
            for taints in sets:
                new = [_toleration(taint) for taint in taints if not _is_tolerated(taint, given)]
                if not new:
                    continue
                change = source.replaced(situation.world, steps, [*given, *new])
                if situation.fits(change) is not None:
                    where = source.field((*steps, len(given)))
                    yield Candidate(source.key, where, None, _one(new), len(new) - 1, change)
                    break
        yield from _for_all_requests(situation, source, sets)


def tolerate_node_taint(situation: Situation) -> Iterator[Candidate]:
    """The tolerations of the taints of one node that the pod lacks."""
    world = situation.world
    pod = world.objects[world.pod_key]
    given = list(at(pod, ("spec", "tolerations")) or ())
    for taints in _sets([_plain(node.taints) for node in situation.cut.scheduler.nodes]):
        new = [_toleration(taint) for taint in taints if not _is_tolerated(taint, given)]
        if not new:
            continue
        change: Change = {world.pod_key: replaced(pod, ("spec", "tolerations"), [*given, *new])}
        if situation.fits(change) is not None:
            where = field(("spec", "tolerations", len(given)))
            yield Candidate(world.pod_key, where, None, _one(new), len(new) - 1, change)


def _for_all_requests(situation: Situation, source: Source, sets: Sequence[_Taints]) -> Iterator[Candidate]:
    """The same toleration in every request, where each of several needs it."""
    bodies = list(source.bodies)
    if len(bodies) < 2:
        return
    for taints in sets:
        spec = source.spec
        first: tuple[Body, list[JsonDict]] | None = None
        for body in bodies:
            given = list(at(body.data, ("tolerations",)) or ())
            new = [_toleration(taint) for taint in taints if not _is_tolerated(taint, given)]
            if new:
                spec = replaced(spec, (*body.steps, "tolerations"), [*given, *new])
                first = first or (body, new)
        if first is None:
            continue
        change = source.rewritten(situation.world, spec)
        if situation.fits(change) is not None:
            body, new = first
            where = source.field((*body.steps, "tolerations"))
            yield Candidate(source.key, where, None, _one(new), len(bodies), change)
            return


def _of_devices(situation: Situation) -> list[_Taints]:
    """The taints of each device, those that rules add to any as one more."""
    found: list[_Taints] = []
    by_rule: list[JsonObject] = []
    for key, item in situation.cut.objects.items():
        if key.kind == "ResourceSlice":
            found += [_plain(device.get("taints") or ()) for device in item["spec"].get("devices") or ()]
        elif key.kind == "DeviceTaintRule":
            by_rule.append(item["spec"].get("taint") or {})
    found += [_plain([taint]) for taint in by_rule]
    return [*found, _plain(by_rule)]


def _sets(of_each: Sequence[_Taints]) -> list[_Taints]:
    """Single taints first, then all that one device or node has."""
    single = [(taint,) for taints in of_each for taint in taints]
    several = [taints for taints in of_each if len(taints) > 1]
    unique = {str(taints): taints for taints in (*single, *several)}
    return sorted(unique.values(), key=len)[:_MOST_TRIED]


def _plain(taints: Iterable[JsonObject]) -> _Taints:
    """The taints that keep something away, without their times."""
    return tuple(
        {name: taint[name] for name in ("key", "value", "effect") if taint.get(name)}
        for taint in taints
        if taint.get("effect") in BLOCKING_EFFECTS
    )


def _is_tolerated(taint: JsonDict, tolerations: Sequence[JsonObject]) -> bool:
    return any(tolerates(toleration, taint) for toleration in tolerations)


def _toleration(taint: JsonDict) -> JsonDict:
    operator: JsonDict = (
        {"operator": "Equal", "value": taint["value"]} if taint.get("value") else {"operator": "Exists"}
    )
    return {"key": taint["key"], **operator, "effect": taint["effect"]}


def _one(new: list[JsonDict]) -> object:
    return new[0] if len(new) == 1 else new
