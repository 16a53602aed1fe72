"""Checks of what requests ask for, against the devices that their drivers publish in the slices given."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from dractl.api import gates
from dractl.api.path import Steps
from dractl.api.quantity import Quantity, Rewritten, as_written
from dractl.api.release import Minor
from dractl.api.wording import nearest_or_all
from dractl.cluster.devices import Capacity, capacity_of
from dractl.finding import Severity
from dractl.lint.base.cross_check import CrossCheck, CrossInput
from dractl.lint.base.input_pools import InputPool
from dractl.lint.base.input_set import InputObject, Lint
from dractl.lint.base.lint_rule import OwnRule, own_rule
from dractl.lint.base.request_drivers import drivers_by_request, drivers_of, qualified
from dractl.lint.base.typos import is_typo, surely_meant

if TYPE_CHECKING:
    from dractl.api.objects.resource import (
        Device,
        DeviceSubRequest,
        DeviceTaint,
        DeviceTaintRuleSpec,
        ExactDeviceRequest,
        ResourceClaimSpec,
    )

__all__ = ["CHECKS"]

_CLUSTER = """\
apiVersion: resource.k8s.io/v1
kind: DeviceClass
metadata: {name: nic}
spec: {selectors: [{cel: {expression: device.driver == "nic.example.com"}}]}
---
apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata: {name: node-a}
spec:
  driver: nic.example.com
  nodeName: node-a
  pool: {name: node-a, generation: 1, resourceSliceCount: 1}
  devices:
  - name: eth-0
    allowMultipleAllocations: true
    capacity:
      bandwidth: {value: 40G, requestPolicy: {default: 1G, validRange: {min: 1G, step: 1G}}}
    taints: [{key: example.com/degraded, effect: NoSchedule}]
  - name: eth-1
---
apiVersion: v1
kind: Node
metadata: {name: node-a}
---
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: net}
spec:
  devices:
    <here>
"""


def _rule(name: str, doc: str, good: str, bad: str, severity: Severity = Severity.WARNING) -> OwnRule:
    """A row whose examples are the devices of a claim in a small cluster."""
    return own_rule(
        f"across/{name}",
        severity=severity,
        kind=("ResourceClaim", "ResourceClaimTemplate"),
        doc=f"{doc}\n\n{_example('Good', good)}\n{_example('Bad', bad)}",
    )


def _example(title: str, devices: str) -> str:
    lines = _CLUSTER.replace("<here>", devices.strip().replace("\n", "\n    ")).splitlines()
    return "\n".join((f"{title}:", *(f"    {line}" for line in lines)))


_ALL_SLICES = """The check considers requests whose class has `device.driver == "..."`, if the input has all
slices of those drivers. Without nodes in the input there may be other devices elsewhere; then it reports only
names that are nearly those of a capacity."""

CAPACITY_MISSING = _rule(
    "capacity-missing",
    f"""A request must name capacities that devices have.

A device without the capacity is not selected, so the pod stays Pending. {_ALL_SLICES}""",
    "requests: [{name: nic, exactly: {deviceClassName: nic, capacity: {requests: {bandwidth: 10G}}}}]",
    "requests: [{name: nic, exactly: {deviceClassName: nic, capacity: {requests: {bandwith: 10G}}}}]",
)

CAPACITY_EXCESS = _rule(
    "capacity-excess",
    f"""A request must not need more capacity than any device has.

The most that one request gets of a device is its value, or the maximum of its request policy.
{_ALL_SLICES}""",
    "requests: [{name: nic, exactly: {deviceClassName: nic, capacity: {requests: {bandwidth: 40G}}}}]",
    "requests: [{name: nic, exactly: {deviceClassName: nic, capacity: {requests: {bandwidth: 400G}}}}]",
)

CAPACITY_ROUNDED = _rule(
    "capacity-rounded",
    """An amount of capacity should be one that the request policy of the devices allows.

The scheduler rounds other amounts up, so the request consumes more than its amount. The check
considers requests whose class has `device.driver == "..."`, if the input has all slices of those drivers.""",
    "requests: [{name: nic, exactly: {deviceClassName: nic, capacity: {requests: {bandwidth: 2G}}}}]",
    "requests: [{name: nic, exactly: {deviceClassName: nic, capacity: {requests: {bandwidth: 1500M}}}}]",
    Severity.INFO,
)

CONFIG_NOTHING = _rule(
    "config-nothing",
    """A configuration must be for a driver of the devices that its requests can get.

A driver only sees the configurations that name it; others are ignored without an error. The check considers
requests whose class has `device.driver == "..."`.""",
    """
requests: [{name: nic, exactly: {deviceClassName: nic}}]
config: [{opaque: {driver: nic.example.com, parameters: {mtu: 9000}}}]
""",
    """
requests: [{name: nic, exactly: {deviceClassName: nic}}]
config: [{opaque: {driver: nic.example.org, parameters: {mtu: 9000}}}]
""",
)

TOLERATION_NOTHING = _rule(
    "toleration-nothing",
    """The key of a toleration must not be a misspelled key of a taint.

Taints come and go, so a key that no taint has is usually fine. The check reports a key only if a taint in a
slice or a DeviceTaintRule has nearly the same one.""",
    """
requests:
- name: nic
  exactly: {deviceClassName: nic, tolerations: [{key: example.com/degraded, operator: Exists}]}
""",
    """
requests:
- name: nic
  exactly: {deviceClassName: nic, tolerations: [{key: example.com/degradde, operator: Exists}]}
""",
)


def _most(capacity: Capacity) -> Quantity:
    """The most that one request gets of a capacity."""
    policy = capacity.policy
    if policy is None:
        return capacity.value
    limits = policy.valid_values if policy.maximum is None else (*policy.valid_values, policy.maximum)
    return min(capacity.value, max(limits, default=capacity.value))


class _Supply:
    """What the drivers publish whose pools are wholly known."""

    def __init__(self, pools: Sequence[InputPool], minor: Minor) -> None:
        """Note what the devices of each driver have, for an allocator of ``minor``."""
        self._minor = minor
        self.drivers = {pool.driver for pool in pools}
        self._offers: dict[str, dict[str, dict[str, Capacity]]] = {}
        for pool in pools:
            if not pool.is_complete:
                self.drivers.discard(pool.driver)
            for entry in pool.newest:
                for device in entry.devices:
                    self._add(pool.driver, device)

    def _add(self, driver: str, device: Device) -> None:
        shared = bool(device.get("allowMultipleAllocations"))
        for name, capacity in (device.get("capacity") or {}).items():
            alike = self._offers.setdefault(driver, {}).setdefault(qualified(name, driver), {})
            if (key := f"{capacity} {shared}") not in alike:
                offer = capacity_of(capacity)
                alike[key] = offer if shared else offer._replace(policy=None)

    def offers(self, drivers: Iterable[str], name: str) -> list[Capacity]:
        """What their devices have of a capacity."""
        return [
            offer
            for driver in sorted(drivers)
            for offer in self._offers.get(driver, {}).get(qualified(name, driver), {}).values()
        ]

    def capacities(self, drivers: Iterable[str]) -> list[str]:
        """The names of all capacities of their devices, as a request writes them."""
        return sorted(
            {name.removeprefix(f"{driver}/") for driver in drivers for name in self._offers.get(driver, {})}
        )

    def least_granted(self, asked: Quantity, offers: Iterable[Capacity]) -> Quantity:
        """The least that a request for an amount takes of the offers that are large enough."""
        # Hardly any claim asks for capacity, and only then is the allocator needed.
        from dractl.simulation.allocator.checks.consumable import arithmetic_of, granted
        from dractl.simulation.allocator.model.features import features_of

        arithmetic = arithmetic_of(features_of(gates.resolve(self._minor)))
        taken = [granted(asked, offer, arithmetic) for offer in offers if not _most(offer) < asked]
        return min((amount for amount in taken if not isinstance(amount, str)), default=asked)


def _capacities(found: CrossInput) -> Iterator[Lint]:
    asking = [
        (given, place, body)
        for given in found.inputs.claims()
        for place, body in given.request_bodies()
        if body.get("capacity")
    ]
    if not asking or not found.pools:
        return
    supply = _Supply(found.pools, found.minor)
    is_cluster = bool(found.inputs.of("Node"))
    for given, place, body in asking:
        drivers = drivers_of(found.inputs, body)
        if drivers and drivers <= supply.drivers:
            for lint, is_likely in _amounts(given, place, body, drivers, supply):
                if is_likely or is_cluster:
                    yield lint


def _amounts(
    given: InputObject,
    place: Steps,
    body: ExactDeviceRequest | DeviceSubRequest,
    drivers: set[str],
    supply: _Supply,
) -> Iterator[tuple[Lint, bool]]:
    """What is wrong with amounts, and whether that is so whatever devices there may be elsewhere."""
    whose = " or ".join(sorted(drivers))
    amounts: Mapping[str, str] = (body.get("capacity") or {}).get("requests") or {}
    for name, text in amounts.items():
        at = (*place, "capacity", "requests", name)
        offers = supply.offers(drivers, name)
        if not offers:
            message = f"no device of {whose} has the capacity {name}"
            known = supply.capacities(drivers)
            is_likely = any(is_typo(name, other) for other in known)
            yield Lint(CAPACITY_MISSING, given, at, message, nearest_or_all(name, known)), is_likely
            continue
        asked = as_written(text)
        most = max(map(_most, offers))
        if most < asked:
            message = f"no device of {whose} has {_shown(text)} for one request"
            yield Lint(CAPACITY_EXCESS, given, at, message, f"request at most {most}"), False
            continue
        granted = supply.least_granted(asked, offers)
        if asked < granted:
            message = f"the request policy of {whose} rounds {_shown(text)} up to {granted}"
            hint = f"write {granted} to show what is consumed"
            yield Lint(CAPACITY_ROUNDED, given, at, message, hint), True


def _shown(text: str) -> str:
    """A quantity as its author wrote it."""
    return text.written if isinstance(text, Rewritten) else str(text)


def _configurations(found: CrossInput) -> Iterator[Lint]:
    for given in found.inputs.claims():
        spec: ResourceClaimSpec = given.spec
        devices = spec.get("devices") or {}
        entries = devices.get("config") or ()
        if not entries:
            continue
        possible = drivers_by_request(found.inputs, given)
        for number, entry in enumerate(entries):
            driver = (entry.get("opaque") or {}).get("driver", "")
            meant = entry.get("requests") or list(possible)
            sets = [possible.get(name.partition("/")[0], set()) for name in meant]
            known = set().union(*sets)
            if driver and all(sets) and known and driver not in known:
                place = (*given.spec_steps, "devices", "config", number, "opaque", "driver")
                message = f"no request of this configuration gets devices of {driver}, so it has no effect"
                yield Lint(CONFIG_NOTHING, given, place, message, nearest_or_all(driver, sorted(known)))


def _tolerations(found: CrossInput) -> Iterator[Lint]:
    asking = [
        ((*place, "tolerations", number, "key"), given, toleration["key"])
        for given in found.inputs.claims()
        for place, body in given.request_bodies()
        for number, toleration in enumerate(body.get("tolerations") or ())
        if toleration.get("key")
    ]
    if not asking:
        return
    keys = {taint.get("key", "") for taint in _taints(found)}
    for place, given, key in asking:
        if meant := surely_meant(key, keys):
            message = f"no taint in the input has the key {key}"
            yield Lint(TOLERATION_NOTHING, given, place, message, f"did you mean {meant}?")


def _taints(found: CrossInput) -> Iterator[DeviceTaint]:
    for given in found.inputs.of("DeviceTaintRule"):
        spec: DeviceTaintRuleSpec = given.spec
        if "taint" in spec:
            yield spec["taint"]
    for pool in found.pools:
        for entry in pool.newest:
            for device in entry.devices:
                yield from device.get("taints") or ()


CHECKS = (
    CrossCheck((CAPACITY_MISSING, CAPACITY_EXCESS, CAPACITY_ROUNDED), _capacities),
    CrossCheck((CONFIG_NOTHING,), _configurations),
    CrossCheck((TOLERATION_NOTHING,), _tolerations),
)
"""The checks of this module; whatever is here is run and listed."""
