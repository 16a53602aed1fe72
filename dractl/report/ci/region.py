"""Where a finding stands in a file, as formats for programs want it: with an end, and as a URI."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePath
from urllib.parse import quote

from dractl.finding import Finding, Location
from dractl.records import NamedTuple

__all__ = ["Region", "region_of", "shown", "uri_of"]

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|\'(?:[^\']|\'\')*\'|(?:(?![,\]}](?:\s|$)|:(?:\s|$)|\s#).)+')
"""A quoted scalar, or all up to what ends a plain one."""


class Region(NamedTuple):
    """A line and its columns, counted from 1 in code points; the end is the column after the last one."""

    line: int
    column: int
    end_column: int


def region_of(location: Location) -> Region | None:
    """The token at a place, or None where a finding is about the file as a whole."""
    if location.line < 1:
        return None
    column = max(location.column, 1)
    found = _TOKEN.match(location.text, column - 1)
    end = column + len(found.group().rstrip()) if found is not None else column
    return Region(location.line, column, max(end, column + 1))


def uri_of(file: str) -> str:
    """The URI of a file: relative as its path is, so that a CI finds it in its checkout."""
    path = PurePath(file)
    written = quote(path.as_posix().encode("utf-8", "surrogateescape"))
    return f"file://{written}" if path.is_absolute() else written


def shown(findings: Iterator[Finding] | tuple[Finding, ...]) -> Iterator[Finding]:
    """The findings in the order of the lines of each file, the files as they come."""
    files: dict[str, list[Finding]] = {}
    for finding in findings:
        files.setdefault(finding.location.file if finding.location else "", []).append(finding)
    for entries in files.values():
        yield from sorted(
            entries, key=lambda one: (one.location.line, one.location.column) if one.location else (0, 0)
        )
