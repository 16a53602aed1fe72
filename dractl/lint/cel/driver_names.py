"""The drivers that selectors demand, and whether their names are misspelled."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from dractl.api.path import Steps
from dractl.cel.common import types
from dractl.cel.common.tree import Call, Literal, Node, Select
from dractl.cel.compile import Selector
from dractl.lint.base.input_set import InputObject, Lint
from dractl.lint.base.typos import surely_meant
from dractl.lint.cel.rules import DRIVER_UNKNOWN

__all__ = ["drivers_named", "misspelled_drivers"]


def drivers_named(node: Node) -> Iterator[tuple[str, Node]]:
    """The drivers that an expression demands: ``device.driver == "..."``, alone or joined with ``&&``.

    Each comes with the node of its name.
    """
    if not isinstance(node, Call):
        return
    if node.function == "_&&_":
        for part in node.args:
            yield from drivers_named(part)
    elif node.function == "_==_":
        for one, other in (node.args, reversed(node.args)):
            is_driver = isinstance(one, Select) and one.field == "driver" and one.operand.type == types.DEVICE
            if is_driver and isinstance(other, Literal) and isinstance(other.value, str):
                yield other.value, other


def misspelled_drivers(
    given: InputObject, place: Steps, selector: Selector, known: Collection[str]
) -> Iterator[Lint]:
    """The demanded drivers that no slice has, where exactly one of ``known`` has nearly the same name."""
    for driver, node in drivers_named(selector.tree):
        if meant := surely_meant(driver, known):
            message, hint = f"no slice in the input has the driver {driver}", f"did you mean {meant}?"
            if driver.lower() == meant.lower():
                message = f"{message}, but one has {meant}"
                hint = "upper and lower case differ; use lower case in slices, classes and configurations"
            yield Lint(DRIVER_UNKNOWN, given, place, message, hint, offset=node.offset)
