"""With the bugs of older allocators, a long search is cut short and still finds what the plain one finds."""

from __future__ import annotations

import json
import os
import random
from collections.abc import Iterator
from typing import Any

import pytest

from dractl.api import gates, release
from dractl.simulation.allocator.model.reasons import Fatal
from dractl.simulation.allocator.pruning import shortcuts
from dractl.simulation.allocator.pruning.preconditions import is_regular
from dractl.simulation.allocator.search import search
from dractl.simulation.allocator.search_result import Found, NotFound, Result
from tests.paths import ROOT
from tests.simulation.older_minors import adapted
from tests.simulation.oracle_allocator import Arguments, searches_of
from tests.simulation.random_clusters import WorldMaker
from tests.simulation.random_searches import SearchMaker

CASES = int(os.environ.get("DRACTL_FUZZ_CASES", "30"))
SEED = int(os.environ.get("DRACTL_FUZZ_SEED", "1"))
STEPS = 20_000
PLAIN = 10**9

MINORS = ("1.31", "1.32", "1.33", "1.34", "1.35", "1.36")
GATES = (
    "DRAAdminAccess",
    "DRAConsumableCapacity",
    "DRADeviceBindingConditions",
    "DRADeviceTaints",
    "DRAPartitionableDevices",
    "DRAPrioritizedList",
    "DRAResourceClaimDeviceStatus",
)


def searches(kube: str, seed: int = SEED) -> Iterator[dict[str, Any]]:
    """Searches for the allocator of a minor with all that it can do, or most of it."""
    maker, chance = SearchMaker(seed), random.Random(seed)  # noqa: S311 - searches are no secrets
    known = gates.gates_of(release.parse(kube))
    free = [gate for gate in GATES if gate in known and not known[gate].locked]
    while True:
        api_objects = maker.search()
        chosen = {gate: True for gate in free if chance.random() < 0.9}
        yield adapted({**api_objects, "gates": chosen}, kube)


def asked(kube: str, source: str) -> Iterator[Arguments]:
    """The searches of many worlds for which no short way was known."""
    if source == "searches":
        made, wanted = searches(kube), 4 * CASES
    else:
        maker = WorldMaker(SEED, kube)
        made, wanted = iter(maker.api_objects, None), 2 * CASES
    for _ in range(wanted):
        for arguments in searches_of(next(made), kube):
            claims, supply, _, features = arguments
            if not is_regular(claims, supply, features):
                yield arguments


def shown(found: Result) -> Any:
    if isinstance(found, Fatal):
        return found.message
    if isinstance(found, NotFound):
        return found.invalid_pools
    choices = [(choice.slot, choice.device.id, choice.consumed) for choice in found.choices]
    return choices, dict(found.selected)


def effort(found: Result) -> int:
    return found.effort if isinstance(found, Found | NotFound) else 0


@pytest.mark.parametrize("source", ["worlds", "searches"])
@pytest.mark.parametrize("kube", MINORS)
def test_nothing_is_changed_by_a_shortcut(kube: str, source: str, monkeypatch: pytest.MonkeyPatch) -> None:
    compared = 0
    for arguments in asked(kube, source):
        plain = search(*arguments, budget=STEPS, patience=PLAIN)
        if isinstance(plain, Fatal) and plain.is_timeout:
            continue
        for patience in (1, 7):
            assert shown(search(*arguments, patience=patience)) == shown(plain), (arguments, patience)
            with monkeypatch.context() as remembering_only:
                remembering_only.setattr(shortcuts, "is_foreseeable", lambda *_: False)
                found = search(*arguments, patience=patience)
            assert shown(found) == shown(plain), (arguments, patience)
            assert effort(found) == effort(plain), (arguments, patience)
        compared += 1
    assert compared > 0 if kube in ("1.31", "1.32", "1.36") else compared > CASES // 10


ROW = ROOT / "testdata" / "conformance" / "allocate-1.34.jsonl"


def test_few_steps_are_enough_where_the_plain_search_takes_millions() -> None:
    row = json.loads(ROW.read_text(encoding="utf-8"))
    asked = list(searches_of(row, "1.34"))
    assert any(isinstance(search(*arguments, patience=PLAIN, budget=20_000), Fatal) for arguments in asked)
    for arguments in asked:
        found = search(*arguments, budget=6_000)
        assert isinstance(found, NotFound), found
