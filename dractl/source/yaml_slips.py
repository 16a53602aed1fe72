"""Which line of a YAML text to move or to quote, for the mistakes that are behind most syntax errors."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from dractl.records import NamedTuple
from dractl.source.text import SourceError, SourceText

__all__ = ["remedy"]

_FURTHEST = 500
"""Lines above an error that are read for their indentation."""

_KEY = re.compile(
    r"""(?P<indent>\ *)(?P<dashes>(?:-\ +)*)
    (?P<key>"[^"]*"|'[^']*'|[^\s"'#:,\[\]{}&*!|>%@`-][^:#]*?)\ *:(?=\s|$)[ \t]*(?P<value>.*)""",
    re.VERBOSE,
)
_NO_SPACE = re.compile(r" *(?:- +)*(?P<key>[\w./-]+):(?P<value>[^\s/].*)")
_NO_HYPHEN_SPACE = re.compile(r" *-(?P<rest>[A-Za-z_]\w*:(?:\s.*|$))")
_BLOCK_TEXT = re.compile(r"[|>][0-9+-]*\s*(?:#.*)?")
_SHOWN = 40


class _Line(NamedTuple):
    """A line with a key: the columns (from 0) of its text and of the key, and the value after the colon."""

    number: int
    indent: int
    column: int
    key: str
    value: str
    colon: int


def remedy(source: SourceText, first_line: int, error: SourceError) -> str:
    """What to do about ``error`` in a document that starts in ``first_line``; empty if that is unclear."""
    find = next((find for begin, find in _REMEDIES if error.message.startswith(begin)), None)
    return "" if find is None else find(_Above(source, first_line, error.line), error)


class _Above:
    """The lines of a document up to the one of an error."""

    def __init__(self, source: SourceText, first_line: int, number: int) -> None:
        self._source = source
        self._first = max(first_line, number - _FURTHEST)
        self.text = source.line(number)
        self.number = number
        self.line = _read(self.text, number)

    def previous(self) -> tuple[int, str, _Line | None]:
        """The number and text of the line above, blank ones and comments aside, and what is read of it."""
        number, text = next(self._upwards(), (0, ""))
        return number, text, _read(text, number)

    def levels(self) -> Iterator[_Line]:
        """The lines above that a line may be next to, the nearest first."""
        limit = None
        for number, text in self._upwards():
            line = _read(text, number)
            if line is not None and (limit is None or line.column < limit):
                yield line
                limit = line.column
            if line is not None and limit is not None:
                limit = min(limit, line.indent + 1 if line.indent < line.column else line.indent)

    def _upwards(self) -> Iterator[tuple[int, str]]:
        for number in range(self.number - 1, self._first - 1, -1):
            text = self._source.line(number)
            if text.strip() and not text.lstrip().startswith("#"):
                yield number, text


def _read(text: str, number: int) -> _Line | None:
    found = _KEY.match(text)
    if found is None:
        return None
    column = found.start("key")
    return _Line(
        number, len(found["indent"]), column, found["key"], found["value"], text.index(":", found.end("key"))
    )


def _unexpected_colon(above: _Above, error: SourceError) -> str:
    line = above.line
    if line is None:
        return ""
    if line.colon < error.column - 1:
        return f"the value of `{line.key}` contains `: `; quote it, or write it under `{line.key}: |`"
    number, text, before = above.previous()
    if before is None:
        return _missing_space(text, number)
    if before.value and line.indent > before.column:
        return _move(line, before)
    return ""


def _missing_space(text: str, number: int) -> str:
    if found := _NO_HYPHEN_SPACE.match(text):
        return f"add a space after the hyphen in line {number}: `- {_cut(found['rest'])}`"
    if found := _NO_SPACE.match(text):
        return f"add a space after the colon in line {number}: `{found['key']}: {_cut(found['value'])}`"
    return ""


def _no_colon(above: _Above, _error: SourceError) -> str:
    _, _, before = above.previous()
    if before is not None and _BLOCK_TEXT.fullmatch(before.value):
        return f"indent the text under `{before.key}: {before.value}` by more than {_spaces(before.column)}"
    return _missing_space(above.text, above.number)


def _other_indentation(above: _Above, error: SourceError) -> str:
    line = above.line
    if line is not None and error.column - 1 > line.colon:
        return _inner_quote(line)
    stripped = above.text.lstrip(" ")
    indent = len(above.text) - len(stripped)
    _, _, before = above.previous()
    if stripped.startswith("- ") and before is not None and not before.value and indent < before.column:
        return (
            f"this item is indented by {_spaces(indent)}; indent it by at least {before.column}, like its "
            f"list `{before.key}` in line {before.number}"
        )
    if line is None or line.indent < line.column:
        return ""
    levels = list(above.levels())
    if any(level.column == line.column == level.indent for level in levels) or not levels:
        return ""
    nearest = min(levels, key=lambda level: abs(level.column - line.column))
    return _move(line, nearest)


def _inner_quote(line: _Line) -> str:
    quote = line.value[:1]
    if quote not in ("'", '"'):
        return ""
    other = "'" if quote == '"' else '"'
    below = f"write the text under `{line.key}: |`"
    if other in line.value:
        return f"the second {quote} ends the string; {below}"
    return f"the second {quote} ends the string; put {other} around the whole text, or {below}"


def _move(line: _Line, other: _Line) -> str:
    if other.column != other.indent:  # a hyphen is before it, which nobody counts among the spaces
        return (
            f"`{line.key}` starts in column {line.column + 1}; start it in column {other.column + 1}, like "
            f"`{other.key}` in line {other.number}"
        )
    right = f"indent it by {other.column}" if other.column else "do not indent it"
    wrong = f"`{line.key}` is indented by {_spaces(line.indent)}"
    return f"{wrong}; {right}, like `{other.key}` in line {other.number}"


def _spaces(number: int) -> str:
    return f"{number} space{'' if number == 1 else 's'}"


def _cut(text: str) -> str:
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 1]}…"


_REMEDIES: tuple[tuple[str, Callable[[_Above, SourceError], str]], ...] = (
    ("unexpected ':'", _unexpected_colon),
    ("expected a key, 'name: value'", _no_colon),
    ("expected 'key: value'", _other_indentation),
    ("expected '- '", _other_indentation),
)
"""By how the message of the parser begins."""
