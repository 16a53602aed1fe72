"""Evictions by device taints: pods that use a device with an untolerated taint are evicted.

Mirrors the device taint eviction controller in each minor. A toleration with ``tolerationSeconds`` only sets
the time: a simulation has no clock.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, cast

from dractl.api.json_types import Object
from dractl.cluster.devices import DeviceID, PoolID, pool_id_of
from dractl.cluster.objects import Objects, full_name
from dractl.simulation.allocator.checks.taints import tolerates
from dractl.simulation.allocator.model.quirks import Quirks
from dractl.simulation.pods.outcome import Eviction
from dractl.simulation.pods.placements import claim_names, results_of, special_claim_name
from dractl.simulation.pods.pod_groups import uses
from dractl.simulation.pods.pods import Pod

if TYPE_CHECKING:
    from dractl.api.objects import resource

_EVICTING = "NoExecute"


class EvictingTaints:
    """The taints that evict: those of published devices, and those of DeviceTaintRules."""

    def __init__(self, slices: Iterable[Object], rules: Iterable[Object] = ()) -> None:
        """Gather the taints of the newest generation of each pool; ``rules`` need no published device."""
        self._of_devices = _of_devices(list(slices))
        ordered = sorted(rules, key=lambda rule: str(rule["metadata"].get("name")))
        specs = [cast("resource.DeviceTaintRuleSpec", rule["spec"]) for rule in ordered]
        self._rules = [spec for spec in specs if _evicts(spec.get("taint") or {})]

    def __bool__(self) -> bool:
        """Whether any taint evicts."""
        return bool(self._of_devices or self._rules)

    def of(self, device: DeviceID) -> Sequence[resource.DeviceTaint]:
        """The taints of a device, those of its slice first."""
        rules = (rule["taint"] for rule in self._rules if _selects(rule, device))
        return (*self._of_devices.get(device, ()), *rules)


def _of_devices(slices: Sequence[Object]) -> dict[DeviceID, tuple[resource.DeviceTaint, ...]]:
    specs: list[resource.ResourceSliceSpec] = [item.get("spec") or {} for item in slices]
    newest: dict[PoolID, int] = {}
    pools = [pool_id_of(item) for item in slices]
    for pool, spec in zip(pools, specs, strict=True):
        newest[pool] = max(newest.get(pool, 0), _generation(spec))
    found: dict[DeviceID, tuple[resource.DeviceTaint, ...]] = {}
    for pool, spec in zip(pools, specs, strict=True):
        for device in spec.get("devices") or () if _generation(spec) == newest[pool] else ():
            taints = tuple(taint for taint in device.get("taints") or () if _evicts(taint))
            if taints:
                found.setdefault(DeviceID(*pool, device.get("name", "")), taints)
    return found


def _generation(spec: resource.ResourceSliceSpec) -> int:
    return (spec.get("pool") or {}).get("generation") or 0


def _evicts(taint: resource.DeviceTaint) -> bool:
    return taint.get("effect") == _EVICTING


def _selects(rule: resource.DeviceTaintRuleSpec, device: DeviceID) -> bool:
    """Whether a rule selects a device; without a selector it selects none (``ruleMatchesDevice``)."""
    selector = rule.get("deviceSelector")
    return selector is not None and all(
        selector.get(name) in (None, value)
        for name, value in (("driver", device.driver), ("pool", device.pool), ("device", device.device))
    )


def evictions(
    pods: Iterable[Pod], api_objects: Objects, taints: EvictingTaints, quirks: Quirks
) -> list[Eviction]:
    """The pods on nodes that use a tainted device through any of their claims; each once, the soonest."""
    effects = {_EVICTING} if quirks.eviction_needs_effect else {_EVICTING, "", None}
    causes: dict[str, list[Eviction]] = {}
    found = []
    for pod in pods:
        if pod.node is None or pod.is_finished or pod.is_terminating:
            continue
        of_pod: list[Eviction] = []
        for claim in _claims(pod, api_objects, quirks):
            name = full_name(claim)
            if name not in causes:
                results = results_of(claim)
                causes[name] = [cause for one in results for cause in _causes(name, one, taints, effects)]
            of_pod += causes[name]
        if of_pod:
            found.append(min(of_pod, key=_urgency)._replace(pod=pod.full_name))
    return found


def _claims(pod: Pod, api_objects: Objects, quirks: Quirks) -> Iterator[Object]:
    """The claims that a pod uses, as ``podEvictionTime`` finds them."""
    special = None if quirks.eviction_skips_extended else special_claim_name(pod)
    for name in (*claim_names(pod).values(), special):
        claim = None if name is None else api_objects.get("ResourceClaim", pod.namespace, name)
        if claim is not None and uses(pod, claim):
            yield claim


def _urgency(eviction: Eviction) -> int:
    return -1 if eviction.after is None else eviction.after


def _causes(
    claim: str,
    result: resource.DeviceRequestAllocationResult,
    taints: EvictingTaints,
    effects: Container[str | None],
) -> Iterator[Eviction]:
    """The taints of a device that the tolerations of the allocation do not tolerate forever."""
    device = DeviceID(result.get("driver", ""), result.get("pool", ""), result.get("device", ""))
    # Up to 1.37 the controller leaves out tolerations without an effect, which count for an allocation.
    tolerations = [entry for entry in result.get("tolerations") or () if entry.get("effect") in effects]
    for taint in taints.of(device):
        times = [entry.get("tolerationSeconds") for entry in tolerations if tolerates(entry, taint)]
        limited = [time for time in times if time is not None]
        if not times or limited:
            yield Eviction("", claim, *device, taint, min(limited) if limited else None)
