"""Whether the classes of the input select the devices, and each class at least one."""

from __future__ import annotations

from collections.abc import Iterator

from dractl.api import budgets
from dractl.api.wording import first_and_more
from dractl.cel.common.work import WORK
from dractl.cel.compile import MAX_COST, CelError, Environment, Selector, compile_selector, device_value
from dractl.drivers.alike import look
from dractl.drivers.model import Fact
from dractl.drivers.view import PublishedDevice, View, place
from dractl.finding import Severity
from dractl.lint.base.input_set import InputObject

__all__ = ["about_classes"]

_FEW = 3


@WORK.run()
def about_classes(view: View) -> list[Fact]:
    """The devices that no class selects, and the classes that select no device.

    Leaves out classes that the minor does not have or whose selectors do not compile, which the minors
    report, and the devices that they might select.
    """
    return list(_facts(view))


def _facts(view: View) -> Iterator[Fact]:
    classes = view.inputs.of("DeviceClass")
    if not classes and "DeviceClass" in view.unserved:
        return
    if not classes:
        drivers = ", ".join(view.drivers)
        yield Fact(
            "driver/class-missing",
            Severity.WARNING,
            f"the input has no DeviceClass for {drivers}",
            "add one, or pass its file, so that the selectors of the driver are checked",
        )
        return
    environment = Environment(view.gates.minor, view.gates, stored=True)
    groups: dict[str, list[PublishedDevice]] = {}
    for one in view.devices:
        groups.setdefault(look(one), []).append(one)
    missed = dict(groups)
    left = budgets.LINT_EVALUATIONS.value
    is_open = False
    for given in classes:
        chain = _compiled(given, environment)
        if chain is None:
            is_open = True
            continue
        selected = 0
        for key, members in groups.items():
            if left <= 0:
                break
            left -= 1
            if _selects(chain, members[0], environment):
                selected += len(members)
                missed.pop(key, None)
        if left <= 0:
            yield Fact("driver/class-missing", Severity.INFO, budgets.LINT_EVALUATIONS.message())
            return
        if groups and not selected:
            number = len(view.devices)
            yield Fact(
                "driver/class-nothing",
                Severity.WARNING,
                f"class {given.name} selects none of {number} device{'' if number == 1 else 's'}",
                "compare its selectors with the devices: dractl cel EXPRESSION PATH --explain",
                places=(place(given, ("spec", "selectors")),),
            )
    if not is_open:
        yield from _missed(view, [one for members in missed.values() for one in members])


def _compiled(given: InputObject, environment: Environment) -> list[Selector] | None:
    """The selectors of a class; None if one does not compile."""
    found = []
    for entry in given.spec.get("selectors") or () if given.admission.accepted else (None,):
        expression = "" if entry is None else (entry.get("cel") or {}).get("expression", "")
        selector = compile_selector(expression, environment)
        if isinstance(selector, CelError) or (selector.max_cost or 0) > MAX_COST:
            return None
        found.append(selector)
    return found


def _selects(chain: list[Selector], one: PublishedDevice, environment: Environment) -> bool:
    value = device_value(one.pool.driver, dict(one.device), delays_attributes=environment.delays_attributes)
    return not isinstance(value, CelError) and all(selector.evaluate(value) is True for selector in chain)


def _missed(view: View, missed: list[PublishedDevice]) -> Iterator[Fact]:
    for driver in view.drivers:
        own = [one for one in missed if one.pool.driver == driver]
        if own:
            number = sum(one.pool.driver == driver for one in view.devices)
            shown = first_and_more([one.name for one in own], _FEW)
            which = "any" if len(own) == number else str(len(own))
            yield Fact(
                "driver/class-missing",
                Severity.WARNING,
                f"no DeviceClass selects {which} of {number} devices of {driver}: {shown}",
                "add a class for them, or widen a selector",
                places=(own[0].location(),),
                details=tuple(f"device {one.name} of pool {one.pool}" for one in own),
            )
