"""The known faults that a command lists: all, those of a release, or those that given objects reach."""

from __future__ import annotations

from dractl.advisories.conditions import CONDITIONS
from dractl.advisories.known import Known
from dractl.advisories.reach import reached
from dractl.advisories.table import Advisory, advisories, advisory_document
from dractl.api.gates import GateSet
from dractl.api.json_types import JsonDict
from dractl.finding import ObjectRef
from dractl.lint.report import object_document
from dractl.records import NamedTuple

__all__ = ["SCHEMA", "Listed", "Listing", "listing"]

SCHEMA = "dractl.advisories/1"


class Listed(NamedTuple):
    """An advisory with the objects that reach it; None if no objects were given."""

    advisory: Advisory
    objects: tuple[ObjectRef, ...] | None


class Listing(NamedTuple):
    """The advisories of a release (empty: of all), as far as objects reach them."""

    kube_version: str
    entries: tuple[Listed, ...]

    @property
    def ok(self) -> bool:
        """Whether no object reaches a fault."""
        return not any(entry.objects for entry in self.entries)

    def to_dict(self) -> JsonDict:
        """The JSON document of ``dractl advisories --format json``."""
        return {
            "schema": SCHEMA,
            "kubeVersion": self.kube_version or None,
            "advisories": [
                {
                    **advisory_document(entry.advisory),
                    "condition": CONDITIONS[entry.advisory.condition].text,
                    "objects": None
                    if entry.objects is None
                    else [object_document(item) for item in entry.objects],
                }
                for entry in self.entries
            ],
        }


def listing(gates: GateSet | None, known: Known | None) -> Listing:
    """The advisories of the server with ``gates`` (None: of all releases) that ``known`` objects reach."""
    found = []
    for advisory in advisories():
        if gates is not None and not advisory.affects(gates):
            continue
        objects = None if known is None else reached(advisory, known)
        if objects is None or objects:
            found.append(Listed(advisory, objects))
    return Listing("" if gates is None else gates.minor.version, tuple(found))
