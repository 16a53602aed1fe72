"""The two ends of an upgrade and the minors between them, each with the gates of its servers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from dractl.api import gates as gate_table
from dractl.api import release
from dractl.api.gates import GateError, GateSet
from dractl.api.release import Minor
from dractl.records import NamedTuple
from dractl.versions.registry import DRA_GROUP, type_meta

__all__ = ["DRA", "Ends", "OrderError", "between", "ends", "shown"]

DRA = "DynamicResourceAllocation"


class OrderError(ValueError):
    """A target that is older than the release to start from."""


class Ends(NamedTuple):
    """The servers before and after.

    ``carried`` are the gates of the first that are not set for the second by name; ``assumes_dra``: the
    first has DRA off by default, and is taken to have it on because there are objects of it.
    """

    before: GateSet
    after: GateSet
    carried: Mapping[str, bool]
    assumes_dra: bool


def ends(
    before: Minor,
    after: Minor,
    gates_before: Mapping[str, bool],
    gates_after: Mapping[str, bool],
    values: Iterable[object],
) -> Ends:
    """The servers of an upgrade; ``values`` are the objects in the input.

    A gate that is set for the first server stays set for the second as far as that has it unlocked. Raises
    OrderError, and GateError for gates that one of the two does not start with.
    """
    if _patch(after) < _patch(before):
        raise OrderError(
            f"{after.version} is older than {before.version}; an upgrade leads to a newer release"
        )
    given = dict(gates_before)
    gate = gate_table.gates_of(before).get(DRA)
    assumes = (
        gate is not None and not gate.default and not gates_before.keys() & {DRA, "AllBeta", "AllAlpha"}
    ) and any(map(_is_of_dra, values))
    if assumes:
        given[DRA] = True
    first = _resolved("from", before, given)
    return Ends(first, _resolved("to", after, _kept(after, given) | dict(gates_after)), given, assumes)


def _patch(minor: Minor) -> Minor:
    """The release itself: a minor without a patch is its newest one."""
    return min(minor, minor._replace(patch=max(release.patches_of(minor.at_newest_patch()))))


def _is_of_dra(value: object) -> bool:
    if not isinstance(value, dict):
        return False
    api_version = type_meta(value).api_version
    return isinstance(api_version, str) and api_version.startswith(f"{DRA_GROUP}/")


def _kept(minor: Minor, overrides: Mapping[str, bool]) -> dict[str, bool]:
    """The overrides with which a server of ``minor`` can start; those that are its defaults are left out."""
    there = gate_table.gates_of(minor)
    return {
        name: value
        for name, value in overrides.items()
        if name.startswith("All")
        or (name in there and not there[name].locked and there[name].default != value)
    }


def _resolved(end: str, minor: Minor, overrides: Mapping[str, bool]) -> GateSet:
    try:
        return gate_table.resolve(minor, overrides)
    except GateError as error:
        raise GateError(f"{end} {minor.version}: {error}") from None


def between(first: GateSet, last: GateSet) -> list[GateSet]:
    """The servers of the releases between two, oldest first, with the gates of the later as far as they fit.

    These are the minors and, if the last one is a patch, the first patch of its minor.
    """
    target = last.minor.at_newest_patch()
    found = [
        _fitting(minor, first, last)
        for minor in release.KNOWN
        if first.minor.at_newest_patch() < minor < target
    ]
    beginning = target._replace(patch=0)
    if first.minor < beginning < last.minor != target:
        found.append(_fitting(beginning, first, last))
    return found


def _fitting(minor: Minor, first: GateSet, last: GateSet) -> GateSet:
    try:
        return gate_table.resolve(minor, _kept(minor, {**first.overrides, **last.overrides}))
    except GateError:
        return gate_table.resolve(minor, {})


def shown(minor: Minor) -> str:
    """A release since which something holds: the minor if it is its first patch."""
    return str(minor) if minor.patch == 0 else minor.version
