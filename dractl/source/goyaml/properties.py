"""Directives, anchors, aliases and tags as they are written."""

from __future__ import annotations

import re

from dractl.source.goyaml.cursor import BLANK, BLANKZ, SPACES_AND_TABS, Cursor
from dractl.source.goyaml.scalars import end_line
from dractl.source.reading import Halt

__all__ = ["read_anchor", "read_directive", "read_tag"]

# ``is_alpha`` of go-yaml, which takes ASCII only: an anchor such as ``&ä`` is an error.
_NAME = re.compile("[0-9A-Za-z_-]*")
# Commas and brackets are characters of a URI, in flow context too: ``[!x, b]`` is a list of one item with the
# tag ``!x,``. libyaml ends the tag there.
_URI = re.compile(r"(?:[0-9A-Za-z_;/?:@&=+$,.!~*'()\[\]-]|%[0-9A-Fa-f]{2})*")
# ``max_number_length`` of the scanner is 2.
_VERSION = re.compile(r"[ \t]*(\d{1,2})\.(\d{1,2})(?!\d)", re.ASCII)


def read_directive(cursor: Cursor) -> tuple[str, str, str]:
    """A line that starts with ``%``: the kind of its token and two texts, as the token has them.

    That is ``version`` with the version, or ``tag-directive`` with handle and prefix. Mirrors
    ``yaml_parser_scan_directive``.
    """
    start = cursor.at
    cursor.at += 1
    name = cursor.skip(_NAME)
    if cursor.character not in BLANKZ or name not in ("YAML", "TAG"):
        raise Halt(
            start,
            "a line that starts with '%' must be a %YAML or %TAG directive; quote the text if none is "
            "intended",
        )
    if name == "YAML":
        found = _VERSION.match(cursor.text, cursor.at)
        if found is None:
            raise Halt(start, "the directive %YAML requires a version: %YAML 1.1")
        cursor.at = found.end()
        result = "version", f"{int(found[1])}.{int(found[2])}", ""
    else:
        cursor.skip(SPACES_AND_TABS)
        handle = _read_handle(cursor)
        if not handle.endswith("!"):
            raise Halt(start, "the directive %TAG requires a handle, such as !name!")
        _expect(cursor, BLANK, start)
        cursor.skip(SPACES_AND_TABS)
        result = "tag-directive", handle, _read_uri(cursor, "", start)
        _expect(cursor, BLANKZ, start)
    end_line(cursor, start)
    return result


def read_anchor(cursor: Cursor) -> str:
    """The name of the anchor or alias; mirrors ``yaml_parser_scan_anchor``."""
    start, sign = cursor.at, cursor.character
    cursor.at += 1
    name = cursor.skip(_NAME)
    # The characters that may follow are those of ``yaml_parser_scan_anchor``, among them two that YAML
    # reserves.
    if not name or (cursor.character not in BLANKZ and cursor.character not in "?:,]}%@`"):
        what = "an alias" if sign == "*" else "an anchor"
        raise Halt(
            start,
            f"'{sign}' starts {what}, a name of letters, digits, '-' and '_'; quote the text if none is "
            "intended",
        )
    return name


def read_tag(cursor: Cursor) -> tuple[str, str]:
    """The handle and the rest of a tag; no handle where the rest is the whole tag.

    Mirrors ``yaml_parser_scan_tag``.
    """
    start = cursor.at
    if cursor.text[start + 1] == "<":
        cursor.at += 2
        handle, suffix = "", _read_uri(cursor, "", start)
        if cursor.character != ">":
            raise Halt(start, "the tag has no closing '>'; quote the text if no tag is intended")
        cursor.at += 1
    else:
        handle = _read_handle(cursor)
        if len(handle) > 1 and handle.endswith("!"):
            suffix = _read_uri(cursor, "", start)
        else:
            suffix, handle = _read_uri(cursor, handle, start), "!"
            # A lone ``!`` is not a handle but the whole tag; it makes any scalar a string.
            if not suffix:
                handle, suffix = "", "!"
    _expect(cursor, BLANKZ, start)
    return handle, suffix


def _read_handle(cursor: Cursor) -> str:
    if cursor.character != "!":
        raise Halt(cursor.at, "a tag handle must start with '!'")
    cursor.at += 1
    name = "!" + cursor.skip(_NAME)
    if cursor.character != "!":
        return name
    cursor.at += 1
    return name + "!"


def _read_uri(cursor: Cursor, head: str, start: int) -> str:
    """The rest of a tag whose first part ``head`` looked like a handle but was none."""
    found = cursor.skip(_URI)
    if cursor.character == "%" or not (found or head):
        raise Halt(start, "the tag is incomplete; quote the text if no tag is intended")
    # ``yaml_parser_scan_tag_uri`` keeps what it took for a handle, but its ``!`` is the handle now.
    if "%" not in found:
        return head[1:] + found
    data = re.sub(rb"%(..)", lambda escape: bytes.fromhex(escape[1].decode()), found.encode())
    try:
        return head[1:] + data.decode()
    except UnicodeDecodeError as error:
        raise Halt(start, "the tag has an escape that is not UTF-8") from error


def _expect(cursor: Cursor, characters: frozenset[str], start: int) -> None:
    if cursor.character not in characters:
        raise Halt(start, "white space must follow a tag; quote the text if no tag is intended")
