"""Compares expected with actual results."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from dractl.api.json_types import JsonObject
from dractl.api.path import Steps
from dractl.records import NamedTuple
from dractl.scenario.schema import as_list
from dractl.simulation.engine.report import Explained
from dractl.testing.actual import Facts, Observed, full, one_or_list, refused_key, short
from dractl.testing.patterns import differences, ways_out_missing

__all__ = ["ABSENT", "Change", "Mismatch", "compares_nothing", "mismatches"]


class _Absent:
    """No value at all, which is something else than null."""

    def __repr__(self) -> str:
        return "absent"


ABSENT = _Absent()
"""In a change: there was nothing, or there shall be nothing."""


class Change(NamedTuple):
    """The expected and the actual value of a field; ``steps`` start at the expectation, for updates.

    ``is_kept``: a pattern, which an update does not replace.
    """

    steps: Steps
    expected: Any
    actual: Any
    is_kept: bool = False


class Mismatch(NamedTuple):
    """A failed expectation: its subject, the differing fields, and a reason if known.

    Without changes, no expectation could accept the result.
    """

    subject: str
    steps: Steps
    changes: tuple[Change, ...]
    note: str = ""


def compares_nothing(expected: JsonObject) -> bool:
    """Whether an expectation has no pods and claims, so it only expects that no object is refused."""
    return expected.get("complete") is not True and not any(
        expected.get(part) for part in ("pods", "claims", "refused")
    )


def mismatches(expected: Mapping[str, Any], observed: Observed) -> Iterator[Mismatch]:
    """Where ``expected``, an expectation of the right form, and the actual results differ."""
    is_complete = expected.get("complete") is True
    for part, kind in (("pods", "pod"), ("claims", "claim")):
        wanted: Mapping[str, Facts] = expected.get(part) or {}
        for name, facts in wanted.items():
            yield from _of_one(kind, (part, name), facts, observed, is_complete=is_complete)
        if is_complete:
            yield from _unnamed(kind, part, wanted, observed)
    yield from _refusals(expected.get("refused") or {}, observed, is_complete=is_complete)


def _of_one(
    kind: str, steps: Steps, expected: Facts, observed: Observed, *, is_complete: bool
) -> Iterator[Mismatch]:
    name = full(str(steps[-1]))
    subject = f"{kind} {name}"
    there: Mapping[str, Facts] = getattr(observed, str(steps[0]))
    actual = there.get(name)
    if expected.get("absent") is True:
        if actual is not None:
            yield Mismatch(subject, steps, (Change((*steps, "absent"), True, ABSENT),), f"the {kind} exists")
        return
    if actual is None:
        yield Mismatch(subject, steps, (Change(steps, dict(expected), ABSENT),), f"the {kind} does not exist")
        return
    changes = list(_changes(steps, expected, actual, observed, is_complete=is_complete))
    changes += (
        _explained(steps, expected, observed.explanation_of(kind, name)) if _explaining(expected) else ()
    )
    if changes:
        says_why = any(change.steps[-1] == "because" for change in changes)
        yield Mismatch(subject, steps, tuple(changes), "" if says_why else _reason(kind, expected, actual))


def _reason(kind: str, expected: Facts, actual: Facts) -> str:
    """Why a pod or claim is not as expected: why it waits, or why it got no devices."""
    found: str = actual.get("message") or actual.get("warning", "")
    is_without = bool(expected.get("devices")) and "devices" not in actual
    return found or (f"the {kind} requests no devices" if is_without else "")


def _explaining(expected: Facts) -> bool:
    return not expected.keys().isdisjoint({"when", "waysOut"})


def _explained(steps: Steps, expected: Facts, explained: Explained | None) -> Iterator[Change]:
    """The parts of the explanation that differ: when the pod would fit, and what would help."""
    found: JsonObject = {} if explained is None else explained.document
    if "when" in expected and expected["when"] != found.get("when"):
        yield Change((*steps, "when"), expected["when"], found.get("when") or ABSENT)
    if "waysOut" in expected:
        ways = () if explained is None else explained.help().document.get("waysOut")
        found_ways: list[JsonObject] = list(ways) if isinstance(ways, list) else []
        if ways_out_missing(expected["waysOut"], found_ways):
            there = [
                {name: value for name, value in way.items() if value and name != "places"}
                for way in found_ways
            ]
            yield Change((*steps, "waysOut"), expected["waysOut"], there or ABSENT, is_kept=True)


def _changes(
    steps: Steps, expected: Facts, actual: Facts, observed: Observed, *, is_complete: bool
) -> Iterator[Change]:
    """The fields of one pod or claim that are otherwise."""
    for name in ("node", "pending"):
        if name in expected and expected[name] != actual.get(name):
            yield Change((*steps, name), expected[name], actual.get(name, ABSENT))
    if (
        "pending" in actual
        and "pending" not in expected
        and (is_complete or {"node", "devices"} & expected.keys())
    ):
        yield Change((*steps, "pending"), ABSENT, actual["pending"])
    is_placed_after_all = "pending" in expected and "pending" not in actual
    if is_placed_after_all and "node" in actual and "node" not in expected:
        yield Change((*steps, "node"), ABSENT, actual["node"])
    yield from _devices(steps, expected, actual, observed, is_exact=is_complete or is_placed_after_all)
    for container, devices in (expected.get("containers") or {}).items():
        there = (actual.get("containers") or {}).get(container, [])
        yield from _differing((*steps, "containers", container), devices, there, observed)
    yield from _reasons(steps, expected, actual)
    if "evicted" in expected and expected["evicted"] is not actual.get("evicted", False):
        yield Change((*steps, "evicted"), expected["evicted"], actual.get("evicted", False))


def _differing(steps: Steps, wanted: object, found: Sequence[str], observed: Observed) -> Iterator[Change]:
    """The parts of an expectation of devices that the devices ``found`` do not meet."""
    for each in differences(wanted, found, observed.inventory):
        further = () if each.field is None else (each.field,)
        yield Change((*steps, *further), each.expected, each.actual, each.is_kept)


def _devices(
    steps: Steps, expected: Facts, actual: Facts, observed: Observed, *, is_exact: bool
) -> Iterator[Change]:
    wanted: JsonObject = expected.get("devices") or {}
    there: Mapping[str, Sequence[str]] = actual.get("devices") or {}
    named: set[str] = set()
    for request, devices in wanted.items():
        # A request without its subrequest means whichever of them was chosen.
        keys = [key for key in there if key == request or key.startswith(f"{request}/")]
        named.update(keys)
        found = [device for key in keys for device in there[key]]
        for change in _differing((*steps, "devices", request), devices, found, observed):
            is_whole = change.steps == (*steps, "devices", request)
            yield change._replace(actual=one_or_list(found) if found else ABSENT) if is_whole else change
    if is_exact:
        for request, names in there.items():
            if request not in named:
                yield Change((*steps, "devices", request), ABSENT, one_or_list(list(names)))


def _reasons(steps: Steps, expected: Facts, actual: Facts) -> Iterator[Change]:
    message: str = actual.get("message", "")
    if "because" in expected:
        missing = [text for text in as_list(expected["because"]) if text not in message]
        if missing:
            yield Change((*steps, "because"), expected["because"], message or ABSENT)
    for node, category in (expected.get("nodes") or {}).items():
        there = (actual.get("nodes") or {}).get(node, ABSENT)
        if there != category:
            yield Change((*steps, "nodes", node), category, there)


def _unnamed(kind: str, part: str, wanted: Mapping[str, Facts], observed: Observed) -> Iterator[Mismatch]:
    """What concerns devices and is not named, where everything is to be."""
    there: Mapping[str, Facts] = getattr(observed, part)
    named = {full(name) for name in wanted}
    for name, facts in there.items():
        if name in named or not {"devices", "pending"} & facts.keys():
            continue
        steps = (part, short(name))
        changes = tuple(_changes(steps, {}, facts, observed, is_complete=True))
        if "node" in facts:
            changes = (Change((*steps, "node"), ABSENT, facts["node"]), *changes)
        yield Mismatch(f"{kind} {name}", (part,), changes, facts.get("message") or "it is not listed")


def _refusals(wanted: JsonObject, observed: Observed, *, is_complete: bool) -> Iterator[Mismatch]:
    named = set()
    for text, rules in wanted.items():
        key = refused_key(text)
        named.add(key)
        broken = observed.refused.get(key)
        steps = ("refused", text)
        if broken is None:
            yield Mismatch(text, steps, (Change(steps, rules, ABSENT),), "it is not rejected")
        elif not set(as_list(rules)) <= set(broken) or (is_complete and set(as_list(rules)) != set(broken)):
            change = Change(steps, rules, one_or_list(broken))
            yield Mismatch(text, steps, (change,), observed.reasons.get(key, ""))
    for key, broken in observed.refused.items():
        if key not in named:
            # Whatever is expected of the rest means little if an object has no part in it.
            change = Change(("refused", key), ABSENT, one_or_list(broken))
            yield Mismatch(key, (), (change,), observed.reasons.get(key, ""))
    for reason in observed.strays:
        yield Mismatch("left out", (), (), reason)
