"""What a pod asks for in parts that can be left out one by one: the members that a conflict may have."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from dractl.api.json_types import JsonDict
from dractl.api.path import Steps
from dractl.cluster.objects import Key, full_name
from dractl.explanation.model import Member
from dractl.explanation.trials.claims import Source, sources_of
from dractl.explanation.trials.edits import at, dropped, field, replaced
from dractl.explanation.world import Change, World
from dractl.records import NamedTuple
from dractl.simulation.scheduler.nodes import REQUIRED

__all__ = ["Part", "members", "parts_of", "without"]


class Part(NamedTuple):
    """One part: the object, and where in it. ``key`` is set for an entry of a map."""

    owner: Key
    steps: Steps
    key: str = ""


_POD_MAPS: tuple[Steps, ...] = (("spec", "nodeSelector"), ("spec", "resources", "requests"))
_POD_PLACES: tuple[Steps, ...] = (("spec", "affinity", "nodeAffinity", REQUIRED),)
_POD_LISTS: tuple[Steps, ...] = (("spec", "topologySpreadConstraints"),)
_CONTAINERS = ("containers", "initContainers")
_AMOUNTS = ("requests", "limits")


def parts_of(world: World) -> tuple[Part, ...]:
    """The requests, selectors, constraints and amounts of the pod's claims, and what it asks of a node."""
    sources = sources_of(world)
    found = [part for source in sources for part in _of_claim(source)]
    found += _of_classes(world, sources)
    found += _of_pod(world)
    return tuple(dict.fromkeys(found))


def members(world: World, parts: Collection[Part]) -> tuple[Member, ...]:
    """The parts as an explanation holds them."""
    return tuple(
        Member(
            full_name(world.objects[part.owner]),
            field(part.steps, *([part.key] if part.key else [])),
            part.owner.kind,
            _value(world, part),
        )
        for part in parts
    )


def _value(world: World, part: Part) -> object:
    """What is there; an amount that only the limits of a container give is that of its requests."""
    item, key = world.objects[part.owner], [part.key] if part.key else []
    found = at(item, (*part.steps, *key))
    if found is None and part.steps[-2:] == ("resources", "requests"):
        return at(item, (*part.steps[:-1], "limits", *key))
    return found


def without(world: World, parts: Collection[Part]) -> Change:
    """The change that leaves these parts out. What names a request that goes, goes too."""
    gone = set(parts)
    change: dict[Key, JsonDict | None] = {}
    entries: set[int] = set()
    for source in sources_of(world):
        mine = {part for part in gone if part.owner == source.key}
        if not mine:
            continue
        spec = _claim_without(source, mine)
        if spec is None:
            entries.update(source.entries)
        else:
            change.update(source.rewritten(world, spec))
    for owner in dict.fromkeys(part.owner for part in parts if part.owner.kind == "DeviceClass"):
        change[owner] = _in_order_without(
            world.objects[owner], [part for part in gone if part.owner == owner]
        )
    pod_parts = [part for part in gone if part.owner == world.pod_key]
    if pod_parts or entries:
        pod = change.get(world.pod_key) or world.objects[world.pod_key]
        change[world.pod_key] = _without_entries(_in_order_without(pod, pod_parts), entries)
    return change


def _of_claim(source: Source) -> Iterator[Part]:
    for number in range(len(source.requests)):
        yield Part(source.key, (*source.place, "devices", "requests", number))
    for body in source.bodies:
        place = (*source.place, *body.steps)
        for number in range(len(at(body.data, ("selectors",)) or ())):
            yield Part(source.key, (*place, "selectors", number))
        for name in at(body.data, ("capacity", "requests")) or ():
            yield Part(source.key, (*place, "capacity", "requests"), name)
    for number in range(len(source.constraints)):
        yield Part(source.key, (*source.place, "devices", "constraints", number))


def _of_classes(world: World, sources: Collection[Source]) -> Iterator[Part]:
    for source in sources:
        for body in source.bodies:
            key = Key("DeviceClass", "", str(body.data.get("deviceClassName")))
            for number in range(len(at(world.objects.get(key), ("spec", "selectors")) or ())):
                yield Part(key, ("spec", "selectors", number))


def _of_pod(world: World) -> Iterator[Part]:
    pod = world.objects[world.pod_key]
    for steps in _POD_MAPS:
        for name in at(pod, steps) or ():
            yield Part(world.pod_key, steps, name)
    for steps in _POD_PLACES:
        if at(pod, steps) is not None:
            yield Part(world.pod_key, steps)
    for steps in _POD_LISTS:
        for number in range(len(at(pod, steps) or ())):
            yield Part(world.pod_key, (*steps, number))
    for kind in _CONTAINERS:
        for number, container in enumerate(at(pod, ("spec", kind)) or ()):
            named = dict.fromkeys(
                name for amounts in _AMOUNTS for name in at(container, ("resources", amounts)) or ()
            )
            for name in named:
                yield Part(world.pod_key, ("spec", kind, number, "resources", "requests"), name)


def _in_order_without(item: JsonDict, parts: Collection[Part]) -> JsonDict:
    """An object without some parts, the last in a list first, so that the others keep their numbers."""
    for part in sorted(parts, key=lambda part: [(isinstance(s, int), str(s), s) for s in part.steps])[::-1]:
        item = dropped(item, (*part.steps, part.key) if part.key else part.steps)
        if part.key and part.steps[-2:] == ("resources", "requests"):
            # The API server fills requests from limits.
            item = dropped(item, (*part.steps[:-1], "limits", part.key))
    return item


def _claim_without(source: Source, gone: Collection[Part]) -> JsonDict | None:
    """The spec of a claim without some parts; None if no request is left."""
    depth = len(source.place)
    places = {(part.steps[depth:], part.key) for part in gone}
    requests = []
    names: set[str] = set()
    for number, request in enumerate(source.requests):
        steps: Steps = ("devices", "requests", number)
        if (steps, "") in places:
            continue
        left = request
        for body in (body for body in source.bodies if body.request == number):
            left = _request_without(left, body.steps, places)
        requests.append(left)
        names.add(str(request.get("name")))
    if not requests:
        return None
    constraints = []
    for number, constraint in enumerate(source.constraints):
        if (("devices", "constraints", number), "") in places:
            continue
        listed = at(constraint, ("requests",))
        kept = [name for name in listed or () if name.partition("/")[0] in names]
        if kept or not listed:
            constraints.append({**constraint, "requests": kept} if kept else constraint)
    spec = replaced(source.spec, ("devices", "requests"), requests)
    spec = replaced(spec, ("devices", "constraints"), constraints)
    # Parameters decide nothing, and may name requests that are gone.
    return dropped(spec, ("devices", "config"))


def _request_without(request: JsonDict, steps: Steps, places: Collection[tuple[Steps, str]]) -> JsonDict:
    within = steps[3:]
    data = at(request, within)
    selectors = [
        selector
        for number, selector in enumerate(data.get("selectors") or ())
        if ((*steps, "selectors", number), "") not in places
    ]
    changed = replaced(request, (*within, "selectors"), selectors)
    for name in at(data, ("capacity", "requests")) or ():
        if ((*steps, "capacity", "requests"), name) in places:
            changed = dropped(changed, (*within, "capacity", "requests", name))
    return changed


def _without_entries(pod: JsonDict, entries: Collection[int]) -> JsonDict:
    """The pod without some of its claims, and without what containers say of them."""
    listed = at(pod, ("spec", "resourceClaims")) or []
    names = {entry["name"] for number, entry in enumerate(listed) if number in entries}
    if names:
        kept = [entry for entry in listed if entry["name"] not in names]
        pod = replaced(pod, ("spec", "resourceClaims"), kept)
    for kind in _CONTAINERS:
        for number, container in enumerate(at(pod, ("spec", kind)) or ()):
            used = at(container, ("resources", "claims"))
            if used and names:
                left = [entry for entry in used if entry.get("name") not in names]
                pod = replaced(pod, ("spec", kind, number, "resources", "claims"), left)
    return pod
