"""What a conversion comes out with: the files and objects after it, and what it would lose."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dractl.finding import Location, ObjectRef
from dractl.records import NamedTuple

__all__ = ["NEW", "Conversion", "ConvertedFile", "Lost"]


NEW = "converted.yaml"
"""The name of a file that holds objects which were in none before."""


class Lost(NamedTuple):
    """Something that the target version cannot represent, or a document that cannot be converted at all.

    ``field`` is empty for a whole document; ``object`` is None for a text that cannot be read. ``is_broken``:
    the document cannot be decoded in its own version.
    """

    location: Location
    object: ObjectRef | None
    field: str
    reason: str
    is_broken: bool = False


class ConvertedFile(NamedTuple):
    """The text of one file before and after; ``notes`` report other changes than those of the documents.

    Neither text has a byte order mark; ``encoding`` says whether the file has one: ``utf-8`` has none, and
    ``utf-8-sig``, ``utf-16-le`` and ``utf-16-be`` do.
    """

    name: str
    before: str
    after: str
    notes: tuple[str, ...] = ()
    encoding: str = "utf-8"

    @property
    def mark(self) -> str:
        """The byte order mark before both texts, if the file has one."""
        return "" if self.encoding == "utf-8" else "\ufeff"

    @property
    def data(self) -> bytes:
        """The file after the conversion, in the encoding that it had; raises UnicodeEncodeError."""
        return (self.mark + self.after).encode(self.encoding.removesuffix("-sig"))


class Conversion(NamedTuple):
    """The result of :func:`dractl.convert`.

    ``objects`` are the documents in their order, a ``List`` as its items; ``files`` the texts that they were
    read from, if they were read from any. ``lost`` is what was lost, or would be: unless ``lossy`` was asked
    for, ``files`` and ``objects`` are empty then, and if anything of it is broken they are empty also with
    ``lossy``. ``notes`` are worth knowing.
    """

    to: str
    objects: tuple[Mapping[str, Any], ...]
    files: tuple[ConvertedFile, ...]
    lost: tuple[Lost, ...]
    notes: tuple[str, ...]
    lossy: bool

    @property
    def ok(self) -> bool:
        """Whether it has a result: nothing is lost, or it was asked for and all could be read."""
        return not self.lost or (self.lossy and not any(lost.is_broken for lost in self.lost))

    @property
    def all_notes(self) -> list[str]:
        """The notes of the conversion and of its files."""
        return [*self.notes, *(note for file in self.files for note in file.notes)]

    @property
    def text(self) -> str:
        """All files one after the other, as one YAML stream."""
        return joined([file.after for file in self.files])


def joined(texts: list[str]) -> str:
    """Texts as one stream of YAML documents."""
    stream = ""
    for text in texts:
        if not text.strip():
            continue
        if stream:
            stream += "" if stream.endswith("\n") else "\n"
            stream += "" if text.startswith("---") else "---\n"
        stream += text
    return stream
