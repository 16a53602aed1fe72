"""Selectors of 1.30 over named resources, as selectors of devices in v1, where their meaning can be kept."""

from __future__ import annotations

import re
from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from types import MappingProxyType

from dractl.api import gates, release
from dractl.cel.common.environment import Environment
from dractl.cel.common.errors import CelError
from dractl.cel.compile import compile_selector

__all__ = ["Types", "Untranslatable", "identifier", "translated"]

Types = Mapping[str, AbstractSet[str]]
"""The types that the instances of a driver have for each attribute, by its name in v1."""

_TYPES = "quantity|bool|intslice|int|stringslice|string|version"
_NAME = r"\[\s*(?:\"([^\"\\]+)\"|'([^'\\]+)')\s*\]|\.([A-Za-z_]\w*)\b(?!\s*\()"
_LOOKUP = re.compile(rf"\battributes\s*\.\s*({_TYPES})\s*(?:{_NAME})")
_TEST = re.compile(rf"(?:\"([^\"\\]+)\"|'([^'\\]+)')\s+in\s+attributes\s*\.\s*({_TYPES})\b(?!\s*[\[.])")
_LEFT = re.compile(r"(?<!device\.)\battributes\b")
_ESCAPES = re.compile(r"\|\||\?|!(?!=)|\bhas\s*\(|\bin\b")
"""What may let an expression be true although an attribute that it names is missing."""


class Untranslatable(str):
    """Why a selector cannot be said in v1 without another meaning."""

    __slots__ = ()


def identifier(name: str) -> str:
    """The name of an attribute of 1.30, a DNS subdomain, as an identifier of v1."""
    found = re.sub(r"\W", "_", name, flags=re.ASCII)
    return f"_{found}" if found[:1].isdigit() else found


_UNKNOWN: Types = MappingProxyType({})
_CLASSIC = release.parse("1.30")
"""The minor that evaluates these selectors."""


def translated(expression: str, driver: str, types: Types = _UNKNOWN) -> str | Untranslatable:
    """``expression`` about instances of ``driver``, as one about devices.

    In 1.30 a missing attribute keeps a node out; in v1 it would end the whole attempt. So each attribute is
    asked for first, unless the expression does that itself. An attribute of 1.30 may have another type in
    another instance, and is found under one of them only; v1 has one name for all.
    """
    written = compile_selector(expression, Environment(_CLASSIC, gates.resolve(_CLASSIC, {}), stored=True))
    if isinstance(written, CelError):
        return Untranslatable(f"it does not compile in 1.30 either: {written.message}")
    guards: dict[str, None] = {}
    asked: list[tuple[str, str]] = []

    def lookup(found: re.Match[str]) -> str:
        name = found[2] or found[3] or found[4]
        asked.append((identifier(name), found[1]))
        guards[_presence(found[1], name, driver)] = None
        return f"{_map(found[1], driver)}.{identifier(name)}"

    def test(found: re.Match[str]) -> str:
        name = found[1] or found[2]
        asked.append((identifier(name), found[3]))
        return _presence(found[3], name, driver)

    tests = len(_TEST.findall(expression))
    text = _LOOKUP.sub(lookup, _TEST.sub(test, expression))
    for name, kind in asked:
        if kind != "quantity" and types.get(name, frozenset()) - {kind, "quantity"}:
            return Untranslatable(f"{name} has several types, which v1 does not distinguish")
    if _LEFT.search(text):
        return Untranslatable("it uses all attributes of one type, which v1 devices do not group")
    if guards and not tests and _ESCAPES.search(expression):
        return Untranslatable("its result for a missing attribute cannot be preserved")
    if guards and not tests:
        text = " && ".join((*guards, f"({text})"))
    newest = release.NEWEST
    compiled = compile_selector(text, Environment(newest, gates.resolve(newest, {}), stored=True))
    if isinstance(compiled, CelError):
        return Untranslatable(f"it does not compile in v1: {compiled.message}")
    return text


def _map(kind: str, driver: str) -> str:
    field = "capacity" if kind == "quantity" else "attributes"
    return f'device.{field}["{driver}"]'


def _presence(kind: str, name: str, driver: str) -> str:
    return f'"{identifier(name)}" in {_map(kind, driver)}'
