"""What the names of an input are called in v1: attributes, capacities and counters, with their domains.

Names of the prototypes may hold hyphens and have no domain. Two names that come to one identifier in v1 are a
clash, which no name survives but the first.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from dractl.api import names, semver
from dractl.api.json_types import JsonDict
from dractl.legacy.prototypes.allocation.inventory import Entry
from dractl.legacy.prototypes.dialects.dialects import EVOLUTION, Family
from dractl.records import NamedTuple

__all__ = ["DOMAIN", "Name", "Vocabulary", "identifier", "label", "object_name"]

DOMAIN = "devmgmtproto.k8s.io"
"""The domain of all attributes of devmgmtproto: it compares bare names across drivers, and so must v1."""

_LONGEST_TEXT = 64


class Name(NamedTuple):
    """A name in v1: its domain (empty: the driver's), its identifier, and what it stands for.

    ``kinds`` are the fields that hold values of it in the input: string, int, bool, version, quantity.
    """

    domain: str
    identifier: str
    kinds: frozenset[str]

    @property
    def key(self) -> str:
        """How a device writes it."""
        return f"{self.domain}/{self.identifier}" if self.domain else self.identifier

    @property
    def is_capacity(self) -> bool:
        """Whether all its values are quantities, which are capacities in v1."""
        return self.kinds == {"quantity"}


def identifier(text: str) -> str:
    """``text`` as a C identifier."""
    found = re.sub(r"[^A-Za-z0-9_]", "_", text)
    return f"_{found}" if found[:1].isdigit() else found


def label(text: str, fallback: str) -> str:
    """``text`` as a DNS label; ``fallback`` where nothing of it is left."""
    found = re.sub(r"[^a-z0-9-]+", "-", text.lower()).strip("-")[: names.LABEL_MAX].strip("-")
    return found or fallback


def object_name(text: str) -> str:
    """``text`` as the name of an object of v1, which is a DNS subdomain."""
    if not names.dns_subdomain(text):
        return text
    parts = (re.sub(r"[^a-z0-9-]+", "-", part).strip("-") for part in text.lower().split("."))
    return ".".join(part for part in parts if part)[: names.SUBDOMAIN_MAX] or "unnamed"


class Vocabulary:
    """The names of attributes in the pools of an input."""

    def __init__(self, entries: Iterable[Entry]) -> None:
        """Look through all pools."""
        self._kinds: dict[str, set[str]] = {}
        self._keys: dict[Family, dict[str, list[str]]] = {}
        self._capacities: set[str] = set()
        for entry in entries:
            for device in entry.devices:
                for name, value in device["attributes"].items():
                    for key in (name, f"{entry.driver}/{name}" if "/" not in name else name):
                        self._kinds.setdefault(key, set()).update(kind_of(value))
                self._capacities.update(device["provides"])

    def attribute(self, name: str, family: Family) -> Name:
        """What an attribute, as a selector or a device of ``family`` writes it, is called."""
        domain, slash, last = name.rpartition("/")
        if not slash and family != EVOLUTION:
            domain = DOMAIN
        return Name(domain, identifier(last), frozenset(self._kinds.get(name, ())))

    def capacity(self, name: str) -> Name:
        """What a resource that claims can ask for is called."""
        return Name(DOMAIN, identifier(name), frozenset({"quantity"}))

    def clash(self, name: str, family: Family) -> str:
        """Another name that comes to the same in v1; empty if missing, or if this is the first."""
        keys = self._keys.get(family)
        if keys is None:
            keys = self._keys[family] = {}
            for other in self._kinds:
                keys.setdefault(self.attribute(other, family).key, []).append(other)
        for other in keys.get(self.attribute(name, family).key, ()):
            if other == name:
                return ""
            if not other.endswith(f"/{name}"):
                return other
        return ""


def kind_of(value: JsonDict) -> Iterable[str]:
    """The field of v1 that holds a value; a version that is none is a text."""
    for kind, held in value.items():
        yield "string" if kind == "version" and not is_version(str(held)) else kind


def is_version(text: str) -> bool:
    """Whether v1 takes a text for a version."""
    return len(text) <= _LONGEST_TEXT and semver.is_valid(text)
