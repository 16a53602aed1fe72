"""The objects of a cluster, found by kind, namespace and name."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import count
from typing import TYPE_CHECKING, Any

from dractl.api.json_types import Object
from dractl.api.wording import did_you_mean
from dractl.records import NamedTuple

if TYPE_CHECKING:
    from dractl.api.objects.meta import ObjectMeta

DEFAULT_NAMESPACE = "default"

CLUSTER_SCOPED: frozenset[str] = frozenset(
    {
        "DeviceClass",
        "DeviceTaintRule",
        "Namespace",
        "Node",
        "PriorityClass",
        "ResourceClass",
        "ResourcePoolStatusRequest",
        "ResourceSlice",
    }
)
"""The kinds without a namespace among those that anything here looks for."""


class _Twin(NamedTuple):
    """The kind whose name a pod may give in the wrong field, and the field for that kind."""

    kind: str
    field: str


_TWINS = {
    "ResourceClaim": _Twin("ResourceClaimTemplate", "resourceClaimTemplateName"),
    "ResourceClaimTemplate": _Twin("ResourceClaim", "resourceClaimName"),
}


class Key(NamedTuple):
    """What an object is found by; cluster-scoped objects have an empty namespace."""

    kind: str
    namespace: str
    name: str


def namespace_of(item: Mapping[str, Any]) -> str:
    """The namespace of an object, ``default`` if unset and its kind has one."""
    if item.get("kind") in CLUSTER_SCOPED:
        return ""
    metadata: ObjectMeta | None = item.get("metadata")
    return (metadata or {}).get("namespace") or DEFAULT_NAMESPACE


def name_of(item: Mapping[str, Any]) -> str:
    """The name of an object, its ``generateName`` where it has no other."""
    metadata: ObjectMeta | None = item.get("metadata")
    metadata = metadata or {}
    return metadata.get("name") or metadata.get("generateName") or ""


def metadata_of(item: Mapping[str, Any]) -> ObjectMeta:
    """The metadata of an object; empty where it has none."""
    metadata: ObjectMeta | None = item.get("metadata")
    return metadata or {}


def created_at(item: Mapping[str, Any]) -> str:
    """When an object was made, as its text has it; empty if unset."""
    metadata: ObjectMeta | None = item.get("metadata")
    return (metadata or {}).get("creationTimestamp") or ""


def allocation_of(claim: Mapping[str, Any]) -> Any:
    """The allocation of a claim, if it has one: an AllocationResult of its version."""
    return (claim.get("status") or {}).get("allocation")


def full_name(item: Mapping[str, Any]) -> str:
    """``namespace/name``, or the bare name of a cluster-scoped object."""
    namespace = namespace_of(item)
    return f"{namespace}/{name_of(item)}" if namespace else name_of(item)


def key_of(item: Mapping[str, Any]) -> Key:
    """The key of an object."""
    return Key(item.get("kind") or "", namespace_of(item), name_of(item))


def identity(item: Mapping[str, Any]) -> dict[str, str]:
    """apiVersion, kind, namespace and name, as reports show an object."""
    shown = {"apiVersion": item.get("apiVersion") or "", "kind": item.get("kind") or ""}
    namespace = namespace_of(item)
    if namespace:
        shown["namespace"] = namespace
    shown["name"] = name_of(item)
    return shown


def key_of_identity(shown: Mapping[str, str]) -> Key:
    """The key of an object by its :func:`identity`, or by as much of that as is known."""
    return key_of({"kind": shown.get("kind"), "metadata": shown})


def title_of(shown: Mapping[str, str]) -> str:
    """Kind and name by an :func:`identity`, as far as they are known: ``Pod team/train``."""
    name = "/".join(part for part in (shown.get("namespace"), shown.get("name")) if part)
    return " ".join(part for part in (shown.get("kind"), name) if part)


def free_names(name: str, is_taken: Callable[[str], bool]) -> Iterator[str]:
    """``name``, ``name-2``, ``name-3`` and so on, without those that are taken when asked for."""
    for number in count(1):
        found = name if number == 1 else f"{name}-{number}"
        if not is_taken(found):
            yield found


_MOST_COMPARED = 1000
_TYPO = 0.8


class Objects:
    """A set of objects in a stable order. Objects in it are replaced, never changed."""

    def __init__(self, items: Iterable[Object] = (), left_out: Mapping[Key, str] | None = None) -> None:
        """Take objects in order; of two with one key the later one stays, in the place of the first.

        ``left_out`` are objects that were given and are not among them, with the reason.
        """
        self._left_out = dict(left_out or {})
        self._items: dict[Key, Object] = {}
        self._kinds: dict[str, dict[Key, None]] = {}
        for item in items:
            self.put(item)

    def __iter__(self) -> Iterator[Object]:
        return iter(self._items.values())

    def __len__(self) -> int:
        return len(self._items)

    def __contains__(self, key: Key) -> bool:
        return key in self._items

    def put(self, item: Object) -> None:
        """Add an object, or replace the one of the same key in its place."""
        key = key_of(item)
        self._items[key] = item
        self._kinds.setdefault(key.kind, {}).setdefault(key)

    def remove(self, key: Key) -> None:
        """Forget the object of that key, if it exists."""
        if self._items.pop(key, None) is not None:
            del self._kinds[key.kind][key]

    def get(self, kind: str, namespace: str, name: str) -> Object | None:
        """The object of that kind, namespace (empty for cluster-scoped kinds) and name."""
        return self._items.get(Key(kind, namespace, name))

    def absence(self, kind: str, namespace: str, name: str) -> str:
        """The message for an object that is not there."""
        reason = self._left_out.get(Key(kind, namespace, name))
        if reason is not None:
            return f"was left out ({reason})"
        advice = self._likely(kind, namespace, name)
        return f"does not exist ({advice})" if advice else "does not exist"

    def leave_out(self, key: Key, reason: str | None) -> None:
        """Remember why there is no object of that key; None: there may be one now."""
        if reason is not None:
            self._left_out[key] = reason
        else:
            self._left_out.pop(key, None)

    def reason(self, key: Key) -> str | None:
        """Why there is no object of that key; None if nothing is known of it."""
        return self._left_out.get(key)

    def _likely(self, kind: str, namespace: str, name: str) -> str:
        """Which object was probably meant by a name that none of the kind has in the namespace."""
        twin = _TWINS.get(kind)
        if twin is not None and Key(twin.kind, namespace, name) in self._items:
            return f"a {twin.kind} has this name: write `{twin.field}`"
        keys = list(self._kinds.get(kind, ()))[:_MOST_COMPARED]
        elsewhere = next((key.namespace for key in keys if key.name == name), "")
        if elsewhere:
            return f"namespace {elsewhere} has one"
        return did_you_mean(name, (key.name for key in keys if key.namespace == namespace), least=_TYPO)

    def find(self, key: Key) -> Object | None:
        """The object of that key."""
        return self._items.get(key)

    def of_kind(self, kind: str) -> list[Object]:
        """All objects of a kind, in order."""
        return [self._items[key] for key in self._kinds.get(kind, ())]

    def copy(self) -> Objects:
        """A set with the same objects that can grow on its own."""
        other = Objects(left_out=self._left_out)
        other._items = dict(self._items)
        other._kinds = {kind: dict(keys) for kind, keys in self._kinds.items()}
        return other
