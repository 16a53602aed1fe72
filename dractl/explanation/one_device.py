"""Why requests do not get one device: the step at which it falls out, on each node that it reaches."""

from __future__ import annotations

from collections.abc import Iterator

from dractl.cluster.devices import DeviceID
from dractl.explanation.extended_names import ExtendedNames
from dractl.explanation.funnel import Bench, Fate
from dractl.explanation.holders import Holders
from dractl.explanation.wording import holder_text
from dractl.explanation.world import World
from dractl.records import NamedTuple
from dractl.simulation.allocator.explain import describe
from dractl.simulation.allocator.model.reasons import Fatal, InUse
from dractl.simulation.scheduler.schedule_result import Refused

__all__ = ["DeviceStep", "device_steps"]


class DeviceStep(NamedTuple):
    """What becomes of a device for one request on one node; ``step`` is None if it would do."""

    node: str
    device: DeviceID
    claim: str
    request: str
    step: str | None
    reason: str


def device_steps(world: World, name: str, node: str | None = None) -> list[DeviceStep]:
    """What becomes of the devices of that name for each request of the pod of ``world``.

    ``name`` is that of a device, or driver, pool and device with slashes between them; empty for all devices
    in the order in which they are tried. Requests of claims
    that are allocated ask for nothing more.
    """
    cycle = world.cycle()
    return [] if isinstance(cycle, Refused) else list(_steps(world, name, node))


def _steps(world: World, name: str, wanted: str | None) -> Iterator[DeviceStep]:
    cycle = world.cycle()
    if isinstance(cycle, Refused):
        return
    snapshot = cycle.snapshot
    holders = Holders(world, snapshot.usage)
    everything_unused = snapshot.node_devices.unused(snapshot.features)
    for node in snapshot.nodes:
        if wanted not in (None, node.name):
            continue
        pending = cycle.allocator.claims.pending_claims(cycle.allocator.claims.served_on(node))
        demands, names = pending.demands, ExtendedNames([pending.special])
        supply, unused = snapshot.node_devices.on(node.ref), everything_unused.on(node.ref)
        if isinstance(demands, Fatal) or isinstance(supply, Fatal) or isinstance(unused, Fatal):
            continue
        candidates = [
            entry for entry in supply.candidates if name in ("", entry.device.name, str(entry.device.id))
        ]
        if not candidates:
            continue
        bench = Bench(demands, supply, unused, snapshot.matcher, snapshot.features, snapshot.allowance)
        requests = [
            (claim.name, request) for claim in demands for ask in claim.asks for request in ask.alternatives
        ]
        for candidate in candidates:
            fates = [(claim, request, bench.fate(request, candidate)) for claim, request in requests]
            # Requests for other classes do not matter if one request is for the class of the device.
            of_class = [entry for entry in fates if entry[2].step != "class"]
            for claim, request, fate in of_class or fates:
                reason = _reason(fate, node.name, holders)
                asked = names.request(claim, request.full_name)
                yield DeviceStep(node.name, fate.device.id, claim, asked, _step(fate), reason)


def _step(fate: Fate) -> str | None:
    return fate.step if fate.number is None else f"{fate.step} #{fate.number}"


def _reason(fate: Fate, node: str, holders: Holders) -> str:
    """Why the device falls out, the lasting reason first."""
    texts = []
    for why in (fate.lasting, fate.passing):
        if isinstance(why, Fatal):
            texts.append(why.message)
        elif isinstance(why, InUse):
            texts += [f"in use: {holder_text(holder)}" for holder in holders.of_device(fate.device, node)]
        elif why is not None:
            texts.append(describe(why))
    return "; ".join(texts)
