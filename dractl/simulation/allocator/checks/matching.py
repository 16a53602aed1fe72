"""CEL for devices: whether they match the selectors of a request, and their derived attributes.

An expression is evaluated once per device.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, cast

from dractl.api.json_types import JsonObject
from dractl.api.semver import Semver
from dractl.cel.common.device import DeviceValue
from dractl.cel.common.environment import Environment
from dractl.cel.common.errors import CelError
from dractl.cel.compile import compile_derived_attribute, compile_selector, device_value
from dractl.cluster.devices import Attribute, Device, NodeRef
from dractl.simulation.allocator.checks.constraints import SCALARS, scalar
from dractl.simulation.allocator.checks.readable import readable
from dractl.simulation.allocator.model.demand import Request, Test
from dractl.simulation.allocator.model.features import Features
from dractl.simulation.allocator.model.reasons import (
    BindingConditionsOff,
    Fatal,
    OtherNode,
    Reason,
    SelectorFalse,
)

if TYPE_CHECKING:
    from dractl.api.objects.resource import ResourceSliceSpec

_BINDING_CONDITIONS_OFF = BindingConditionsOff()
_OTHER_NODE = OtherNode()
_UNREAD: Attribute = {}
_UNUSABLE: Attribute = {}


class Matcher:
    """Evaluates selectors for a whole simulation. Devices never change, so answers are kept."""

    def __init__(self, environment: Environment, features: Features) -> None:
        """Compile with the environment of stored expressions, as the scheduler does."""
        self.environment = environment
        self._slices: Iterable[JsonObject] = ()
        self._features = features
        self._values: dict[Device, DeviceValue | CelError] = {}
        self._answers: dict[str, dict[Device, bool | CelError]] = {}
        self._known: dict[tuple[Test, ...], dict[Device, Reason | None]] = {}
        self._derived: dict[tuple[str, Device], Attribute | Fatal] = {}
        self._read: dict[tuple[str, Device], Attribute | None] = {}
        self._advised: dict[tuple[str, CelError], CelError] = {}

    def know_slices(self, slices: Iterable[JsonObject]) -> None:
        """Take the names that messages advise to use from the devices of ``slices``."""
        self._slices = slices
        self._advised.clear()

    def mismatch(
        self, request: Request, device: Device, node: NodeRef, tests: Iterable[Test] | None = None
    ) -> Reason | Fatal | None:
        """Why the device does not match the request on this node, or None. Mirrors ``isSelectable``.

        ``tests`` are the selectors to look at, if not all of the request and its class.
        """
        if device.binding_conditions and not self._features.binding_conditions:
            return _BINDING_CONDITIONS_OFF
        for test in request.tests if tests is None else tests:
            answer = self._answer(test.expression, device)
            if answer is True:
                continue
            if answer is False:
                return SelectorFalse(test.owner, test.number, test.expression)
            error = self._explained(test.expression, device, answer)
            return Fatal(_failure(test, device, error), is_unevaluated=error.kind == "budget")
        if device.slice.is_per_device and not device.target.includes(node):
            return _OTHER_NODE
        return None

    def known(self, request: Request) -> dict[Device, Reason | None]:
        """What is kept of :meth:`mismatch` for requests with the same selectors, for the caller to add to.

        Errors are not kept, nor devices of slices that select nodes per device: the node matters for these.
        """
        return self._known.setdefault(request.tests, {})

    def holds(self, expression: str, driver: str, device: JsonObject) -> bool | CelError:
        """Evaluate a selector for a device that is not in any slice of the input. Nothing is cached."""
        selector = compile_selector(expression, self.environment)
        if isinstance(selector, CelError):
            return selector
        value = device_value(
            driver, _without_sharing(device), delays_attributes=self.environment.delays_attributes
        )
        return value if isinstance(value, CelError) else selector.evaluate(value)

    def attribute(self, request: Request, device: Device, name: str) -> Attribute | Fatal | None:
        """The attribute of a device as constraints see it for a request, which may derive one of its own.

        Mirrors ``lookupAttribute``.
        """
        expression = request.derived_attributes.get(name)
        if expression is None:
            if self._features.quirks.literal_versions:
                return device.attribute(name)
            return self._readable(request, device, name)
        key = (expression, device)
        found = self._derived.get(key)
        if found is None:
            found = self._derive(name, expression, device)
            if not self._features.quirks.literal_versions and not isinstance(found, Fatal):
                found = readable(found, lists=True) or found
            self._derived[key] = found
        return found

    def _readable(self, request: Request, device: Device, name: str) -> Attribute | Fatal | None:
        """An attribute that is not derived, as it is compared since 1.38."""
        key = (name, device)
        found = self._read.get(key, _UNREAD)
        if found is _UNREAD:
            attribute = device.attribute(name)
            lists = self._features.list_type_attributes
            found = None if attribute is None else readable(attribute, lists=lists) or _UNUSABLE
            self._read[key] = found
        if found is _UNUSABLE:
            text = f"device {device.id}: unsupported attribute value for {name}"
            return Fatal(f"request {request.full_name}: {text}")
        return found

    def _derive(self, name: str, expression: str, device: Device) -> Attribute | Fatal:
        compiled = compile_derived_attribute(expression, self.environment)
        if isinstance(compiled, CelError):
            return Fatal(f"derived attribute {name} does not compile: {compiled.message}")
        value = self._value(device)
        result = value if isinstance(value, CelError) else compiled.evaluate(value)
        if isinstance(result, CelError):
            message = f"derived attribute {name} fails for device {device.id}: {result.message}"
            return Fatal(message, is_unevaluated=result.kind == "budget")
        attribute = _as_attribute(result)
        if attribute is None:
            return Fatal(f"derived attribute {name} is not an attribute value for device {device.id}")
        return attribute

    def _answer(self, expression: str, device: Device) -> bool | CelError:
        answers = self._answers.setdefault(expression, {})
        answer = answers.get(device)
        if answer is None:
            answer = answers[device] = self._evaluated(expression, device)
        return answer

    def _evaluated(self, expression: str, device: Device) -> bool | CelError:
        selector = compile_selector(expression, self.environment)
        if isinstance(selector, CelError):
            return selector
        value = self._value(device)
        return value if isinstance(value, CelError) else selector.evaluate(value)

    def _explained(self, expression: str, device: Device, error: CelError) -> CelError:
        """``error`` with advice that fits the devices of the cluster."""
        selector = compile_selector(expression, self.environment)
        value = self._value(device)
        if error.kind != "runtime" or isinstance(selector, CelError) or isinstance(value, CelError):
            return error
        found = self._advised.get((expression, error))
        if found is None:
            from dractl.cel.interpreter.missing_names import KnownNames  # only for a selector that fails

            # Only an evaluation that counts its cost notes where it fails.
            placed = selector.failure(value) or error
            names = KnownNames(self._known_devices())
            found = self._advised[expression, error] = names.advised(placed, selector.tree)
        return found

    def _known_devices(self) -> Iterator[tuple[str, JsonObject]]:
        yield from ((device.id.driver, device.data) for device in self._values)
        for item in self._slices:
            spec = cast("ResourceSliceSpec", item.get("spec") or {})
            yield from ((spec.get("driver", ""), device) for device in spec.get("devices") or ())

    def _value(self, device: Device) -> DeviceValue | CelError:
        value = self._values.get(device)
        if value is None:
            value = self._unreadable(device)
            if value is None:
                is_plain = self._features.quirks.knows_no_capacity
                data = _without_sharing(device.data) if is_plain else device.data
                value = device_value(
                    device.id.driver, data, delays_attributes=self.environment.delays_attributes
                )
            self._values[device] = value
        return value

    def _unreadable(self, device: Device) -> CelError | None:
        """What keeps every selector from being evaluated, as ``getAttributeValue`` (1.36) with lists off."""
        if self._features.list_values:
            return None
        for name, attribute in (device.data.get("attributes") or {}).items():
            if scalar(attribute, SCALARS) is None:
                return CelError("runtime", f"attribute {name} has no supported value")
        return None


def _without_sharing(device: JsonObject) -> JsonObject:
    """The device as those see it who do not tell selectors whether it is multi-use."""
    return {name: value for name, value in device.items() if name != "allowMultipleAllocations"}


_FIELDS: dict[type, str] = {bool: "bool", int: "int", str: "string", Semver: "version"}


def _as_attribute(value: Any) -> Attribute | None:
    """A CEL value as an attribute, as ``valToDeviceAttribute``; None for one that can be none."""
    if not isinstance(value, list):
        field = _FIELDS.get(type(value))
        return None if field is None else {field: _plain(value)}
    if not value:
        return {"strings": []}
    field = _FIELDS.get(type(value[0]))
    if field is None or any(type(element) is not type(value[0]) for element in value):
        return None
    return {f"{field}s": [_plain(element) for element in value]}


def _plain(value: Any) -> object:
    return str(value) if isinstance(value, Semver) else value


def _failure(test: Test, device: Device, error: CelError) -> str:
    where = f"{test.owner} selector #{test.number}"
    if error.kind == "budget":
        return f"{where} for device {device.id}: {error.message}"
    if error.kind == "runtime":
        return f"{where} fails for device {device.id}: {error.message}"
    return f"{where} does not compile: {error.message}"
