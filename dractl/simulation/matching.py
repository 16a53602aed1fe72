"""Does a device match the selectors of a request: an expression is evaluated once per device."""

from __future__ import annotations

from dractl.cel.compile import compile_selector, device_value
from dractl.cel.device import DeviceValue
from dractl.cel.environment import Environment
from dractl.cel.errors import CelError
from dractl.cluster.devices import Device, NodeRef
from dractl.simulation.demand import Request, Test
from dractl.simulation.features import Features
from dractl.simulation.reasons import BindingConditionsOff, Fatal, OtherNode, Reason, SelectorFalse

_BINDING_CONDITIONS_OFF = BindingConditionsOff()
_OTHER_NODE = OtherNode()


class Matcher:
    """Evaluates selectors for a whole simulation. Devices never change, so answers are kept."""

    def __init__(self, environment: Environment, features: Features) -> None:
        """Compile with the environment of stored expressions, as the scheduler does."""
        self._environment = environment
        self._features = features
        self._values: dict[Device, DeviceValue | CelError] = {}
        self._answers: dict[str, dict[Device, bool | CelError]] = {}

    def mismatch(self, request: Request, device: Device, node: NodeRef) -> Reason | Fatal | None:
        """Why the device does not match the request on this node, or None. Mirrors ``isSelectable``."""
        if device.binding_conditions and not self._features.binding_conditions:
            return _BINDING_CONDITIONS_OFF
        for test in request.tests:
            answer = self._answer(test.expression, device)
            if answer is True:
                continue
            if answer is False:
                return SelectorFalse(test.owner, test.number, test.expression)
            return Fatal(_failure(test, device, answer))
        if device.slice.is_per_device and not device.target.includes(node):
            return _OTHER_NODE
        return None

    def _answer(self, expression: str, device: Device) -> bool | CelError:
        answers = self._answers.setdefault(expression, {})
        answer = answers.get(device)
        if answer is None:
            answer = answers[device] = self._evaluated(expression, device)
        return answer

    def _evaluated(self, expression: str, device: Device) -> bool | CelError:
        selector = compile_selector(expression, self._environment)
        if isinstance(selector, CelError):
            return selector
        value = self._values.get(device)
        if value is None:
            value = self._values[device] = device_value(device.id.driver, device.data)
        return value if isinstance(value, CelError) else selector.evaluate(value)


def _failure(test: Test, device: Device, error: CelError) -> str:
    where = f"{test.owner} selector #{test.number}"
    if error.kind == "runtime":
        return f"{where} fails for device {device.id}: {error.message}"
    return f"{where} does not compile: {error.message}"
