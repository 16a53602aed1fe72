"""Plain data as a YAML text that reads back as it was, also by the API machinery's YAML 1.1."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from functools import lru_cache

from dractl.api import characters
from dractl.api.json_types import JsonObject

__all__ = ["printed", "quoted"]

_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_./-]*", re.ASCII)
_LONGEST_KEY = 1000
"""YAML readers look for the colon behind a key for 1,024 characters only."""

_REPEATED = 40

_WORDS = frozenset(("y", "n", "yes", "no", "on", "off", "true", "false", "null"))


def printed(value: JsonObject) -> str:
    """``value`` as one YAML document without markers; every line ends."""
    lines: list[str] = []
    _mapping(value, "", "", lines)
    return "".join(f"{line}\n" for line in lines)


# Lines are appended whole: passing each through a generator per level took twice the time of large clusters.
# ``first`` is what the first line begins with, and ``rest`` all others.


def _mapping(value: JsonObject, first: str, rest: str, lines: list[str]) -> None:
    for key, item in value.items():
        name = _text(key)
        if len(name) <= _LONGEST_KEY:
            _entry(f"{first}{name}:", item, rest, lines)
        else:
            lines.append(f"{first}? {name}")
            _under_long_key(item, rest, lines)
        first = rest


def _under_long_key(item: object, rest: str, lines: list[str]) -> None:
    """The value of a key that is on a line of its own."""
    if isinstance(item, list | tuple) and item:
        lines.append(f"{rest}:")
        _list(item, f"{rest}  ", f"{rest}  ", lines)
    else:
        _entry(f"{rest}:", item, rest, lines)


def _entry(head: str, item: object, rest: str, lines: list[str]) -> None:
    """A key with its value: on the same line, or under it."""
    if isinstance(item, str):
        if "\n" in item and _is_block(item):
            lines.append(f"{head} |{'' if item.endswith(chr(10)) else '-'}")
            lines += (f"{rest}  {line}" for line in item.removesuffix("\n").split("\n"))
        else:
            lines.append(f"{head} {_text(item)}")
    elif isinstance(item, Mapping) and item:
        lines.append(head)
        _mapping(item, f"{rest}  ", f"{rest}  ", lines)
    elif isinstance(item, list | tuple) and item:
        # Kubernetes manifests have lists at the column of their key.
        lines.append(head)
        _list(item, rest, rest, lines)
    else:
        lines.append(f"{head} {_scalar(item)}")


def _list(items: Iterable[object], first: str, rest: str, lines: list[str]) -> None:
    for item in items:
        if isinstance(item, Mapping) and item:
            _mapping(item, f"{first}- ", f"{rest}  ", lines)
        elif isinstance(item, list | tuple) and item:
            _list(item, f"{first}- ", f"{rest}  ", lines)
        else:
            lines.append(f"{first}- {_scalar(item)}")
        first = rest


def _is_block(text: str) -> bool:
    """Whether a text of several lines can stand as it is, line by line."""
    first, *rest = text.removesuffix("\n").split("\n")
    if not rest or any(characters.has_command(line) for line in (first, *rest)):
        return False
    if not all(map(characters.is_plain, text.replace("\n", ""))):
        return False
    return not first.startswith(" ") and bool(first) and bool(rest[-1].strip())


def _scalar(item: object) -> str:
    if isinstance(item, str):
        return _text(item)
    return json.dumps(item, ensure_ascii=False)


def _text(text: str) -> str:
    return _short(text) if len(text) <= _REPEATED else _written(text)


def _written(text: str) -> str:
    if _PLAIN.fullmatch(text) and text.lower() not in _WORDS:
        return text
    if '"' in text and text.isascii() and text.isprintable() and not characters.has_command(text):
        doubled = text.replace("'", "''")
        return f"'{doubled}'"
    return quoted(text)


_short = lru_cache(4096)(_written)
"""Keys and short values repeat in every object of a kind."""


def quoted(text: str) -> str:
    """``text`` in double quotes, with an escape for what cannot be seen."""
    return characters.escaped(json.dumps(text, ensure_ascii=False), pairs=False)
