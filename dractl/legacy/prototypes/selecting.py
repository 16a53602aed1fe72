"""The door to expressions of prototypes: how they compile, and what they say of each device of the input."""

from __future__ import annotations

from collections.abc import Sequence

from dractl.cel.common.errors import CelError
from dractl.cel.common.work import WORK
from dractl.legacy.prototypes.allocation.inventory import inventory_of
from dractl.legacy.prototypes.allocation.matching import PrototypeMatcher
from dractl.legacy.prototypes.cel import Flavour, compile_prototype
from dractl.legacy.prototypes.dialects.dialects import EVOLUTION, family_of
from dractl.legacy.prototypes.dialects.directory import Directory
from dractl.legacy.prototypes.validate import check
from dractl.source.document import Document
from dractl.workflows.extensions import SelectedDevice, Selection

__all__ = ["select"]


@WORK.run()
def select(documents: Sequence[Document], dialect: str | None, expression: str) -> Selection | None:
    """What ``expression`` is in the environment of a dialect, and what it says of each device of pools.

    Without a ``dialect`` it is that of the first pool; None without either.
    """
    checked = check(documents, dialect, lenient=True)
    pools = checked.directory.of_kind("DevicePool", "ResourcePool")
    chosen = dialect or next((item.dialect for item in pools), None)
    if chosen is None:
        return None
    flavour: Flavour = "typed" if family_of(chosen) == EVOLUTION else "plain"
    selector = compile_prototype(expression, flavour)
    if isinstance(selector, CelError):
        return Selection(chosen, selector, ())
    matcher = PrototypeMatcher()
    inventory = inventory_of(Directory(checked.directory.reading))
    devices = [
        SelectedDevice(device.id, matcher.answer(expression, device, flavour))
        for _, device in inventory.devices()
    ]
    return Selection(chosen, None, tuple(devices))
