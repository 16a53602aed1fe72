"""Why a pod got its node and devices and not others, as far as its cluster tells afterwards."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from dractl.cluster.objects import Key
from dractl.explanation.one_device import DeviceStep, device_steps
from dractl.explanation.world import World
from dractl.records import NamedTuple
from dractl.simulation.controllers import lifecycle
from dractl.simulation.pods import placements
from dractl.simulation.pods.outcome import Outcome, Placement, PodOutcome
from dractl.simulation.pods.pods import Pod
from dractl.simulation.scheduler.schedule_result import Refused

__all__ = ["PlacedPod", "lost_by_score", "placed_lines", "unplaced"]

_MOST_NODES = 4


class PlacedPod(NamedTuple):
    """A pod with its node, as a simulation left it, and the devices that it got."""

    pod: PodOutcome
    rows: tuple[Placement, ...]


def unplaced(world: World) -> World:
    """The world before its pod was placed: no node, and its claims free unless others use them."""
    item = world.objects[world.pod_key]
    spec = {name: value for name, value in item["spec"].items() if name != "nodeName"}
    pod = Pod(item)
    names = {*placements.claim_names(pod).values()}
    change = {world.pod_key: {**item, "spec": spec}}
    for name in names:
        key = Key("ResourceClaim", pod.namespace, name or "")
        claim = world.objects.get(key)
        users = ((claim or {}).get("status") or {}).get("reservedFor") or ()
        if claim is not None and all(user.get("uid") == pod.uid for user in users):
            change[key] = lifecycle.without_allocation(claim)
    return world.changed(change)


def placed_lines(placed: PlacedPod, outcome: Outcome, world: World) -> Iterator[str]:
    """Why this node, then why these devices."""
    yield _node(placed, outcome, world)
    node = placed.pod.node
    seen: set[tuple[str, str]] = set()
    for row in placed.rows:
        device = f"{row.driver}/{row.pool}/{row.device}"
        if (row.request, device) in seen:
            continue
        seen.add((row.request, device))
        yield f"{device} for request {row.request} of claim {row.claim}{_before(row, node, world)}"


def lost_by_score(pod: PodOutcome, node: str) -> str:
    """Why a node that fits as well was not chosen."""
    if node in pod.tied:
        return f"node {node} is as good as {pod.node}; dractl takes the first, a real scheduler any of them"
    totals = {name: sum(scores.values()) for name, scores in pod.scores.items()}
    chosen = pod.node or ""
    told = _why(pod.scores, [chosen, node])
    return f"node {node} fits, but {chosen} has a better score ({totals[chosen]}, not {totals[node]}){told}"


def _node(placed: PlacedPod, outcome: Outcome, world: World) -> str:
    pod = placed.pod
    where = f"on node {pod.node}"
    if len(pod.tied) > 1:
        named = ", ".join(pod.tied[:_MOST_NODES]) + (", …" if len(pod.tied) > _MOST_NODES else "")
        return (
            f"{where}: the first of {len(pod.tied)} equally good nodes ({named}); "
            "a real scheduler picks one at random"
        )
    totals = {node: sum(scores.values()) for node, scores in pod.scores.items()}
    if len(totals) > 1:
        best = sorted(totals, key=lambda name: -totals[name])[:_MOST_NODES]
        shown = ", ".join(f"{name} {totals[name]}" for name in best)
        told = _why(pod.scores, best)
        return f"{where}: the best score of {len(totals)} nodes that fit ({shown}){told}"
    filtered = world.filtered()
    fits = [] if isinstance(filtered, Refused) else [entry.node.name for entry in filtered.feasible]
    if any(name != pod.node for name in fits):
        # It would have scores if it had been scheduled here.
        return f"{where}: it has that node in the input"
    others = len(outcome.nodes) - 1
    rest = {0: "the only node", 1: "the other node does not fit"}
    return f"{where}: {rest.get(others, f'none of the other {others} nodes fits')}"


def _why(scores: Mapping[str, Mapping[str, int]], best: list[str]) -> str:
    """The plugin in which the first of the best nodes is furthest ahead of the second."""
    first, second = scores[best[0]], scores[best[1]]
    ahead = {name: score - second.get(name, 0) for name, score in first.items()}
    name = max(ahead, key=lambda plugin: ahead[plugin])
    return f"; ahead by {ahead[name]} in {name}" if ahead[name] > 0 else ""


def _before(row: Placement, node: str | None, world: World) -> str:
    """What keeps the devices out that come before this one in order; nothing is told where none does."""
    if node is None:
        return ""
    order = _in_order(world, node, row.claim, row.request)
    names = [step.device for step in order]
    position = next(
        (number for number, name in enumerate(names) if name == (row.driver, row.pool, row.device)), None
    )
    if position is None:
        return ""
    before = [step for step in order[:position] if step.step not in ("reachable", "class")]
    if not before:
        return ": the first device of its class"
    would_do = [step.device.device for step in before if step.step is None]
    if would_do:
        return f": {would_do[0]} comes first and would do alone, but not with the rest of the claim"
    reasons = ", ".join(f"{step.device.device} ({step.reason})" for step in before[:2])
    more = f" and {len(before) - 2} more" if len(before) > 2 else ""
    return f": the first that fits; not {reasons}{more}"


def _in_order(world: World, node: str, claim: str, request: str) -> list[DeviceStep]:
    return [step for step in device_steps(world, "", node) if (step.claim, step.request) == (claim, request)]
