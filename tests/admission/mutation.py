"""Changes valid manifests at random: into what people get wrong, and into what nobody would write."""

from __future__ import annotations

import copy
import random
from collections.abc import Iterator
from typing import Any

from dractl.api import gates, release
from dractl.api.release import Minor

NEWEST = release.NEWEST

_LONG = (16, 32, 33, 63, 64, 65, 127, 128, 253, 254, 257)
_TEXTS = (
    "", "a", "A", "a_b", "a-", "-a", "a.b", "a..b", "a/b", "A/b", "a/B_c", "a/b/c", "/a", "a/",
    "a b", "é", "1", "true", "*", "a\n", "GPU.example.com", "gpu.example.com",
    "gpu.example.com/model", "Gpu.example.com/model", "gpu_example", "\u0130.example.com",
    "\u212a.example.com", "\u017f.example.com", "x.kubernetes.io/gpu", "requests.example.com/gpu",
    "example.com/Gpu_1", "mig.example.com/profile", "profile", "gpu", "gpu-0", "big", "acc/big",
    "acc/none", "NoSchedule", "NoExecute", "None", "PreferNoSchedule", "Exists", "Equal", "In",
    "Gt", "NodePrepareResources", "NodeUnprepareResources", "ExactCount", "All", "cpu", "memory",
    "hugepages-", "cores", "1.2.3", "v1.2.3", "01.2.3", "1.2", "1.2.3-01", "1.2.3-a.b+c", "1.2.3+",
    "99999999999999999999.0.0", "metadata.name", "node-a", "shared", "kubernetes.io/config.mirror",
    "default",
)  # fmt: skip
_QUANTITIES = (
    "0", "1", "-1", "2", "4", "100m", "1000m", "1.0", "1.5", "-1500m", "500u", "1n", "0.0005", "1k",
    "1e3", "10G", "1Gi", "1024Mi", "80Gi", "8Ei", "9223372036854775807", "9223372036854775808",
    "18446744073709551616", "-9223372036854775809", "9223372036854775807m", "12345678901234567890m",
    "1e30", "1e-30", "",
)  # fmt: skip
_NUMBERS = (0, -1, 1, 2, 128, 1000, 1001, 2**31 - 1, 2**31, 2**63 - 1, 2**63, -(2**63), 1.5)
_OTHERS: tuple[Any, ...] = (True, False, None, [], {}, [None], [{}], {"": {}}, {"x": None}, [[]], ["a", "a"])

_MAPS = frozenset(
    (
        "attributes",
        "capacity",
        "counters",
        "labels",
        "annotations",
        "nodeAllocatableResources",
        "nodeAllocatableResourceMappings",
        "requests",
    )
)
"""Where a key may be any text; elsewhere a new key is an unknown field."""

_OTHER_GATES = (
    "DeclarativeValidation",
    "DeclarativeValidationBeta",
    "DeclarativeValidationTakeover",
    "DynamicResourceAllocation",
    "PodLevelResources",
)

Place = tuple[Any, Any, str]
"""A container in an object, the key or index of what stands there, and the field name of the container."""


class Mutator:
    """A stream of manifests made from ``seeds``; the same ``number`` gives the same stream.

    The gates are those of ``minor``.
    """

    def __init__(self, seeds: list[dict[str, Any]], number: int, minor: Minor = NEWEST) -> None:
        """Start the stream; also remembers what stands under which field name, to move it elsewhere."""
        self._random = random.Random(number)  # noqa: S311 - test input, no secret
        self._seeds = seeds
        self._minor = minor
        self._gates = [
            name
            for name, gate in gates.gates_of(minor).items()
            if not gate.locked and (name.startswith("DRA") or name in _OTHER_GATES)
        ]
        self._by_name: dict[str, list[Any]] = {}
        self._fields: dict[str, list[str]] = {}
        for seed in seeds:
            for holder, key, parent in _places(seed):
                if isinstance(key, str):
                    self._by_name.setdefault(key, []).append(holder[key])
                    self._fields.setdefault(parent, []).append(key)

    def manifest(self) -> dict[str, Any]:
        """The next manifest, changed in one to five places."""
        return self.changed(self._random.choice(self._seeds))

    def pair(self) -> tuple[dict[str, Any], dict[str, Any]]:
        """The next manifest and the stored object whose place it takes, with the same name and namespace."""
        old = copy.deepcopy(self._random.choice(self._seeds))
        if self._random.random() < 0.3:
            old = self.changed(old)
        new = self.changed(old) if self._random.random() < 0.95 else copy.deepcopy(old)
        for one in (old, new):
            one["metadata"] = meta = one["metadata"] if isinstance(one.get("metadata"), dict) else {}
            meta["name"] = "example"
            meta["namespace"] = "default"
        return new, old

    def changed(self, value: dict[str, Any]) -> dict[str, Any]:
        """A copy of a manifest, changed in one to five places."""
        found = copy.deepcopy(value)
        for _ in range(self._random.choice((1, 1, 1, 2, 2, 3, 5))):
            self._change(found)
        return found

    def gates(self) -> dict[str, bool]:
        """Overrides of feature gates with which a server starts; most often none."""
        while self._random.random() < 0.5:
            size = min(self._random.choice((1, 2, len(self._gates))), len(self._gates))
            some = self._random.sample(self._gates, size)
            wanted = {name: self._random.random() < 0.7 for name in some}
            try:
                gates.resolve(self._minor, wanted)
            except gates.GateError:
                continue
            return wanted
        return {}

    def _change(self, value: dict[str, Any]) -> None:
        places = [place for place in _places(value) if place[1] not in ("apiVersion", "kind")]
        if not places:
            return
        holder, key, parent = self._random.choice(places)
        change = self._random.choice(
            (
                self._set,
                self._set,
                self._delete,
                self._empty,
                self._grow,
                self._swap,
                self._repeat,
                self._rename,
                None,
            )
        )
        if change is None or (change == self._rename and parent not in _MAPS):
            self._graft(holder, key, parent)
        else:
            change(holder, key)

    def _set(self, holder: Any, key: Any) -> None:
        holder[key] = self._nasty(holder[key])

    def _nasty(self, old: Any) -> Any:
        pick = self._random.random()
        if pick < 0.05 or (isinstance(old, dict) and pick < 0.2):
            return copy.deepcopy(self._random.choice(_OTHERS))
        if isinstance(old, dict):
            return {}
        if isinstance(old, str) and pick < 0.45:
            return self._random.choice(_QUANTITIES)
        if isinstance(old, bool):
            return not old
        if isinstance(old, int):
            return self._random.choice(_NUMBERS)
        if isinstance(old, list):
            return [self._text()] * self._random.choice((1, 2, 5, 33))
        return self._text()

    def _text(self) -> str:
        if self._random.random() < 0.2:
            return self._random.choice("aAé0_-/.") * self._random.choice(_LONG)
        return self._random.choice(_TEXTS)

    def _delete(self, holder: Any, key: Any) -> None:
        del holder[key]

    def _empty(self, holder: Any, key: Any) -> None:
        zeros: dict[type, Any] = {dict: {}, list: [], str: "", bool: False}
        holder[key] = self._random.choice((None, zeros.get(type(holder[key]), 0)))

    def _grow(self, holder: Any, key: Any) -> None:
        old = holder[key]
        if isinstance(old, str):
            holder[key] = old + self._random.choice((old, "x" * 40, "-x" * 32, ".a" * 100, "/x", "_"))
        elif isinstance(old, list) and old:
            size = self._random.choice((2, 3, 4, 5, 8, 9, 11, 16, 17, 32, 33, 64, 65, 129))
            holder[key] = [_numbered(old[number % len(old)], number) for number in range(size)]
        elif isinstance(old, dict) and old:
            name, entry = next(iter(old.items()))
            for number in range(self._random.choice((1, 2, 31, 33, 49))):
                old[f"{name}{number}"] = copy.deepcopy(entry)

    def _swap(self, holder: Any, key: Any) -> None:
        """Put something else there, most often what another manifest has under that name."""
        known = self._by_name.get(key) if isinstance(key, str) else None
        if known is None or self._random.random() < 0.1:
            known = self._random.choice(list(self._by_name.values()))
        holder[key] = copy.deepcopy(self._random.choice(known))

    def _graft(self, holder: Any, key: Any, parent: str) -> None:
        """Add a field that stands somewhere else, most often in the same type."""
        if isinstance(holder, dict):
            anything = self._random.random() < 0.05
            name = self._random.choice(
                list(self._by_name) if anything else self._fields.get(parent, [str(key)])
            )
            holder[name] = copy.deepcopy(self._random.choice(self._by_name.get(name, [None])))

    def _repeat(self, holder: Any, key: Any) -> None:
        if isinstance(holder, list):
            holder.insert(self._random.randint(0, len(holder)), copy.deepcopy(holder[key]))

    def _rename(self, holder: Any, key: Any) -> None:
        if isinstance(holder, dict):
            holder[self._text()] = holder.pop(key)


def _numbered(item: Any, number: int) -> Any:
    """A copy of a list item, with a name of its own where it has one and the number is odd."""
    item = copy.deepcopy(item)
    if isinstance(item, dict) and isinstance(item.get("name"), str) and number % 7 != 6:
        item["name"] += f"-{number}"
    return f"{item}{number}" if isinstance(item, str) and number % 7 != 6 else item


def _places(value: Any, parent: str = "") -> Iterator[Place]:
    """Every key and index below ``value``."""
    entries = (
        value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    )
    for key, item in list(entries):
        yield value, key, parent
        yield from _places(item, key if isinstance(key, str) else parent)
