"""Ways out by a selector of a request or class: another bound or name, a guard, or no selector."""

from __future__ import annotations

from collections.abc import Iterator

from dractl.api.path import Steps
from dractl.cel.common.device import split_name
from dractl.cel.common.errors import CelError
from dractl.cel.compile import compile_selector
from dractl.cluster.objects import Key
from dractl.explanation.trials.claims import Source
from dractl.explanation.trials.edits import at, dropped, field, replaced
from dractl.explanation.trials.situation import Situation
from dractl.explanation.ways_out.candidate import Candidate
from dractl.explanation.ways_out.expression import DRIVER, Name, rewrites
from dractl.explanation.world import Change, World
from dractl.records import NamedTuple

__all__ = ["change_selector", "drop_selector"]

_MOST_REWRITES = 12
_OF_CLASS = 4
"""A class is for others as well, so that its change is larger."""

_OTHER_DEVICES = 20
"""Where what is asked for exists and is only in use, selecting other devices is more than a correction."""

_EXPRESSION: Steps = ("cel", "expression")
_VALUE_KINDS = ("string", "version", "int")


class _Selector(NamedTuple):
    """A selector: whose it is, where, and its expression; ``source`` is None for that of a class."""

    owner: Key
    field: str
    text: str
    steps: Steps
    source: Source | None
    size: int

    def drop(self, world: World) -> Change:
        """The change that leaves the selector out."""
        if self.source is not None:
            return self.source.dropped(world, self.steps)
        return {self.owner: dropped(world.objects[self.owner], self.steps)}

    def write(self, world: World, text: str) -> Change:
        """The change of the expression."""
        place = (*self.steps, *_EXPRESSION)
        if self.source is not None:
            return self.source.replaced(world, place, text)
        return {self.owner: replaced(world.objects[self.owner], place, text)}


def change_selector(situation: Situation) -> Iterator[Candidate]:
    """For each selector without which the pod fits, the least change of its expression that does."""
    values: dict[Name, dict[str, int]] | None = None
    for selector in _selectors(situation):
        compiled = compile_selector(selector.text, situation.world.settings.environment)
        if isinstance(compiled, CelError) or situation.fits(selector.drop(situation.world)) is None:
            continue
        values = _values(situation) if values is None else values
        for number, rewrite in enumerate(rewrites(selector.text, compiled.tree, values)):
            if number == _MOST_REWRITES:
                break
            change = selector.write(situation.world, rewrite.expression)
            if situation.fits(change) is not None:
                size = selector.size + rewrite.size + (_OTHER_DEVICES if situation.fits_empty else 0)
                yield Candidate(
                    selector.owner, selector.field, selector.text, rewrite.expression, size, change
                )
                break


def drop_selector(situation: Situation) -> Iterator[Candidate]:
    """Each selector without which the pod fits."""
    for selector in _selectors(situation):
        change = selector.drop(situation.world)
        if situation.fits(change) is not None:
            yield Candidate(selector.owner, selector.field, selector.text, None, selector.size, change)


def _selectors(situation: Situation) -> Iterator[_Selector]:
    world = situation.world
    classes: dict[Key, None] = {}
    steps: Steps
    for source in situation.sources:
        for body in source.bodies:
            classes[Key("DeviceClass", "", str(body.data.get("deviceClassName")))] = None
            for number, text in _expressions(body.data):
                steps = (*body.steps, "selectors", number)
                where = source.field((*steps, *_EXPRESSION))
                yield _Selector(source.key, where, text, steps, source, 0)
    for key in classes:
        item = world.objects.get(key)
        for number, text in _expressions(at(item, ("spec",)) or {}):
            steps = ("spec", "selectors", number)
            yield _Selector(key, field((*steps, *_EXPRESSION)), text, steps, None, _OF_CLASS)


def _expressions(spec: object) -> Iterator[tuple[int, str]]:
    for number, selector in enumerate(at(spec, ("selectors",)) or ()):
        text = at(selector, _EXPRESSION)
        if text:
            yield number, text


def _values(situation: Situation) -> dict[Name, dict[str, int]]:
    """What the devices of the few nodes have, as texts, and how many devices have it."""
    found: dict[Name, dict[str, int]] = {}

    def add(name: Name, text: str) -> None:
        counts = found.setdefault(name, {})
        counts[text] = counts.get(text, 0) + 1

    for key, item in situation.cut.objects.items():
        if key.kind != "ResourceSlice":
            continue
        driver = item["spec"].get("driver") or ""
        for device in item["spec"].get("devices") or ():
            add(DRIVER, driver)
            for written, value in (device.get("attributes") or {}).items():
                name = ("attributes", *split_name(written, driver))
                found.setdefault(name, {})
                for kind in _VALUE_KINDS:
                    if value.get(kind) is not None:
                        add(name, str(value[kind]))
            for written, entry in (device.get("capacity") or {}).items():
                add(("capacity", *split_name(written, driver)), str(entry.get("value") or "0"))
    return found
