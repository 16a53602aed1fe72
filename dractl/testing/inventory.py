"""The devices of a simulation by name, and what a selector or an attribute of them evaluates to."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from dractl.api import gates, release
from dractl.cel.common.work import WORK
from dractl.cel.compile import CelError, Environment, Selector, compile_selector, device_value
from dractl.cluster.devices import Device, PoolID, Slice
from dractl.simulation.allocator.checks.constraints import elements
from dractl.simulation.engine.report import Simulation

__all__ = ["Inventory", "Values", "selector"]

Values = set[tuple[str, object]]
"""The values of an attribute, each with its type."""


def selector(expression: str, gate_set: gates.GateSet) -> Selector | CelError:
    """``expression`` compiled as the scheduler does, or why it does not compile."""
    return compile_selector(expression, _environment(gate_set))


def _environment(gate_set: gates.GateSet) -> Environment:
    return Environment(gate_set.minor, gate_set, stored=True)


class Inventory:
    """The devices that slices of a simulation publish; nothing is read before a device is looked up."""

    def __init__(self, simulation: Simulation) -> None:
        """Keep the simulation whose slices are read."""
        self._simulation = simulation
        self._selectors: dict[str, Selector | CelError] = {}

    @cached_property
    def _environment(self) -> Environment:
        minor = release.parse(self._simulation.kube_version)
        return _environment(gates.resolve(minor, self._simulation.feature_gates))

    @cached_property
    def _devices(self) -> dict[str, Device]:
        newest: dict[PoolID, list[Slice]] = {}
        for entry in self._slices():
            known = newest.setdefault(entry.pool_id, [])
            if known and entry.generation > known[0].generation:
                known.clear()
            if not known or entry.generation == known[0].generation:
                known.append(entry)
        return {
            str(device.id): device
            for slices in newest.values()
            for entry in slices
            for device in entry.devices
        }

    def _slices(self) -> Iterator[Slice]:
        for item in self._simulation.outcome.objects:
            if item.get("kind") == "ResourceSlice" and "spec" in item:
                yield Slice(item)

    def compiled(self, expression: str) -> Selector | CelError:
        """``expression`` compiled for the minor and gates of the simulation."""
        if expression not in self._selectors:
            self._selectors[expression] = compile_selector(expression, self._environment)
        return self._selectors[expression]

    def selects(self, expression: str, device: str) -> bool | CelError:
        """Whether ``expression`` selects the device ``DRIVER/POOL/DEVICE``."""
        compiled = self.compiled(expression)
        found = self._devices.get(device)
        if isinstance(compiled, CelError):
            return compiled
        if found is None:
            return CelError("runtime", "no ResourceSlice of the input has this device")
        delays = self._environment.delays_attributes
        value = device_value(found.id.driver, found.data, delays_attributes=delays)
        if isinstance(value, CelError):
            return value
        with WORK.run():
            return compiled.evaluate(value)

    def values(self, attribute: str, device: str) -> Values:
        """The values of an attribute of a device; none if it lacks the attribute.

        A name without a domain is the driver's own.
        """
        found = self._devices.get(device)
        if found is None:
            return set()
        name = attribute if "/" in attribute else f"{found.id.driver}/{attribute}"
        value = found.attribute(name)
        return set() if value is None else elements(value)
