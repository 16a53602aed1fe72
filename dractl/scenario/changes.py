"""What is different between two states of a cluster, a sentence each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from dractl.simulation.pods.outcome import WAITING, Outcome, Pending, Placement

__all__ = ["changes_between"]


class _Pod:
    """What a state tells of one pod."""

    def __init__(self, node: str | None, phase: str, devices: tuple[str, ...], pending: str) -> None:
        self.node = node
        self.phase = phase
        self.devices = devices
        self.pending = pending


def changes_between(before: Outcome, after: Outcome, removals: Mapping[str, str]) -> Iterator[str]:
    """A sentence for each changed pod, removed pods first; ``removals`` maps removed pods to reasons."""
    earlier, later = _pods(before), _pods(after)
    for name, was in earlier.items():
        if name not in later:
            reason = f": {removals[name]}" if name in removals else ""
            yield f"{name} is removed{_freed(was)}{reason}"
        elif name in removals:
            yield f"{name} is removed{_freed(was)}: {removals[name]}; it is recreated"
    for name, reason in removals.items():
        if name not in earlier and name not in later:
            yield f"{name} is created and removed: {reason}"
    for name, now in later.items():
        known = None if name in removals else earlier.get(name)
        sentence = _new(name, now) if known is None else _changed(name, known, now)
        if sentence:
            yield sentence


def _pods(outcome: Outcome) -> dict[str, _Pod]:
    devices: dict[str | None, dict[str, None]] = {}
    for row in outcome.placements:
        devices.setdefault(row.pod, {})[_device(row)] = None
    pending = {row.pod: row for row in outcome.pending}
    phases = {
        f"{item['metadata'].get('namespace', '')}/{item['metadata'].get('name', '')}": _phase(item)
        for item in outcome.objects
        if item.get("kind") == "Pod"
    }
    return {
        pod.pod: _Pod(
            pod.node,
            phases.get(pod.pod, ""),
            tuple(devices.get(pod.pod, ())),
            _category(pending.get(pod.pod)),
        )
        for pod in outcome.pods
    }


def _phase(item: Mapping[str, Mapping[str, str]]) -> str:
    phase = (item.get("status") or {}).get("phase", "")
    return phase if phase in ("Succeeded", "Failed") else ""


def _device(row: Placement) -> str:
    return f"{row.driver}/{row.pool}/{row.device}"


def _category(row: Pending | None) -> str:
    return "" if row is None else row.category


def _new(name: str, now: _Pod) -> str:
    if now.phase:
        return f"{name} is created and has ended ({now.phase})"
    if now.node and (not now.pending or now.pending == WAITING):
        return _placed(name, now)
    if now.pending:
        return f"{name} is created and stays Pending ({now.pending})"
    return f"{name} is created without a node"


def _changed(name: str, was: _Pod, now: _Pod) -> str:
    if now.phase and now.phase != was.phase:
        return f"{name} has ended ({now.phase}){_freed(was)}"
    if now.phase:
        return ""
    if now.node and now.node == was.node:
        return _stayed(name, was, now)
    if now.node:
        return _placed(name, now)
    if now.pending != was.pending:
        return f"{name} stays Pending, now because of {now.pending}"
    return ""


def _placed(name: str, now: _Pod) -> str:
    if now.pending == WAITING:
        return f"{name} is assigned to {now.node}{_with(now)} and waits for binding conditions"
    return f"{name} is placed on {now.node}{_with(now)}"


def _stayed(name: str, was: _Pod, now: _Pod) -> str:
    """What became of a pod that has the same node as before."""
    lost = [device for device in was.devices if device not in now.devices]
    if lost and not now.devices:
        return f"{name} loses {', '.join(lost)} but stays on {now.node}"
    if now.devices != was.devices:
        return _placed(name, now)
    if was.pending == WAITING and not now.pending:
        return f"{name} is bound to {now.node}{_with(now)}: its binding conditions are met"
    if now.pending and now.pending != was.pending:
        return f"{name} stays on {now.node}, now Pending because of {now.pending}"
    return _placed(name, now) if was.pending and not now.pending else ""


def _with(pod: _Pod) -> str:
    return f" with {', '.join(pod.devices)}" if pod.devices else ""


def _freed(pod: _Pod) -> str:
    return f" and frees {', '.join(pod.devices)}" if pod.devices else ""
