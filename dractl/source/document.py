"""One document: its plain value, and the line and column of every key, item and value in it."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from dractl.source.marks import Mark, Place, Steps, find, is_merged
from dractl.source.text import SourceText

__all__ = ["Document"]

_ORIGIN = "config.kubernetes.io/origin"
"""The annotation in which kustomize notes where a resource comes from, with ``buildMetadata``."""

_PLAIN = re.compile(r"(?:[^\s,\[\]{}:\"'&*!|>%@`]|:(?=\S))+")


class Document:
    """An object as it was given: read from a text, or handed over as plain data (then without places).

    ``value`` is plain data as the API machinery's JSON would give it, keys in the order of the text. ``file``
    names the input, ``index`` counts the documents of that input from 0. ``prefix`` are the steps to an item
    of a ``List`` inside its document, else empty. ``duplicates`` are the steps of keys that stand more than
    once, in the order of the text: strict reading refuses them, ``value`` holds the last one. All steps start
    at ``value``. ``holder`` is the ``List`` that an item is in, if it is in one.
    """

    __slots__ = (
        "__weakref__",
        "_base",
        "_below",
        "_mark",
        "_source",
        "duplicates",
        "file",
        "holder",
        "index",
        "prefix",
        "value",
    )

    def __init__(
        self,
        value: Any,
        *,
        file: str,
        index: int = 0,
        prefix: tuple[str | int, ...] = (),
        duplicates: tuple[tuple[str | int, ...], ...] = (),
        source: SourceText | None = None,
        base: int = 0,
        mark: Mark | Callable[[], Mark] = 0,
    ) -> None:
        """Hold ``value``, whose marks (perhaps made when first needed) count from ``base`` in ``source``."""
        self.value = value
        self.file = file
        self.index = index
        self.prefix = prefix
        self.duplicates = duplicates
        self.holder: Document | None = None
        self._source = source
        self._base = base
        self._mark = mark
        self._below: dict[int, dict[tuple[str | int, ...], list[tuple[str | int, ...]]]] | None = None

    @property
    def root(self) -> Document:
        """The whole document of the text: this one, or the ``List`` that it is an item of."""
        found = self
        while found.holder is not None:
            found = found.holder
        return found

    def locate(self, steps: Steps) -> tuple[int, int] | None:
        """The 1-based line and column of the key or list item that ``steps`` lead to.

        Where they lead too far, the place of the deepest step that exists; for no step at all the start of
        the object. None if the object has no text.
        """
        if self._source is None:
            return None
        return self._source.place(self._base + self._find(steps).key)

    def place(self, offset: int) -> tuple[int, int]:
        """The 1-based line and column of a character of the text; the start of the file without a text."""
        return (1, 1) if self._source is None else self._source.place(offset)

    def locate_value(self, steps: Steps) -> tuple[int, int] | None:
        """The place of the value that ``steps`` lead to; that of ``locate`` if they lead too far."""
        if self._source is None:
            return None
        place = self._find(steps)
        return self._source.place(self._base + (place.value if place.depth == len(steps) else place.key))

    def locate_in_scalar(self, steps: Steps, offset: int) -> tuple[int, int] | None:
        """The place of the character ``offset`` of the string that ``steps`` lead to.

        Follows block scalars, folded lines and escapes. Where ``steps`` lead to no string: ``locate_value``.
        """
        found = self.offset_in_scalar(steps, offset)
        return self.locate_value(steps) if found is None else self.place(found)

    def offset_in_scalar(self, steps: Steps, offset: int) -> int | None:
        """The same place as an offset in the file; None where ``steps`` lead to no string in a text."""
        place = self._find(steps)
        text = place.found
        if self._source is None or place.depth < len(steps) or not isinstance(text, str):
            return None
        # most findings do not point into a scalar, and the scanner takes its time to load
        from dractl.source.scalar_places import offset_in_scalar

        start = self._base + place.value
        return offset_in_scalar(self._source.text, start, text, offset)

    def plain_text(self, steps: Steps, *, is_key: bool = False) -> str:
        """How the unquoted key or value that ``steps`` lead to is written; empty if it is something else."""
        place = self._find(steps)
        if self._source is None or place.depth < len(steps):
            return ""
        found = _PLAIN.match(self._source.text, self._base + (place.key if is_key else place.value))
        return found[0] if found else ""

    def source_line(self, line: int) -> str:
        """The text of the 1-based ``line`` of the file; empty if missing."""
        return "" if self._source is None else self._source.line(line)

    @property
    def text(self) -> str | None:
        """The whole text that the document was read from; None if it has none."""
        return None if self._source is None else self._source.text

    @property
    def encoding(self) -> str:
        """The encoding of the file that the document was read from, as ``SourceText`` has it."""
        return "utf-8" if self._source is None else self._source.encoding

    @property
    def base(self) -> int:
        """Where in that text the part between document markers starts in which the document is."""
        return self._base

    @property
    def rendered_from(self) -> str:
        """The file that the document was rendered from, if a comment of Helm or kustomize's note names it."""
        if self._source is None:
            return ""
        named = self._source.rendered_from(self._base, self._base + self._find(()).key)
        return named or _origin(self.value)

    def has_written(self, steps: Steps) -> bool:
        """Whether what ``steps`` lead to is in the text; a typed list has the kind of its items."""
        return self._source is not None and self._find(steps).depth == len(steps)

    def is_merged(self, steps: Steps) -> bool:
        """Whether the key that ``steps`` lead to comes, or comes also, from elsewhere by ``<<``."""
        return self._source is not None and is_merged(self._find(steps[:-1]).mark, steps[-1])

    def item(self, steps: tuple[str | int, ...]) -> Document:
        """The object at ``steps``, which must exist, as a document of its own with the same places."""
        value = self.value
        for step in steps:
            value = value[step]
        depth = len(steps)
        found = Document(
            value,
            file=self.file,
            index=self.index,
            prefix=(*self.prefix, *steps),
            duplicates=tuple(route[depth:] for route in self._duplicates_below(steps)),
            source=self._source,
            base=self._base,
            mark=lambda: self._find(steps).mark,
        )
        found.holder = self
        return found

    def _duplicates_below(self, steps: tuple[str | int, ...]) -> list[tuple[str | int, ...]]:
        """The routes of repeated keys that begin with ``steps``; sorted once for all items of a list."""
        if not self.duplicates:
            return []
        depth = len(steps)
        if self._below is None:
            self._below = {}
        known = self._below.get(depth)
        if known is None:
            known = self._below[depth] = {}
            for route in self.duplicates:
                known.setdefault(route[:depth], []).append(route)
        return known.get(steps, [])

    def _find(self, steps: Steps) -> Place:
        if callable(self._mark):
            self._mark = self._mark()
        return find(self._mark, self.value, steps)

    def __repr__(self) -> str:
        return f"Document({self.file!r}, index={self.index}, prefix={self.prefix!r})"


def _origin(value: object) -> str:
    """The path in the note of kustomize; empty without one."""
    metadata = value.get("metadata") if isinstance(value, dict) else None
    annotations = metadata.get("annotations") if isinstance(metadata, dict) else None
    written = annotations.get(_ORIGIN) if isinstance(annotations, dict) else None
    if not isinstance(written, str):
        return ""
    found = re.search(r"^path: *([^\r\n]{1,500})", written, re.MULTILINE)
    return found[1].strip() if found else ""
