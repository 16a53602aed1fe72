"""A page as a parser sees it: elements with attributes and texts, and what is wrong with their nesting."""

from __future__ import annotations

from html.parser import HTMLParser
from typing import NamedTuple

__all__ = ["Element", "Structure", "structure_of"]

VOID = frozenset({"input", "meta", "rect", "path", "wbr"})
"""Elements without an end tag; those of SVG close themselves."""


class Element(NamedTuple):
    """An element: its name, its attributes, and the names of those that it is in."""

    tag: str
    attributes: dict[str, str]
    parents: tuple[str, ...]


class Structure(HTMLParser):
    """Collects elements and texts; ``problems`` are tags that do not match."""

    def __init__(self) -> None:
        """Start with nothing."""
        super().__init__(convert_charrefs=True)
        self.elements: list[Element] = []
        self.texts: list[tuple[str, str]] = []
        self.problems: list[str] = []
        self._open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        names = [name for name, _ in attrs]
        if len(set(names)) < len(names):
            self.problems.append(f"{tag} has an attribute twice: {names}")
        self.elements.append(Element(tag, {name: value or "" for name, value in attrs}, tuple(self._open)))
        if tag not in VOID:
            self._open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self._open.pop()

    def handle_endtag(self, tag: str) -> None:
        if not self._open or self._open[-1] != tag:
            self.problems.append(f"</{tag}> in {self._open}")
        else:
            self._open.pop()

    def handle_data(self, data: str) -> None:
        if data.strip():
            self.texts.append((self._open[-1] if self._open else "", data))

    @property
    def text(self) -> str:
        """All that is read, with single blanks."""
        told = (data for tag, data in self.texts if tag not in ("style", "script"))
        return " ".join(" ".join(told).split())

    def all(self, tag: str) -> list[Element]:
        """The elements of one name."""
        return [element for element in self.elements if element.tag == tag]

    def close(self) -> None:
        super().close()
        self.problems += [f"<{tag}> is not closed" for tag in self._open]


def structure_of(document: str) -> Structure:
    """Parse a page."""
    found = Structure()
    found.feed(document)
    found.close()
    return found
