"""What an expectation may have in place of exact devices: patterns, a count, a selector, attributes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase

from dractl.cel.compile import CelError
from dractl.records import NamedTuple
from dractl.testing.inventory import Inventory, Values

__all__ = ["Difference", "differences", "is_pattern", "matches", "ways_out_missing", "where_of"]

_WILDCARDS = frozenset("*?[")


class Difference(NamedTuple):
    """An unmet pattern or condition: its field (None: the pattern), expected and actual values.

    ``is_kept``: an update does not replace it, because the user chose a pattern on purpose.
    """

    field: str | None
    expected: object
    actual: object
    is_kept: bool = True


def is_pattern(expected: object) -> bool:
    """Whether an expectation of devices is anything but exact names."""
    if isinstance(expected, Mapping):
        return True
    return any(_WILDCARDS & set(name) for name in _texts(expected))


def matches(pattern: str, device: str) -> bool:
    """Whether a glob ``DRIVER/POOL/DEVICE`` matches a device; a pool name may contain slashes."""
    wanted, there = _parts(pattern), _parts(device)
    return all(fnmatchcase(part, glob) for glob, part in zip(wanted, there, strict=True))


def _parts(name: str) -> tuple[str, str, str]:
    driver, _, rest = name.partition("/")
    pool, _, device = rest.rpartition("/")
    return driver, pool, device


def differences(expected: object, devices: Sequence[str], inventory: Inventory) -> Iterator[Difference]:
    """Where ``devices`` do not meet ``expected``: a name, a glob, a list of these, or conditions."""
    if not isinstance(expected, Mapping):
        patterns = _texts(expected)
        if not is_pattern(expected):
            if sorted(devices) != sorted(patterns):
                yield Difference(None, expected, list(devices), is_kept=False)
        elif not _fit(patterns, devices):
            yield Difference(None, expected, list(devices))
        return
    count = expected.get("count")
    if count is None and not devices:
        yield Difference(None, dict(expected), [])
        return
    if count is not None and count != len(devices):
        yield Difference("count", count, len(devices), is_kept=False)
    for field, check in _CONDITIONS.items():
        if field in expected:
            wrong = check(_texts(expected[field]), devices, inventory)
            if wrong:
                yield Difference(field, expected[field], wrong)


def _fit(patterns: Sequence[str], devices: Sequence[str]) -> bool:
    """Whether each device can have a pattern of its own, and each pattern a device."""
    if len(patterns) != len(devices):
        return False
    owner: dict[int, int] = {}

    def give(pattern: int, tried: set[int]) -> bool:
        for number, device in enumerate(devices):
            if number in tried or not matches(patterns[pattern], device):
                continue
            tried.add(number)
            if number not in owner or give(owner[number], tried):
                owner[number] = pattern
                return True
        return False

    return all(give(pattern, set()) for pattern in range(len(patterns)))


def _not_matching(patterns: Sequence[str], devices: Sequence[str], _: Inventory) -> list[str]:
    return [device for device in devices if not any(matches(pattern, device) for pattern in patterns)]


def _not_selected(expressions: Sequence[str], devices: Sequence[str], inventory: Inventory) -> list[str]:
    wrong = []
    for expression in expressions:
        for device in devices:
            result = inventory.selects(expression, device)
            if isinstance(result, CelError):
                wrong.append(f"{device} fails: {result.message}")
            elif not result:
                wrong.append(f"{device} is not selected")
    return wrong


def _not_the_same(attributes: Sequence[str], devices: Sequence[str], inventory: Inventory) -> list[str]:
    return _compared(attributes, devices, inventory, lambda values: bool(set.intersection(*values)))


def _not_distinct(attributes: Sequence[str], devices: Sequence[str], inventory: Inventory) -> list[str]:
    return _compared(
        attributes,
        devices,
        inventory,
        lambda values: len(set[object]().union(*values)) == sum(map(len, values)),
    )


def _compared(
    attributes: Sequence[str],
    devices: Sequence[str],
    inventory: Inventory,
    holds: Callable[[Sequence[Values]], bool],
) -> list[str]:
    """The value of each device for the first attribute whose values are not as they should be."""
    for attribute in attributes:
        found = [inventory.values(attribute, device) for device in devices]
        if not all(found) or (found and not holds(found)):
            return [f"{device} has {_shown(values)}" for device, values in zip(devices, found, strict=True)]
    return []


def _shown(values: Values) -> str:
    texts = sorted(str(value) if kind != "bool" else str(value).lower() for kind, value in values)
    return " and ".join(texts) or "no value"


_CONDITIONS: Mapping[str, Callable[[Sequence[str], Sequence[str], Inventory], list[str]]] = {
    "match": _not_matching,
    "where": _not_selected,
    "same": _not_the_same,
    "distinct": _not_distinct,
}
"""The fields of conditions, each with what finds the devices that do not meet it."""


def where_of(expected: Mapping[str, object]) -> Iterator[tuple[tuple[str, ...], str]]:
    """The selectors in an expectation, each with the steps that lead to it."""
    for part in ("pods", "claims"):
        entries = expected.get(part)
        for name, facts in entries.items() if isinstance(entries, Mapping) else ():
            for field in ("devices", "containers"):
                wanted = facts.get(field)
                for key, conditions in wanted.items() if isinstance(wanted, Mapping) else ():
                    if isinstance(conditions, Mapping) and "where" in conditions:
                        for expression in _texts(conditions["where"]):
                            yield (part, name, field, key, "where"), expression


def ways_out_missing(wanted: Iterable[object], there: Iterable[Mapping[str, object]]) -> bool:
    """Whether one of the ``wanted`` ways out, a kind or some fields, is not among those ``there``."""
    found = list(there)
    return not all(any(_is_way(entry, way) for way in found) for entry in wanted)


def _is_way(wanted: object, way: Mapping[str, object]) -> bool:
    if isinstance(wanted, Mapping):
        return all(_is_value(value, way.get(field)) for field, value in wanted.items())
    return wanted == way.get("kind")


def _is_value(wanted: object, actual: object) -> bool:
    if isinstance(wanted, str) and isinstance(actual, str):
        return fnmatchcase(actual, wanted) or actual == wanted
    return wanted == actual


def _texts(value: object) -> list[str]:
    return list(value) if isinstance(value, list | tuple) else [str(value)]
