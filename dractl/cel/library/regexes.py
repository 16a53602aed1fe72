"""Searching with regular expressions, as ``k8s.io/apiserver/pkg/cel/library/regex.go``."""

from __future__ import annotations

from dractl.cel.common.overload import Overload, overload
from dractl.cel.regex import regex


def _find(text: str, pattern: str) -> str:
    return regex.find(pattern, text)


def _find_all(text: str, pattern: str, count: int = -1) -> list[str]:
    return regex.find_all(pattern, text, count)


OVERLOADS: tuple[Overload, ...] = (
    overload(
        "find",
        "string_find_string",
        "string.(string) -> string",
        _find,
        cost="find",
        doc='first match, or ""',
    ),
    overload(
        "findAll",
        "string_find_all_string",
        "string.(string) -> list(string)",
        _find_all,
        cost="find",
        doc="all matches",
    ),
    overload(
        "findAll",
        "string_find_all_string_int",
        "string.(string, int) -> list(string)",
        _find_all,
        cost="find",
        doc="at most so many matches",
    ),
)
