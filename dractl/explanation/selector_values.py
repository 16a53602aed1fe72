"""What devices have where a selector looks, for a selector that none of them satisfies."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from dractl.api.wording import nearest
from dractl.cel.common import types
from dractl.cel.common.environment import Environment
from dractl.cel.common.tree import Call, Ident, Literal, Node, Select
from dractl.cel.compile import MAX_COST, CelError, Selector, compile_selector, device_value
from dractl.cel.interpreter.references import Reference, references_in
from dractl.cel.parser.spans import written_below
from dractl.cluster.devices import Attribute, Device
from dractl.records import NamedTuple

__all__ = ["Read", "Values", "values_read"]

Values = tuple[tuple[str, int], ...]
"""Values as text with how many devices have each, the most frequent first."""

_ABSENT = "(absent)"
_MOST_READ = 3
_MOST_VALUES = 8
_NEAR = 0.8
_LONGEST = 120


class Read(NamedTuple):
    """What an expression reads, by name, and the value of devices that is almost what it compares with."""

    values: tuple[tuple[str, Values], ...]
    nearest: str


def values_read(expression: str, environment: Environment, devices: Sequence[Device]) -> Read:
    """The values that ``devices`` have at what decides ``expression``; empty if it does not compile."""
    selector = compile_selector(expression, environment)
    if isinstance(selector, CelError) or not devices:
        return Read((), "")
    span = _deciding(selector, environment, devices[0])
    inside = [node for node in _nodes(selector.tree) if node.offset in span]
    references = [found for found in references_in(selector.tree) if found.node.offset in span]
    unique = {(reference.section, reference.qualified): reference for reference in references}
    found: list[tuple[str, Values]] = []
    if any(_is_driver(node) for node in inside):
        found.append(("driver", _counted(device.id.driver for device in devices)))
    found.extend(
        (reference.name, _counted(_text(device, reference) for device in devices))
        for reference in unique.values()
    )
    asked = [str(node.value) for node in inside if isinstance(node, Literal) and type(node.value) is str]
    return Read(tuple(found[:_MOST_READ]), _nearest(asked, found))


def _deciding(selector: Selector, environment: Environment, device: Device) -> range:
    """Where the first part of an ``&&`` chain is that is not true; everything if no part stands out."""
    everything = range(len(selector.expression))
    tree = selector.tree
    if not isinstance(tree, Call) or tree.function != "_&&_" or (selector.max_cost or 0) > MAX_COST:
        return everything
    value = device_value(device.id.driver, device.data, delays_attributes=environment.delays_attributes)
    if isinstance(value, CelError):
        return everything
    chain = [part for part in selector.explainer().parts(value.fields) if part.depth == 1 and part.times]
    decisive = [part for part in chain if part.values[0] is not True]
    return range(decisive[0].start, decisive[0].end) if decisive else everything


def _nodes(tree: Node) -> Iterator[Node]:
    yield tree
    for part in written_below(tree):
        yield from _nodes(part)


def _is_driver(node: Node) -> bool:
    return (
        isinstance(node, Select)
        and node.field == "driver"
        and isinstance(node.operand, Ident)
        and node.operand.type == types.DEVICE
    )


def _text(device: Device, reference: Reference) -> str:
    entries: Mapping[str, Attribute] = device.data.get(reference.section) or {}
    name = reference.qualified
    found = entries.get(name, entries.get(name.removeprefix(f"{device.id.driver}/")))
    if not found:
        return _ABSENT
    value = found.get("value") if reference.section == "capacity" else next(iter(found.values()))
    if isinstance(value, list):
        return ", ".join(map(str, value))
    return str(value).lower() if isinstance(value, bool) else str(value)


def _counted(texts: Iterable[str]) -> Values:
    counts = Counter(text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…" for text in texts)
    return tuple(counts.most_common(_MOST_VALUES))


def _nearest(asked: Iterable[str], found: Sequence[tuple[str, Values]]) -> str:
    """The value that a text of the expression is likely to mean; empty if some device has that very text."""
    known = [text for _, values in found for text, _ in values if text != _ABSENT]
    for text in asked:
        near = "" if text in known else nearest(text, known, least=_NEAR)
        if near:
            return near
    return ""
