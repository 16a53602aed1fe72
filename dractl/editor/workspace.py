"""The files of a workspace: those that are open as the editor has them, the others as they are on disk."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from dractl.records import NamedTuple
from dractl.source.document import Document
from dractl.source.load import Loaded, PathError, load_paths
from dractl.source.split import Known, documents_of
from dractl.source.text import MAX_BYTES, SourceError, SourceText
from dractl.source.walk import Sources

__all__ = ["Opened", "Workspace"]

_CONTEXT = frozenset(
    {"DeviceClass", "Namespace", "Node", "ResourceClaim", "ResourceClaimTemplate", "ResourceSlice"}
)
"""Kinds of other files that count when a file is validated."""


class Opened(NamedTuple):
    """A file as the editor has it."""

    path: str
    text: str
    version: int


class Workspace:
    """The documents of folders; only the changed document of an open file is read again."""

    def __init__(self, roots: Sequence[str] = (), exclude: Sequence[str] = ()) -> None:
        """Take folders, and globs of what to leave out of them."""
        self.roots = roots
        self.exclude = exclude
        self._on_disk: list[Loaded] | None = None
        self._known: dict[str, Known] = {}

    def forget_disk(self) -> None:
        """Read the folders again when they are needed next: a file has changed."""
        self._on_disk = None

    def forget(self, path: str) -> None:
        """Keep nothing of a file that was closed."""
        self._known.pop(path, None)

    def documents_in(self, opened: Opened) -> list[Document | SourceError]:
        """The documents of an open file."""
        if len(opened.text.encode("utf-8", "surrogatepass")) > MAX_BYTES:
            return [SourceError(opened.path, 1, 1, "the file is too large")]
        known = self._known.setdefault(opened.path, {})
        return documents_of(SourceText(opened.text, opened.path), known=known)

    def everything(self, opened: Iterable[Opened]) -> list[Loaded]:
        """All documents: the open files first."""
        found: list[Loaded] = []
        paths = set()
        for file in opened:
            paths.add(file.path)
            found += self.documents_in(file)
        found += (item for item in self._disk() if isinstance(item, Document) and item.file not in paths)
        return found

    def _disk(self) -> list[Loaded]:
        if self._on_disk is None:
            found = load_paths(self.roots, exclude=self.exclude, sources=Sources()) if self.roots else []
            self._on_disk = [item for item in found if not isinstance(item, PathError)]
        return self._on_disk

    @staticmethod
    def others(own: Iterable[Loaded], everything: Iterable[Loaded]) -> Iterator[Document]:
        """The objects of other files, but for those that the documents of one file define themselves."""
        seen = {_identity(item) for item in own if isinstance(item, Document)}
        own_ids = {id(item) for item in own}
        for item in everything:
            if isinstance(item, Document) and id(item) not in own_ids and _identity(item) not in seen:
                seen.add(_identity(item))
                yield item

    @classmethod
    def around(cls, own: Iterable[Loaded], everything: Iterable[Loaded]) -> Iterator[Document]:
        """What of other files counts for the documents of one: each object once, its own copy first."""
        return (item for item in cls.others(own, everything) if _identity(item)[0] in _CONTEXT)


def _identity(document: Document) -> tuple[str, str, str]:
    value = document.value if isinstance(document.value, dict) else {}
    meta = value.get("metadata")
    meta = meta if isinstance(meta, dict) else {}
    namespace = meta.get("namespace") or "default"
    return str(value.get("kind")), str(namespace), str(meta.get("name"))
