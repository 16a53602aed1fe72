"""CEL expressions while they are typed: what may come next, and the signatures of the functions."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache

from dractl.api.gates import GateSet
from dractl.cel.common.environment import Environment
from dractl.cel.library.table import Functions, functions_of
from dractl.cel.parser.macros import MACROS
from dractl.editor.items import Item, Sort
from dractl.editor.world import World
from dractl.records import NamedTuple

__all__ = ["SignatureHelp", "complete", "hover", "signatures"]

_LONGEST = 4000
_STRING = r"""(?:"[^"\n]*"|'[^'\n]*')"""
_DOMAIN = rf"""device\.(attributes|capacity)\[\??({_STRING})\]"""
_IN_DOMAIN = re.compile(r"""device\.(attributes|capacity)\[\??["']([^"'\n]*)\Z""")
_AT_DOMAIN = re.compile(r"""device\.(attributes|capacity)\[\??\s*\Z""")
_NAME = re.compile(rf"""{_DOMAIN}(?:\.\??|\[\??["'])([\w.-]*)\Z""")
_AT_NAME = re.compile(rf"""{_DOMAIN}\[\??\Z""")
_REFERENCE = rf"""{_DOMAIN}(?:\.\??(\w+)|\[\??({_STRING})\])"""
_COMPARED = r"""\s*(?:[=!]=|[<>]=?)\s*(["']?)([^"'\n&|()]*)\Z"""
_VALUE = re.compile(_REFERENCE + r"(?:\.value\(\)|\.orValue\([^()]*\))?" + _COMPARED)
_LISTED = re.compile(_REFERENCE + r"""\s+in\s+\[(?:[^\]"']|""" + _STRING + r""")*?(["']?)([^"'\n,\]]*)\Z""")
_METHOD = re.compile(_REFERENCE + r"""\.\w+\(\s*(["']?)([^"'\n&|()]*)\Z""")
_DRIVER = re.compile(r"device\.driver" + _COMPARED)
_DEVICE = re.compile(r"\bdevice\.(\w*)\Z")
_MEMBER = re.compile(r"(?:[\w)\]\"'])\s*\.(\w*)\Z")
_NAMESPACE = re.compile(r"\b(sets|strings|optional|format|ip|lists|cel)\.(\w*)\Z")
_WORD = re.compile(r"(\w*)\Z")
_CALL = re.compile(r"((?:\b(?:sets|strings|optional|format|ip|lists)\.)?[A-Za-z_]\w*)\s*\Z")
_OPERATORS = ("@", "_", "!", "-")
_WORDS = ("device", "true", "false", "in")


class SignatureHelp(NamedTuple):
    """The overloads of the function whose call is open, with their notes, and the number of the argument."""

    signatures: list[tuple[str, list[str], str]]
    argument: int


@lru_cache(maxsize=64)
def _functions(gates: GateSet) -> Functions:
    return functions_of(Environment(gates.minor, gates, stored=False))


def complete(text: str, gates: GateSet, world: World) -> tuple[list[Item], int]:
    """What may come behind ``text``, the expression up to a place, and how many characters it replaces."""
    text = text[-_LONGEST:]
    for pattern, answer in _STEPS:
        found = pattern.search(text)
        if found is not None:
            items, typed = answer(found, world)
            if items:
                return items, typed
    if _is_in_string(text):
        return [], 0
    found = _DEVICE.search(text)
    if found is not None:
        return _device_fields(gates), len(found[1])
    found = _NAMESPACE.search(text)
    if found is not None and not text[: found.start()].endswith("."):
        return list(_global(gates, f"{found[1]}.")), len(found[2])
    found = _MEMBER.search(text)
    if found is not None and not text[: found.start() + 1].isdigit():
        return list(_methods(gates)), len(found[1])
    found = _WORD.search(text)
    words = [Item(word, Sort.VARIABLE, "") for word in _WORDS]
    return [*words, *_global(gates, "")], len(found[1]) if found else 0


def _is_in_string(text: str) -> bool:
    rest = re.sub(_STRING, "", text)
    return '"' in rest or "'" in rest


def _device_fields(gates: GateSet) -> list[Item]:
    fields = [("driver", "string"), ("attributes", "map by domain"), ("capacity", "map by domain")]
    if "DRAConsumableCapacity" in gates:
        fields.append(("allowMultipleAllocations", "bool"))
    return [Item(name, Sort.FIELD, detail) for name, detail in fields]


def _domains(found: re.Match[str], world: World, *, quoted: bool) -> tuple[list[Item], int]:
    known = world.sections.get(found[1], {})
    items = [
        Item(
            domain if quoted else f'"{domain}"',
            Sort.ATTRIBUTE,
            _count(max(v.total() for v in names.values())),
        )
        for domain, names in known.items()
    ]
    return items, len(found[2]) if quoted else 0


def _names(found: re.Match[str], world: World, *, quoted: bool) -> tuple[list[Item], int]:
    names = world.sections.get(found[1], {}).get(found[2][1:-1], {})
    items = []
    for name, values in names.items():
        shown = ", ".join(f"{value} ({count})" for value, count in values.most_common(3))
        more = ", …" if len(values) > 3 else ""
        label = name if quoted else f'"{name}"'
        items.append(Item(label, Sort.ATTRIBUTE, f"{_count(values.total())}: {shown}{more}"))
    return items, len(found[3]) if quoted else 0


def _count(number: int) -> str:
    return f"{number} device{'' if number == 1 else 's'}"


def _values(found: re.Match[str], world: World) -> tuple[list[Item], int]:
    name = found[3] or found[4][1:-1]
    values = world.sections.get(found[1], {}).get(found[2][1:-1], {}).get(name) or Counter[str]()
    return _literals([(value, count) for value, count in values.items()], found[5], found[6])


def _drivers(found: re.Match[str], world: World) -> tuple[list[Item], int]:
    return _literals([(f'"{name}"', count) for name, count in world.drivers.items()], found[1], found[2])


def _literals(values: list[tuple[str, int]], quote: str, typed: str) -> tuple[list[Item], int]:
    items = []
    for value, count in sorted(values, key=lambda pair: (-pair[1], pair[0])):
        if not quote:
            items.append(Item(value, Sort.VALUE, _count(count)))
        elif value[:1] == '"':
            items.append(Item(value[1:-1], Sort.VALUE, _count(count)))
    return items, len(typed)


_STEPS = (
    (_IN_DOMAIN, lambda found, world: _domains(found, world, quoted=True)),
    (_AT_DOMAIN, lambda found, world: _domains(found, world, quoted=False)),
    (_NAME, lambda found, world: _names(found, world, quoted=True)),
    (_AT_NAME, lambda found, world: _names(found, world, quoted=False)),
    (_VALUE, _values),
    (_LISTED, _values),
    (_METHOD, _values),
    (_DRIVER, _drivers),
)


def _global(gates: GateSet, prefix: str) -> Iterator[Item]:
    """The functions that are called without a receiver, behind the name of their library."""
    found = _functions(gates)
    for name, overloads in found.overloads.items():
        plain = [row for row in overloads if not row.method]
        inner = name.removeprefix(prefix)
        is_callable = "@" not in name and not name.startswith(_OPERATORS)
        if plain and is_callable and name.startswith(prefix) and "." not in inner:
            yield Item(inner, Sort.FUNCTION, plain[0].signature, f"{inner}(", plain[0].doc)
    for row in MACROS:
        is_bind = row.name == "bind"
        if (row.name, row.arguments, row.method) in found.macros and (
            (not row.method and not prefix) or (is_bind and prefix == "cel.")
        ):
            yield Item(row.name, Sort.FUNCTION, "macro", f"{row.name}(", row.doc)


def _methods(gates: GateSet) -> Iterator[Item]:
    found = _functions(gates)
    for name, overloads in found.overloads.items():
        rows = [row for row in overloads if row.method]
        if rows and not name.startswith(_OPERATORS):
            yield Item(name, Sort.FUNCTION, rows[0].signature, f"{name}(", rows[0].doc)
    seen: set[str] = set()
    for row in MACROS:
        is_there = row.method and (row.name, row.arguments, row.method) in found.macros
        if is_there and row.name not in seen and row.name != "bind":
            seen.add(row.name)
            yield Item(row.name, Sort.FUNCTION, "macro", f"{row.name}(", row.doc)


def signatures(text: str, gates: GateSet) -> SignatureHelp | None:
    """The signatures of the function whose arguments ``text`` is in at its end; None in no call."""
    depth = argument = 0
    plain = re.sub(_STRING, lambda found: "x" * len(found[0]), text[-_LONGEST:])
    for at in range(len(plain) - 1, -1, -1):
        character = plain[at]
        if character in ")]}":
            depth += 1
        elif character in "([{":
            depth -= 1
            if depth < 0:
                found = _CALL.search(plain[:at]) if character == "(" else None
                return None if found is None else _help(found[1], argument, gates)
        elif character == "," and depth == 0:
            argument += 1
    return None


def _help(name: str, argument: int, gates: GateSet) -> SignatureHelp | None:
    functions = _functions(gates)
    rows: list[tuple[str, list[str], str]] = []
    for row in functions.overloads.get(name, ()):
        shown = [str(part) for part in row.parameters[1 if row.method else 0 :]]
        rows.append((row.signature, shown, row.doc))
    for macro in MACROS:
        if macro.name == name and (macro.name, macro.arguments, macro.method) in functions.macros:
            shown = [f"argument{number + 1}" for number in range(macro.arguments)]
            rows.append((f"{name}({', '.join(shown)})", shown, macro.doc))
    return SignatureHelp(rows, argument) if rows else None


_PATH = re.compile(_REFERENCE)


def hover(text: str, offset: int, gates: GateSet, world: World) -> str:
    """What an expression has at a character, in Markdown: an attribute with its values, or a function."""
    for found in _PATH.finditer(text):
        if found.start() <= offset < found.end():
            name = found[3] or found[4][1:-1]
            domain = found[2][1:-1]
            values = world.sections.get(found[1], {}).get(domain, {}).get(name)
            if values is None:
                return f"**{domain}/{name}**\n\nNo device of the workspace has it."
            lines = [f"- `{value}`: {_count(count)}" for value, count in values.most_common(20)]
            return "\n".join([f"**{domain}/{name}** of {_count(values.total())}", "", *lines])
    word = next((one for one in re.finditer(r"[\w.]+", text) if one.start() <= offset < one.end()), None)
    if word is None:
        return ""
    for name in (word[0], word[0].rpartition(".")[2]):
        rows = _functions(gates).overloads.get(name, ())
        if rows:
            return "\n".join(f"```cel\n{row.signature}\n```\n{row.doc}" for row in rows)
    return ""
