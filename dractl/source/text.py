"""Bytes to text: the encodings that the API machinery reads, a size limit, and lines of what was read."""

from __future__ import annotations

import re
from bisect import bisect_right

from dractl.api import budgets
from dractl.records import NamedTuple

__all__ = ["MAX_BYTES", "SourceError", "SourceText", "decode"]

MAX_BYTES = budgets.INPUT_SIZE.value * 1024 * 1024
"""The largest input that is read."""

_LONGEST_SHOWN = 500
"""A line with more characters is not shown in reports."""

_BOMS = (("utf-8", b"\xef\xbb\xbf"), ("utf-16-le", b"\xff\xfe"), ("utf-16-be", b"\xfe\xff"))


_SOURCE = "# Source: "
_COMMENT_ROOM = 4096

_LOOKED_AT = 1024
_UTF_16_NULLS = 0.4
"""In UTF-16 nearly every second byte of a manifest is null."""
_COMPRESSED = {
    b"\x1f\x8b": "gzip",
    b"PK\x03\x04": "zip",
    b"BZh": "bzip2",
    b"\xfd7zXZ": "xz",
    b"\x28\xb5\x2f\xfd": "zstd",
}
_NO_TEXT = frozenset(range(0x20)) - frozenset(b"\t\n\f\r\x1b")


class SourceError(NamedTuple):
    """Text that cannot be read, at the place where reading stopped (1-based).

    ``document`` counts the documents of the file from 0, ``line_text`` is the line itself, for reports.
    ``rendered_from`` is the template that the document was made from, if the text names it.
    """

    file: str
    line: int
    column: int
    message: str
    document: int = 0
    line_text: str = ""
    rendered_from: str = ""


class SourceText:
    """The whole text of one input; turns character offsets into lines and columns when asked.

    Lines end as editors count them, at LF, CRLF or CR, also where YAML knows more line breaks.
    """

    __slots__ = ("_starts", "encoding", "file", "text")

    def __init__(self, text: str, file: str, encoding: str = "utf-8") -> None:
        """Hold ``text``, which came from ``file`` (a name for people).

        ``encoding`` is that of the file: ``utf-8``, or with a byte order mark ``utf-8-sig``, ``utf-16-le`` or
        ``utf-16-be``.
        """
        self.text = text
        self.file = file
        self.encoding = encoding
        self._starts: list[int] | None = None

    def encode(self, text: str) -> bytes:
        """Another text in the encoding of this file, with its byte order mark; raises UnicodeEncodeError."""
        mark = "" if self.encoding == "utf-8" else "\ufeff"
        return (mark + text).encode(self.encoding.removesuffix("-sig"))

    def place(self, offset: int) -> tuple[int, int]:
        """The 1-based line and column of the character at ``offset``."""
        starts = self._line_starts()
        line = bisect_right(starts, offset)
        return line, offset - starts[line - 1] + 1

    def offset(self, line: int, column: int) -> int:
        """The offset of the character at a 1-based line and column, which must exist."""
        return self._line_starts()[line - 1] + column - 1

    def line(self, number: int) -> str:
        """The text of the 1-based line ``number`` without its line break.

        Empty where there is none, or where it is too long to be shown.
        """
        starts = self._line_starts()
        if not 1 <= number <= len(starts):
            return ""
        end = starts[number] if number < len(starts) else len(self.text)
        start = starts[number - 1]
        return "" if end - start > _LONGEST_SHOWN else self.text[start:end].rstrip("\r\n")

    def error(self, offset: int, message: str, document: int = 0) -> SourceError:
        """The error ``message`` at the character ``offset``."""
        line, column = self.place(offset)
        return SourceError(self.file, line, column, message, document, self.line(line))

    def rendered_from(self, start: int, end: int) -> str:
        """The file that the document between two offsets was rendered from: Helm names it in a comment.

        Looks at the start of the text only, where Helm writes ``# Source: chart/templates/claim.yaml``.
        """
        at = self.text.find(_SOURCE, start, min(end, start + _COMMENT_ROOM))
        if at < 0 or (at > 0 and self.text[at - 1] not in "\r\n"):
            return ""
        found = re.compile(r"[^\r\n]{1,500}").match(self.text, at + len(_SOURCE))
        return found[0].strip() if found else ""

    def _line_starts(self) -> list[int]:
        if self._starts is None:
            self._starts = [0, *(found.end() for found in re.finditer(r"\r\n?|\n", self.text))]
        return self._starts


def decode(data: bytes, file: str) -> SourceText | SourceError:
    """The text of ``data``: UTF-8 with or without byte order mark, or UTF-16 with one.

    Mirrors ``yaml_parser_determine_encoding`` of go-yaml v2. Invalid bytes are one error for the whole input.
    """
    if len(data) > MAX_BYTES:
        return SourceError(file, 1, 1, budgets.INPUT_SIZE.message())
    encoding, start = "utf-8", 0
    for name, mark in _BOMS:
        if data.startswith(mark):
            encoding, start = name, len(mark)
            break
    try:
        written = "utf-8-sig" if start and encoding == "utf-8" else encoding
        return SourceText(str(memoryview(data)[start:], encoding), file, written)
    except UnicodeDecodeError as error:
        binary = "" if start else _binary_kind(data)
        if binary:
            return SourceError(file, 1, 1, binary)
        readable = str(data[start : start + error.start], encoding)
        byte = f"byte 0x{data[start + error.start]:02x}"
        shown = {"utf-8": "UTF-8", "utf-16-le": "UTF-16", "utf-16-be": "UTF-16"}[encoding]
        return SourceText(readable, file).error(
            len(readable), f"{byte} is not valid {shown}; save the file as UTF-8"
        )


def _binary_kind(data: bytes) -> str:
    """What to do with data that is not text; empty if it may be text in another encoding."""
    for magic, name in _COMPRESSED.items():
        if data.startswith(magic):
            return f"the file is compressed ({name}), not text; unpack it first"
    start = data[:_LOOKED_AT]
    halves = start[::2].count(0), start[1::2].count(0)
    if min(halves) == 0 and max(halves) > len(start) * _UTF_16_NULLS:
        return "the file is UTF-16 without a byte order mark; save it as UTF-8"
    if any(byte in _NO_TEXT for byte in start):
        return "the file is binary, not text; expected YAML or JSON"
    return ""
