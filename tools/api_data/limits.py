"""The column of a release in ``limits.json``: the values of constants."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from tools.api_data.published import API, Published
from tools.kubernetes.modules import KUBERNETES

_INTERNAL = (f"{KUBERNETES}/pkg/apis/resource", f"{KUBERNETES}/pkg/apis/scheduling")
_SIZE_WORDS = ("Max", "Min", "Limit")


def column(table: Mapping[str, Any], published: Published, previous: str | None) -> dict[str, Any]:
    """``table``, the content of ``limits.json``, with the column of a release.

    A limit whose number has no constant keeps the number of the column ``previous``, and a limit is enforced
    if it was enforced there.
    """
    minor = published.release.minor
    constants = values(published)
    limits = [_limit(row, minor, constants, previous) for row in table["limits"]]
    words = {name: _with(row, minor, constants.get(name)) for name, row in table["stringConstants"].items()}
    return {**table, "limits": limits, "stringConstants": words}


def values(published: Published) -> dict[str, str | int]:
    """The constants of the API types and of the internal ones, by name; a newer API version wins."""
    paths = [f"{API}/resource/{version}" for version in published.versions("resource")]
    paths += [f"{API}/scheduling/{version}" for version in published.versions("scheduling")]
    found: dict[str, str | int] = {}
    for path in (*_INTERNAL, *paths):
        package = published.packages.get(path)
        for name, constant in package.constants.items() if package else ():
            if constant.value is not None:
                found.setdefault(name, constant.value)
    return found


def added(table: Mapping[str, Any], published: Published, before: Published) -> Iterator[str]:
    """The constants that a release has, the one before has not, and no row of the table names."""
    known = {name for row in table["limits"] for name in _names(row)} | set(table["stringConstants"])
    old = values(before)
    for name, value in sorted(values(published).items()):
        if name not in known and name not in old:
            yield f"{name} = {value!r}"


def changed(table: Mapping[str, Any], minor: str, previous: str) -> Iterator[str]:
    """The limits whose value in a minor differs from that in the previous one, and what is new or gone."""
    for row in table["limits"]:
        new, old = row["values"].get(minor), row["values"].get(previous)
        if new != old:
            yield f"{row['id']}: {_shown(old)} -> {_shown(new)}"


def by_hand(table: Mapping[str, Any], published: Published) -> Iterator[str]:
    """The limits of a release whose number is in no constant: only a person or a test can check them."""
    minor, constants = published.release.minor, values(published)
    for row in table["limits"]:
        if minor in row["values"] and not any(name in constants for name in _names(row)):
            yield f"{row['id']} = {row['values'][minor]}"


def _shown(value: int | None) -> str:
    return "none" if value is None else str(value)


def _names(row: Mapping[str, Any]) -> list[str]:
    constant = row["constant"]
    return constant if isinstance(constant, list) else [constant] if constant else []


def _limit(
    row: Mapping[str, Any], minor: str, constants: Mapping[str, str | int], previous: str | None
) -> dict[str, Any]:
    # A number that stands for this minor stays if its release has no constant for it: see `by_hand`.
    value: str | int | None = row["values"].get(minor)
    for name in _names(row):
        if name in constants:
            value = constants[name]
            break
    else:
        if not _names(row) and value is None:
            value = row["values"].get(previous)
    enforced = set(row["enforcedIn"])
    if minor not in row["values"] and value is not None and previous in enforced:
        enforced.add(minor)
    return {
        **row,
        "values": _with(row["values"], minor, value),
        "enforcedIn": sorted(enforced, key=_number),
    }


def _with(row: Mapping[str, Any], minor: str, value: str | int | None) -> dict[str, Any]:
    rest = {**row, minor: value}
    return {each: rest[each] for each in sorted(rest, key=_number) if rest[each] is not None}


def _number(minor: str) -> int:
    return int(minor.partition(".")[2])
