"""How many devices and nodes of the workspace each selector selects, and what it costs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from dractl.api.gates import GateSet
from dractl.cel.common.work import WORK
from dractl.cel.compile import CelError, Environment, Selector, compile_selector
from dractl.editor.buffer import Position
from dractl.editor.world import World
from dractl.records import NamedTuple
from dractl.source.document import Document
from dractl.source.load import Loaded
from dractl.workflows.cel import KnownDevice

__all__ = ["Hint", "hints_in"]

_MOST = 500
"""Selectors of a file with a hint; each is evaluated for all devices."""

_MOST_NODES = 5000


class Hint(NamedTuple):
    """A note behind a place."""

    at: Position
    text: str


@WORK.run()
def hints_in(loaded: Iterable[Loaded], gates: GateSet, world: World) -> list[Hint]:
    """A hint for each selector of the documents of a file, such as ``12 of 40 devices, cost 9``."""
    found: list[Hint] = []
    texts: dict[str, str] = {}
    for document in loaded:
        if not isinstance(document, Document):
            continue
        for steps, expression in _expressions(document.value, ()):
            place = document.locate_value(steps)
            if place is None or len(found) >= _MOST:
                continue
            if expression not in texts:
                selector = compile_selector(expression, Environment(gates.minor, gates, stored=False))
                texts[expression] = "" if isinstance(selector, CelError) else _text(selector, world)
            if texts[expression]:
                found.append(Hint(_end(document, place), texts[expression]))
    return found


def _end(document: Document, place: tuple[int, int]) -> Position:
    line = document.source_line(place[0])
    return Position(place[0] - 1, max(len(line), place[1] - 1))


def _expressions(value: object, steps: tuple[str | int, ...]) -> Iterator[tuple[tuple[str | int, ...], str]]:
    """The selectors anywhere in an object."""
    waiting: list[tuple[tuple[str | int, ...], object]] = [(steps, value)]
    while waiting:
        at, inner = waiting.pop()
        if isinstance(inner, Mapping):
            cel = inner.get("cel")
            expression = cel.get("expression") if isinstance(cel, Mapping) else None
            if isinstance(expression, str):
                yield (*at, "cel", "expression"), expression
            if inner.get("kind") != "ResourceSlice":
                waiting += (((*at, key), part) for key, part in inner.items())
        elif isinstance(inner, list):
            waiting += (((*at, number), part) for number, part in enumerate(inner))


def _text(selector: Selector, world: World) -> str:
    cost = f"cost {selector.max_cost}"
    if not world.devices:
        return cost
    chosen = [device for device in world.devices if _is_selected(selector, device)]
    parts = [f"{len(chosen)} of {len(world.devices)} devices"]
    nodes = _nodes(world.devices, world)
    if nodes and len(nodes) <= _MOST_NODES:
        parts.append(f"{len(_nodes(chosen, world))} of {len(nodes)} nodes")
    return ", ".join([*parts, cost])


def _is_selected(selector: Selector, device: KnownDevice) -> bool:
    return not isinstance(device.value, CelError) and selector.evaluate(device.value) is True


def _nodes(devices: Sequence[KnownDevice], world: World) -> set[str]:
    """The nodes whose slices have the devices."""
    found = set()
    for device in devices:
        own = device.data.get("nodeName")
        node = own if isinstance(own, str) else world.nodes.get((device.id.driver, device.id.pool))
        if node:
            found.add(node)
    return found
