"""Conditions about amounts, names and versions in claims and constraints, compared with the slices."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from dractl.advisories.known import Found, Known, Published, devices_of, spec_of
from dractl.api.json_types import JsonObject

__all__ = ["capacity_in_other_words", "several_of_several_slices", "versions_of_one_release"]

_SEVERAL = 2


def capacity_in_other_words(known: Known) -> Found:
    """Claims with a capacity that some device publishes with the domain of its driver, or without it."""
    published = {
        (_bare(name, entry), name) for entry in known.devices for name in entry.device.get("capacity") or ()
    }
    drivers = {entry.pool[0] for entry in known.devices}
    for asked in known.asked:
        for name in (asked.body.get("capacity") or {}).get("requests") or ():
            forms = {name.removeprefix(f"{driver}/") for driver in drivers}
            if any(form in forms and written != name for form, written in published):
                yield asked.claim


def _bare(name: str, entry: Published) -> str:
    """A name without the domain of the driver."""
    return name.removeprefix(f"{entry.pool[0]}/")


def versions_of_one_release(known: Known) -> Found:
    """Claims with a constraint on versions that differ in build metadata only."""
    # Many claims have the same few attributes, and each attribute has to be read of all devices.
    answers: dict[str, bool] = {}
    for claim in known.claims:
        for constraint in devices_of(claim).get("constraints") or ():
            name = constraint.get("matchAttribute") or constraint.get("distinctAttribute")
            if name and name not in answers:
                answers[name] = _differs_in_build(known, name)
            if name and answers[name]:
                yield claim


def _differs_in_build(known: Known, name: str) -> bool:
    by_release: dict[str, set[str]] = {}
    for entry in known.devices:
        for version in _versions(entry, name):
            by_release.setdefault(version.partition("+")[0], set()).add(version)
    return any(len(texts) > 1 for texts in by_release.values())


def _versions(entry: Published, name: str) -> Iterator[str]:
    attributes: Mapping[str, JsonObject] = entry.device.get("attributes") or {}
    found = attributes.get(name) or attributes.get(_bare(name, entry)) or {}
    listed = found.get("versions")
    for version in (found.get("version"), *(listed if isinstance(listed, list) else ())):
        if isinstance(version, str):
            yield version


def several_of_several_slices(known: Known) -> Found:
    """Claims for several devices, where a node reaches devices of more than one slice."""
    slices: dict[str, int] = {}
    for item in known.slices:
        if spec_of(item).get("devices"):
            where = spec_of(item).get("nodeName") or ""
            slices[where] = slices.get(where, 0) + 1
    everywhere = slices.pop("", 0)
    if max(slices.values(), default=0) + everywhere < _SEVERAL:
        return
    for claim, asked in known.asked_by:
        is_all = any(entry.body.get("allocationMode") == "All" for entry in asked)
        if is_all or sum(entry.body.get("count", 1) for entry in asked) >= _SEVERAL:
            yield claim
