"""The devices of one input: which of them a selector selects, and the values they have."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, cast

from dractl.api import budgets
from dractl.api.gates import GateSet
from dractl.api.json_types import JsonObject
from dractl.cel.common.device import split_name
from dractl.cel.compile import CelError, Environment, Selector, compile_selector
from dractl.cel.interpreter.references import references_in
from dractl.cluster.devices import DeviceID
from dractl.diffing.model import AttributeChange, Selects
from dractl.records import NamedTuple
from dractl.workflows.cel import KnownDevice

if TYPE_CHECKING:
    from dractl.api.objects.resource import Device

__all__ = ["Devices", "Named", "Selected", "differing", "differing_of", "names_in", "names_of"]

_MOST_VALUES = 4
"""Values of an attribute that are listed on each side."""

_SECTIONS = ("attributes", "capacity")


class Named(NamedTuple):
    """An attribute or capacity with its domain."""

    section: str
    name: str


class Selected(NamedTuple):
    """What a selector does with the devices: which it selects, and for how many it fails.

    ``is_cut``: it was not evaluated for all of them.
    """

    ids: frozenset[DeviceID]
    failed: int
    is_cut: bool

    def among(self, number: int) -> Selects:
        """The counts, of ``number`` devices in all."""
        return Selects(len(self.ids), self.failed, number)


class Devices:
    """The devices of an input. Selectors are evaluated as the scheduler does, and as ``dractl cel`` does."""

    def __init__(self, known: Sequence[KnownDevice], gates: GateSet) -> None:
        """Take the devices of the newest generation of each pool."""
        self.known = known
        self.by_id: Mapping[DeviceID, KnownDevice] = {device.id: device for device in known}
        self._environment = Environment(gates.minor, gates, stored=True)
        self._selected: dict[str, Selected] = {}
        self._left = budgets.DIFF_EVALUATIONS.value

    @property
    def is_cut(self) -> bool:
        """Whether some selector was not evaluated for all devices."""
        return any(found.is_cut for found in self._selected.values())

    def selector(self, expression: str) -> Selector | None:
        """The compiled expression; None if it does not compile."""
        found = compile_selector(expression, self._environment)
        return None if isinstance(found, CelError) else found

    def selected(self, expression: str) -> Selected:
        """What an expression selects by itself, without the other selectors of its list."""
        if expression not in self._selected:
            self._selected[expression] = self._evaluated(expression)
        return self._selected[expression]

    def _evaluated(self, expression: str) -> Selected:
        selector = self.selector(expression)
        if selector is None:
            return Selected(frozenset(), 0, is_cut=False)
        self._left -= len(self.known)
        if self._left < 0:
            return Selected(frozenset(), 0, is_cut=True)
        ids: list[DeviceID] = []
        failed = 0
        is_cut = False
        for device in self.known:
            value = device.value
            result = value if isinstance(value, CelError) else selector.evaluate(value)
            if result is True:
                ids.append(device.id)
            elif isinstance(result, CelError):
                failed += 1
                is_cut = is_cut or result.kind == "budget"
        return Selected(frozenset(ids), failed, is_cut)


def names_in(selector: Selector) -> tuple[Named, ...]:
    """The attributes and capacities that a selector reads, in the order of its text."""
    found = (Named(reference.section, reference.qualified) for reference in references_in(selector.tree))
    return tuple(dict.fromkeys(found))


def differing(
    names: Iterable[Named], pairs: Iterable[tuple[KnownDevice, KnownDevice]]
) -> Iterator[AttributeChange]:
    """Those of ``names`` whose values differ between the two devices of pairs, the old and the new one."""
    values = [(_values(before), _values(after)) for before, after in pairs]
    for name in names:
        changed = [
            (before.get(name, ""), after.get(name, ""))
            for before, after in values
            if before.get(name) != after.get(name)
        ]
        if changed:
            yield AttributeChange(
                name.name,
                _some(before for before, _ in changed),
                _some(after for _, after in changed),
                len(changed),
            )


def differing_of(
    names: Iterable[Named], before: Iterable[KnownDevice], after: Iterable[KnownDevice]
) -> Iterator[AttributeChange]:
    """Those of ``names`` whose old values are all gone: no device of ``after`` has one of them."""
    earlier, later = list(map(_values, before)), list(map(_values, after))
    if not later:
        return
    for name in names:
        had = dict.fromkeys(values.get(name, "") for values in earlier)
        has = dict.fromkeys(values.get(name, "") for values in later)
        if not had.keys() & has.keys():
            yield AttributeChange(name.name, _some(had), _some(has), len(earlier))


def names_of(*devices: KnownDevice) -> tuple[Named, ...]:
    """All attributes and capacities that one of the devices has."""
    return tuple(dict.fromkeys(name for device in devices for name in _values(device)))


def _some(values: Iterable[str]) -> tuple[str, ...]:
    """The distinct values; only the first of many, and a sign for the rest."""
    distinct = list(dict.fromkeys(values))
    return (*distinct[:_MOST_VALUES], "…") if len(distinct) > _MOST_VALUES else tuple(distinct)


def _values(device: KnownDevice) -> dict[Named, str]:
    data = cast("Device", device.data)
    found: dict[Named, str] = {}
    for section in _SECTIONS:
        entries = cast("Mapping[str, JsonObject]", data.get(section) or {})
        for name, entry in entries.items():
            domain, identifier = split_name(name, device.id.driver)
            found[Named(section, f"{domain}/{identifier}")] = _text(entry)
    return found


def _text(entry: JsonObject) -> str:
    """The value of an attribute or capacity as people write it."""
    value = next((value for value in entry.values() if value is not None), "")
    if isinstance(value, list):
        return f"[{', '.join(map(str, value))}]"
    return str(value).lower() if isinstance(value, bool) else str(value)
