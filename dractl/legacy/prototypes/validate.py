"""Documents to findings: what of an input belongs to prototypes, and what is wrong with it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from dractl.api import budgets
from dractl.api.json_types import JsonObject
from dractl.api.path import Steps
from dractl.finding import CANNOT_KNOW, Finding
from dractl.legacy.prototypes.allocation.allocated import check_allocated
from dractl.legacy.prototypes.checks.claims import check_claim, check_class
from dractl.legacy.prototypes.checks.cross_object import check_across
from dractl.legacy.prototypes.checks.evolution import check_evolution, check_evolution_across
from dractl.legacy.prototypes.checks.evolution_pools import check_device_names, check_resource_pool
from dractl.legacy.prototypes.checks.models import check_model
from dractl.legacy.prototypes.checks.pods import check_pod
from dractl.legacy.prototypes.checks.pools import check_pool
from dractl.legacy.prototypes.checks.unused import note_unused
from dractl.legacy.prototypes.dialects.dialects import EVOLUTION
from dractl.legacy.prototypes.dialects.directory import Directory
from dractl.legacy.prototypes.dialects.extent import Extent, extents
from dractl.legacy.prototypes.dialects.faults import Fault, finding_of
from dractl.legacy.prototypes.dialects.reading import Item, read
from dractl.source.document import Document

__all__ = ["Checked", "check", "judge"]


class Checked:
    """An input that was read and checked."""

    __slots__ = ("directory", "lenient")

    def __init__(self, directory: Directory, *, lenient: bool) -> None:
        """Hold the objects."""
        self.directory = directory
        self.lenient = lenient

    def findings(self, item: Item) -> list[Finding]:
        """What is said of an object."""
        return [finding_of(item.document, fault, lenient=self.lenient) for fault in item.faults]


def judge(
    documents: Iterable[Document], dialect: str | None, *, lenient: bool
) -> dict[Document, list[Finding]]:
    """The documents that hold objects of prototypes, each with what is wrong with it.

    ``dialect`` decides where a shape belongs to several; ``lenient`` turns into warnings what the files of
    the prototypes do and their types do not allow.
    """
    checked = check(documents, dialect, lenient=lenient)
    found: dict[Document, list[Finding]] = {}
    for item in checked.directory.reading.items:
        found.setdefault(item.origin, []).extend(checked.findings(item))
    if found:
        for document in checked.directory.reading.others:
            numbers = list(_numbers(document))
            if numbers:
                found[document] = [finding_of(document, fault, lenient=lenient) for fault in numbers]
    return found


def check(documents: Iterable[Document], dialect: str | None, *, lenient: bool) -> Checked:
    """Read an input and apply all rules."""
    directory = Directory(read(documents, dialect))
    pools = extents(item for item in directory.reading.items if item.kind == "ResourcePool")
    for item in directory.reading.items:
        item.faults[:0] = list(_duplicates(item))
        if item.dialect:
            _check_object(item, pools)
            note_unused(item)
    ran_out = any(extent.meter.cost > extent.meter.limit for extent in pools.values())
    for earlier, later in directory.doubles:
        line = (later.document.locate(()) or (0, 0))[0]
        message = f"{later.document.file}:{line} has another {item_name(earlier)}; the later one wins"
        earlier.fault("dia-8", ("metadata", "name"), message)
    check_across(directory)
    check_evolution_across(directory)
    check_device_names(directory)
    check_allocated(directory)
    for item, extent in extents(directory.of_kind("DevicePool", "ResourcePool")).items():
        if extent.reason:
            item.fault("limit", extent.steps, extent.reason)
        if extent.partitions and ran_out:
            item.fault("limit", extent.steps, budgets.PROTOTYPE_CEL.message())
    for item in directory.reading.items:
        unknown = _unknown_fields(item)
        item.faults[:] = [_with_meaning(fault, unknown) for fault in item.faults]
    return Checked(directory, lenient=lenient)


def _unknown_fields(item: Item) -> dict[Steps, list[str]]:
    """The fields that no type has, by the place of the object that holds them."""
    found: dict[Steps, list[str]] = {}
    for fault in item.faults:
        if fault.rule == "dia-5":
            found.setdefault(fault.steps[:-1], []).append(f"`{fault.steps[-1]}`")
    return found


def _with_meaning(fault: Fault, unknown: Mapping[Steps, Sequence[str]]) -> Fault:
    """The fault, and with a one-of without a known member a hint at what a newer version may have there."""
    if not fault.is_empty:
        return fault
    names = unknown.get(fault.steps, ())
    meaning = (
        f"{', '.join(names)} may be its replacement in a newer version: {CANNOT_KNOW}"
        if names
        else f"a member of a newer version may have been dropped here: {CANNOT_KNOW}"
    )
    return fault._replace(hint="; ".join(filter(None, (fault.hint, meaning))))


def item_name(item: Item) -> str:
    """Kind and name of an object, for sentences."""
    return f"{item.kind or 'model'} {item.name}"


def _check_object(item: Item, pools: Mapping[Item, Extent]) -> None:
    if item.family == EVOLUTION:
        if item.kind == "ResourcePool":
            check_resource_pool(item, pools[item])
        else:
            check_evolution(item)
    elif not item.kind:
        check_model(item)
    elif item.kind == "DevicePool":
        check_pool(item)
    elif item.kind == "DeviceClass":
        check_class(item)
    elif item.kind == "Pod":
        check_pod(item)
    elif "Claim" in item.kind:
        check_claim(item)


def _duplicates(item: Item) -> Iterable[Fault]:
    """Keys that come twice, with the lines of all of them."""
    document = item.document
    for number, steps in enumerate(dict.fromkeys(document.duplicates)):
        lines = _lines(document, steps) if number < _MOST_WITH_LINES else []
        where = f" (lines {', '.join(map(str, lines))})" if len(lines) > 1 else ""
        yield Fault("dia-6", steps, f"duplicate key {steps[-1]}{where}; the last one wins")


def _lines(document: Document, steps: tuple[str | int, ...]) -> list[int]:
    """The lines of a block mapping that begin with the last of ``steps``."""
    place = document.locate(steps)
    if place is None:
        return []
    line, column = place
    found = []
    for step in (-1, 1):
        number = line if step == 1 else line - 1
        while number > 0 and (text := document.source_line(number)) is not None:
            if number != line and not text and number > line + _FARTHEST:
                break
            indent = len(text) - len(text.lstrip(" "))
            if text.strip() and (indent < column - 1 or text.startswith("---")) and text[:1] != "#":
                break
            if text[column - 1 :].startswith(f"{steps[-1]}:"):
                found.append(number)
            number += step
            if abs(number - line) > _FARTHEST:
                break
    return sorted(set(found))


_MOST_WITH_LINES = 100
"""Of so many keys the lines are looked for, each among up to 2,000 lines."""

_FARTHEST = 1000
"""How many lines around a key are looked at for others of its name."""


def _numbers(document: Document) -> Iterable[Fault]:
    value: JsonObject = document.value if isinstance(document.value, dict) else {}
    data = value.get("data")
    if value.get("apiVersion") == "v1" and value.get("kind") == "ConfigMap" and isinstance(data, dict):
        for name, text in data.items():
            if not isinstance(text, str):
                yield Fault("config-map", ("data", name), "ConfigMap data must be strings; quote it")
