"""Random expressions against the real code: ``python -m tests.cel.differential MINOR COUNT SEED``.

``$DRACTL_ORACLE`` names the folder with the real code's programs; see tests/oracle.py.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from itertools import repeat
from typing import Any, NamedTuple

from dractl.api import gates, release
from dractl.api.semver import Semver
from dractl.cel.compile import (
    CelError,
    DerivedAttribute,
    Environment,
    Selector,
    compile_derived_attribute,
    compile_selector,
    device_value,
)
from tests import oracle
from tests.cel.expressions import DEVICES, Generator

UNLIMITED = 2**64 - 1
GATES: tuple[tuple[str, dict[str, bool]], ...] = (
    ("1.31", {}),
    ("1.36", {"DRAListTypeAttributes": True}),
    ("1.34", {"DRAConsumableCapacity": True}),
    ("1.34", {"DRAConsumableCapacity": False}),
    ("1.38", {"DRAConsumableCapacity": False, "DRAFractionalCapacityRange": False}),
)
"""Sets of gates that change what an expression may use, with the first minor that knows them."""

LISTS_SINCE, LISTS_ALWAYS, LISTS_GATE = "1.36", "1.37", "DRAListTypeAttributes"
"""Since when devices have lists as attributes by a gate, and since when the scheduler always reads them."""

DERIVED_SINCE = "1.37"

_LISTS = frozenset({"bools", "ints", "strings", "versions"})
_EVALUATED = frozenset({"match", "value", "fails", "cost"})
_AGAIN = 64
_BATCH = 2000


class Case(NamedTuple):
    """An expression, which of the two environments of a server compiles it, and the gates that are set.

    ``derived`` ones are those of derived attributes: not only true and false can be compared for them.
    """

    expression: str
    stored: bool
    gates: dict[str, bool]
    derived: bool = False


class Difference(NamedTuple):
    """What the real code says of a case, and what dractl says; ``kind`` names what differs.

    ``device`` is the position of the device for which it does, of those that :func:`devices_of` gives.
    """

    kind: str
    case: Case
    expected: Any
    got: Any
    device: int = 0


class Figures(NamedTuple):
    """How many cases, estimates and evaluations were compared, and what differs."""

    counts: Counter[str]
    differences: list[Difference]


def cases(minor: str, seed: int, count: int) -> list[Case]:
    """Random cases for a minor, in both environments and with all sets of gates that it knows."""
    generator = Generator(seed)
    parsed = release.parse(minor)
    known = [
        overrides
        for since, overrides in GATES
        if parsed.within(release.parse(since), None) and _starts(parsed, overrides)
    ]
    made = []
    for number in range(count):
        derived = number % 4 == 3 and release.parse(minor).within(release.parse(DERIVED_SINCE), None)
        text = generator.value() if derived else generator.expression()
        made.append(Case(text, number % 2 == 0, known[number // 2 % len(known)], derived))
    return made


def _starts(minor: release.Minor, overrides: dict[str, bool]) -> bool:
    try:
        gates.resolve(minor, overrides)
    except gates.GateError:
        return False
    return True


def devices_of(minor: str, case: Case) -> list[dict[str, Any]]:
    """The devices that may exist where a case runs: lists as attributes are of late minors only."""
    parsed = release.parse(minor)
    always = parsed.within(release.parse(LISTS_ALWAYS), None)
    if always or (parsed.within(release.parse(LISTS_SINCE), None) and case.gates.get(LISTS_GATE)):
        return list(DEVICES)
    return [
        device
        | {
            "attributes": {
                key: value for key, value in device["attributes"].items() if not _LISTS & set(value)
            }
        }
        for device in DEVICES
    ]


def compare(minor: str, tried: list[Case]) -> Figures:
    """Ask the real code of ``minor`` about the cases; costs are compared wherever it tells one.

    What differs is asked again a few times: Go runs over a map in a random order, on which the cost of an
    evaluation and its result may depend. Whatever the real code gives then is right, too.
    """
    program = oracle.binary(minor)
    if program is None:
        raise LookupError(f"${oracle.ENVIRONMENT} names no folder with the real code of {minor}")
    answers = oracle.ask(program, [_request(minor, case) for case in tried])
    counts: Counter[str] = Counter()
    found: list[Difference] = []
    for case, answer in zip(tried, answers, strict=True):
        differing = list(_differences(minor, case, answer, counts))
        if any(difference.kind in _EVALUATED for difference in differing):
            again = oracle.ask(program, [_request(minor, case)] * _AGAIN)
            left = [difference for difference in differing if not _is_right(difference, again)]
            counts["by order"] += len(differing) - len(left)
            differing = left
        found += differing
    return Figures(counts, found)


def _request(minor: str, case: Case) -> dict[str, Any]:
    return {
        "op": "cel",
        "expression": case.expression,
        "devices": devices_of(minor, case),
        "env": "stored" if case.stored else "new",
        "gates": case.gates,
        "derived": case.derived,
    }


def _is_right(difference: Difference, answers: list[dict[str, Any]]) -> bool:
    """Whether the real code gives what dractl does in one of its answers, too.

    Of a value that differs from answer to answer, as a list of names may, there are too many to wait for one.
    """
    if difference.kind not in _EVALUATED:
        return False
    expected_values = [
        _answer_of(difference.kind, answer["devices"][difference.device]) for answer in answers
    ]
    return difference.got in expected_values or (
        difference.kind == "value" and any(each != expected_values[0] for each in expected_values)
    )


def _answer_of(kind: str, device: dict[str, Any]) -> Any:
    return bool(device.get("error")) if kind == "fails" else device.get(kind)


def _differences(
    minor: str, case: Case, answer: dict[str, Any], counts: Counter[str]
) -> Iterator[Difference]:
    parsed = release.parse(minor)
    environment = Environment(parsed, gates.resolve(parsed, case.gates), case.stored)
    compiled = (compile_derived_attribute if case.derived else compile_selector)(case.expression, environment)
    devices, delays = devices_of(minor, case), environment.delays_attributes
    counts["expressions"] += 1
    if "error" in answer:
        counts["panics"] += 1
        if not isinstance(compiled, CelError) and not any(
            map(_fails, repeat(compiled), devices, repeat(delays))
        ):
            yield Difference("panics", case, answer, "compiles")
        return
    problem = answer.get("compile_error")
    if problem or isinstance(compiled, CelError):
        if (problem is None) == isinstance(compiled, CelError):
            yield Difference("compiles", case, problem, compiled if problem is None else "compiles")
        return
    counts["compiled"] += 1
    # 1.31 makes no estimate.
    if minor != "1.31":
        counts["max_cost"] += 1
        highest = answer.get("max_cost", UNLIMITED)
        if highest != compiled.max_cost:
            yield Difference("max_cost", case, highest, compiled.max_cost)
    for position, answered in enumerate(answer["devices"]):
        for kind, got in _evaluated(compiled, devices[position], answered, counts, delays):
            expected = _answer_of(kind, answered)
            if got != expected:
                yield Difference(kind, case, expected, got, position)


def _fails(compiled: Selector | DerivedAttribute, device: dict[str, Any], delays: bool) -> bool:
    value = device_value(device["driver"], device, delays_attributes=delays)
    return isinstance(value, CelError) or isinstance(compiled.evaluate(value), CelError)


def _evaluated(
    compiled: Selector | DerivedAttribute,
    device: dict[str, Any],
    answered: dict[str, Any],
    counts: Counter[str],
    delays: bool,
) -> Iterator[tuple[str, Any]]:
    """What dractl says of one device, by the names that the real code's answer has."""
    value = device_value(device["driver"], device, delays_attributes=delays)
    if isinstance(value, CelError):
        raise TypeError(value.message)
    counts["evaluations"] += 1
    answer = compiled.evaluate(value)
    if isinstance(compiled, DerivedAttribute):
        answer = _attribute(answer, plain=delays)
    failed = answer is None or isinstance(answer, CelError)
    counts["fails"] += failed
    yield "fails", failed
    yield "value" if isinstance(compiled, DerivedAttribute) else "match", None if failed else answer
    if "cost" in answered:
        counts["cost"] += 1
        yield "cost", compiled.cost_of(value)


_SCALARS = {bool: "bool", int: "int", str: "string", Semver: "version"}


def _attribute(value: Any, *, plain: bool) -> Any:
    """A value as the attribute of a device, as JSON has it; None for what is no attribute.

    ``plain``: without the name of its type, as since 1.38.
    """
    found = _typed_attribute(value)
    return next(iter(found.values()), []) if plain and found is not None else found


def _typed_attribute(value: Any) -> dict[str, Any] | None:
    if type(value) is not list:
        kind = _SCALARS.get(type(value))
        return None if kind is None else {kind: str(value) if kind == "version" else value}
    kinds = {_SCALARS.get(type(item)) for item in value}
    if not kinds:
        return {}
    kind = kinds.pop()
    if kinds or kind is None:
        return None
    return {f"{kind}s": [str(item) if kind == "version" else item for item in value]}


def main(arguments: list[str]) -> int:
    """Compare many expressions and print what differs, then the figures; 1 if a verdict differs."""
    minor, count, seed = arguments[0], int(arguments[1]), int(arguments[2])
    counts: Counter[str] = Counter()
    differing: Counter[str] = Counter()
    for batch in range((count + _BATCH - 1) // _BATCH):
        figures = compare(minor, cases(minor, seed * 1000 + batch, min(_BATCH, count - batch * _BATCH)))
        counts += figures.counts
        for found in figures.differences:
            differing[found.kind] += 1
            sys.stdout.write(f"{found.kind}: {found.case}\n  real {found.expected}\n  ours {found.got}\n")
    sys.stdout.write(f"{minor}: {dict(counts)}; differ: {dict(differing)}\n")
    return 1 if sum(differing[kind] for kind in ("compiles", "match", "value", "fails")) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
