"""The labels of namespaces, which decide whether claims in them may have admin access."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from dractl.api.json_types import JsonDict
from dractl.cluster.objects import DEFAULT_NAMESPACE
from dractl.source.document import Document
from dractl.source.load import Loaded

__all__ = ["Labels", "Namespaces", "namespace_in"]

Labels = Mapping[str, Mapping[str, str]]


class Namespaces:
    """The labels of namespaces: those that the user gave, and those of Namespace objects in the input.

    A mapping from the user is complete; without one, a namespace without an object is unknown.
    """

    __slots__ = ("_given", "_seen")

    def __init__(self, given: Labels | None, documents: Iterable[Loaded]) -> None:
        """Start from the mapping that was ``given`` (None: none was) and look through ``documents``."""
        self._given = given
        self._seen: dict[str, Mapping[str, str]] = {}
        for document in documents:
            value = document.value if isinstance(document, Document) else None
            if isinstance(value, dict) and value.get("kind") == "Namespace":
                self._see(value.get("metadata"))

    def _see(self, metadata: object) -> None:
        if isinstance(metadata, dict) and isinstance(metadata.get("name"), str):
            labels = metadata.get("labels")
            self._seen[metadata["name"]] = labels if isinstance(labels, dict) else {}

    @property
    def labels(self) -> Labels:
        """All that is known."""
        return {**(self._given or {}), **self._seen}

    def around(self, namespace: str) -> Labels | None:
        """The labels to judge an object in ``namespace`` by; None if nothing is known of it."""
        if self._given is None:
            return self._seen if namespace in self._seen else None
        return self.labels


def namespace_in(value: JsonDict) -> str:
    """The namespace that an object is in, ``default`` if it does not say."""
    metadata = value.get("metadata")
    namespace = metadata.get("namespace") if isinstance(metadata, dict) else None
    return namespace if isinstance(namespace, str) and namespace else DEFAULT_NAMESPACE
