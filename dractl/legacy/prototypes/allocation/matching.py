"""What the selectors of the prototypes say of devices, for the search of the main path."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from dractl.api import budgets, quantity, release, semver
from dractl.api.gates import resolve
from dractl.cel.common.environment import Environment
from dractl.cel.common.errors import CelError
from dractl.cel.interpreter.cost_tracker import CostTracker
from dractl.cluster.devices import Attribute, Device, NodeRef
from dractl.legacy.prototypes.allocation.demand import Leaf, Wish
from dractl.legacy.prototypes.cel import Flavour, compile_prototype
from dractl.simulation.allocator.checks.matching import Matcher
from dractl.simulation.allocator.explain import describe
from dractl.simulation.allocator.model.demand import Request, Test
from dractl.simulation.allocator.model.features import Features
from dractl.simulation.allocator.model.quirks import Quirks
from dractl.simulation.allocator.model.reasons import (
    AttributeDiffers,
    AttributeMissing,
    CapacityShort,
    CounterShort,
    Fatal,
    Reason,
    SelectorFalse,
)

__all__ = ["FEATURES", "PrototypeMatcher", "reason_text"]

FEATURES = Features(
    **{name: False for name in Features._fields if name != "quirks"}
    | {"admin_access": True, "prioritized_list": True, "partitionable_devices": True},
    quirks=Quirks(has_no_limit=True),
)
"""What the search has to do for the prototypes: no taints, no shares, nothing that came later."""

_DRIVER, _FAILED = "driver", "failed"


class PrototypeMatcher(Matcher):
    """Evaluates the classes and constraints of prototypes; an error makes a device not eligible."""

    def __init__(self) -> None:
        """Start with nothing evaluated."""
        super().__init__(Environment(release.NEWEST, resolve(release.NEWEST, {}), stored=True), FEATURES)
        self._plain: dict[Device, dict[str, Any]] = {}
        self._typed: dict[Device, dict[str, Any]] = {}
        self.flavours: dict[Request, Flavour] = {}
        self._meter = CostTracker(budgets.PROTOTYPE_CEL.value)
        self._said: dict[tuple[str, Flavour], dict[Device, bool | CelError]] = {}

    def known(self, request: Request) -> dict[Device, Reason | None]:  # noqa: ARG002 - wishes have no tests
        """Nothing is kept from one search to the next: what is asked for is not in the selectors alone."""
        return {}

    def mismatch(
        self,
        request: Request,
        device: Device,
        node: NodeRef,  # noqa: ARG002 - the inventory knows the nodes of pools
        tests: Iterable[Test] | None = None,  # noqa: ARG002 - a wish is always looked at as a whole
    ) -> Reason | Fatal | None:
        """Why the device is none that the request is for, or None."""
        return self.refusal(request.data["wish"], device, self.flavours.get(request, "plain"))

    def refusal(self, wish: Wish, device: Device, flavour: Flavour) -> SelectorFalse | Fatal | None:
        """Why a device is none that a wish is for: a class must match, then all constraints must hold."""
        if wish.driver is not None and wish.driver != device.id.driver:
            return SelectorFalse(_DRIVER, 0, wish.driver)
        reasons = [self._leaf(leaf, device, flavour) for leaf in wish.leaves or ()]
        if not reasons:
            return SelectorFalse(f"class {wish.class_name}", 0, "no member")
        if None not in reasons:
            unknown = next((reason for reason in reasons if isinstance(reason, Fatal)), None)
            if unknown is not None:
                return unknown
            # What is said of the class that came furthest tells most.
            return max((r for r in reasons if isinstance(r, SelectorFalse)), key=lambda r: r.owner != _DRIVER)
        return self._all(wish.expressions, "its constraints are", device, flavour)

    def _leaf(self, leaf: Leaf, device: Device, flavour: Flavour) -> SelectorFalse | Fatal | None:
        if leaf.driver is not None and leaf.driver != device.id.driver:
            return SelectorFalse(_DRIVER, 0, leaf.driver)
        return self._all(leaf.expressions, f"class {leaf.name} is", device, flavour)

    def _all(
        self, expressions: Iterable[str], owner: str, device: Device, flavour: Flavour
    ) -> SelectorFalse | Fatal | None:
        for number, text in enumerate(expressions):
            answer = self._answer_of(text, device, flavour)
            if answer is False:
                return SelectorFalse(owner, number, text)
            if isinstance(answer, CelError) and answer.kind == "budget":
                return Fatal(f"an expression for device {device.id}: {answer.message}", is_unevaluated=True)
            if isinstance(answer, CelError):
                return SelectorFalse(_FAILED, number, answer.message)
        return None

    def answer(self, text: str, device: Device, flavour: Flavour) -> bool | CelError:
        """The result of an expression for a device, or why it has none."""
        return self._answer_of(text, device, flavour)

    def _answer_of(self, text: str, device: Device, flavour: Flavour) -> bool | CelError:
        """The result of an expression for a device, which does not change."""
        known = self._said.setdefault((text, flavour), {})
        if device not in known:
            selector = compile_prototype(text, flavour)
            value = self._typed_of(device) if flavour == "typed" else self._plain_of(device)
            known[device] = (
                selector if isinstance(selector, CelError) else selector.evaluate(value, self._meter)
            )
        return known[device]

    def attribute(self, request: Request, device: Device, name: str) -> Attribute | Fatal | None:
        """The attribute of a device as constraints see it; a quantity is compared by its size."""
        return self.attribute_of(device, name, self.flavours.get(request, "plain"))

    def attribute_of(self, device: Device, name: str, flavour: Flavour) -> Attribute | None:
        """The same for whatever asks in a flavour."""
        attributes: dict[str, dict[str, Any]] = device.data["attributes"]
        found = attributes.get(name)
        if found is None and flavour == "typed":
            domain, slash, identifier = name.rpartition("/")
            if not slash or domain == device.id.driver:
                found = attributes.get(identifier)
            if found is None and not slash:
                found = attributes.get(f"{device.id.driver}/{name}")
            if found is None and device.data["early"]:
                found = attributes.get(name.removesuffix(f".{device.id.driver}"))
        if found is None or "quantity" not in found:
            return found
        return {"string": f"quantity {quantity.parse(str(found['quantity'])).milli_value}m"}

    def _plain_of(self, device: Device) -> dict[str, Any]:
        """The variable of devmgmtproto: names to values."""
        found = self._plain.get(device)
        if found is None:
            found = {name: _plain(value) for name, value in device.data["attributes"].items()}
            self._plain[device] = found
        return found

    def _typed_of(self, device: Device) -> dict[str, Any]:
        """The variable of DRA evolution: one map for each type, with qualified names."""
        found = self._typed.get(device)
        if found is None:
            found = {
                "driverName": device.id.driver,
                **{name: {} for name in _TYPED_MAPS.values()},
                "attributes": {},
            }
            for name, value in device.data["attributes"].items():
                qualified = name if "/" in name else f"{device.id.driver}/{name}"
                # The first states of DRA evolution have the driver behind the name, after a dot.
                early = [f"{name}.{device.id.driver}"] if device.data["early"] else []
                for kind, held in value.items():
                    typed = _typed(kind, held)
                    for key in (qualified, *early):
                        found["attributes"][key] = typed
                        if kind in _TYPED_MAPS:
                            found[_TYPED_MAPS[kind]][key] = typed
            self._typed[device] = found
        return found


_TYPED_MAPS = {
    "string": "stringAttributes", "bool": "boolAttributes", "quantity": "quantityAttributes",
    "version": "versionAttributes",
}  # fmt: skip


def _plain(value: Attribute) -> Any:
    for kind, held in value.items():
        return quantity.parse(str(held)) if kind == "quantity" else held
    return None


def _typed(kind: str, held: Any) -> Any:
    if kind == "quantity":
        return quantity.parse(str(held))
    if kind == "version":
        try:
            return semver.parse(held)
        except ValueError:
            return held
    return held


def reason_text(reason: Reason) -> str:
    """A reason as the end of "3 devices …", in the words of the prototypes."""
    match reason:
        case SelectorFalse(owner, _, text) if owner == _DRIVER:
            return f"not of the driver {text}"
        case SelectorFalse(owner, _, text) if owner == _FAILED:
            return f"for which the constraints fail ({text})"
        case SelectorFalse(owner, _, "no member"):
            return f"not selected by the {owner}, which has no member"
        case SelectorFalse(owner, _, _):
            return f"for which {owner} false"
        case AttributeMissing(_, attribute):
            return f"without the attribute {attribute} that must match"
        case AttributeDiffers(_, attribute):
            return f"whose attribute {attribute} does not match"
        case CapacityShort(name, size, _, wanted):
            return f"with a sum of {name} of {size}, less than {wanted}"
        case CounterShort(_, counter, available, wanted):
            return f"short of the shared resource {counter} ({wanted} required, {available} available)"
        case _:
            return describe(reason)
