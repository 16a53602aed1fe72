"""The devices of the slices given, as selectors see them; there may be very many, and few kinds of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, Literal

from dractl.api import budgets
from dractl.api.json_types import JsonObject
from dractl.cel.compile import CelError, DeviceValue, Selector, device_value
from dractl.cel.interpreter.references import Reference, is_closed, references_in
from dractl.lint.base.input_pools import InputPool
from dractl.records import NamedTuple

if TYPE_CHECKING:
    from dractl.api.objects.resource import Device

__all__ = ["BUDGET", "Group", "KnownDevices", "Sample", "SelectorResult"]

BUDGET = budgets.LINT_EVALUATIONS.value

_CHEAP = 200
"""A selector of up to this cost counts as one evaluation, a dearer one as several."""

_ATTRIBUTES: Final = "attributes"
_CAPACITY: Final = "capacity"
_SECTIONS: tuple[Literal["attributes", "capacity"], ...] = (_ATTRIBUTES, _CAPACITY)


class Sample(NamedTuple):
    """A device with the name of its pool, for all that selectors cannot tell apart: ``number`` of them."""

    pool: str
    device: Mapping[str, Any]
    number: int = 1


class Group:
    """Devices of one driver that have attributes and capacities of the same names.

    ``is_complete`` means that all slices of all pools of the driver are there, so that all its devices are
    known, and that no name is given twice, with and without the driver's domain, which leaves open what
    selectors see.
    """

    __slots__ = ("_distinct", "_names", "devices", "driver", "is_complete")

    def __init__(self, driver: str, device: Device, *, is_complete: bool) -> None:
        """Start from the first device."""
        self.driver = driver
        self.devices: list[Sample] = []
        self._names: dict[str, dict[str, frozenset[str]]] = {
            section: _by_domain(driver, device.get(section) or {}) for section in _SECTIONS
        }
        self._distinct: dict[tuple[str, ...], list[Sample]] = {}
        self.is_complete = is_complete and all(
            sum(map(len, self._names[section].values())) == len(device.get(section) or {})
            for section in _SECTIONS
        )

    def names(self, section: str, domain: str) -> frozenset[str]:
        """The names of a domain in ``attributes`` or ``capacity``."""
        return self._names[section].get(domain, frozenset())

    def domains(self, section: str) -> frozenset[str]:
        """The domains of the names in ``attributes`` or ``capacity``."""
        return frozenset(self._names[section])

    def has(self, reference: Reference) -> bool:
        """Whether the devices have what is referred to."""
        return reference.name in self.names(reference.section, reference.domain)

    def differing_in(self, references: Iterable[Reference] | None) -> list[Sample]:
        """One device for each combination of values of ``references``; all devices without references."""
        if references is None:
            return self.devices
        fields = tuple(sorted({f"{one.section}:{one.qualified}" for one in references if self.has(one)}))
        found = self._distinct.get(fields)
        if found is None:
            places = [(section, name) for section, _, name in (field.partition(":") for field in fields)]
            kept: dict[object, Sample] = {}
            counts: Counter[object] = Counter()
            for sample in self.devices:
                device = sample.device
                key = (
                    device.get("allowMultipleAllocations"),
                    *[_hashable(_held(self.driver, device[section], name)) for section, name in places],
                )
                kept.setdefault(key, sample)
                counts[key] += 1
            found = self._distinct[fields] = [
                sample._replace(number=counts[key]) for key, sample in kept.items()
            ]
        return found

    def values(self, reference: Reference) -> Iterator[tuple[str, object]]:
        """The types and different values of an attribute; nothing if the devices lack it."""
        if self.has(reference):
            for sample in self.differing_in((reference,)):
                yield from _held(self.driver, sample.device[_ATTRIBUTES], reference.qualified).items()


def _by_domain(driver: str, names: Iterable[str]) -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for name in names:
        domain, slash, identifier = name.partition("/")
        found.setdefault(domain if slash else driver, set()).add(identifier if slash else name)
    return {domain: frozenset(identifiers) for domain, identifiers in found.items()}


def _held(driver: str, entries: Mapping[str, JsonObject], qualified: str) -> JsonObject:
    """What a device has under a qualified name, which it may write without its driver's domain."""
    found = entries.get(qualified)
    return entries[qualified.removeprefix(f"{driver}/")] if found is None else found


def _hashable(held: JsonObject) -> object:
    if "value" in held:
        return held["value"]
    return tuple((kind, tuple(value) if isinstance(value, list) else value) for kind, value in held.items())


class SelectorResult(NamedTuple):
    """What came out of running selectors for all devices, each as far as it is true.

    ``reached`` are the groups of which the guarding selectors let a device through. ``failures`` has for each
    other selector, by its number, the first device for which it fails. ``is_matched`` means that all
    selectors are true for some device; None if that was not found out. ``matched`` is the number of these
    devices, None if it is not known or if one of them can be allocated several times. ``is_first_cut``: it is
    the first that left devices out, as the budget was used up.
    """

    reached: list[Group]
    failures: dict[int, tuple[str, CelError]]
    is_matched: bool | None
    matched: int | None = None
    is_first_cut: bool = False


class KnownDevices:
    """The devices of all sound pools, newest generation only, in groups."""

    __slots__ = ("_complete", "_delays_attributes", "_is_cut", "_left", "_values", "drivers", "groups")

    def __init__(
        self, pools: Sequence[InputPool], budget: int = BUDGET, *, delays_attributes: bool = False
    ) -> None:
        """Gather the devices; an incomplete pool of a driver makes all groups of it incomplete.

        ``delays_attributes`` is that of the Environment in which the selectors run.
        """
        self._delays_attributes = delays_attributes
        self._left = budget
        self._is_cut = False
        self._values: dict[int, DeviceValue | CelError] = {}
        incomplete = {pool.driver for pool in pools if not pool.is_complete}
        self.drivers = frozenset(pool.driver for pool in pools)
        self._complete = self.drivers - incomplete
        found: dict[tuple[object, ...], Group] = {}
        for pool in pools:
            for entry in pool.newest if pool.is_sound else ():
                for device in entry.devices:
                    names = (tuple(device.get(section) or ()) for section in _SECTIONS)
                    key = (pool.driver, *names)
                    group = found.get(key)
                    if group is None:
                        is_complete = pool.driver not in incomplete
                        group = found[key] = Group(pool.driver, device, is_complete=is_complete)
                    group.devices.append(Sample(pool.name, device))
        self.groups = list(found.values())

    def is_complete(self, driver: str) -> bool:
        """Whether all slices of all pools of the driver are there."""
        return driver in self._complete

    def tried(self, guards: Sequence[Selector], selectors: Sequence[Selector]) -> SelectorResult:
        """Run ``selectors`` for the devices that ``guards`` let through; see Trial."""
        chain = (*guards, *selectors)
        trees = [selector.tree for selector in chain]
        looked_at = [one for tree in trees for one in references_in(tree)]
        compared = looked_at if all(map(is_closed, trees)) else None
        reached: list[Group] = []
        failures: dict[int, tuple[str, CelError]] = {}
        is_matched = is_open = is_shared = False
        matched = 0
        for group in self.groups:
            for pool, device, number in group.differing_in(compared):
                if self._left <= 0:
                    is_first, self._is_cut = not self._is_cut, True
                    return SelectorResult(reached, failures, is_matched or None, is_first_cut=is_first)
                stop, answer = self._run(chain, group.driver, device)
                if answer is True:
                    matched += number
                    is_shared = is_shared or bool(device.get("allowMultipleAllocations"))
                if stop >= len(guards) and group not in reached[-1:]:
                    reached.append(group)
                is_matched = is_matched or answer is True
                is_open = is_open or (isinstance(answer, CelError) and answer.kind == "budget")
                if isinstance(answer, CelError) and stop >= len(guards):
                    name = f"{group.driver}/{pool}/{device.get('name', '')}"
                    failures.setdefault(stop - len(guards), (name, answer))
        is_counted = not (is_open or is_shared or failures)
        return SelectorResult(
            reached,
            failures,
            is_matched or (None if is_open else False),
            matched=matched if is_counted else None,
        )

    def _run(self, chain: Sequence[Selector], driver: str, device: JsonObject) -> tuple[int, bool | CelError]:
        """How far the chain comes for a device, and what ends it."""
        value = self._values.get(id(device))
        if value is None:
            value = self._values[id(device)] = device_value(
                driver, device, delays_attributes=self._delays_attributes
            )
        if isinstance(value, CelError):
            return 0, False
        for number, selector in enumerate(chain):
            self._left -= 1 + (selector.max_cost or 0) // _CHEAP
            answer = selector.evaluate(value)
            if isinstance(answer, CelError):
                return number, answer if answer.kind == "budget" else selector.failure(value) or answer
            if not answer:
                return number, False
        return len(chain), True
