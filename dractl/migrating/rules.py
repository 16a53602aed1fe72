"""DeviceTaintRules that select by class or CEL, which 1.35 and later cannot: one for each device instead."""

from __future__ import annotations

import re
from collections.abc import Sequence

from dractl.api import release
from dractl.api.gates import GateSet, resolve
from dractl.api.json_types import JsonDict, JsonObject
from dractl.cel.common.environment import Environment
from dractl.cluster.devices import pool_id_of
from dractl.cluster.objects import Objects, free_names
from dractl.migrating.model import RULE, Found, Left, Loss, Migrated
from dractl.migrating.reading import at, items_at, mapping_at, metadata_text, place, text_at
from dractl.migrating.texts import Rewrite
from dractl.records import NamedTuple
from dractl.simulation.allocator.checks.matching import Matcher
from dractl.simulation.allocator.model.features import features_of
from dractl.simulation.allocator.model.quirks import Quirks
from dractl.simulation.allocator.taint_rules import TaintRules
from dractl.source.document import Document
from dractl.source.editing.values import Edit
from dractl.upgrading.subjects import best_version
from dractl.workflows.intake.take_in import take_in

__all__ = ["rules_by_class", "to_devices"]

_KIND = "DeviceTaintRule"
_LAST = "1.34"
"""The last minor in which rules select by class."""
_GONE = ("deviceClassName", "selectors")
_MOST_RULES = 500
_FIELD = ("spec", "deviceSelector")
_ONLY_DRIVER = re.compile(r"""\s*device\.driver\s*==\s*["']([a-z0-9.-]+)["']\s*""")


class _Device(NamedTuple):
    driver: str
    pool: str
    device: str


def rules_by_class(documents: Sequence[Document]) -> list[Document]:
    """The rules among ``documents`` that select by what newer versions do not have."""
    return [
        document
        for document in documents
        if text_at(document.value, "kind") == _KIND
        and any(at(document.value, *_FIELD, field) is not None for field in _GONE)
    ]


def to_devices(
    rules: Sequence[Document], objects: Objects, gates: GateSet, names: set[str]
) -> tuple[list[Rewrite], Found]:
    """A rule for each device that ``rules`` select among the slices of ``objects``; ``names`` are taken."""
    kind = best_version(gates.minor, _KIND)
    if kind is None or gates.minor <= release.parse(_LAST).at_newest_patch():
        return [], Found()
    rewrites: list[Rewrite] = []
    found = Found()
    slices = objects.of_kind("ResourceSlice")
    for document in rules:
        devices = _driver(document, objects) or _selected(document, objects, gates)
        reason = _reason(document, devices, has_slices=bool(slices))
        if reason:
            action = "select by driver, pool and device, or let the driver publish the taint"
            found = found.plus(Found(left=(Left(place(document, _FIELD), RULE, reason, action),)))
            continue
        assert devices is not None  # noqa: S101 - else it has a reason
        rewrites.append(_rewrite(document, devices, kind.api_version, names))
        found = found.plus(_said(document, devices))
    return rewrites, found


def _driver(document: Document, objects: Objects) -> list[JsonDict] | None:
    """The selector of a rule whose class selects a driver and nothing else; None for any other."""
    selector = mapping_at(document.value, *_FIELD)
    named = objects.get("DeviceClass", "", text_at(selector, "deviceClassName"))
    if named is None or selector.get("selectors") or any(map(selector.get, ("driver", "pool", "device"))):
        return None
    expressions = [text_at(item, "cel", "expression") for _, item in items_at(named, "spec", "selectors")]
    only = _ONLY_DRIVER.fullmatch(expressions[0]) if len(expressions) == 1 else None
    return [{"driver": only[1]}] if only else None


def _selected(document: Document, objects: Objects, gates: GateSet) -> list[JsonDict] | None:
    """The devices that a rule selects, as 1.34 reads it; None where that fails."""
    old = resolve(release.parse(_LAST), {"DRADeviceTaints": True})
    taken = take_in([document], old, None).objects()
    named = text_at(document.value, *_FIELD, "deviceClassName")
    if not taken or (named and objects.get("DeviceClass", "", named) is None):
        return None
    failed: list[JsonObject] = []
    marked = TaintRules(
        taken,
        lambda name: objects.get("DeviceClass", "", name),
        Matcher(Environment(gates.minor, gates, stored=True), features_of(gates)).holds,
        Quirks(rules_select_by_class=True),
        lambda rule, _: failed.append(rule),
    )
    slices = objects.of_kind("ResourceSlice")
    found: dict[_Device, None] = {}
    for before, after in zip(slices, marked.applied_to(slices), strict=True):
        driver, pool = pool_id_of(before)
        for number, device in items_at(after, "spec", "devices"):
            if device is not at(before, "spec", "devices", number):
                found[_Device(driver, pool, text_at(device, "name"))] = None
    return None if failed else [device._asdict() for device in found]


def _reason(document: Document, devices: Sequence[JsonDict] | None, *, has_slices: bool) -> str:
    """Why a rule cannot be migrated; empty if it can."""
    named = text_at(document.value, *_FIELD, "deviceClassName")
    what = f"DeviceClass {named}" if named else "CEL"
    if devices is None:
        return f"selects by {what}, and which devices that are cannot be evaluated from the input"
    if devices:
        over = len(devices) > _MOST_RULES
        return f"selects {len(devices):,} devices; at most {_MOST_RULES} rules are written" if over else ""
    slices = "selects none of the devices in the input" if has_slices else "the input has no ResourceSlices"
    return f"selects by {what}, and {slices}"


def _rewrite(document: Document, selectors: Sequence[JsonDict], api_version: str, names: set[str]) -> Rewrite:
    first, *rest = selectors
    name = metadata_text(document, "name")
    free = free_names(name, names.__contains__)
    metadata = {
        key: item
        for key, item in mapping_at(document.value, "metadata").items()
        if key in ("labels", "annotations")
    }
    added: list[JsonDict] = []
    for selector in rest:
        new = next(free)
        names.add(new)
        spec = {"deviceSelector": selector, "taint": at(document.value, "spec", "taint")}
        added.append(
            {
                "apiVersion": api_version,
                "kind": _KIND,
                "metadata": {"name": new, **metadata},
                "spec": spec,
            }
        )
    return Rewrite(document, (Edit(_FIELD, first),), tuple(added))


def _said(document: Document, selectors: Sequence[JsonDict]) -> Found:
    where = place(document, _FIELD)
    if list(selectors[0]) == ["driver"]:
        message = "a DeviceTaintRule by class to one by driver"
        return Found((Migrated(where, RULE, message, f"driver {selectors[0]['driver']}"),))
    count = "1 device" if len(selectors) == 1 else f"{len(selectors):,} devices"
    loss = Loss(
        where,
        "devices that are published later are not tainted",
        "run the migration again after drivers have published devices, or let the driver publish the taint",
    )
    message = "a DeviceTaintRule by class to one rule for each device"
    return Found((Migrated(where, RULE, message, count),), lost=(loss,))
