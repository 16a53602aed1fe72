"""Objects that are in one input only, or in both with other fields."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from dractl.api.release import Minor
from dractl.cluster.context_objects import surrounding
from dractl.diffing.model import ADDED, CHANGED, REMOVED, FieldChange, ObjectChange
from dractl.diffing.sides import Identity, identity_of
from dractl.finding import ObjectRef
from dractl.lint.base import placing
from dractl.records import NamedTuple
from dractl.source.document import Document
from dractl.source.load import Loaded
from dractl.versions.registry import Standing, look_up

__all__ = ["changed_fields", "object_changes", "objects_of"]

_MOST_FIELDS = 20
"""Fields that are listed for one object; a changed slice of 128 devices has fewer paths."""

_VOLATILE = frozenset(
    {
        *("metadata.managedFields", "metadata.resourceVersion", "metadata.generation", "metadata.uid"),
        *("metadata.creationTimestamp", "metadata.selfLink"),
        "metadata.annotations[kubectl.kubernetes.io/last-applied-configuration]",
        *("status.conditions[*].lastHeartbeatTime", "status.conditions[*].lastTransitionTime"),
    }
)
"""What an API server writes by itself, and what changes without any change of the object."""


class _Numbered(NamedTuple):
    """An identity, and a number for objects that only share a ``generateName``."""

    identity: Identity
    number: int


Known = Mapping[_Numbered, Document]


def objects_of(loaded: Iterable[Loaded], minor: Minor, prototypes: Collection[Document]) -> Known:
    """The objects of the kinds that dractl reads; the last of several with one name counts, as always."""
    found: dict[_Numbered, Document] = {}
    unnamed: Counter[Identity] = Counter()
    for item in loaded:
        if not isinstance(item, Document) or not _is_read(item, minor, prototypes):
            continue
        identity = identity_of(item)
        if identity is None:
            continue
        number = 0
        if not _is_named(item):
            unnamed[identity] += 1
            number = unnamed[identity]
        found[_Numbered(identity, number)] = item
    return found


def _is_read(item: Document, minor: Minor, prototypes: Collection[Document]) -> bool:
    if item in prototypes:
        return True
    standing = look_up(minor, item.value).standing
    return standing not in (Standing.FOREIGN, Standing.UNNAMED) or surrounding(item.value) is not None


def _is_named(item: Document) -> bool:
    metadata = item.value.get("metadata")
    return isinstance(metadata, dict) and bool(metadata.get("name"))


def object_changes(before: Known, after: Known) -> Iterator[ObjectChange]:
    """What is added, removed and changed, each in the order of its input."""
    for key, item in after.items():
        earlier = before.get(key)
        if earlier is None:
            yield ObjectChange(ADDED, _ref(item), placing.location(item))
        elif earlier is not item and earlier.value != item.value:
            fields = changed_fields(earlier.value, item.value)
            if fields:
                yield ObjectChange(CHANGED, _ref(item), placing.location(item), fields)
    for key, item in before.items():
        if key not in after:
            yield ObjectChange(REMOVED, _ref(item), placing.location(item))


def _ref(document: Document) -> ObjectRef:
    ref = placing.object_ref(document) or ObjectRef("", "", "", "")
    if ref.name:
        return ref
    identity = identity_of(document)
    return ref if identity is None else ref._replace(name=identity.key.name)


def changed_fields(before: object, after: object) -> tuple[FieldChange, ...]:
    """The paths at which two values differ; elements of lists are compared by their name if all have one."""
    found: Counter[str] = Counter()
    waiting: list[tuple[str, object, object]] = [("", before, after)]
    while waiting:
        path, one, other = waiting.pop()
        if path in _VOLATILE or one is other:
            continue
        if isinstance(one, dict) and isinstance(other, dict):
            waiting += reversed(
                [(_below(path, key), one.get(key), other.get(key)) for key in {**one, **other}]
            )
        elif isinstance(one, list) and isinstance(other, list):
            waiting += _elements(path, one, other, found)
        elif one != other or isinstance(one, bool) != isinstance(other, bool):
            found[path] += 1
    listed = [FieldChange(path, count) for path, count in found.items()]
    return tuple(listed[:_MOST_FIELDS])


def _below(path: str, key: object) -> str:
    text = str(key)
    if not text.isidentifier():
        return f"{path}[{text}]"
    return f"{path}.{text}" if path else text


def _elements(
    path: str, one: Sequence[object], other: Sequence[object], found: Counter[str]
) -> list[tuple[str, object, object]]:
    """The pairs of elements to compare; those that are in one list only are counted at once."""
    inner = f"{path}[*]"
    by_name, others = _named(one), _named(other)
    if by_name is None or others is None:
        shared = min(len(one), len(other))
        extra = max(len(one), len(other)) - shared
        pairs = list(zip(one[:shared], other[:shared], strict=True))
    else:
        both = [name for name in by_name if name in others]
        extra = len(by_name) + len(others) - 2 * len(both)
        if both != [name for name in others if name in by_name]:
            found[path] += 1  # the order of devices decides which one is allocated
        pairs = [(by_name[name], others[name]) for name in both]
    if extra and inner not in _VOLATILE:
        found[inner] += extra
    return [(inner, *pair) for pair in reversed(pairs)]


def _named(elements: Sequence[object]) -> dict[str, object] | None:
    """The elements by their ``name``; None unless each has one of its own."""
    found: dict[str, object] = {}
    for element in elements:
        name = element.get("name") if isinstance(element, dict) else None
        if not isinstance(name, str) or name in found:
            return None
        found[name] = element
    return found
