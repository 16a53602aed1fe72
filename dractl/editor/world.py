"""What the workspace has that a manifest can name: objects, devices, attributes and their values."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from dractl.api.gates import GateSet
from dractl.api.json_types import JsonObject
from dractl.records import NamedTuple
from dractl.source.document import Document
from dractl.source.load import Loaded
from dractl.workflows.cel import KnownDevice, devices_in

__all__ = ["EMPTY", "Named", "World", "claim_spec", "requests_in", "world_of"]

_SECTIONS = ("attributes", "capacity")


class Named(NamedTuple):
    """An object of the workspace."""

    kind: str
    namespace: str
    name: str
    document: Document


Section = Mapping[str, Mapping[str, Counter[str]]]
"""By domain and name the values, as CEL writes them, with the number of devices that have each."""


class World(NamedTuple):
    """The objects and devices of a workspace; ``nodes`` has the node of a pool, where its slices name one.

    The devices are those of ``slices`` for a server with ``gates``.
    """

    objects: tuple[Named, ...]
    devices: tuple[KnownDevice, ...]
    drivers: Counter[str]
    sections: Mapping[str, Section]
    nodes: Mapping[tuple[str, str], str]
    slices: tuple[Document, ...] = ()
    gates: GateSet | None = None

    def has_devices_of(self, slices: Sequence[Document], gates: GateSet) -> bool:
        """Whether the devices are those of the same slices, unchanged."""
        return (
            gates == self.gates
            and len(slices) == len(self.slices)
            and all(one.value is other.value for one, other in zip(slices, self.slices, strict=True))
        )

    def names(self, kind: str) -> list[str]:
        """The names of the objects of a kind."""
        return list(dict.fromkeys(entry.name for entry in self.objects if entry.kind == kind))

    def named(self, kind: str, name: str, namespace: str | None = None) -> Iterator[Named]:
        """The objects with a name."""
        for entry in self.objects:
            if (entry.kind, entry.name) == (kind, name) and namespace in (None, entry.namespace):
                yield entry


EMPTY = World((), (), Counter(), {}, {})


def world_of(loaded: Iterable[Loaded], gates: GateSet, earlier: World = EMPTY) -> World:
    """What documents bring; slices that the server rejects bring nothing.

    The devices are taken from an ``earlier`` world if it has the same slices.
    """
    documents = [item for item in loaded if isinstance(item, Document)]
    objects = tuple(found for document in documents if (found := _named(document)) is not None)
    slices = tuple(entry.document for entry in objects if entry.kind == "ResourceSlice")
    if earlier.has_devices_of(slices, gates):
        return earlier._replace(objects=objects)
    devices = devices_in(slices, gates).devices
    sections: dict[str, dict[str, dict[str, Counter[str]]]] = {name: {} for name in _SECTIONS}
    for device in devices:
        for section, known in sections.items():
            _count(device, section, known)
    drivers = Counter(device.id.driver for device in devices)
    nodes = dict(pair for document in slices if (pair := _node_of(document.value)) is not None)
    return World(objects, devices, drivers, sections, nodes, slices, gates)


def _named(document: Document) -> Named | None:
    value = document.value
    if not isinstance(value, dict):
        return None
    kind, meta = value.get("kind"), value.get("metadata")
    name = meta.get("name") if isinstance(meta, dict) else None
    if not isinstance(kind, str) or not isinstance(name, str) or not isinstance(meta, dict):
        return None
    return Named(kind, str(meta.get("namespace") or "default"), name, document)


def _node_of(value: JsonObject) -> tuple[tuple[str, str], str] | None:
    spec = value.get("spec")
    if not isinstance(spec, dict):
        return None
    pool, node = spec.get("pool"), spec.get("nodeName")
    name = pool.get("name") if isinstance(pool, dict) else None
    return ((str(spec.get("driver")), str(name)), node) if isinstance(node, str) and node else None


def _count(device: KnownDevice, section: str, known: dict[str, dict[str, Counter[str]]]) -> None:
    entries = device.data.get(section)
    for written, entry in entries.items() if isinstance(entries, dict) else ():
        domain, slash, name = written.rpartition("/")
        values = known.setdefault(domain if slash else device.id.driver, {}).setdefault(name, Counter())
        text = _literal(entry)
        if text:
            values[text] += 1


def _literal(entry: object) -> str:
    """A value as CEL writes it; empty for lists."""
    if not isinstance(entry, dict):
        return ""
    for kind, value in entry.items():
        if kind == "bool":
            return str(value).lower()
        if kind == "int":
            return str(value)
        if kind == "string":
            return json.dumps(value, ensure_ascii=False)
        if kind == "version":
            return f"semver({json.dumps(value)})"
        if kind == "value":
            return f"quantity({json.dumps(str(value))})"
    return ""


def claim_spec(value: object) -> tuple[tuple[str, ...], JsonObject]:
    """The steps to the spec of a claim or of the claims of a template, and the spec; empty for others."""
    steps = {"ResourceClaim": ("spec",), "ResourceClaimTemplate": ("spec", "spec")}
    found = value if isinstance(value, dict) else {}
    path = steps.get(str(found.get("kind")), ())
    for step in path:
        inner = found.get(step)
        found = inner if isinstance(inner, dict) else {}
    return path, found if path else {}


def requests_in(value: object) -> Iterator[tuple[tuple[str | int, ...], str]]:
    """The requests of a claim or template with the steps to their names; alternatives as ``gpu/big``."""
    steps, spec = claim_spec(value)
    devices = spec.get("devices")
    requests = devices.get("requests") if isinstance(devices, dict) else None
    for number, request in enumerate(requests if isinstance(requests, list) else ()):
        name = request.get("name") if isinstance(request, dict) else None
        if not isinstance(name, str):
            continue
        at: tuple[str | int, ...] = (*steps, "devices", "requests", number)
        yield (*at, "name"), name
        inner = request.get("firstAvailable")
        for position, one in enumerate(inner if isinstance(inner, list) else ()):
            if isinstance(one, dict) and isinstance(one.get("name"), str):
                yield (*at, "firstAvailable", position, "name"), f"{name}/{one['name']}"
