"""Documents to objects of prototypes: which dialect each has, what of it fits, what is none of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast

from dractl.api.json_types import JsonObject, Object
from dractl.api.path import Steps
from dractl.api.wording import did_you_mean
from dractl.finding import CANNOT_KNOW
from dractl.legacy.prototypes.dialects.dialects import (
    BARE,
    EVOLUTION,
    PROTO,
    SHAPES,
    candidates,
    family_of,
    known_shapes,
)
from dractl.legacy.prototypes.dialects.faults import Fault
from dractl.legacy.prototypes.dialects.mended import Mended
from dractl.legacy.prototypes.dialects.mending import mend
from dractl.legacy.prototypes.dialects.shape import Problem, problems, stripped
from dractl.source.document import Document
from dractl.versions.prototypes import may_be_prototype

if TYPE_CHECKING:
    from dractl.api.objects.meta import ObjectMeta

__all__ = ["Item", "Reading", "read"]

_CAPACITY = frozenset({"DevicePool", "ResourcePool", ""})
"""Kinds that may be of any dialect, because pools of all of them make one inventory; bare models, too."""


_EARLY_CLASS = "ResourceClass"
"""What DRA evolution called a DeviceClass at first."""


def kind_of(value: JsonObject) -> str:
    """The kind of an object, as far as it is known."""
    found = value.get("kind")
    return found if isinstance(found, str) else ""


class Item:
    """An object of a prototype.

    ``value`` is in the words of its family's last state and holds only what fits; ``faults`` is what is wrong
    with it so far, their steps being those of the written object.
    """

    __slots__ = ("dialect", "document", "faults", "kind", "mended", "origin", "value")

    def __init__(self, document: Document, origin: Document, dialect: str) -> None:
        """Read ``document``, an item of ``origin`` or that itself; without a ``dialect`` nothing is known."""
        self.document = document
        self.origin = origin
        self.dialect = dialect
        self.kind = kind_of(document.value)
        if self.kind == _EARLY_CLASS and dialect and family_of(dialect) == EVOLUTION:
            self.kind = "DeviceClass"
        self.mended = mend(dialect, self.kind, document.value) if dialect else Mended(dict(document.value))
        self.faults: list[Fault] = list(self.mended.faults)
        self.value: Object = self._fitting() if dialect else {}

    def _fitting(self) -> Object:
        shape = SHAPES[self.dialect].get(self._table())
        value = self.mended.value
        if shape is None:
            return {}
        if self.kind == "Pod":
            # A pod is v1's; of it only the parts that the prototype added are validated here.
            hiding = (found for found in problems(value, _KNOWN_POD) if found.kind == "type")
            self.faults += [_fault(problem, problem.steps) for problem in hiding]
            value = stripped(value, _KNOWN_POD) or {}
        for problem in problems(value, shape):
            self.faults.append(_fault(problem, self.mended.source(problem.steps)))
        found: Object = stripped(value, shape) or {}
        return found

    def _table(self) -> str:
        return "node" if self.dialect == "kubecon" and "pools" in self.document.value else self.kind

    @property
    def family(self) -> str:
        """The API group in which the object looks for others."""
        return family_of(self.dialect) if self.dialect else ""

    @property
    def metadata(self) -> ObjectMeta:
        """The object's metadata."""
        return cast("ObjectMeta", self.value.get("metadata") or {})

    @property
    def spec(self) -> Any:
        """The object's spec."""
        return self.value.get("spec") or {}

    @property
    def status(self) -> Any:
        """The object's status."""
        return self.value.get("status") or {}

    @property
    def name(self) -> str:
        """The object's name."""
        found = self.metadata.get("name") or self.metadata.get("generateName") or self.value.get("name")
        return str(found or "")

    @property
    def namespace(self) -> str:
        """The object's namespace, ``default`` if unset."""
        return str(self.metadata.get("namespace") or "default")

    def fault(
        self,
        rule: str,
        steps: Steps,
        message: str,
        hint: str = "",
        *,
        offset: int | None = None,
        is_empty: bool = False,
    ) -> None:
        """Note that a rule is broken at ``steps`` of the value, with ``is_empty`` by an empty one-of."""
        self.faults.append(Fault(rule, self.mended.source(steps), message, hint, (), offset, is_empty))

    @property
    def judged(self) -> Object:
        """What of the written object is the prototype's: all of it, but of a v1 Pod what claims devices."""
        found: Object = self.document.value
        return (stripped(found, _KNOWN_POD) or {}) if self.kind == "Pod" else found


_ANY_CONTAINER = {"name": "string", "devices": "any", "resources": {"claims": "any"}}
_KNOWN_POD = {
    "metadata": "any",
    "spec": {
        "nodeName": "any",
        "containers": [_ANY_CONTAINER],
        "initContainers": [_ANY_CONTAINER],
        "deviceClaims": "any",
        "resourceClaims": "any",
    },
}


def _fault(problem: Problem, steps: Steps) -> Fault:
    if problem.kind == "type":
        return Fault("type", steps, problem.message)
    return Fault("dia-5", steps, problem.message, _instead(steps, problem.near))


_INSTEAD = {
    "devices": "did you mean requests: {devices: …}?",
    "config": "did you mean configs?",
    "deviceMaxCount": "did you mean maxDeviceCount?",
    "attributeMatches": "did you mean matchAttributes?",
    "deviceTypes": "did you mean deviceType?",
}
"""What unknown fields of the prototypes' own files were perhaps meant to be."""


def _instead(steps: Steps, near: Sequence[str]) -> str:
    name = str(steps[-1])
    if name in _INSTEAD and name not in near:
        return _INSTEAD[name]
    return did_you_mean(name, near, otherwise=f"valid fields: {', '.join(near)}")


class Reading:
    """An input: the objects of prototypes in it, in order, and the documents that are none."""

    __slots__ = ("items", "others")

    def __init__(self, items: Sequence[Item], others: Sequence[Document]) -> None:
        """Hold both."""
        self.items = tuple(items)
        self.others = tuple(others)

    def of_kind(self, *kinds: str) -> Iterator[Item]:
        """The objects of these kinds whose dialect is known."""
        return (item for item in self.items if item.kind in kinds and item.dialect)


def read(documents: Iterable[Document], dialect: str | None) -> Reading:
    """The objects of prototypes among ``documents``; ``dialect`` decides where a shape belongs to several.

    A v1 Pod is one of a prototype's only if there are objects of one, or a dialect is given.
    """
    parts = [(part, document) for document in documents for part in _parts(document)]
    is_chosen = dialect is not None
    theirs = {id(part) for part, _ in parts if may_be_prototype(part.value, is_chosen=is_chosen)}
    families = {_family(part.value) for part, _ in parts if id(part) in theirs}
    if dialect is not None:
        families.add(family_of(dialect))
    members, others = [], []
    for part, document in parts:
        if id(part) in theirs or _is_pod_of(part.value, families, parts):
            names = candidates(part.value) if _is_known_version(part.value) else ()
            members.append((part, document, names))
        elif part is document:
            others.append(document)
    chosen = _chosen([names for part, _, names in members if kind_of(part.value) not in _CAPACITY], dialect)
    if dialect is None:
        pools = [
            name for part, _, names in members if kind_of(part.value) == "ResourcePool" for name in names
        ]
        own = chosen.get(EVOLUTION, ())
        # Claims have one shape in several branches, and get the status of the branch that the pools are of.
        chosen[EVOLUTION] = tuple(dict.fromkeys((*(name for name in pools if name in own), *own)))
    items = []
    for part, document, names in members:
        known = _is_known_version(part.value)
        item = Item(part, document, _dialect(part.value, names, chosen, dialect) if known else "")
        _judge_dialect(item, names, chosen, dialect)
        items.append(item)
    return Reading(items, others)


def _parts(document: Document) -> Iterator[Document]:
    """The objects of a document that is a list of them, else the document."""
    value = document.value
    if isinstance(value, list) and may_be_prototype(value):
        yield from (document.item((n,)) for n, entry in enumerate(value) if isinstance(entry, dict))
    elif isinstance(value, dict):
        yield document


def _family(value: JsonObject) -> str:
    group = str(value.get("apiVersion") or "").rpartition("/")[0]
    return group if group in (PROTO, EVOLUTION) else BARE


_PROTO_VERSION = "v1alpha1"


def _is_known_version(value: JsonObject) -> bool:
    """Whether an object is of a version that dialects are known of; what another may mean, nobody knows."""
    return _family(value) != PROTO or value.get("apiVersion") == f"{PROTO}/{_PROTO_VERSION}"


_EVOLUTION_CLAIMS = frozenset({"ResourceClaim", "ResourceClaimTemplate"})


def _is_pod_of(value: Object, families: set[str], parts: Sequence[tuple[Document, Document]]) -> bool:
    """Whether a v1 Pod is one of a prototype in the input."""
    if (
        value.get("kind") != "Pod"
        or value.get("apiVersion") != "v1"
        or not isinstance(value.get("spec"), dict)
    ):
        return False
    spec = value["spec"]
    containers = [
        entry
        for name in ("containers", "initContainers")
        for entry in (spec.get(name) if isinstance(spec.get(name), list) else ())
        if isinstance(entry, dict)
    ]
    if "deviceClaims" in spec or any("devices" in entry for entry in containers):
        return bool(families)
    if EVOLUTION not in families or not spec.get("resourceClaims"):
        return False
    claims = [part.value for part, _ in parts if kind_of(part.value) in _EVOLUTION_CLAIMS]
    theirs = [claim for claim in claims if may_be_prototype(claim)]
    if claims and not theirs:
        return False
    return not _is_of_v1(value, containers, theirs, [claim for claim in claims if claim not in theirs])


def _is_of_v1(
    pod: Object,
    containers: Sequence[JsonObject],
    theirs: Sequence[JsonObject],
    others: Sequence[JsonObject],
) -> bool:
    """Whether a Pod is none of DRA evolution: by the words of its containers, else by the claims it names."""
    words = {word for container in containers for entry in _claims_of(container) for word in entry}
    if not words.isdisjoint({"request", "requestName"}):
        return "requestName" not in words
    named = _named_by(pod)
    return not named & set(map(_called, theirs)) and bool(named & set(map(_called, others)))


def _claims_of(container: JsonObject) -> list[Object]:
    resources = container.get("resources")
    found = resources.get("claims") if isinstance(resources, dict) else None
    return [entry for entry in found if isinstance(entry, dict)] if isinstance(found, list) else []


def _called(value: JsonObject) -> tuple[str, str, str]:
    found = value.get("metadata")
    metadata = found if isinstance(found, dict) else {}
    return kind_of(value), str(metadata.get("namespace") or "default"), str(metadata.get("name"))


_REFERENCES = {"resourceClaimName": "ResourceClaim", "resourceClaimTemplateName": "ResourceClaimTemplate"}


def _named_by(pod: Object) -> set[tuple[str, str, str]]:
    """The kinds, namespaces and names of the claims and templates that a pod names, in either form."""
    _, namespace, _ = _called(pod)
    entries = pod["spec"]["resourceClaims"]
    found = [entry for entry in entries if isinstance(entry, dict)] if isinstance(entries, list) else []
    holders = [*found, *(entry["source"] for entry in found if isinstance(entry.get("source"), dict))]
    return {
        (kind, namespace, str(holder[field]))
        for holder in holders
        for field, kind in _REFERENCES.items()
        if holder.get(field)
    }


def _chosen(shapes: Sequence[tuple[str, ...]], dialect: str | None) -> dict[str, tuple[str, ...]]:
    """By family, the dialects that all objects have in common; or the one that is given."""
    found: dict[str, tuple[str, ...]] = {}
    for names in shapes:
        for family in dict.fromkeys(map(family_of, names)):
            own = tuple(name for name in names if family_of(name) == family)
            common = tuple(name for name in found.get(family, own) if name in own)
            found[family] = common or found.get(family, own)
    if dialect is not None:
        found[family_of(dialect)] = (dialect,)
    return found


def _dialect(
    value: Object,
    names: tuple[str, ...],
    chosen: Mapping[str, tuple[str, ...]],
    dialect: str | None,
) -> str:
    """The dialect of an object: by its shape, and where that leaves several by its neighbours."""
    if not names:
        return dialect if dialect is not None and kind_of(value) in SHAPES[dialect] else ""
    own = chosen.get(family_of(names[0]), ())
    return next((name for name in own if name in names), names[0])


def _judge_dialect(
    item: Item, names: tuple[str, ...], chosen: Mapping[str, tuple[str, ...]], dialect: str | None
) -> None:
    value = item.document.value
    if not _is_known_version(value):
        given = str(value.get("apiVersion")).rpartition("/")[2]
        message = f"{PROTO} has only version {_PROTO_VERSION}, got {given}"
        hint = f"a newer prototype may have it: {CANNOT_KNOW}"
        item.faults.append(Fault("dia-1", ("apiVersion",), message, hint))
        return
    if not item.dialect:
        group, kind = _family(value), item.kind
        known = "; ".join(known_shapes(group, kind))
        what = f"unknown kind {kind} in {group}" if kind else "the object has an unknown structure"
        item.faults.append(Fault("dia-1", ("kind",) if kind else (), what, f"choose from {known}"))
        return
    version = str(value.get("apiVersion") or "")
    if item.family == EVOLUTION and version == f"{EVOLUTION}/v1alpha3":
        item.faults.append(Fault("de-30", ("apiVersion",), f"{version} is treated as {EVOLUTION}/v1alpha2"))
    own = chosen.get(item.family, ())
    if item.kind not in _CAPACITY and own and dialect is None and not set(own) & set(names):
        message = f"this object belongs to {' or '.join(names)}, but other objects to {' or '.join(own)}"
        item.faults.append(Fault("dia-2", ("kind",), message, "choose one with --dialect"))
