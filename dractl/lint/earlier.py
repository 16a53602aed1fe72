"""Each object's earlier version, found by kind, namespace and name."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType

from dractl.admission.framework.server import DEFAULT_NAMESPACE
from dractl.api.json_types import JsonDict
from dractl.records import NamedTuple
from dractl.source.document import Document
from dractl.source.load import Loaded
from dractl.versions.registry import type_meta


class Identity(NamedTuple):
    """What makes an object the same one through all its API versions."""

    group: str
    kind: str
    namespace: str
    name: str


def identity(document: Document) -> Identity | None:
    """Which object a document is; None if it does not say, as one with a `generateName` does not."""
    value = document.value
    if not isinstance(value, dict):
        return None
    metadata = value.get("metadata")
    meta: JsonDict = metadata if isinstance(metadata, dict) else {}
    texts = (
        *type_meta(value),
        meta.get("namespace") or DEFAULT_NAMESPACE,
        meta.get("name"),
    )
    if not all(isinstance(text, str) and text for text in texts):
        return None
    api_version, kind, namespace, name = map(str, texts)
    return Identity(api_version.rpartition("/")[0], kind, namespace, name)


class Earlier:
    """The objects of an earlier state; remembers which of them were asked for."""

    __slots__ = ("_found", "_hidden", "_homes", "_moved", "_objects", "_unknown")

    def __init__(
        self,
        documents: Iterable[Loaded],
        *,
        moved: Iterable[Loaded] = (),
        stayed: Iterable[Loaded] = (),
        homes: Mapping[str, str] = MappingProxyType({}),
        unknown: Mapping[str, str] = MappingProxyType({}),
        hidden: Sequence[str] = (),
    ) -> None:
        """Take the documents of that state.

        Of two for one object the last counts, unless ``homes`` gives the earlier name of each file of today:
        then the one in the same file does. ``moved`` are looked at where ``documents`` have nothing, but
        for the objects among ``stayed``.
        ``unknown`` gives the reason for each file of today whose earlier content is unknown; ``hidden`` are
        files of that state that could not be read and are gone today.
        """
        self._objects = _by_identity(documents)
        remaining = _by_identity(stayed)
        self._moved = {key: found for key, found in _by_identity(moved).items() if key not in remaining}
        self._homes = homes
        self._unknown = unknown
        self._hidden = hidden
        self._found: set[Identity] = set()

    def self_of(self, document: Document) -> Document | None:
        """The earlier version of ``document``; None if it is new, or if that is unknown."""
        key = identity(document)
        if key is None:
            return None
        if key in self._objects:
            self._found.add(key)
        candidates = self._candidates(key)
        at_home = [found for found in candidates if found.file == self._homes.get(document.file)]
        if at_home:
            return at_home[-1]
        is_clear = candidates and (not self._homes or not _differ(candidates))
        return candidates[-1] if is_clear else None

    def unknown(self, document: Document) -> str:
        """Why a document without an earlier version may have one all the same; empty if it is new."""
        if document.file in self._unknown:
            return self._unknown[document.file]
        key = identity(document)
        candidates = self._candidates(key) if key is not None else []
        if candidates:
            files = dict.fromkeys(found.file for found in candidates)
            return f"{', '.join(list(files)[:3])} hold different objects of that name"
        return f"{self._hidden[0]} cannot be read" if self._hidden else ""

    def of_kind(self, kind: str) -> Iterator[Document]:
        """The objects of a kind that were there."""
        return (found[-1] for key, found in self._objects.items() if key.kind == kind)

    def gone(self) -> list[Document]:
        """The documents that nobody asked for: objects that are no longer there."""
        return [found[-1] for key, found in self._objects.items() if key not in self._found]

    def _candidates(self, key: Identity) -> list[Document]:
        return self._objects.get(key) or self._moved.get(key) or []


def _by_identity(documents: Iterable[Loaded]) -> dict[Identity, list[Document]]:
    found: dict[Identity, list[Document]] = {}
    for document in documents:
        if isinstance(document, Document) and (key := identity(document)) is not None:
            found.setdefault(key, []).append(document)
    return found


def _differ(documents: Sequence[Document]) -> bool:
    return any(document.value != documents[0].value for document in documents)
