"""Plans agree with validate: what is refused and dropped, for new objects and for stored ones."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from itertools import islice, pairwise
from typing import Any, NamedTuple

import pytest

import dractl
from dractl.api import release
from dractl.finding import Finding, Severity
from dractl.upgrading.model import Change
from dractl.versions.registry import Standing, look_up
from tests.paths import ROOT

CASES = int(os.environ.get("DRACTL_FUZZ_CASES", "16"))
MINORS = [str(minor) for minor in release.KNOWN if minor >= release.parse("1.31")]
PAIRS = [*pairwise(MINORS), ("1.33", "1.37"), ("1.32", "1.36")]
CORE = {"DynamicResourceAllocation": True}
Named = tuple[str, str]
_USERS = {
    "DRAPartitionableDevices": {"ResourceSlice"},
    "DRAConsumableCapacity": {"ResourceSlice", "ResourceClaim", "ResourceClaimTemplate"},
    "DRADeviceBindingConditions": {"ResourceSlice"},
}
"""The kinds with fields of each gate."""

_LOST = frozenset({"decode/fatal", "decode/duplicate"})


def _rows(version: str) -> Iterator[dict[str, Any]]:
    with (ROOT / "testdata" / "conformance" / f"validate-{version}.jsonl").open(encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            try:
                value = json.loads(row["manifest"])
            except ValueError:
                continue
            if isinstance(value, dict) and isinstance(value.get("metadata"), dict):
                yield value


def _is_known(version: str, value: dict[str, Any]) -> bool:
    return look_up(release.parse(version), value).standing is Standing.KNOWN


def _gates(version: str) -> dict[str, bool]:
    return CORE if version in ("1.31", "1.32", "1.33") else {}


class _Answer(NamedTuple):
    """What validate says of one operation: errors, fields that are dropped, warnings of the server."""

    errors: list[Finding]
    dropped: list[Finding]
    warned: list[Finding]

    @property
    def fields(self) -> set[str]:
        """Every dropped field."""
        return {field for finding in self.dropped for field in (finding.field, *finding.related)}


_NOTHING = _Answer([], [], [])


def _answers(
    value: dict[str, Any], version: str, gates: dict[str, bool], *, stored: bool
) -> dict[str, _Answer]:
    found = {}
    for operation in ("update", "status") if stored else ("create",):
        if operation == "status" and not value.get("status"):
            continue
        report = dractl.validate(
            value,
            kube_version=version,
            feature_gates=gates,
            old=value if stored else None,
            subresource="status" if operation == "status" else None,
            namespace_labels={},
        )
        if any(finding.rule == "update/no-status" for finding in report.findings):
            continue
        errors = [finding for finding in report.findings if finding.severity is Severity.ERROR]
        lost = [
            finding for finding in errors if stored and finding.type == "Decode" and finding.rule not in _LOST
        ]
        found[operation] = _Answer(
            [finding for finding in errors if finding not in lost],
            [finding for finding in report.findings if finding.rule == "gate/dropped"] + lost,
            [finding for finding in report.findings if finding.message.startswith("the server warns: ")],
        )
    return found


def _expected(
    one: dict[str, _Answer], other: dict[str, _Answer]
) -> tuple[set[Named], set[Named], set[Named]]:
    """What a plan has to list as refused, dropped and warned about."""
    refused: set[Named] = set()
    dropped: set[Named] = set()
    warned: set[Named] = set()
    if any(answer.errors for answer in one.values()):
        return refused, dropped, warned
    for operation, answer in other.items():
        before = one.get(operation, _NOTHING)
        refused |= {(finding.rule, finding.field) for finding in answer.errors}
        if not answer.errors:
            fresh = [found for found in answer.dropped if not {found.field, *found.related} <= before.fields]
            dropped |= {(finding.rule, finding.field) for finding in fresh}
            known = {finding.rule for finding in before.warned}
            warned |= {(found.rule, found.field) for found in answer.warned if found.rule not in known}
    return refused, dropped, warned


def _named(changes: tuple[Change, ...]) -> set[Named]:
    """Rules and fields; an update and a status update with the same answer are one change."""
    return {(change.rule, change.field) for change in changes if change.rule != "version/deprecated"}


@pytest.mark.parametrize("stored", [False, True], ids=["new", "stored"])
@pytest.mark.parametrize(("before", "after"), PAIRS)
def test_a_plan_says_what_validate_says_of_both_releases(before: str, after: str, *, stored: bool) -> None:
    compared = 0
    for value in islice(_rows(before), CASES):
        if not (_is_known(before, value) and _is_known(after, value)):
            continue
        value["metadata"].pop("uid", None)
        if stored:
            value["metadata"]["uid"] = "00000000-0000-4000-8000-000000000001"
        plan = dractl.upgrade(
            value,
            from_version=before,
            to_version=after,
            from_gates=_gates(before),
            to_gates=_gates(after),
            namespace_labels={},
        )
        one, other = (_answers(value, version, _gates(version), stored=stored) for version in (before, after))
        found = (_named(plan.refused), _named(plan.dropped), _named(plan.warned))
        assert found == _expected(one, other), value
        compared += 1
    assert compared > CASES // 4


@pytest.mark.parametrize("stored", [False, True], ids=["new", "stored"])
@pytest.mark.parametrize("gate", _USERS)
def test_a_gate_that_goes_off_drops_what_validate_says(gate: str, *, stored: bool) -> None:
    off = {gate: False}
    changed = 0
    for value in islice(_rows("1.36"), 10 * CASES):
        if value["kind"] not in _USERS[gate]:
            continue
        value["metadata"].pop("uid", None)
        if stored:
            value["metadata"]["uid"] = "00000000-0000-4000-8000-000000000001"
        one, other = (_answers(value, "1.36", gates, stored=stored) for gates in ({}, off))
        expected = _expected(one, other)
        if not any(expected) and changed:
            continue
        plan = dractl.upgrade(
            value, from_version="1.36", to_version="1.36", to_gates=off, namespace_labels={}
        )
        assert (_named(plan.refused), _named(plan.dropped), _named(plan.warned)) == expected, value
        changed += any(expected)
    # What is stored keeps its fields.
    assert changed or stored
