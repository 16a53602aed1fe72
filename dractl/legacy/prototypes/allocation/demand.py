"""What claims of all dialects ask for, in one form, and that form as the search takes it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, cast

from dractl.api.quantity import Quantity
from dractl.legacy.prototypes.cel import Flavour
from dractl.legacy.prototypes.dialects.amounts import amount
from dractl.legacy.prototypes.dialects.dialects import EVOLUTION, PROTO
from dractl.legacy.prototypes.dialects.directory import Directory
from dractl.legacy.prototypes.dialects.reading import Item
from dractl.records import NamedTuple
from dractl.simulation.allocator.model.demand import MAX_RESULTS, Ask, ClaimDemand, Constraint, Request

if TYPE_CHECKING:
    from dractl.legacy.prototypes.dialects import objects

__all__ = [
    "Asked",
    "Demand",
    "Leaf",
    "Part",
    "Wish",
    "choices_of",
    "demand_of",
    "missing_classes",
    "search_demand",
    "within",
]


class Leaf(NamedTuple):
    """A class that matches by itself: a driver, or any, and expressions that must be true."""

    name: str
    driver: str | None
    expressions: tuple[str, ...]


class Wish(NamedTuple):
    """A number of devices of a class. ``leaves`` is None where the class does not exist.

    ``admin``: all devices that match, whoever has them. ``driver``: devices of no other, whatever the class.
    """

    class_name: str
    leaves: tuple[Leaf, ...] | None
    expressions: tuple[str, ...]
    least: int = 1
    most: int = 1
    totals: Mapping[str, Quantity] = {}
    matched: tuple[str, ...] = ()
    admin: bool = False
    driver: str | None = None


class Part(NamedTuple):
    """A named part of a claim: all of ``every`` and one of ``options``, the first that can be had."""

    name: str
    every: tuple[Wish, ...]
    options: tuple[Wish, ...] = ()


class Demand(NamedTuple):
    """A claim as all dialects can be read. ``one_admin``: admin access is to one device, not to all."""

    family: str
    parts: tuple[Part, ...]
    matched: tuple[str, ...]
    flavour: Flavour
    one_admin: bool


def demand_of(item: Item, spec: Any, directory: Directory) -> Demand:
    """What a claim's spec asks for; ``item`` is the claim or template that has it."""
    if item.family == EVOLUTION:
        return _of_evolution(spec, directory)
    if item.dialect == "proto-pools":
        return _of_counts(spec, directory)
    parts = tuple(
        Part(
            part.get("name", ""),
            tuple(_wish(detail, directory) for detail in part.get("allOf") or ()),
            tuple(_wish(detail, directory) for detail in part.get("oneOf") or ()),
        )
        for part in spec.get("devices") or ()
    )
    return Demand(PROTO, parts, _names(spec.get("matchAttributes")), "plain", one_admin=False)


def leaves_of(family: str, name: str, directory: Directory) -> tuple[Leaf, ...] | None:
    """The leaf classes that a class stands for; None for an unknown class."""
    found = directory.get(family, "DeviceClass", "", name)
    if found is None:
        return None
    # Many claims name one class, and one class may stand for thousands.
    known: tuple[Leaf, ...] | None = directory.known_leaves.get(found)
    if known is None:
        known = directory.known_leaves[found] = tuple(_leaves(found, family, directory))
    return known


def _leaves(found: Item, family: str, directory: Directory) -> Iterator[Leaf]:
    if family == EVOLUTION:
        selectors = (entry.get("deviceSelector") for entry in found.value.get("requirements") or ())
        yield Leaf(found.name, None, tuple(text for text in selectors if text))
        return
    yield from map(_leaf, directory.leaves(found))


def _leaf(item: Item) -> Leaf:
    spec = item.spec if item.dialect == "proto-pools" else item.spec.get("definition") or {}
    definition = cast("objects.CountedSpec", spec)
    text = definition.get("constraints")
    driver = definition.get("driver") or (None if item.dialect == "proto-pools" else "")
    return Leaf(item.name, driver, (text,) if text else ())


def _names(found: Iterable[str] | None) -> tuple[str, ...]:
    return tuple(name for name in found or () if name)


def _wish(detail: objects.Detail, directory: Directory) -> Wish:
    wanted: Mapping[str, objects.Amount] = detail.get("requests") or {}
    devices = amount(wanted.get("devices", 1))
    least = max(1, devices.value if devices is not None else 1)
    is_admin = bool(detail.get("adminAccess"))
    name = detail.get("class", "")
    return Wish(
        name,
        leaves_of(PROTO, name, directory),
        (detail["constraints"],) if detail.get("constraints") else (),
        1 if is_admin else least,
        1 if is_admin else max(least, detail.get("maxDevices") or least),
        {}
        if is_admin
        else {key: size for key, text in wanted.items() if key != "devices" and (size := amount(text))},
        () if is_admin else _names(detail.get("matchAttributes")),
        is_admin,
    )


def _of_counts(spec: objects.ClaimSpec, directory: Directory) -> Demand:
    specs = spec.get("claimSpec") if isinstance(spec.get("claimSpec"), list) else [spec]
    parts = []
    for number, entry in enumerate(specs or ()):
        name = entry.get("deviceClass", "")
        found = directory.get(PROTO, "DeviceClass", "", name)
        limits: objects.CountedSpec = found.spec if found is not None else {}
        least = entry.get("minDeviceCount") or limits.get("minDeviceCount") or 1
        most = entry.get("maxDeviceCount") or limits.get("maxDeviceCount") or least
        driver = entry.get("driver")
        leaves = leaves_of(PROTO, name, directory) if name else (Leaf(f"driver {driver}", driver, ()),)
        text = entry.get("constraints")
        wish = Wish(
            name,
            leaves,
            (text,) if text else (),
            least,
            max(least, most),
            {},
            (*_names(limits.get("matchAttributes")), *_names(entry.get("matchAttributes"))),
            "deviceClass" not in entry,
            driver if name else None,
        )
        parts.append(Part(f"#{number}", (wish,)))
    is_set = "claimSpec" in spec
    matched = _names(spec.get("matchAttributes")) if is_set else ()
    return Demand(PROTO, tuple(parts), matched, "plain", one_admin=False)


def _of_evolution(spec: objects.EvolutionClaim, directory: Directory) -> Demand:
    parts = []
    for number, request in enumerate(spec.get("requests") or ()):
        name = request.get("deviceClassName") or request.get("resourceClassName") or ""
        selectors = [entry.get("deviceSelector") for entry in request.get("requirements") or ()]
        count: objects.Count = request.get("count") or {}
        least = max(1, count.get("minimum") or 1)
        totals = {
            entry["resource"].get("name", ""): size
            for entry in request.get("requirements") or ()
            if entry.get("resource") and (size := amount(entry["resource"].get("quantity"))) is not None
        }
        wish = Wish(
            name,
            leaves_of(EVOLUTION, name, directory) if name else (Leaf("", None, ()),),
            tuple(text for text in selectors if text),
            least,
            max(least, count.get("maximum") or (MAX_RESULTS if "count" in request else least)),
            totals,
            _names(entry.get("attribute", "") for entry in request.get("match") or ()),
            bool(request.get("adminAccess")),
        )
        parts.append(Part(request.get("name") or f"#{number}", (wish,)))
    matched = tuple(
        entry["matchAttribute"] for entry in spec.get("constraints") or () if entry.get("matchAttribute")
    )
    return Demand(EVOLUTION, tuple(parts), matched, "typed", one_admin=True)


def within(demand: Demand, devices: int) -> Demand:
    """``demand`` without sizes that are larger than the number of devices that exist."""

    def cut(wishes: tuple[Wish, ...]) -> tuple[Wish, ...]:
        return tuple(wish._replace(most=min(wish.most, max(wish.least, devices))) for wish in wishes)

    parts = tuple(part._replace(every=cut(part.every), options=cut(part.options)) for part in demand.parts)
    return demand._replace(parts=parts)


def choices_of(demand: Demand) -> int:
    """How many sizes and options a search may have to try."""
    wishes = (wish for part in demand.parts for wish in (*part.every, *part.options))
    return sum(wish.most - wish.least + 1 for wish in wishes)


def missing_classes(demand: Demand) -> list[str]:
    """The classes that the demand names and that do not exist."""
    wishes = (wish for part in demand.parts for wish in (*part.every, *part.options))
    return list(dict.fromkeys(wish.class_name for wish in wishes if wish.leaves is None))


class Asked(NamedTuple):
    """What an entry of the search stands for: a part, and per alternative which option of it that is.

    ``options`` has the number of the option, counted from 1, and 0 where the part has no choice.
    """

    part: str
    options: tuple[int, ...]
    of: int


def search_demand(name: str, demand: Demand) -> tuple[ClaimDemand, list[Asked]]:
    """The demand for the search, and what each of its entries stands for.

    A range of sizes is a choice of counts, from small to large. Admin access to all devices is no matter of
    the search, because such devices stay available to others.
    """
    asks: list[Ask] = []
    asked: list[Asked] = []
    constraints: list[Constraint] = []
    for attribute in demand.matched:
        constraints.append(Constraint(len(constraints), frozenset(), attribute, is_distinct=False))
    for part in demand.parts:
        for number, wish in enumerate(part.every):
            if wish.admin and not demand.one_admin:
                continue
            label = part.name if len(part.every) == 1 and not part.options else f"{part.name}/allOf[{number}]"
            requests = list(_requests(label, wish))
            _match(constraints, requests, wish)
            asks.append(Ask(label, tuple(requests), len(requests) > 1))
            asked.append(Asked(part.name, (0,) * len(requests), 0))
        if part.options:
            ask, meaning = _choice(part, constraints)
            asks.append(ask)
            asked.append(meaning)
    return ClaimDemand(name, {}, tuple(asks), tuple(constraints)), asked


def _choice(part: Part, constraints: list[Constraint]) -> tuple[Ask, Asked]:
    alternatives: list[Request] = []
    numbers: list[int] = []
    for number, wish in enumerate(part.options):
        requests = list(_requests(f"{part.name}/oneOf[{number}]", wish))
        _match(constraints, requests, wish)
        alternatives += requests
        numbers += [number + 1] * len(requests)
    asked = Asked(part.name, tuple(numbers), len(part.options))
    return Ask(part.name, tuple(alternatives), is_prioritized=True), asked


def _match(constraints: list[Constraint], requests: list[Request], wish: Wish) -> None:
    for attribute in wish.matched:
        for request in requests:
            names = frozenset({request.full_name})
            constraints.append(Constraint(len(constraints), names, attribute, is_distinct=False))


def _requests(label: str, wish: Wish) -> Iterator[Request]:
    """One request for each size that the wish may have."""
    for count in range(wish.least, wish.most + 1):
        noun = "device" if count == 1 else "devices"
        name = label if wish.least == wish.most else f"{label} ({count} {noun})"
        request = Request(name, None, {"wish": wish, "count": count}, {})
        request.admin_access = wish.admin
        request.totals = wish.totals
        yield request
