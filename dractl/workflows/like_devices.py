"""Devices that are like others whose slice was accepted, so that their slice is admitted without them.

The slices of a cluster repeat the same few devices, which differ in serial numbers. To admit 1,000 slices
with 8 devices each takes 0.8 s, and without the devices that are like others 0.25 s.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from copy import copy

from dractl.admission.admit import Admission
from dractl.finding import Finding
from dractl.source.document import Document

__all__ = ["LikeDevices"]

_SPEC = frozenset({"driver", "pool", "nodeName", "nodeSelector", "allNodes", "devices"})
"""The fields of a slice that no rule relates to its devices, except for the driver."""

_MOST_DEVICES = 64
"""A slice may have so many devices, whatever they use."""

_LONGEST_TEXT = 64
_INTEGERS = range(-(2**63), 2**63)


class LikeDevices:
    """The devices of the slices that one server accepted without a remark."""

    def __init__(self) -> None:
        """Know none."""
        self._known: set[Hashable] = set()

    def without_known(self, document: Document) -> Document | None:
        """A slice with its first device and those that are like no other; None to admit all of it."""
        devices = _devices(document.value)
        if len(devices) < 2 or not self._known or document.duplicates:
            return None
        names = {device["name"] for device in devices if isinstance(device.get("name"), str)}
        if len(names) < len(devices) or len(devices) > _MOST_DEVICES:
            return None
        about = _about(document.value)
        kept = [
            device
            for position, device in enumerate(devices)
            if not position or (about, _key(device)) not in self._known
        ]
        if len(kept) == len(devices):
            return None
        reduced = copy(document)
        reduced.value = {**document.value, "spec": {**document.value["spec"], "devices": kept}}
        return reduced

    def learn(self, document: Document, admission: Admission, findings: Sequence[Finding]) -> None:
        """Remember the devices of a slice that was accepted and is stored as it was written."""
        devices = _devices(document.value)
        if not devices or findings or not _is_plain(admission):
            return
        about = _about(document.value)
        for device, stored in zip(devices, admission.observed["spec"]["devices"], strict=True):
            key = _key(device)
            if key is not None and device == stored:
                self._known.add((about, key))

    def complete(
        self, document: Document, reduced: Document, admission: Admission, findings: Sequence[Finding]
    ) -> bool:
        """Put all devices of ``document`` into the admission of its reduced slice.

        False if the whole slice has to be looked at: something is wrong with it.
        """
        if findings or not _is_plain(admission):
            return False
        spec = admission.observed["spec"]
        pairs = zip(reduced.value["spec"]["devices"], spec["devices"], strict=True)
        read = {id(device): stored for device, stored in pairs}
        spec["devices"] = [read.get(id(device), device) for device in document.value["spec"]["devices"]]
        return True


def _devices(value: object) -> list[dict[str, object]]:
    """The devices of a slice that has no other field that matters to them than the driver; else none."""
    if not isinstance(value, dict) or value.get("kind") != "ResourceSlice":
        return []
    spec = value.get("spec")
    if not isinstance(spec, dict) or not spec.keys() <= _SPEC or not isinstance(spec.get("driver"), str):
        return []
    devices = spec.get("devices")
    if not isinstance(devices, list) or not all(type(device) is dict for device in devices):
        return []
    return devices


def _about(value: Mapping[str, Mapping[str, str]]) -> Hashable:
    return str(value.get("apiVersion")), value["spec"]["driver"]


def _is_plain(admission: Admission) -> bool:
    """Whether a slice is accepted and nothing of it is dropped."""
    return (
        admission.accepted
        and not admission.dropped
        and not admission.kept
        and admission.unserved_without is None
        and admission.value.get("spec") is admission.observed.get("spec")
    )


def _key(device: Mapping[str, object]) -> Hashable | None:
    """A device without the texts and numbers that are fine as they are; None if it is of another form."""
    attributes = device.get("attributes") or {}
    if not isinstance(attributes, dict):
        return None
    found: list[Hashable] = []
    for name, attribute in attributes.items():
        if type(attribute) is not dict or len(attribute) != 1:
            return None
        ((member, value),) = attribute.items()
        if (
            (member == "string" and type(value) is str and len(value) <= _LONGEST_TEXT and value.isascii())
            or (member == "int" and type(value) is int and value in _INTEGERS)
            or (member == "bool" and type(value) is bool)
        ):
            found.append((name, member))
        else:
            found.append((name, member, repr(value)))
    rest = tuple((name, repr(value)) for name, value in device.items() if name != "attributes")
    return tuple(found), rest
