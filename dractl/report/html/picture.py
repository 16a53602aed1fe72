"""The devices of a cluster as a picture: by node and pool, each with its state and who has it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType

from dractl.api import budgets
from dractl.api.gates import GateSet
from dractl.cel.common.environment import Environment
from dractl.cel.common.work import WORK
from dractl.cluster import devices as cluster
from dractl.cluster import pools
from dractl.cluster.objects import Objects
from dractl.records import NamedTuple
from dractl.report.html.counters import Counters, capacity_bars, natural
from dractl.report.html.model import CounterSet, Device, Keys, Picture, Place, Pool, State
from dractl.report.html.reach import Reach
from dractl.report.html.uses import Use
from dractl.report.text import counted
from dractl.simulation.allocator.checks.matching import Matcher
from dractl.simulation.allocator.device.inventory import pool_rules
from dractl.simulation.allocator.model.features import features_of
from dractl.simulation.allocator.taint_rules import tainted_slices
from dractl.simulation.scheduler.nodes import Node, describe_taint, implied_node, node_of
from dractl.workflows.extensions import SCHEDULERS

__all__ = ["STATES", "picture"]

PLACED = State("placed", "placed", "allocated in this run")
IN_USE = State("in use", "used", "allocated as a whole")
SHARED = State("shared", "shared", "some of its capacity is allocated")
FREE = State("free", "free", "can be allocated")
SHORT = State("blocked", "short", "not allocated, but too little is left of its counters")
TAINTED = State("tainted", "tainted", "not allocated, and needs a toleration")
UNUSABLE = State("unusable", "unusable", "its pool is incomplete or invalid, so no device of it is allocated")
GONE = State("not published", "gone", "allocated, but no ResourceSlice publishes it")
STATES = (PLACED, IN_USE, SHARED, FREE, SHORT, TAINTED, UNUSABLE, GONE)
"""Every state of a device, in the order of the legend."""

_MOST_IDLE = 12
_WIDE = 24
"""With more devices a pool takes a whole row."""

_BLOCKING = frozenset({"NoSchedule", "NoExecute"})


class _Known(NamedTuple):
    """What a cluster publishes, as the scheduler of its gates reads it."""

    inventory: pools.Inventory
    rules: pools.PoolRules


@WORK.run()
def picture(
    objects: Objects,
    gates: GateSet,
    uses: Sequence[Use],
    title: str = "Devices",
    id_: str = "devices",
    flags: Mapping[str, Sequence[str]] = MappingProxyType({}),
) -> Picture:
    """Draw the devices of ``objects`` (decoded, v1 shape), with their ``uses``.

    For a minor with a scheduler of its own, only the devices in use are known. ``flags`` are remarks about
    devices (``driver/pool/device``) and pools (``driver/pool``).
    """
    by_device: dict[cluster.DeviceID, list[Use]] = {}
    for use in uses:
        by_device.setdefault(use.device, []).append(use)
    known = None if SCHEDULERS.get(str(gates.minor)) else _published(objects, gates)
    nodes = [node_of(item) for item in objects.of_kind("Node")]
    if not nodes and known is not None:
        nodes = [implied_node(name) for name in known.inventory.node_names]
    drawer = _Drawer(by_device, Reach(nodes), budgets.PAGE_DEVICES.value, flags)
    if known is not None:
        drawer.add_published(known)
    drawer.add_gone(is_known=known is not None)
    return drawer.picture(nodes, id_, title)


def _published(objects: Objects, gates: GateSet) -> _Known:
    features = features_of(gates)
    matcher = Matcher(Environment(gates.minor, gates, stored=True), features)
    slices = tainted_slices(objects, matcher.holds, features)
    return _Known(pools.Inventory(slices), pool_rules(features))


class _Drawer:
    """Collects pools by the node that they are for."""

    def __init__(
        self,
        uses: Mapping[cluster.DeviceID, Sequence[Use]],
        reach: Reach,
        room: int,
        flags: Mapping[str, Sequence[str]],
    ) -> None:
        self._flags = flags
        self._uses = uses
        self._reach = reach
        self._room = room
        self._left = 0
        self._drawn: set[cluster.DeviceID] = set()
        self._states: Counter[State] = Counter()
        self._by_node: dict[str, list[Pool]] = {}
        self._shared: list[Pool] = []

    def add_published(self, known: _Known) -> None:
        """All pools of the slices, those for one node in the order of the nodes."""
        whole = known.inventory.whole_pools(known.rules)
        ordered = sorted(whole, key=lambda pool: (natural(pool.id.pool), pool.id.driver))
        for pool in ordered:
            devices = self._devices(pool, known)
            reach = self._reach.of_pool(devices or known.inventory.in_pool(pool.id))
            view = self._pool(pool, devices, reach, known.rules)
            if reach.node is not None:
                self._by_node.setdefault(reach.node, []).append(view)
            else:
                self._shared.append(view)

    def _devices(self, pool: pools.Pool, known: _Known) -> Sequence[cluster.Device]:
        """The devices of a pool; of an unusable one, those of its newest slices."""
        if pool.devices or pool.background:
            return (*pool.devices, *pool.background)
        slices = known.inventory.in_pool(pool.id)
        newest = max((entry.generation for entry in slices), default=0)
        found = (device for entry in slices if entry.generation == newest for device in entry.devices)
        return list({device.id: device for device in found}.values())

    def _pool(
        self,
        pool: pools.Pool,
        devices: Sequence[cluster.Device],
        reach: Reach.Found,
        rules: pools.PoolRules,
    ) -> Pool:
        counters = Counters(pool, rules, self._uses)
        groups: dict[tuple[str, ...], list[cluster.Device]] = {}
        for device in self._within(devices):
            groups.setdefault(counters.sets_of(device.name), []).append(device)
        is_usable = pool.state is pools.PoolState.USABLE
        sets = tuple(
            CounterSet(
                " and ".join(names),
                tuple(self._device(device, counters, names, reach, is_usable=is_usable) for device in group),
                counters.bars(names),
                counters.slots(names),
            )
            for names, group in groups.items()
        )
        problem = f"{pool.state.value}: {pool.problem}" if pool.problem else ""
        problem = problem or (f"counters are not drawn: {counters.problem}" if counters.problem else "")
        in_use = sum(device.id in self._uses for device in devices)
        title = "" if pool.id.pool == reach.node else pool.id.pool
        return Pool(
            pool.id.driver,
            pool.id.pool,
            title,
            sets,
            "; ".join(filter(None, (*self._flags.get(str(pool.id), ()), problem))),
            "" if reach.node is not None else reach.text,
            f"{in_use} of {counted(len(devices), 'device')} in use",
        )

    def _within(self, devices: Sequence[cluster.Device]) -> Sequence[cluster.Device]:
        """As many of the devices as there is room for."""
        self._drawn.update(device.id for device in devices)
        shown = devices[: self._room]
        self._room -= len(shown)
        self._left += len(devices) - len(shown)
        return shown

    def _device(
        self,
        device: cluster.Device,
        counters: Counters,
        sets: tuple[str, ...],
        reach: Reach.Found,
        *,
        is_usable: bool,
    ) -> Device:
        uses = self._uses.get(device.id, ())
        state = _state_of(device, uses, counters, is_usable=is_usable)
        self._states[state] += 1
        notes = [describe_taint(dict(taint)) for taint in device.taints]
        short = counters.short_of(device.name) if state is SHORT else ""
        if short:
            notes.append(f"short of {short}")
        if reach.node is None and reach.differs:
            notes.append(self._reach.of_device(device).text)
        notes += [f"admin access: {use.holder}" for use in uses if use.is_admin]
        notes += self._flags.get(str(device.id), ())
        shares = [use for use in uses if use.is_share]
        return Device(
            device.name,
            state,
            tuple(dict.fromkeys(use.holder for use in uses if not use.is_admin)),
            counters.kinds.get(device.name, "") if counters.kinds.get(device.name) != device.name else "",
            tuple(f"taint {note}" if n < len(device.taints) else note for n, note in enumerate(notes)),
            capacity_bars(device, shares) if device.is_multi_use and device.capacity else (),
            counters.slots_of(device.name, sets),
            counters.number_of_slots(sets),
            " ".join(use.names for use in uses),
        )

    def add_gone(self, *, is_known: bool) -> None:
        """Add devices that are in use but not published; unless ``is_known``, slices are not read."""
        found: dict[tuple[str | None, str, str], list[Device]] = {}
        missing = [name for name in self._uses if name not in self._drawn]
        for name in missing[: self._room]:
            uses = self._uses[name]
            of_known_kind = is_known and not uses[0].is_foreign
            state = GONE if of_known_kind else IN_USE
            self._states[state] += 1
            names = " ".join(use.names for use in uses)
            holders = tuple(dict.fromkeys(use.holder for use in uses))
            node = next((use.node for use in uses if use.node is not None), None)
            found.setdefault((node, name.driver, name.pool), []).append(
                Device(name.device, state, holders, notes=tuple(self._flags.get(str(name), ())), claims=names)
            )
        self._left += max(0, len(missing) - self._room)
        self._room -= min(len(missing), self._room)
        for (node, driver, pool), devices in found.items():
            is_gone = devices[0].state is GONE
            view = Pool(
                driver,
                pool,
                "" if pool == node else pool,
                (CounterSet("", tuple(devices)),),
                reach="" if node is not None else "for no single node",
                counts=f"{counted(len(devices), 'device')} not published" if is_gone else "",
            )
            (self._shared if node is None else self._by_node.setdefault(node, [])).append(view)

    def picture(self, nodes: Sequence[Node], id_: str, title: str) -> Picture:
        """What was collected: the nodes by name, then the pools of several nodes."""
        known = {node.name: node for node in nodes}
        names = sorted(self._by_node, key=natural)
        places = [
            _place(name, self._by_node[name], _notes_of(known.get(name), has_nodes=bool(nodes)))
            for name in names
        ]
        if self._shared:
            places.append(_place("", self._shared, ()))
        idle = [node.name for node in nodes if node.name not in self._by_node]
        legend = tuple((state, self._states[state]) for state in STATES if self._states[state])
        more = ""
        if self._left:
            more = budgets.PAGE_DEVICES.message(more=counted(self._left, "more device"))
        return Picture(id_, title, tuple(places), legend, _idle(idle, is_all=not places), more)


def _place(name: str, found: Sequence[Pool], notes: Iterable[str]) -> Place:
    devices = sum(len(entry.devices) for pool in found for entry in pool.sets)
    has_bars = any(entry.bars or entry.slots for pool in found for entry in pool.sets)
    is_wide = not name or has_bars or devices > _WIDE
    return Place(name, tuple(found), tuple(notes), is_wide, Keys(node=name or None))


def _notes_of(node: Node | None, *, has_nodes: bool) -> Iterator[str]:
    if node is None:
        if has_nodes:
            yield "no Node object of this name"
        return
    if node.is_unschedulable:
        yield "cordoned"
    for taint in node.taints:
        yield f"taint {describe_taint(taint)}"


def _idle(names: Collection[str], *, is_all: bool) -> str:
    if not names:
        return ""
    shown = sorted(names, key=natural)[:_MOST_IDLE]
    more = len(names) - len(shown)
    listed = ", ".join(shown) + (f" and {more} more" if more else "")
    verb = "has" if len(names) == 1 else "have"
    whose = counted(len(names), "node" if is_all else "more node")
    return f"{whose} {verb} no devices of {'its' if len(names) == 1 else 'their'} own: {listed}"


def _state_of(device: cluster.Device, uses: Sequence[Use], counters: Counters, *, is_usable: bool) -> State:
    holding = [use for use in uses if not use.is_admin]
    if holding:
        if device.is_multi_use and all(use.is_share for use in holding):
            return SHARED
        return PLACED if any(use.is_new for use in holding) else IN_USE
    if not is_usable:
        return UNUSABLE
    if any(taint.get("effect") in _BLOCKING for taint in device.taints):
        return TAINTED
    return SHORT if counters.short_of(device.name) else FREE
