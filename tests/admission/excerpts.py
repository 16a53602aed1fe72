"""The excerpts on the pages of rules, made into whole objects."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any, NamedTuple

from dractl.admission import status_update
from dractl.admission.admit import admit
from dractl.admission.extensions import declare_all
from dractl.admission.framework.rule import Rule, declared
from dractl.admission.framework.server import Admission, Server
from dractl.admission.update import admit_update, stored_object
from dractl.api import gates, release
from dractl.api.release import Minor
from dractl.source.document import Document
from dractl.source.load import load_text
from dractl.versions.decode import decode
from dractl.versions.layout import to_version
from dractl.versions.table import Field, Kind, Tables, tables

NOW = "2026-01-31T12:00:00Z"
_VERSION: dict[str, Any] = {"metadata": {"resourceVersion": "1"}}

BASES: dict[str, dict[str, Any]] = {
    "ResourceSlice": {
        "metadata": {"name": "example"},
        "spec": {
            "driver": "gpu.example.com",
            "pool": {"name": "node-a", "generation": 1, "resourceSliceCount": 1},
            "nodeName": "node-a",
            "devices": [{"name": "gpu-0"}],
        },
    },
    "DeviceClass": {"metadata": {"name": "example"}, "spec": {}},
    "DeviceTaintRule": {
        "metadata": {"name": "example"},
        "spec": {"taint": {"key": "example.com/broken", "effect": "NoSchedule"}},
    },
    "ResourcePoolStatusRequest": {"metadata": {"name": "example"}, "spec": {"driver": "gpu.example.com"}},
    "ResourceClaim": {
        "metadata": {"name": "example", "namespace": "default"},
        "spec": {
            "devices": {"requests": [{"name": "gpu", "exactly": {"deviceClassName": "gpu.example.com"}}]}
        },
    },
    "ResourceClaimTemplate": {
        "metadata": {"name": "example", "namespace": "default"},
        "spec": {
            "spec": {
                "devices": {"requests": [{"name": "gpu", "exactly": {"deviceClassName": "gpu.example.com"}}]}
            }
        },
    },
    "PodSchedulingContext": {"metadata": {"name": "example", "namespace": "default"}, "spec": {}},
    "Pod": {
        "metadata": {"name": "example", "namespace": "default"},
        "spec": {
            "resourceClaims": [{"name": "gpu", "resourceClaimName": "gpu"}],
            "containers": [
                {
                    "name": "main",
                    "image": "registry.example.com/main",
                    "resources": {"claims": [{"name": "gpu"}]},
                }
            ],
        },
    },
}
"""A valid object of every kind, without apiVersion and kind."""

OLD_BASES: dict[str, dict[str, Any]] = {
    "ResourceClass": {"metadata": {"name": "example"}, "driverName": "gpu.example.com"},
    "ResourceClassParameters": {"metadata": {"name": "example", "namespace": "default"}},
    "ResourceClaimParameters": {"metadata": {"name": "example", "namespace": "default"}},
    "ResourceClaim": {
        "metadata": {"name": "example", "namespace": "default"},
        "spec": {"resourceClassName": "gpu.example.com"},
    },
    "ResourceClaimTemplate": {
        "metadata": {"name": "example", "namespace": "default"},
        "spec": {"spec": {"resourceClassName": "gpu.example.com"}},
    },
    "ResourceSlice": {
        "metadata": {"name": "example"},
        "driverName": "gpu.example.com",
        "namedResources": {"instances": [{"name": "gpu-0"}]},
    },
}
"""The same for kinds of v1alpha2."""

_BASES = {"resource.k8s.io/v1alpha2": BASES | OLD_BASES}


class Case(NamedTuple):
    """An excerpt of a rule's page as a whole object, and the server that it is for.

    With ``old`` it takes the place of that object, and where it has a status this is what is sent.
    """

    rule: Rule
    good: bool
    minor: Minor
    kind: Kind
    manifest: dict[str, Any]
    old: dict[str, Any] | None
    gates: dict[str, bool]
    namespaces: dict[str, dict[str, str]]

    @property
    def is_status(self) -> bool:
        """Whether the object is sent to the status endpoint."""
        return self.old is not None and "status" in self.manifest

    def admitted(self) -> Admission:
        """What that server makes of the object."""
        server = Server(self.minor, gates.resolve(self.minor, self.gates), self.namespaces, NOW)
        if self.old is None:
            return admit(server, self.kind, self.manifest)
        old = stored_object(server, self.kind, self.old)
        send = status_update.admit_status if self.is_status else admit_update
        return send(server, self.kind, self.manifest, old)

    def as_update(self) -> Case | None:
        """The same object as a change of a valid one; None if it is one, or cannot be as its name differs."""
        old = laid_over_base(self.kind, _VERSION)
        if self.old is not None or _name(self.manifest) != _name(old):
            return None
        return self._replace(manifest=_laid_over(_VERSION, self.manifest), old=old)


def _name(manifest: dict[str, Any]) -> tuple[Any, Any]:
    meta = manifest.get("metadata") or {}
    return meta.get("name"), meta.get("namespace")


def rules() -> list[Rule]:
    """All rows of the table, which is complete because this module imports both doors and loads the wings."""
    declare_all()
    return [row for rows in declared().values() for row in rows]


def cases() -> Iterator[Case]:
    """The excerpts of all rules, each for the newest minor that has the rule."""
    for row in rules():
        yield from cases_of_rule(row)


def cases_of_rule(row: Rule) -> Iterator[Case]:
    """The excerpts of one rule, for the newest minor that has it."""
    minor = row.until or max(release.NEWEST, row.since or release.NEWEST)
    for example in row.examples():
        yield _case(row, example.good, minor, _documents(example.expanded_text))


def _documents(text: str) -> list[dict[str, Any]]:
    found = []
    for document in load_text(text):
        assert isinstance(document, Document)
        found.append(document.value)
    return found


def _case(row: Rule, good: bool, minor: Minor, documents: list[dict[str, Any]]) -> Case:
    """The excerpt laid over the first of the rule's kinds that has all of its fields."""
    spaces = [each["metadata"] for each in documents if each.get("kind") == "Namespace"]
    namespaces = {meta["name"]: meta.get("labels", {}) for meta in spaces}
    *before, excerpt = [each for each in documents if each.get("kind") != "Namespace"]
    if "status" in excerpt:
        # A status is sent for an object as it was read, and so with its version.
        before = before or [{key: value for key, value in excerpt.items() if key != "status"}]
        before, excerpt = [_laid_over(before[0], _VERSION)], _laid_over(excerpt, _VERSION)
    made = []
    for kind in _kinds(row, minor, excerpt):
        manifest = laid_over_base(kind, excerpt)
        old = laid_over_base(kind, before[0]) if before else None
        overrides = needed_gates(minor, kind, row, _laid_over(old, manifest))
        case = Case(row, good, minor, kind, manifest, old, overrides, namespaces)
        if not decode(minor, kind, manifest, now=NOW).problems:
            return case
        made.append(case)
    return made[0]


def _kinds(row: Rule, minor: Minor, excerpt: dict[str, Any]) -> Iterator[Kind]:
    """The kinds that an excerpt may be of; some say which one."""
    for name in (excerpt["kind"],) if "kind" in excerpt else row.kinds:
        kind = newest(minor, name)
        if kind is not None:
            yield kind


def newest(minor: Minor, kind: str) -> Kind | None:
    """The kind in the version that the minor prefers; None if it does not have the kind."""
    source = tables(minor)
    return next((source.kinds[version, kind] for version in source.api_versions(kind)), None)


def laid_over_base(kind: Kind, excerpt: dict[str, Any]) -> dict[str, Any]:
    """A whole object of ``kind``: a valid one in the shape of its version, with what the excerpt says."""
    base = to_version(kind.api_version, kind.kind, _BASES.get(kind.api_version, BASES)[kind.kind])
    return {"apiVersion": kind.api_version, "kind": kind.kind, **_laid_over(base, excerpt)}


def _laid_over(base: Any, excerpt: Any) -> Any:
    """``base`` with what the excerpt says: mappings are merged, all else is replaced."""
    if not isinstance(base, dict) or not isinstance(excerpt, dict):
        return copy.deepcopy(excerpt)
    found = copy.deepcopy(base)
    for key, value in excerpt.items():
        found[key] = _laid_over(base.get(key), value)
    return found


def needed_gates(minor: Minor, kind: Kind, row: Rule, manifest: dict[str, Any]) -> dict[str, bool]:
    """The overrides without which the server would not look at some field of the manifest."""
    known = gates.gates_of(minor)
    wanted = _gates_in(tables(minor), kind.type, manifest) | {row.gate, row.only_with}
    pending = [name for name in wanted if name in known]
    found = {row.only_without: False} if row.only_without in known else {}
    while pending:
        gate = known[pending.pop()]
        if not gate.default:
            found[gate.name] = True
        pending += [name for name in gate.depends_on if name in known and name not in found]
    return dict(sorted(found.items()))


def _gates_in(source: Tables, type_key: str, value: Any) -> set[str]:
    """The gates of all fields that a value of the struct type ``type_key`` has."""
    if isinstance(value, list):
        return {gate for item in value for gate in _gates_in(source, type_key, item)}
    found: set[str] = set()
    for name, item in value.items() if isinstance(value, dict) and type_key else ():
        field = source.struct(type_key).fields.get(name)
        if field is None:
            continue
        found |= set(field.gates)
        below = list(item.values()) if field.values is not None and isinstance(item, dict) else item
        found |= _gates_in(source, _behind(source, field), below)
    return found


def _behind(source: Tables, field: Field) -> str:
    """The struct type of a field, its items or its values; empty if there is none."""
    element = field.items or field.values or field
    return element.ref if element.type == "ref" and source.scalar(element.ref) is None else ""
