"""TOML text to plain data, within limits, and the line of a key for messages."""

from __future__ import annotations

import re
from collections.abc import Mapping

from dractl.cli.server import UsageError
from dractl.cli.settings.files import ConfigFile

__all__ = ["line_of", "tables_in"]

_MOST_DOTS = 200
"""In one line. The parser takes quadratic time for keys of many parts."""

_PLACE = re.compile(r" \(at line (\d+), column (\d+)\)$")
_HEADER = re.compile(r"\s*\[{1,2}\s*([^\]]+?)\s*\]")


def tables_in(file: ConfigFile) -> Mapping[str, object]:
    """The settings in a file; empty if it has none. Raises UsageError for text that is not valid."""
    for number, line in enumerate(file.text.splitlines(), start=1):
        if line.count(".") > _MOST_DOTS:
            raise UsageError(f"{file.path}:{number}", f"more than {_MOST_DOTS} dots in a line; split it")
    import tomllib  # most runs have no configuration

    try:
        found: object = tomllib.loads(file.text)
    except tomllib.TOMLDecodeError as error:
        message = str(error)
        place = _PLACE.search(message)
        where = f":{place[1]}:{place[2]}" if place else ""
        raise UsageError(f"{file.path}{where}", f"is not valid TOML: {_PLACE.sub('', message)}") from None
    except (RecursionError, ValueError, OverflowError):
        raise UsageError(
            file.path, "is not valid TOML: it nests too deeply, or has a number too large"
        ) from None
    for name in file.prefix:
        found = found.get(name, {}) if isinstance(found, dict) else {}
    if not isinstance(found, dict):
        raise UsageError(file.path, f"{'.'.join(file.prefix)} must be a table")
    return found


def line_of(file: ConfigFile, table: tuple[str, ...], key: str) -> int:
    """The line of a key in a table of the file, or of the table; 1 if neither is written plainly."""
    wanted = (*file.prefix, *table)
    pattern = re.compile(rf"\s*([\"']?){re.escape(key)}\1\s*[=.]")
    current: tuple[str, ...] = ()
    best = 1
    for number, line in enumerate(file.text.splitlines(), start=1):
        header = _HEADER.match(line)
        if header is not None:
            current = tuple(part.strip().strip("\"'") for part in header[1].split("."))
            if current == (*wanted, key):
                return number
            if current == wanted:
                best = number
        elif current == wanted and pattern.match(line):
            return number
    return best
