"""Each object's earlier self, found by kind, namespace and name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

from dractl.admission.verdict import DEFAULT_NAMESPACE
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
    meta: dict[str, Any] = metadata if isinstance(metadata, dict) else {}
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

    __slots__ = ("_found", "_hidden", "_objects", "_unknown")

    def __init__(
        self,
        documents: Iterable[Loaded],
        unknown: Mapping[str, str] = MappingProxyType({}),
        hidden: Sequence[str] = (),
    ) -> None:
        """Take the documents of that state; of two for one object the last counts.

        ``unknown`` gives the reason for each file of today whose earlier content is unknown; ``hidden`` are
        files of that state that could not be read and are gone today.
        """
        self._unknown = unknown
        self._hidden = hidden
        self._objects: dict[Identity, Document] = {}
        self._found: set[Identity] = set()
        for document in documents:
            if isinstance(document, Document):
                key = identity(document)
                if key is not None:
                    self._objects[key] = document

    def self_of(self, document: Document) -> Document | None:
        """The earlier self of ``document``; None if it is new."""
        key = identity(document)
        if key is None or key not in self._objects:
            return None
        self._found.add(key)
        return self._objects[key]

    def unknown(self, document: Document) -> str:
        """Why a document without an earlier self may have one all the same; empty if it is new."""
        if document.file in self._unknown:
            return self._unknown[document.file]
        return f"{self._hidden[0]} cannot be read" if self._hidden else ""

    def gone(self) -> list[Document]:
        """The documents that nobody asked for: objects that are no longer there."""
        return [document for key, document in self._objects.items() if key not in self._found]
