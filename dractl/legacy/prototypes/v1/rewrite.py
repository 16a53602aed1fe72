"""Selectors of the prototypes in the words of v1.

What was an error there made a device not eligible, or had a default; in v1 it ends the allocation. So
whatever may be missing is asked for first. Where that cannot be done in the right place, the expression is
refused.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator

from dractl.api import gates, release
from dractl.cel.common.environment import Environment
from dractl.cel.common.errors import CelError
from dractl.cel.common.tree import Call, Comprehension, Ident, Literal, Node, Select, children_of
from dractl.cel.compile import compile_selector
from dractl.cel.parser.spans import Spans
from dractl.legacy.prototypes.cel import Flavour, parsed
from dractl.legacy.prototypes.dialects.dialects import EVOLUTION, PROTO
from dractl.legacy.prototypes.v1.vocabulary import Name, Vocabulary, is_version
from dractl.records import NamedTuple

__all__ = ["Rewritten", "rewritten"]


class Rewritten(NamedTuple):
    """An expression of v1, or why none results; ``lost`` has what is not quite the same."""

    text: str
    refused: str = ""
    lost: str = ""


class _RefusedError(Exception):
    """Carries the reason from where an expression cannot be rewritten up to the door."""


class _Edit(NamedTuple):
    start: int
    end: int
    text: str


def rewritten(expression: str, flavour: Flavour, vocabulary: Vocabulary) -> Rewritten:
    """``expression`` for v1; it compiles there, or is refused."""
    tree = parsed(expression)
    if isinstance(tree, CelError):
        return Rewritten("", f"it does not compile: {tree.message}")
    work = _Work(expression, vocabulary)
    try:
        edits = list(work.plain(tree) if flavour == "plain" else work.typed(tree))
    except _RefusedError as error:
        return Rewritten("", str(error))
    text = _edited(expression, edits)
    newest = release.NEWEST
    found = compile_selector(text, Environment(newest, gates.resolve(newest, {}), stored=False))
    if isinstance(found, CelError):
        return Rewritten("", f"the converted expression does not compile: {found.message}")
    return Rewritten(text, "", work.lost)


def _edited(text: str, edits: list[_Edit]) -> str:
    """``text`` with replacements, which lie next to each other."""
    for edit in sorted(edits, key=lambda e: (e.start, e.end), reverse=True):
        text = text[: edit.start] + edit.text + text[edit.end :]
    return text


_COMPARISONS = {"_==_": "==", "_!=_": "!=", "_<_": "<", "_<=_": "<=", "_>_": ">", "_>=_": ">="}
_LOGIC = frozenset({"_&&_", "_||_"})


class _Work:
    def __init__(self, expression: str, vocabulary: Vocabulary) -> None:
        self.expression = expression
        self.spans = Spans(expression)
        self.vocabulary = vocabulary
        self.lost = ""

    # devmgmtproto: a map of names to values, in which a missing key is an error.

    def plain(self, node: Node) -> Iterator[_Edit]:
        if isinstance(node, Call) and node.function in _LOGIC:
            for part in node.args:
                yield from self.plain(part)
            return
        found = list(self._references(node))
        if not found:
            return
        span = self.spans.of(node)
        guarded = dict.fromkeys(name for place, name in found if not self._is_presence(place))
        if len(guarded) > 1 and _has_logic(node):
            raise _RefusedError("a part that may be missing is inside a negation or a conditional")
        compared = self._compared(node)
        text = compared if compared is not None else _edited_part(self, span, found)
        guard = " && ".join(_guard(self._name(name)) for name in guarded)
        yield _Edit(span.start, span.end, f"({guard} && {text})" if guard else text)

    def replaced(self, place: Node, name: str) -> str:
        """What stands for a reference."""
        known = self._name(name)
        return f"({_presence(known)})" if self._is_presence(place) else _value(known)

    def _name(self, name: str) -> Name:
        found = self.vocabulary.attribute(name, PROTO)
        if len(found.kinds) > 1:
            kinds = " and a ".join(sorted(found.kinds))
            raise _RefusedError(f"attribute {name} is a {kinds}, and an unexpected type is an error")
        return found

    def _references(self, node: Node) -> Iterator[tuple[Node, str]]:
        """The attributes that a node names, with the nodes that name them."""
        if isinstance(node, Comprehension) and _names_device(node):
            raise _RefusedError("macros over attributes are not rewritten")
        name = _attribute_of(node)
        if name is not None:
            yield node, name
            return
        if isinstance(node, Ident) and node.name == "device":
            raise _RefusedError("it uses the device as a whole")
        for part in children_of(node):
            yield from self._references(part)

    @staticmethod
    def _is_presence(node: Node) -> bool:
        return (isinstance(node, Select) and node.test_only) or (
            isinstance(node, Call) and node.function == "@in"
        )

    def _compared(self, node: Node) -> str | None:
        """A comparison of a quantity or a version with a text, which v1 has functions for."""
        if not isinstance(node, Call) or node.function not in _COMPARISONS or len(node.args) != 2:
            return None
        left, right = node.args
        name, literal = _attribute_of(left), right
        if name is None:
            name, literal = _attribute_of(right), left
        if name is None or not isinstance(literal, Literal) or not isinstance(literal.value, str):
            return None
        known, operator = self._name(name), _COMPARISONS[node.function]
        if literal is left:
            operator = operator.translate(str.maketrans("<>", "><"))
        text = json.dumps(literal.value)
        if known.is_capacity:
            self.lost = (
                f"it compares the quantity {name} with a string, which is an error for every device, so "
                "nothing matched; in v1 it compares amounts"
            )
            return f"{_value(known)}.compareTo(quantity({text})) {operator} 0"
        if known.kinds == {"version"}:
            if operator not in ("==", "!="):
                raise _RefusedError(f"it compares the version {name} as a string, which v1 does not do")
            if not is_version(literal.value):
                raise _RefusedError(f"{literal.value!r} is not a semantic version, but {name} is one in v1")
            return f"{_value(known)}.compareTo(semver({text})) {operator} 0"
        return None

    # DRA evolution: typed maps, in which a missing key has a default.

    def typed(self, node: Node) -> Iterator[_Edit]:
        if isinstance(node, Comprehension) and _names_device(node):
            raise _RefusedError("macros over attributes are not rewritten")
        if _is_driver(node):
            span = self.spans.of(node)
            yield _Edit(span.start, span.end, "device.driver")
            return
        lookup = _typed_lookup(node)
        if lookup is not None:
            span = self.spans.of(node)
            yield _Edit(span.start, span.end, self._typed(*lookup, is_presence=self._is_presence(node)))
            return
        if isinstance(node, Ident) and node.name == "device":
            raise _RefusedError("it uses the device, or a map of it, as a whole")
        for part in children_of(node):
            yield from self.typed(part)

    def _typed(self, field: str, name: str, *, is_presence: bool) -> str:
        if "/" not in name:
            raise _RefusedError(f"{name} has no domain, so no device has it")
        known = self.vocabulary.attribute(name, EVOLUTION)
        if is_presence and not known.kinds and field == "attributes":
            as_capacity = known._replace(kinds=frozenset({"quantity"}))
            return f"({_presence(known)} || {_presence(as_capacity)})"
        if field == "quantityAttributes":
            known = known._replace(kinds=frozenset({"quantity"}))
        if is_presence:
            return f"({_presence(known)})"
        return f"({_presence(known)} ? {_value(known)} : {_ZEROS[field]})"


_ZEROS = {
    "attributes": "null",
    "stringAttributes": '""',
    "boolAttributes": "false",
    "quantityAttributes": 'quantity("0")',
    "versionAttributes": 'semver("0.0.0")',
}


def _edited_part(work: _Work, span: tuple[int, int], found: list[tuple[Node, str]]) -> str:
    """The text of a node with its references replaced."""
    start, end = span
    edits = []
    for place, name in found:
        inner = work.spans.of(place)
        edits.append(_Edit(inner.start - start, inner.end - start, work.replaced(place, name)))
    return _edited(work.expression[start:end], edits)


def _has_logic(node: Node) -> bool:
    return any(isinstance(part, Call) and part.function in {*_LOGIC, "_?_:_"} for part in _below(node))


def _below(node: Node) -> Iterator[Node]:
    yield node
    for part in children_of(node):
        yield from _below(part)


def _names_device(node: Node) -> bool:
    return any(isinstance(part, Ident) and part.name == "device" for part in _below(node))


def _is_device(node: Node) -> bool:
    return isinstance(node, Ident) and node.name == "device"


def _key(node: Node, is_holder: Callable[[Node], bool]) -> str | None:
    """The constant key by which a node looks something up in a map that ``is_holder`` knows."""
    if isinstance(node, Select) and is_holder(node.operand):
        return node.field
    if not isinstance(node, Call):
        return None
    if node.function == "_[_]":
        holder, key = node.args
    elif node.function == "@in":
        key, holder = node.args
    else:
        return None
    if is_holder(holder) and isinstance(key, Literal) and isinstance(key.value, str):
        return key.value
    return None


def _attribute_of(node: Node) -> str | None:
    return _key(node, _is_device)


def _is_driver(node: Node) -> bool:
    return isinstance(node, Select) and node.field == "driverName" and _is_device(node.operand)


def _typed_lookup(node: Node) -> tuple[str, str] | None:
    """The map and the key of a lookup in one of the typed maps."""
    for field in _ZEROS:

        def is_map(holder: Node, field: str = field) -> bool:
            return isinstance(holder, Select) and holder.field == field and _is_device(holder.operand)

        key = _key(node, is_map)
        if key is not None:
            return field, key
    return None


def _holder(name: Name) -> str:
    field = "capacity" if name.is_capacity else "attributes"
    return f'device.{field}["{name.domain}"]'


def _presence(name: Name) -> str:
    return f'"{name.identifier}" in {_holder(name)}'


_guard = _presence


def _value(name: Name) -> str:
    return f"{_holder(name)}.{name.identifier}"
