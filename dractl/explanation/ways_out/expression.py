"""Smaller and larger changes of a CEL expression that let it select devices with given values."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from difflib import SequenceMatcher
from functools import cmp_to_key

from dractl.api import quantity, semver
from dractl.cel.common import types
from dractl.cel.common.tree import Call, Ident, Literal, Node, Select
from dractl.cel.interpreter.references import references_in
from dractl.cel.parser.spans import Spans, written_below
from dractl.records import NamedTuple

__all__ = ["Name", "Rewrite", "rewrites"]

Name = tuple[str, str, str]
"""Section (``attributes``, ``capacity``), domain and name; ``driver`` stands alone, for the driver."""

Values = Mapping[Name, Mapping[str, int]]
"""What devices have, as texts, and how many have it."""

DRIVER: Name = ("driver", "", "")

_MOST_VALUES = 4
_MOST_NAMES = 3
_ALIKE = 0.6
_IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_STEP = {"_>_": -1, "_<_": 1}
"""What makes a strict bound of integers include a value."""

_STRICT = {"isGreaterThan": ">=", "isLessThan": "<="}
"""Methods that exclude the bound, and the operator that includes it."""


class Rewrite(NamedTuple):
    """A changed expression; ``size`` is 0 for the least change, ``unlike`` tells equal sizes apart."""

    expression: str
    size: int
    unlike: float = 0


def rewrites(expression: str, tree: Node, values: Values) -> Iterator[Rewrite]:
    """Other bounds and names, then a guard, then one condition less; the least change first."""
    spans = Spans(expression)
    found = [*_other_names(expression, tree, spans, values), *_other_bounds(expression, tree, spans, values)]
    found += [*_guards(expression, tree, values), *_fewer_conditions(tree, spans)]
    seen = {expression}
    for rewrite in sorted(found, key=lambda rewrite: rewrite[1:]):
        if rewrite.expression not in seen:
            seen.add(rewrite.expression)
            yield rewrite


def _other_bounds(expression: str, tree: Node, spans: Spans, values: Values) -> Iterator[Rewrite]:
    """Each literal that is compared with something of the device, changed to what devices have."""
    for atom in _atoms(tree):
        references = references_in(atom)
        names = [(entry.section, entry.domain, entry.name) for entry in references]
        if _is_driver_in(atom):
            names.append(DRIVER)
        known = [text for name in names for text in values.get(name, ())]
        for literal in _literals(atom, {entry.node for entry in references}):
            nearest = _nearest(literal, known)[:_MOST_VALUES]
            if _is_strict(atom) and literal.value in known:
                nearest = [str(literal.value), *nearest]
            for size, text in enumerate(nearest):
                for changed in _with_bound(expression, atom, literal, text, spans):
                    yield Rewrite(changed, size, 1 - _ratio(str(literal.value), text))


def _with_bound(expression: str, atom: Node, literal: Literal, text: str, spans: Spans) -> Iterator[str]:
    """The expression with another bound, and with one that is included."""
    start, end = spans.of(literal)
    step = _STEP.get(atom.function, 0) if isinstance(atom, Call) and type(literal.value) is int else 0
    new = str(int(text) + step) if type(literal.value) is int else _quoted(text, expression[start:end])
    if text != literal.value:
        yield expression[:start] + new + expression[end:]
    if isinstance(atom, Call) and atom.target is not None and _is_strict(atom):
        first, last = spans.of(atom)
        bound = spans.of(atom.args[0])
        argument = expression[bound.start : start] + new + expression[end : bound.end]
        inclusive = f"{spans.text(atom.target)}.compareTo({argument}) {_STRICT[atom.function]} 0"
        yield expression[:first] + inclusive + expression[last:]


def _is_strict(atom: Node) -> bool:
    return isinstance(atom, Call) and atom.function in _STRICT


def _ratio(one: str, other: str) -> float:
    return SequenceMatcher(None, one.lower(), other.lower()).ratio()


def _nearest(literal: Literal, known: Iterable[str]) -> list[str]:
    """Values that may stand for a literal, the nearest first."""
    value = literal.value
    texts = list(dict.fromkeys(known))
    if type(value) is int:
        numbers = [text for text in texts if re.fullmatch(r"-?[0-9]+", text)]
        return sorted(numbers, key=lambda text: abs(int(text) - value))
    if type(value) is not str:
        return []
    for read in (_versions, _quantities):
        ordered = read(value, texts)
        if ordered:
            return ordered
    alike = {text: _ratio(value, text) for text in texts}
    return sorted((text for text in texts if text != value), key=lambda text: -alike[text])


def _versions(value: str, texts: list[str]) -> list[str]:
    if not semver.is_valid(value):
        return []
    own = semver.parse(value)
    valid = [text for text in texts if semver.is_valid(text)]
    order = cmp_to_key(lambda left, right: semver.parse(left).compare(semver.parse(right)))
    below = sorted((text for text in valid if semver.parse(text).compare(own) < 0), key=order)
    above = sorted((text for text in valid if semver.parse(text).compare(own) > 0), key=order)
    return [*below[::-1], *above]


def _quantities(value: str, texts: list[str]) -> list[str]:
    own = _read(value)
    if own is None:
        return []
    read = {text: amount for text in texts if (amount := _read(text)) is not None and amount != own}
    return sorted(read, key=lambda text: abs(read[text].as_float() - own.as_float()))


def _read(text: str) -> quantity.Quantity | None:
    try:
        return quantity.parse(text)
    except ValueError:
        return None


def _other_names(expression: str, tree: Node, spans: Spans, values: Values) -> Iterator[Rewrite]:
    """Each attribute or capacity that no device has, changed to one that some have and that is alike."""
    for reference in references_in(tree):
        own = (reference.section, reference.domain, reference.name)
        if own in values or not reference.is_plain:
            continue
        alike = sorted(
            ((_alike(own, other), other) for other in values if other != DRIVER),
            key=lambda pair: (-pair[0], pair[1]),
        )
        start, end = spans.of(reference.node)
        for size, (ratio, other) in enumerate(alike[:_MOST_NAMES]):
            if ratio >= _ALIKE and _IDENTIFIER.fullmatch(other[2]):
                yield Rewrite(expression[:start] + _written(other) + expression[end:], size)


def _alike(one: Name, other: Name) -> float:
    return _ratio(one[2], other[2]) * (1 + _ratio(one[1], other[1])) / 2


def _guards(expression: str, tree: Node, values: Values) -> Iterator[Rewrite]:
    """The expression only for devices that have what it reads, where some have it."""
    plain = dict.fromkeys(
        (entry.section, entry.domain, entry.name) for entry in references_in(tree) if entry.is_plain
    )
    names = [name for name in plain if name in values and _IDENTIFIER.fullmatch(name[2])]
    if names:
        guard = " && ".join(f"has({_written(name)})" for name in names)
        yield Rewrite(f"{guard} && ({expression})", 5)


def _fewer_conditions(tree: Node, spans: Spans) -> Iterator[Rewrite]:
    """The expression without one of the conditions that are joined by ``&&``."""
    terms = _conjuncts(tree)
    if len(terms) > 1:
        texts = [spans.text(term) for term in terms]
        is_loose = [isinstance(term, Call) and term.function in ("_||_", "_?_:_") for term in terms]
        texts = [f"({text})" if loose else text for text, loose in zip(texts, is_loose, strict=True)]
        for number in range(len(texts)):
            yield Rewrite(" && ".join(texts[:number] + texts[number + 1 :]), 8)


def _conjuncts(node: Node) -> list[Node]:
    if isinstance(node, Call) and node.function == "_&&_":
        return [term for part in written_below(node) for term in _conjuncts(part)]
    return [node]


def _atoms(node: Node) -> list[Node]:
    """The smallest conditions in which something of the device meets a literal."""
    inner = [atom for part in written_below(node) for atom in _atoms(part)]
    if inner or not isinstance(node, Call) or node.type != types.BOOL:
        return inner
    references = references_in(node)
    if not references and not _is_driver_in(node):
        return []
    return [node] if list(_literals(node, {entry.node for entry in references})) else []


def _literals(node: Node, skipped: set[Node]) -> Iterator[Literal]:
    """The literals that an author may change: no keys, and no stand-ins for what is absent."""
    if isinstance(node, Literal):
        yield node
    elif node not in skipped:
        for part in written_below(node):
            if not (isinstance(node, Call) and node.function == "orValue" and part is not node.target):
                yield from _literals(part, skipped)


def _is_driver_in(node: Node) -> bool:
    if isinstance(node, Select) and isinstance(node.operand, Ident) and node.field == "driver":
        return node.operand.type == types.DEVICE
    return any(map(_is_driver_in, written_below(node)))


def _written(name: Name) -> str:
    return f'device.{name[0]}["{name[1]}"].{name[2]}'


def _quoted(text: str, old: str) -> str:
    """A text as a CEL string, in the quotes of the old one."""
    if old[:1] == "'" and "'" not in text and "\\" not in text and text.isprintable():
        return f"'{text}'"
    return json.dumps(text, ensure_ascii=False)
