"""YAML tokens to the parts of documents, exactly as go-yaml v2 reads them (``parserc.go``)."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from dractl.source.goyaml.tokens import Scanner, Token
from dractl.source.reading import Halt, Part

__all__ = ["parts"]

# ``default_tag_directives`` of ``parserc.go``.
_DEFAULT_TAGS = {"!": "!", "!!": "tag:yaml.org,2002:"}
_NO_CONTENT = ("version", "tag-directive", "document-start", "document-end", "stream-end")
_OPENS = {"flow-list": "list", "block-list": "list", "flow-mapping": "mapping", "block-mapping": "mapping"}


def parts(text: str) -> Iterator[Part]:
    """The parts of all documents of ``text``; raises ``Halt`` where it is not YAML."""
    parser = _Parser(Scanner(text))
    while (part := parser.next_part()) is not None:
        yield part


class _Parser:
    """A machine whose state decides what may come next; states to return to wait on a stack."""

    __slots__ = ("_peek", "_state", "_states", "_tags", "_take")

    def __init__(self, scanner: Scanner) -> None:
        self._peek = scanner.peek
        self._take = scanner.take
        self._tags: dict[str, str] = {}
        # A stack of states and not of calls, as in ``parserc.go``: a hostile text cannot exhaust Python's
        # stack.
        self._state: Callable[[], Part | None] = self._first_document
        self._states: list[Callable[[], Part | None]] = []

    def next_part(self) -> Part | None:
        return self._state()

    def _return(self) -> None:
        self._state = self._states.pop()

    # Documents

    def _first_document(self) -> Part | None:
        token = self._peek()
        # Only the first document may begin without ``---``; a second one without it is where a line is
        # indented too little.
        if token.kind in ("version", "tag-directive", "document-start", "stream-end"):
            return self._next_document()
        self._read_directives()
        self._states.append(self._document_end)
        self._state = self._block_node
        return Part("document", token.start)

    def _next_document(self) -> Part | None:
        while self._peek().kind == "document-end":
            self._take()
        token = self._peek()
        if token.kind == "stream-end":
            self._state = self._next_document
            return None
        self._read_directives()
        found = self._peek()
        if found.kind != "document-start":
            ended = "the document ended before this line"
            advice = "indent it like the first line, or start the next one with '---'"
            raise Halt(found.start, f"{ended}; {advice}")
        self._take()
        self._states.append(self._document_end)
        self._state = self._document_content
        return Part("document", token.start)

    def _document_content(self) -> Part:
        token = self._peek()
        if token.kind in _NO_CONTENT:
            self._return()
            return _empty(token.start)
        return self._block_node()

    def _document_end(self) -> Part:
        token = self._peek()
        if token.kind == "document-end":
            self._take()
        # Handles that %TAG declares hold for one document.
        self._tags = {}
        self._state = self._next_document
        return Part("document-end", token.start)

    def _read_directives(self) -> None:
        tags: dict[str, str] = {}
        has_version = False
        while (token := self._peek()).kind in ("version", "tag-directive"):
            if token.kind == "version":
                # go-yaml v2 reads 1.1 only and rejects 1.2, which libyaml accepts.
                if has_version or token.value != "1.1":
                    raise Halt(
                        token.start, "the directive %YAML must be given at most once, with version 1.1"
                    )
                has_version = True
            elif token.value in tags:
                raise Halt(token.start, f"the directive %TAG declares {token.value} twice")
            else:
                tags[token.value] = token.extra
            self._take()
        self._tags = {**_DEFAULT_TAGS, **tags}

    # Nodes

    def _block_node(self) -> Part:
        return self._node(is_block=True)

    def _flow_node(self) -> Part:
        return self._node(is_block=False)

    def _node(self, *, is_block: bool, may_be_indentless: bool = False) -> Part:
        """Mirrors ``yaml_parser_parse_node``."""
        token = self._peek()
        if token.kind == "alias":
            self._return()
            self._take()
            return Part("alias", token.start, token.value)
        start = token.start
        anchor = tag = ""
        if token.kind in ("anchor", "tag"):
            anchor, tag = self._properties()
            token = self._peek()
        kind = token.kind
        # A list below a key may stand at the column of the key; the scanner opens no block for it.
        if may_be_indentless and kind == "block-entry":
            self._state = self._indentless_entry
            return Part("list", start, "", anchor, tag)
        if kind == "scalar":
            self._return()
            self._take()
            return Part("scalar", start, token.value, anchor, tag, not tag and not token.extra)
        if kind in ("flow-list", "flow-mapping") or (is_block and kind in ("block-list", "block-mapping")):
            self._take()
            self._state = getattr(self, _FIRST_STATES[kind])
            return Part(_OPENS[kind], start, "", anchor, tag)
        # Properties without content are an empty scalar: ``key: !!str`` is the empty text.
        if anchor or tag:
            self._return()
            return Part("scalar", start, "", anchor, tag, not tag)
        raise Halt(token.start, _missing_value(token))

    def _properties(self) -> tuple[str, str]:
        """The anchor and the full tag in front of a node, in either order."""
        anchor = tag = ""
        first = self._peek().kind
        for kind in ("anchor", "tag") if first == "anchor" else ("tag", "anchor"):
            token = self._peek()
            if token.kind != kind:
                if kind == first:
                    break
                continue
            self._take()
            if kind == "anchor":
                anchor = token.value
            else:
                tag = self._full_tag(token)
        return anchor, tag

    def _full_tag(self, token: Token) -> str:
        if not token.value:
            return token.extra
        if token.value not in self._tags:
            raise Halt(token.start, f"the tag handle {token.value} is not declared with %TAG")
        return self._tags[token.value] + token.extra

    # Block collections

    def _block_entry(self) -> Part:
        token = self._peek()
        if token.kind == "block-entry":
            self._take()
            if self._peek().kind in ("block-entry", "block-end"):
                self._state = self._block_entry
                # The missing item is behind its dash, so that a finding points there.
                return _empty(token.start + 1)
            self._states.append(self._block_entry)
            return self._block_node()
        if token.kind == "block-end":
            return self._close()
        raise Halt(token.start, "expected '- ' at the same indentation, or the end of the list")

    def _indentless_entry(self) -> Part:
        token = self._peek()
        if token.kind != "block-entry":
            self._return()
            return Part("end", token.start)
        self._take()
        if self._peek().kind in ("block-entry", "key", "value", "block-end"):
            self._state = self._indentless_entry
            return _empty(token.start + 1)
        self._states.append(self._indentless_entry)
        return self._block_node()

    def _block_key(self) -> Part:
        token = self._peek()
        if token.kind == "key":
            self._take()
            return self._block_part(self._block_value, token)
        if token.kind == "block-end":
            return self._close()
        if token.kind == "block-entry":
            message = "expected 'key: value', not a list item; is a line above indented too little?"
            raise Halt(token.start, message)
        raise Halt(token.start, "expected 'key: value' at the same indentation")

    def _block_value(self) -> Part:
        token = self._peek()
        if token.kind == "value":
            self._take()
            return self._block_part(self._block_key, token, width=1)
        self._state = self._block_key
        return _empty(token.start)

    def _block_part(self, following: Callable[[], Part | None], token: Token, width: int = 0) -> Part:
        """The key or value behind ``token``, which may be left out."""
        if self._peek().kind in ("key", "value", "block-end"):
            self._state = following
            return _empty(token.start + width)
        self._states.append(following)
        return self._node(is_block=True, may_be_indentless=True)

    def _close(self) -> Part:
        self._return()
        return Part("end", self._take().start)

    # Flow collections

    def _flow_first_item(self) -> Part:
        return self._flow_item(is_first=True)

    def _flow_item(self, *, is_first: bool = False) -> Part:
        token = self._peek()
        if token.kind == "flow-list-end":
            return self._close()
        # A comma may follow the last item, and two in a row are an error: an item may not be empty.
        if not is_first:
            token = self._after_comma("]")
        if token.kind == "key":
            self._take()
            # ``[a: 1]`` is a list with a mapping of one entry.
            self._state = self._pair_key
            return Part("mapping", token.start)
        if token.kind == "flow-list-end":
            return self._close()
        self._states.append(self._flow_item)
        return self._flow_node()

    def _after_comma(self, end: str) -> Token:
        token = self._peek()
        if token.kind != "flow-entry":
            raise Halt(token.start, f"expected ',' or '{end}' here")
        self._take()
        return self._peek()

    def _pair_key(self) -> Part:
        token = self._peek()
        if token.kind not in ("value", "flow-entry", "flow-list-end"):
            self._states.append(self._pair_value)
            return self._flow_node()
        self._take()
        self._state = self._pair_value
        return _empty(token.start)

    def _pair_value(self) -> Part:
        token = self._peek()
        if token.kind == "value":
            self._take()
            if self._peek().kind not in ("flow-entry", "flow-list-end"):
                self._states.append(self._pair_end)
                return self._flow_node()
        self._state = self._pair_end
        return _empty(token.start)

    def _pair_end(self) -> Part:
        self._state = self._flow_item
        return Part("end", self._peek().start)

    def _flow_first_key(self) -> Part:
        return self._flow_key(is_first=True)

    def _flow_key(self, *, is_first: bool = False) -> Part:
        token = self._peek()
        if token.kind == "flow-mapping-end":
            return self._close()
        if not is_first:
            token = self._after_comma("}")
        if token.kind == "key":
            self._take()
            token = self._peek()
            if token.kind in ("value", "flow-entry", "flow-mapping-end"):
                self._state = self._flow_value
                return _empty(token.start)
            self._states.append(self._flow_value)
            return self._flow_node()
        if token.kind == "flow-mapping-end":
            return self._close()
        # ``{a}`` is the key a with the value null.
        self._states.append(self._flow_no_value)
        return self._flow_node()

    def _flow_no_value(self) -> Part:
        self._state = self._flow_key
        return _empty(self._peek().start)

    def _flow_value(self) -> Part:
        token = self._peek()
        if token.kind == "value":
            self._take()
            token = self._peek()
            if token.kind not in ("flow-entry", "flow-mapping-end"):
                self._states.append(self._flow_key)
                return self._flow_node()
        self._state = self._flow_key
        return _empty(token.start)


_FIRST_STATES = {
    "flow-list": "_flow_first_item",
    "flow-mapping": "_flow_first_key",
    "block-list": "_block_entry",
    "block-mapping": "_block_key",
}


def _empty(offset: int) -> Part:
    return Part("scalar", offset, is_plain=True)


def _missing_value(token: Token) -> str:
    if token.kind == "block-entry":
        return "a list item '- ' cannot start here; put it on a line of its own"
    return "a value is missing here"
