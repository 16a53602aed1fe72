"""The rules by which calls are charged in the estimate, by the names that the library's table uses.

Mirrors ``k8s.io/apiserver/pkg/cel/library/cost.go`` for the Kubernetes libraries, and ``checker/cost.go``,
``ext/lists.go`` and ``ext/sets.go`` of cel-go for the others. A rule gets what is known of target and
arguments; their own costs are added by the caller.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

from dractl.cel.common.tree import Literal, Node
from dractl.cel.common.types import CIDR, FORMAT, IP, QUANTITY, SEMVER, URL, Type
from dractl.cel.cost.sizes import UNKNOWN, UNLIMITED, Size, device_size, exactly, limited, scaled
from dractl.records import NamedTuple

# ``StringTraversalCostFactor`` and ``RegexStringLengthCostFactor`` of cel-go: ten characters are read in one
# step, and every four characters of a pattern count as one expression.
_TEXT = 0.1
_PATTERN = 0.25
# ``MaxNameFormatRegexSize`` and ``MaxFormatSize``: upstream does not look into a format, so that each counts
# as the largest.
_FORMAT_PATTERN = 128
_FORMAT_NAME = 64
# The bytes of an IPv6 address; upstream assumes 4 to 16, and the estimate takes the most.
_ADDRESS = 16
# Each character may become ``%XX``.
_ESCAPED = 3
_LIST_COST = 10
_ATTRIBUTE_VALUES = 48


class Argument(NamedTuple):
    """What is known of a target or argument."""

    node: Node
    type: Type
    path: tuple[str, ...]
    computed: Size | None

    @property
    def size(self) -> Size:
        """Its size, unknown if need be."""
        return self.computed or device_size(self.path) or UNKNOWN

    def element(self) -> Argument | None:
        """What is known of the elements of a list, or of the keys' type of a map; None without elements."""
        if not self.type.parameters:
            return None
        path = (*self.path, "@items") if self.path else ()
        return Argument(self.node, self.type.parameters[0], path, None)

    def number(self, default: int) -> int:
        """The number that a literal writes, at least 0; ``default`` for anything else."""
        if isinstance(self.node, Literal) and type(self.node.value) is int:
            return max(self.node.value, 0)
        return default


class Charge(NamedTuple):
    """The highest cost of a call, and the size of its result if that is known."""

    cost: int
    size: Size | None = None


Rule = Callable[["Argument | None", "list[Argument]"], Charge]


def _wrapped(number: int) -> int:
    """A number as an unsigned 64-bit one that overflows, where upstream lets it."""
    return number % 2**64


def _subject(target: Argument | None, args: list[Argument]) -> Argument:
    return target if target is not None else args[0]


def _call(_target: Argument | None, _args: list[Argument]) -> Charge:
    return Charge(1)


def _shorter(_target: Argument | None, args: list[Argument]) -> Charge:
    return Charge(scaled(min(args[0].size.most, args[1].size.most), _TEXT))


def _equals(target: Argument | None, args: list[Argument]) -> Charge:
    # Kubernetes declares these types as compared in constant time. ``_!=_`` has no such rule, so that ``!=``
    # with a quantity of unknown size costs 1.8e18 where ``!(a == b)`` costs 7.
    left, right = args[0].type, args[1].type
    if left == right:
        if left in {IP, CIDR, QUANTITY, SEMVER}:
            return Charge(1)
        if left == FORMAT:
            return Charge(scaled(_FORMAT_NAME, _TEXT))
        if left == URL:
            known = args[1].computed
            return Charge(scaled(known.most if known is not None else 1, _TEXT))
    return _shorter(target, args)


def _concatenation(_target: Argument | None, args: list[Argument]) -> Charge:
    size = args[0].size.plus(args[1].size)
    return Charge(scaled(size.most, _TEXT), size)


def _list_concatenation(_target: Argument | None, args: list[Argument]) -> Charge:
    return Charge(1, args[0].size.plus(args[1].size))


def _in_list(_target: Argument | None, args: list[Argument]) -> Charge:
    # A list of constants is a set at run time, but upstream assumes one comparison for each element.
    return Charge(scaled(args[1].size.most, 1))


def _affix(_target: Argument | None, args: list[Argument]) -> Charge:
    return Charge(scaled(args[0].size.most, _TEXT))


def _contains(target: Argument | None, args: list[Argument]) -> Charge:
    text = _subject(target, args)
    return Charge(limited(scaled(text.size.most, _TEXT) * scaled(args[0].size.most, _TEXT)))


def _search_cost(text: Argument, pattern: Argument) -> int:
    # One more character, so that a costly pattern costs even where the text is empty.
    reading = scaled(limited(text.size.most + 1), _TEXT)
    return limited(reading * scaled(pattern.size.most, _PATTERN))


def _matches(target: Argument | None, args: list[Argument]) -> Charge:
    text, pattern = (args[0], args[1]) if target is None else (target, args[0])
    return Charge(_search_cost(text, pattern))


def _find(target: Argument | None, args: list[Argument]) -> Charge:
    text = _subject(target, args)
    # In the worst case each character is a match.
    return Charge(_search_cost(text, args[0]), Size(0, text.size.most))


def _parse(_target: Argument | None, args: list[Argument]) -> Charge:
    return Charge(scaled(args[0].size.most, _TEXT))


def _parse_sized(_target: Argument | None, args: list[Argument]) -> Charge:
    return Charge(scaled(args[0].size.most, _TEXT), args[0].size)


def _parse_twice(_target: Argument | None, args: list[Argument]) -> Charge:
    return Charge(scaled(args[0].size.most, 2 * _TEXT))


def _string_to_bytes(_target: Argument | None, args: list[Argument]) -> Charge:
    size = args[0].size
    # A character has up to 4 bytes in UTF-8. Upstream multiplies without the overflow check that it has
    # elsewhere, so an unknown size becomes 2**64 - 4.
    return Charge(scaled(size.most, _TEXT), Size(size.least, _wrapped(size.most * 4)))


def _bytes_to_string(_target: Argument | None, args: list[Argument]) -> Charge:
    size = args[0].size
    return Charge(scaled(size.most, _TEXT), Size(size.least // 4, size.most))


def _quote(_target: Argument | None, args: list[Argument]) -> Charge:
    size = args[0].size
    # Two quotes, and a backslash for each character; unchecked as well, so an unknown size becomes 0.
    return Charge(scaled(size.most, _TEXT), Size(_wrapped(size.least + 2), _wrapped(size.most * 2 + 2)))


def _format(target: Argument | None, args: list[Argument]) -> Charge:
    return Charge(scaled(_subject(target, args).size.most, _TEXT))


def _traverse(target: Argument | None, args: list[Argument]) -> Charge:
    subject = _subject(target, args)
    element = subject.element()
    if element is None:
        return Charge(scaled(subject.size.most, _TEXT))
    each = 1
    if element.type.kind in {"string", "bytes"}:
        each = limited(each + scaled(element.size.most, _TEXT))
    return Charge(limited(subject.size.most * each))


def _part(target: Argument | None, args: list[Argument]) -> Charge:
    return Charge(1, _subject(target, args).size)


def _escaped_part(target: Argument | None, args: list[Argument]) -> Charge:
    size = _subject(target, args).size
    return Charge(1, Size(size.least, limited(size.most * _ESCAPED)))


def _includes(target: Argument | None, args: list[Argument]) -> Charge:
    subject = _subject(target, args)
    if subject.element() is None:
        return Charge(subject.size.most)
    return _traverse(target, args)


def _includes_few(_target: Argument | None, _args: list[Argument]) -> Charge:
    return Charge(_ATTRIBUTE_VALUES)


def _transform(target: Argument | None, args: list[Argument]) -> Charge:
    size = _subject(target, args).size
    return Charge(scaled(size.most, _TEXT), size)


def _replace(target: Argument | None, args: list[Argument]) -> Charge:
    size, old, new = _subject(target, args).size, args[0].size, args[1].size
    count_most = kept_most = count_least = kept_least = 0
    # An empty text stands around each character, so its replacement can occur once more than there are
    # characters; otherwise the shortest text is replaced by the longest as often as it fits in.
    if old.least == 0:
        count_most = limited(size.most + 1)
        kept_most = size.most
    elif new.most <= old.least:
        kept_most = size.most
    else:
        count_most = _quotient_up(size.most, old.least)
    if old.most == 0:
        count_least = limited(size.least + 1)
        kept_least = size.least
    elif old.most <= new.least:
        kept_least = size.least
    else:
        count_least = _quotient_up(size.least, old.most)
    result = Size(count_least, count_most).times(new).plus(Size(kept_least, kept_most))
    return Charge(scaled(size.most, 2 * _TEXT), result)


def _quotient_up(dividend: int, divisor: int) -> int:
    quotient = float(dividend) / float(divisor)
    rounded = int(quotient) + (quotient > int(quotient))
    # Go's conversion of 2**64 to an integer gives the highest bit alone on amd64.
    return rounded if rounded < 2**64 else 2**63


def _split(target: Argument | None, args: list[Argument]) -> Charge:
    size = _subject(target, args).size
    most = size.most
    # Without a literal limit the separator may be empty, so that each character is a part of its own.
    if len(args) > 1 and isinstance(args[1].node, Literal):
        most = _wrapped(int(cast("int", args[1].node.value)))
    return Charge(scaled(size.most, 2 * _TEXT), Size(0, most))


def _join(target: Argument | None, args: list[Argument]) -> Charge:
    subject = _subject(target, args)
    count = subject.size
    size = Size(0, 0)
    element = subject.element()
    if element is not None:
        size = count.times(element.size)
    if target is not None and args:
        # One separator fewer than elements; none for an empty list, where the unsigned difference would wrap
        # around.
        separators = Size(max(count.least - 1, 0), max(count.most - 1, 0))
        size = size.plus(args[0].size.times(separators))
    return Charge(scaled(size.most, _TEXT), size)


def _address(times: int) -> int:
    return scaled(times * _ADDRESS, _TEXT)


def _contains_ip(_target: Argument | None, _args: list[Argument]) -> Charge:
    return Charge(_address(2))


def _contains_ip_text(_target: Argument | None, args: list[Argument]) -> Charge:
    return Charge(limited(_address(2) + scaled(args[0].size.most, _TEXT)))


def _contains_cidr(_target: Argument | None, _args: list[Argument]) -> Charge:
    # To compare two networks, the containing one is masked first: one more pass over the address, and a step.
    return Charge(_address(2) + _address(1) + 1)


def _contains_cidr_text(target: Argument | None, args: list[Argument]) -> Charge:
    return Charge(limited(_contains_cidr(target, args).cost + scaled(args[0].size.most, _TEXT)))


def _validate(_target: Argument | None, args: list[Argument]) -> Charge:
    return Charge(scaled(scaled(args[0].size.most, _TEXT), _FORMAT_PATTERN * _PATTERN))


def _sets(factor: float) -> Rule:
    def rule(_target: Argument | None, args: list[Argument]) -> Charge:
        pairs = args[0].size.times(args[1].size)
        return Charge(limited(scaled(pairs.most, factor) + 1))

    return rule


def _new_list(factor: float, size: Size) -> Charge:
    return Charge(limited(scaled(size.most, factor) + 1 + _LIST_COST), size)


def _slice(target: Argument | None, args: list[Argument]) -> Charge:
    size = _subject(target, args).size
    # Upstream subtracts unsigned numbers: bounds in the wrong order give a length near 2**64.
    length = _wrapped(args[1].number(size.most) - args[0].number(0))
    return _new_list(1, exactly(length))


def _range(_target: Argument | None, args: list[Argument]) -> Charge:
    return _new_list(1, exactly(args[0].number(UNLIMITED)))


def _reverse(target: Argument | None, args: list[Argument]) -> Charge:
    return _new_list(1, _subject(target, args).size)


def _flatten(target: Argument | None, args: list[Argument]) -> Charge:
    depth = args[0].number(UNLIMITED) if args else 1
    return _new_list(float(depth), _subject(target, args).size)


def _distinct_137(target: Argument | None, args: list[Argument]) -> Charge:
    size = _subject(target, args).size
    return _new_list(2, size.times(size))


def _distinct(target: Argument | None, args: list[Argument]) -> Charge:
    subject = _subject(target, args)
    element = subject.element()
    has_texts = element is not None and element.type.kind in {"string", "bytes"}
    return _new_list(2.1 if has_texts else 2, subject.size.times(subject.size))


def _sort(factor: float, *, by_keys: bool) -> Rule:
    def rule(target: Argument | None, args: list[Argument]) -> Charge:
        size = args[0].size if by_keys else _subject(target, args).size
        return _new_list(factor, size.times(size))

    return rule


CHARGES: dict[str, Rule] = {
    "call": _call,
    "dyn": _call,
    "item": _call,
    "entry": _call,
    "shorter": _shorter,
    "equals": _equals,
    "concatenation": _concatenation,
    "list-concatenation": _list_concatenation,
    "in-list": _in_list,
    "affix": _affix,
    "affix-of-text": _affix,
    "contains": _contains,
    "matches": _matches,
    "find": _find,
    "parse": _parse,
    "parse-sized": _parse_sized,
    "parse-twice": _parse_twice,
    "string-to-bytes": _string_to_bytes,
    "bytes-to-string": _bytes_to_string,
    "quote": _quote,
    "format": _format,
    "traverse": _traverse,
    "part": _part,
    "escaped-part": _escaped_part,
    "includes": _includes,
    "includes-few": _includes_few,
    "transform": _transform,
    "replace": _replace,
    "split": _split,
    "join": _join,
    "contains-ip": _contains_ip,
    "contains-ip-text": _contains_ip_text,
    "contains-cidr": _contains_cidr,
    "contains-cidr-text": _contains_cidr_text,
    "validate": _validate,
    "sets-contains": _sets(1),
    "sets-equivalent": _sets(2),
    "slice": _slice,
    "range": _range,
    "reverse": _reverse,
    "flatten": _flatten,
    "flatten-1.36": _flatten,
    "distinct-1.37": _distinct_137,
    "distinct": _distinct,
    "sort": _sort(2, by_keys=False),
    "sort-text": _sort(2.1, by_keys=False),
    "sort-keys": _sort(2, by_keys=True),
    "sort-keys-text": _sort(2.1, by_keys=True),
}
"""By the names in the table; ``logic`` and ``conditional`` are the caller's."""
