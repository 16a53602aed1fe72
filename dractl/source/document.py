"""One document: its plain value, and the line and column of every key, item and value in it."""

from __future__ import annotations

from typing import Any

from dractl.source.marks import Mark, Steps, find
from dractl.source.scalar_places import offset_in_scalar
from dractl.source.text import SourceText

__all__ = ["Document"]


class Document:
    """An object as it was given: read from a text, or handed over as plain data (then without places).

    ``value`` is plain data as the API machinery's JSON would give it, keys in the order of the text. ``file`` names
    the input, ``index`` counts the documents of that input from 0. ``prefix`` are the steps to an item of a ``List``
    inside its document, else empty. ``duplicates`` are the steps of keys that stand more than once, in the order of
    the text: strict reading refuses them, ``value`` holds the last one. All steps start at ``value``.
    """

    __slots__ = ("_base", "_mark", "_source", "duplicates", "file", "index", "prefix", "value")

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
        mark: Mark = 0,
    ) -> None:
        """Hold ``value``, whose marks count from the character ``base`` of ``source``."""
        self.value = value
        self.file = file
        self.index = index
        self.prefix = prefix
        self.duplicates = duplicates
        self._source = source
        self._base = base
        self._mark = mark

    def locate(self, steps: Steps) -> tuple[int, int] | None:
        """The 1-based line and column of the key or list item that ``steps`` lead to.

        Where they lead too far, the place of the deepest step that exists; for no step at all the start of the
        object. None if the object has no text.
        """
        if self._source is None:
            return None
        return self._source.place(self._base + find(self._mark, self.value, steps).key)

    def locate_value(self, steps: Steps) -> tuple[int, int] | None:
        """The place of the value that ``steps`` lead to; of the key, if they lead too far."""
        if self._source is None:
            return None
        place = find(self._mark, self.value, steps)
        offset = place.value if place.depth == len(steps) else place.key
        return self._source.place(self._base + offset)

    def locate_in_scalar(self, steps: Steps, offset: int) -> tuple[int, int] | None:
        """The place in the file of the character ``offset`` of the string that ``steps`` lead to.

        Follows block scalars, folding and escapes; where that fails, the start of the scalar.
        """
        if self._source is None:
            return None
        place = find(self._mark, self.value, steps)
        if place.depth < len(steps):
            return self._source.place(self._base + place.key)
        start = self._base + place.value
        text = self._value_at(steps)
        if isinstance(text, str):
            start = offset_in_scalar(self._source.text, start, text, offset)
        return self._source.place(start)

    def source_line(self, line: int) -> str:
        """The text of the 1-based ``line`` of the file; empty if there is none."""
        return "" if self._source is None else self._source.line(line)

    def item(self, steps: tuple[str | int, ...]) -> Document:
        """The object at ``steps`` inside this one, as a document with the same places."""
        place = find(self._mark, self.value, steps)
        depth = len(steps)
        return Document(
            self._value_at(steps),
            file=self.file,
            index=self.index,
            prefix=(*self.prefix, *steps),
            duplicates=tuple(route[depth:] for route in self.duplicates if route[:depth] == steps),
            source=self._source,
            base=self._base,
            mark=place.mark,
        )

    def __repr__(self) -> str:
        return f"Document({self.file!r}, index={self.index}, prefix={self.prefix!r})"

    def _value_at(self, steps: Steps) -> Any:
        value = self.value
        for step in steps:
            value = value[step]
        return value
