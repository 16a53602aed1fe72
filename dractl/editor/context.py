"""Where a place is in a manifest, read from the lines around it, which may be half-typed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from dractl.editor.buffer import Position
from dractl.editor.flow import Flow, scan
from dractl.editor.scalars import Row, Scalar, row_of, scalar_at
from dractl.records import NamedTuple

__all__ = ["Context", "context_at", "document_bounds", "scalars_named"]

_KIND = re.compile(r"""["']?(apiVersion|kind)["']?\s*:\s*["']?([\w./-]+)""")
_WORD = re.compile(r"[^\s\"']*\Z")
_MOST_FLOW = 2_000_000


class Context(NamedTuple):
    """A place: the keys that lead there in its object, and what is typed before it.

    ``path`` ends with the key whose value the place is in; for a key it leads to the mapping around it.
    ``word`` begins at the column ``start``. ``is_item``: the place is directly behind a dash, where a value
    or the first key of a mapping may come. ``scalar`` is the whole value, with the ``offset`` of the place.
    """

    api_version: str
    kind: str
    path: tuple[str, ...]
    is_key: bool
    word: str
    start: int
    is_item: bool = False
    siblings: frozenset[str] = frozenset()
    scalar: Scalar | None = None
    offset: int = 0

    @property
    def is_expression(self) -> bool:
        """Whether the place is in a CEL expression."""
        return self.path[-1:] == ("expression",) and not self.is_key


class _Node(NamedTuple):
    """A key on the way from the root: its line and column, and what follows it there."""

    key: str
    line: int
    column: int
    rest: str
    rest_at: int


def document_bounds(lines: Sequence[str], line: int) -> tuple[int, int]:
    """The first line of the YAML document around a line, and the one behind its last."""
    start = line
    while start > 0 and not _is_marker(lines[start]):
        start -= 1
    start += _is_marker(lines[start]) and start < line
    end = line + 1
    while end < len(lines) and not _is_marker(lines[end]):
        end += 1
    return start, end


def _is_marker(line: str) -> bool:
    return line[:3] in ("---", "...") and line[3:4] in ("", " ", "\t")


def context_at(lines: Sequence[str], at: Position) -> Context:
    """What is known of a place."""
    line = lines[at.line]
    before = line[: at.column]
    chain, column, siblings = _chain(lines, at, before)
    opened = _flow_start(lines, at, chain, before)
    if opened is not None:
        return _in_flow(lines, at, chain, opened)
    holder = next(
        (node for node in chain if node.line < at.line and _is_scalar_start(node.rest)),
        None,
    )
    if holder is not None:
        return _value(lines, at, chain[: chain.index(holder) + 1])
    row = row_of(before)
    if row is not None and row.key is not None and row.rest_at <= at.column and before[-1:] != ":":
        return _value(lines, at, chain)
    found = _WORD.search(before[column:])
    word = found[0] if found else ""
    is_item = (row is not None and bool(row.dashes)) or _is_bare_dash(before)
    api_version, kind, path = _object_of(lines, at, chain, column)
    return Context(api_version, kind, path, True, word, at.column - len(word), is_item, frozenset(siblings))


def _is_bare_dash(before: str) -> bool:
    return before.strip() == "-" or before.rstrip().endswith(" -")


def _is_scalar_start(rest: str) -> bool:
    """Whether what follows a key is a text, so that deeper lines below belong to it."""
    return bool(rest) and rest[0] not in "&!#{["


def _value(lines: Sequence[str], at: Position, chain: list[_Node]) -> Context:
    node = chain[-1]
    api_version, kind, path = _object_of(lines, at, chain, node.column)
    scalar = None
    if node.rest or node.line == at.line:
        start = Position(node.line, min(node.rest_at, len(lines[node.line])))
        scalar = scalar_at(lines, start, node.column)
    before = lines[at.line][: at.column]
    first = node.rest_at if node.line == at.line else 0
    found = _WORD.search(before[first:])
    word = found[0] if found else ""
    offset = scalar.offset(at) if scalar is not None else None
    return Context(
        api_version,
        kind,
        path,
        False,
        word,
        at.column - len(word),
        scalar=scalar if offset is not None else None,
        offset=offset or 0,
    )


def _chain(lines: Sequence[str], at: Position, before: str) -> tuple[list[_Node], int, set[str]]:
    """The keys from the root to a place, the column of the node there, and the keys next to it."""
    row = row_of(before)
    chain: list[_Node] = []
    siblings: set[str] = set()
    if row is None:
        column, is_dash = len(before), False
    else:
        full = row_of(lines[at.line])
        column, is_dash = row.column, False
        if row.key is not None:
            rest = full.rest if full is not None and full.key == row.key else row.rest
            chain.append(_Node(row.key, at.line, column, rest, row.rest_at))
        for dash in reversed(row.dashes):
            column, is_dash = dash, True
    own = row.column if row is not None else column
    number = at.line - 1
    while (
        number >= 0 and (column > 0 or is_dash or number >= at.line - 2000) and not _is_marker(lines[number])
    ):
        above = row_of(lines[number])
        if above is not None:
            column, is_dash = _step(above, number, column, chain, siblings, is_dash=is_dash)
        number -= 1
    chain.reverse()
    siblings |= _below(lines, at.line, own)
    return chain, own, siblings


def _step(
    row: Row, number: int, column: int, chain: list[_Node], siblings: set[str], *, is_dash: bool
) -> tuple[int, bool]:
    """Go on from a node at a column with the line above it; the column of what was found, and its sort."""
    if row.key is not None:
        if not is_dash and row.column == column:
            if not chain:
                siblings.add(row.key)
        elif row.column < column or (is_dash and row.column == column):
            chain.append(_Node(row.key, number, row.column, row.rest, row.rest_at))
            column, is_dash = row.column, False
    for dash in reversed(row.dashes):
        if dash < column:
            column, is_dash = dash, True
    return column, is_dash


def _below(lines: Sequence[str], line: int, column: int) -> set[str]:
    found: set[str] = set()
    for number in range(line + 1, min(len(lines), line + 500)):
        row = row_of(lines[number])
        if row is None:
            continue
        if _is_marker(lines[number]) or row.column < column or (row.dashes and row.dashes[0] < column):
            break
        if row.key is not None and row.column == column and not row.dashes:
            found.add(row.key)
    return found


def _object_of(
    lines: Sequence[str], at: Position, chain: Sequence[_Node], column: int
) -> tuple[str, str, tuple[str, ...]]:
    """The version and kind of the object around a place, and the keys from there on."""
    path = tuple(node.key for node in chain)
    first = chain[0] if chain else None
    texts = _texts(lines, first.line if first else at.line, first.column if first else column)
    while path[:1] == ("items",) and texts.get("kind", "").endswith("List"):
        kind = texts["kind"].removesuffix("List")
        inner = chain[len(chain) - len(path) + 1] if len(path) > 1 else None
        own = _texts(lines, inner.line if inner else at.line, inner.column if inner else column)
        texts = {"kind": kind, "apiVersion": texts.get("apiVersion", "") if kind else "", **own}
        path = path[1:]
    return texts.get("apiVersion", ""), texts.get("kind", ""), path


def _texts(lines: Sequence[str], line: int, column: int) -> dict[str, str]:
    """What follows ``apiVersion`` and ``kind`` in the mapping around a line whose keys are at a column."""
    found: dict[str, str] = {}
    for numbers in (range(line, -1, -1), range(line + 1, len(lines))):
        for number in numbers:
            text = lines[number]
            if _is_marker(text):
                break
            if column == 0 and text[:1] not in ("k", "a", '"', "'", "-"):
                continue
            row = row_of(text)
            if row is None:
                continue
            if row.key in ("apiVersion", "kind") and row.column == column:
                found.setdefault(row.key, _unquoted(row.rest))
            outer = row.dashes[-1] if row.dashes else row.column
            if (outer < column and (row.column != column or numbers.step > 0)) or (
                row.dashes and row.column == column and numbers.step < 0
            ):
                break
    return found


def _unquoted(text: str) -> str:
    return text.partition(" #")[0].strip().strip("\"'")


def _flow_start(
    lines: Sequence[str], at: Position, chain: Sequence[_Node], before: str
) -> tuple[int, Position] | None:
    """How many keys lead to the outermost bracket that is open at a place, and where it is."""
    for number, node in enumerate(chain):
        if node.rest[:1] in ("{", "[") and (node.line, node.rest_at) < at:
            return number + 1, Position(node.line, node.rest_at)
        if _is_scalar_start(node.rest) and node.line < at.line:
            return None
    row = row_of(before)
    if row is not None and row.dashes and row.key is None and row.rest[:1] in ("{", "["):
        return len(chain), Position(at.line, row.column)
    start, _ = document_bounds(lines, at.line)
    for number in range(start, at.line + 1):
        text = lines[number].lstrip(" ")
        if text[:1] in ("{", "["):
            return 0, Position(number, len(lines[number]) - len(text))
        if text and text[0] != "#" and not _is_marker(text):
            return None
    return None


def _in_flow(
    lines: Sequence[str], at: Position, chain: Sequence[_Node], opened: tuple[int, Position]
) -> Context:
    count, start = opened
    text = _between(lines, start, at)
    flow = scan(text[-_MOST_FLOW:])
    outer = tuple(chain[:count])
    version, kind, path = _object_of(lines, at, outer, start.column) if outer else ("", "", ())
    path = (*path, *flow.path)
    if not outer:
        version, kind, path = _flow_object(lines, at, flow)
    if flow.is_closed:
        return Context(version, kind, path, False, "", at.column)
    scalar, offset = None, 0
    if not flow.is_key and flow.start < len(text):
        quoted = _place(start, text, flow.start - len(flow.quote))
        scalar = scalar_at(lines, quoted, -1) if flow.quote else None
        offset = (scalar.offset(at) or 0) if scalar else 0
    word = text[flow.start :].rpartition("\n")[2]
    found = _WORD.search(word)
    word = found[0] if found else ""
    is_item = text[: flow.start].rstrip("\"' \n")[-1:] in ("[", ",") and not flow.is_key
    siblings = frozenset(flow.objects[-1][1]) if flow.objects else frozenset()
    return Context(
        version, kind, path, flow.is_key, word, at.column - len(word), is_item, siblings, scalar, offset
    )


def _flow_object(lines: Sequence[str], at: Position, flow: Flow) -> tuple[str, str, tuple[str, ...]]:
    depth, texts = 0, flow.objects[0][1] if flow.objects else {}
    if flow.path[:1] == ("items",) and len(flow.objects) > 1:
        depth, texts = flow.objects[1]
    if "kind" not in texts or "apiVersion" not in texts:
        start, end = document_bounds(lines, at.line)
        rest = "\n".join(lines[at.line if depth else start : end])[:20_000]
        texts = {**{found[1]: found[2] for found in reversed(list(_KIND.finditer(rest)))}, **texts}
    return texts.get("apiVersion", ""), texts.get("kind", ""), flow.path[depth:]


def _between(lines: Sequence[str], start: Position, end: Position) -> str:
    if start.line == end.line:
        return lines[start.line][start.column : end.column]
    parts = [
        lines[start.line][start.column :],
        *lines[start.line + 1 : end.line],
        lines[end.line][: end.column],
    ]
    return "\n".join(parts)


def _place(start: Position, text: str, offset: int) -> Position:
    """The place of a character of the text that begins at ``start``."""
    head = text[:offset]
    breaks = head.count("\n")
    if not breaks:
        return Position(start.line, start.column + offset)
    return Position(start.line + breaks, offset - head.rindex("\n") - 1)


_EXPRESSION = re.compile(r"\bexpression[\"']?:\s*")


def scalars_named(lines: Sequence[str], first: int = 0, last: int | None = None) -> Iterator[Scalar]:
    """The CEL expressions that begin in some lines."""
    for number in range(first, min(len(lines), len(lines) if last is None else last)):
        line = lines[number]
        if "expression" not in line:
            continue
        row = row_of(line)
        if row is None:
            continue
        for found in _EXPRESSION.finditer(line):
            start = Position(number, found.end())
            is_flow = row.key != "expression"
            if found.end() < len(line) and not (is_flow and line[found.end()] not in "\"'"):
                yield scalar_at(lines, start, 10_000 if is_flow else row.column)
                if not is_flow:
                    break
