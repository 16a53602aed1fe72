"""YAML text to tokens, exactly as go-yaml v2 cuts it.

libyaml, the faster road, cuts some texts in another way: tags and question marks in flow context, empty
flow collections as keys, a few escapes. This scanner decides those, and all texts where libyaml is missing.
It follows ``scannerc.go``, also where that differs from the YAML specification.
"""

from __future__ import annotations

from collections import deque

from dractl.records import NamedTuple
from dractl.source.goyaml.cursor import BLANK, BLANKZ, BREAK, SPACES, SPACES_AND_TABS, TO_BREAK, Cursor
from dractl.source.goyaml.properties import read_anchor, read_directive, read_tag
from dractl.source.goyaml.scalars import read_block, read_plain, read_quoted, value_of
from dractl.source.reading import Halt

__all__ = ["Scanner", "Token"]

_NOT_PLAIN = frozenset("-?:,[]{}#&*!|>'\"%@`")
# YAML limits keys without ``?``, so that a scanner need not look ahead further.
_LONGEST_KEY = 1024


class Token(NamedTuple):
    """A piece of YAML: its kind, where it starts, its text, and what else the kind needs."""

    kind: str
    start: int
    value: str = ""
    extra: str = ""


class _SimpleKey:
    """The place on one flow level where a key without ``?`` may have begun."""

    __slots__ = ("column", "is_possible", "is_required", "line", "number", "start")

    def __init__(self, number: int) -> None:
        self.number = number
        self.is_possible = self.is_required = False
        self.start = self.line = self.column = 0


class Scanner:
    """Hands out the tokens of a text one by one; raises ``Halt`` where the text is not YAML."""

    __slots__ = (
        "_allows_key",
        "_cursor",
        "_indent",
        "_indents",
        "_is_ready",
        "_keys",
        "_numbers",
        "_queue",
        "_taken",
    )

    def __init__(self, text: str) -> None:
        """Start at the beginning of ``text``, which must hold no NUL."""
        self._cursor = Cursor(text)
        self._taken = 0
        self._indent = -1
        self._indents: list[int] = []
        self._keys = [_SimpleKey(0)]
        self._numbers: dict[int, _SimpleKey] = {}
        self._queue: deque[Token] = deque()
        self._allows_key = True
        self._is_ready = False

    def peek(self) -> Token:
        """The next token."""
        if not self._is_ready:
            # Whether ``a`` is a key or a scalar only shows at a ``:``, so tokens wait in the queue until it
            # is known.
            while not self._queue or self._may_become_key():
                self._fetch()
            self._is_ready = True
        return self._queue[0]

    def take(self) -> Token:
        """The next token, after which the one behind it is next."""
        token = self.peek()
        self._is_ready = False
        self._taken += 1
        self._queue.popleft()
        return token

    def _may_become_key(self) -> bool:
        """Whether a ``:`` further on may put a KEY token before the first one of the queue."""
        # By the number of the token: going through the keys of all levels, as libyaml does, takes time by the
        # square of the depth (``simple_keys_possible_by_token_number``).
        key = self._numbers.get(self._taken)
        return key is not None and self._is_valid(key)

    def _is_flow(self) -> bool:
        return len(self._keys) > 1

    def _add(self, kind: str, *, width: int = 1) -> None:
        """Append a token of ``width`` characters without further content, and go past it."""
        self._queue.append(Token(kind, self._cursor.at))
        self._cursor.at += width

    def _insert(self, number: int, token: Token) -> None:
        position = number - self._taken
        self._queue.insert(position if position >= 0 else len(self._queue), token)

    # Indentation and keys

    def _is_valid(self, key: _SimpleKey) -> bool:
        """Mirrors ``yaml_simple_key_is_valid``: a key is on one line and at most 1024 characters long."""
        if not key.is_possible:
            return False
        if key.line < self._cursor.line or key.start + _LONGEST_KEY < self._cursor.at:
            self._forbid_required(key)
            key.is_possible = False
            return False
        return True

    def _forbid_required(self, key: _SimpleKey) -> None:
        if key.is_required:
            raise Halt(key.start, "expected a key, 'name: value', but no ':' follows")

    def _save_key(self) -> None:
        """A key may start here, at the next token."""
        if not self._allows_key:
            return
        self._drop_key()
        key = _SimpleKey(self._taken + len(self._queue))
        key.is_possible = True
        # At the indentation of the mapping around it nothing but a key can follow.
        key.is_required = not self._is_flow() and self._indent == self._cursor.column
        key.start, key.line, key.column = self._cursor.at, self._cursor.line, self._cursor.column
        self._keys[-1] = key
        self._numbers[key.number] = key

    def _drop_key(self) -> None:
        """No key started on this flow level after all."""
        key = self._keys[-1]
        if key.is_possible:
            self._forbid_required(key)
            key.is_possible = False
            self._numbers.pop(key.number, None)

    def _roll_indent(self, column: int, token: Token, number: int | None = None) -> None:
        """Open a block collection at ``column`` if it is deeper than the current one."""
        if self._is_flow() or self._indent >= column:
            return
        self._indents.append(self._indent)
        self._indent = column
        if number is None:
            self._queue.append(token)
        else:
            self._insert(number, token)

    def _unroll_indent(self, column: int) -> None:
        """Close the block collections that are deeper than ``column``."""
        if self._is_flow():
            return
        while self._indent > column:
            self._add("block-end", width=0)
            self._indent = self._indents.pop()

    # The next token

    def _fetch(self) -> None:
        """Mirrors ``yaml_parser_fetch_next_token``."""
        self._skip_to_token()
        cursor = self._cursor
        self._unroll_indent(cursor.column)
        character = cursor.character
        is_flow = self._is_flow()
        # In flow context ``?`` starts a key even without a space behind it: ``{a?b: 1}`` is an error, not the
        # key ``a?b``.
        stands_alone = is_flow or cursor.text[cursor.at + 1] in BLANKZ
        if character == "\0":
            self._fetch_end()
        # Elsewhere a ``%`` cannot start a scalar, which is reported as such.
        elif character == "%" and cursor.column == 0:
            start = cursor.at
            self._reset()
            kind, value, extra = read_directive(cursor)
            self._queue.append(Token(kind, start, value, extra))
        elif cursor.is_document_marker():
            self._reset()
            self._add("document-start" if character == "-" else "document-end", width=3)
        elif character in "[{":
            self._open_flow(character)
        elif character in "]}":
            self._close_flow(character)
        elif character == ",":
            self._drop_key()
            self._allows_key = True
            self._add("flow-entry")
        elif character == "-" and cursor.text[cursor.at + 1] in BLANKZ:
            self._fetch_block_entry()
        elif character == "?" and stands_alone:
            self._fetch_key()
        elif character == ":" and stands_alone:
            self._fetch_value()
        elif character in "|>" and not is_flow:
            self._drop_key()
            self._allows_key = True
            start = cursor.at
            self._queue.append(Token("scalar", start, value_of(read_block(cursor, self._indent)), "|"))
        else:
            self._fetch_node(character)

    def _fetch_node(self, character: str) -> None:
        """An anchor, alias, tag or flow scalar: each may be a key or start one."""
        cursor = self._cursor
        self._save_key()
        is_flow, self._allows_key = self._is_flow(), False
        start = cursor.at
        if character in "*&":
            token = Token("alias" if character == "*" else "anchor", start, read_anchor(cursor))
        elif character == "!":
            token = Token("tag", start, *read_tag(cursor))
        elif character in "'\"":
            token = Token("scalar", start, value_of(read_quoted(cursor)), character)
        elif _starts_plain(character, cursor.text[start + 1], is_flow=is_flow):
            pieces, self._allows_key = read_plain(cursor, self._indent, is_flow=is_flow)
            token = Token("scalar", start, value_of(pieces))
        else:
            raise Halt(start, _cannot_start(character))
        self._queue.append(token)

    def _skip_to_token(self) -> None:
        """Skip spaces, comments and line breaks; tabs where no indentation is expected."""
        cursor = self._cursor
        while True:
            # A tab may stand wherever it cannot be taken for indentation.
            cursor.skip(SPACES_AND_TABS if self._is_flow() or not self._allows_key else SPACES)
            if cursor.character == "#":
                cursor.skip(TO_BREAK)
            if cursor.character not in BREAK:
                return
            cursor.read_break()
            if not self._is_flow():
                self._allows_key = True

    def _reset(self) -> None:
        """Leave all block collections: a document, a directive or the end begins."""
        self._unroll_indent(-1)
        self._drop_key()
        self._allows_key = False

    def _fetch_end(self) -> None:
        # ``yaml_parser_fetch_stream_end`` forces a new line, so that no key is on the line of the end.
        if self._cursor.column:
            self._cursor.line_start = self._cursor.at
            self._cursor.line += 1
        self._reset()
        self._add("stream-end", width=0)

    def _open_flow(self, character: str) -> None:
        self._save_key()
        self._keys.append(_SimpleKey(self._taken + len(self._queue)))
        self._allows_key = True
        self._add("flow-list" if character == "[" else "flow-mapping")

    def _close_flow(self, character: str) -> None:
        self._drop_key()
        if self._is_flow():
            # go-yaml forgets the key around an empty collection here, so that ``{}: 1`` is not a mapping
            self._numbers.pop(self._keys.pop().number, None)
        self._allows_key = False
        self._add("flow-list-end" if character == "]" else "flow-mapping-end")

    def _fetch_block_entry(self) -> None:
        if not self._is_flow():
            if not self._allows_key:
                raise Halt(self._cursor.at, "a list item '- ' cannot start here; put it on a line of its own")
            self._roll_indent(self._cursor.column, Token("block-list", self._cursor.at))
        # ``[- a]`` is left to the grammar, which knows what it expected instead.
        self._drop_key()
        self._allows_key = True
        self._add("block-entry")

    def _fetch_key(self) -> None:
        if not self._is_flow():
            if not self._allows_key:
                raise Halt(self._cursor.at, "a key '? ' cannot start here")
            self._roll_indent(self._cursor.column, Token("block-mapping", self._cursor.at))
        self._drop_key()
        self._allows_key = not self._is_flow()
        self._add("key")

    def _fetch_value(self) -> None:
        key = self._keys[-1]
        if self._is_valid(key):
            self._insert(key.number, Token("key", key.start))
            self._roll_indent(key.column, Token("block-mapping", key.start), key.number)
            key.is_possible = False
            self._numbers.pop(key.number, None)
            self._allows_key = False
        else:
            if not self._is_flow():
                if not self._allows_key:
                    raise Halt(
                        self._cursor.at,
                        "unexpected ':'; quote the text around it, or start a new line",
                    )
                self._roll_indent(self._cursor.column, Token("block-mapping", self._cursor.at))
            self._allows_key = not self._is_flow()
        self._add("value")


def _starts_plain(character: str, following: str, *, is_flow: bool) -> bool:
    """Whether a scalar without quotes may start with ``character``."""
    # More restrictive than YAML 1.1, as the note in ``yaml_parser_fetch_next_token`` says.
    if character == "-":
        return following not in BLANK
    if character in "?:":
        return not is_flow and following not in BLANKZ
    return character not in _NOT_PLAIN and character not in BLANKZ


def _cannot_start(character: str) -> str:
    if character == "\t":
        return "unexpected tab; indent with spaces"
    return f"a value cannot start with {character!r}; quote it"
