from __future__ import annotations

from typing import Any

import pytest

import dractl
from dractl.api import budgets
from tests.legacy.prototypes.build import EVOLUTION, claim, device_class, pod, pool, thing

COUNTED = "spec: {{driver: acme.example, nodeName: n1, count: {count}}}"
BY_RANGE = """
    spec:
      driverName: acme.example
      nodeName: n1
      sharedResources: [{name: s, intrange: {value: "0-999999999"}}]
      devices:
      - {name: a, sharedResourceRequests: [{name: s, intrange: "0-499999999"}]}
      - {name: b, sharedResourceRequests: [{name: s, intrange: "400000000-999999999"}]}
      - {name: c, sharedResourceRequests: [{name: s, intrange: "500000000-999999999"}]}
"""
WANTS_ONE = "- {name: x, allOf: [{class: c}]}"


def _counted(name: str, count: int) -> str:
    return thing("DevicePool", name, COUNTED.format(count=count))


def _left_out(simulation: Any) -> list[str]:
    return [entry.reason for entry in simulation.left_out]


def test_devices_beyond_the_limit_of_a_pool_are_reported_everywhere() -> None:
    docs = _counted("p", 20_000)
    (reason,) = _left_out(dractl.simulate(docs, allocate_unreferenced=True))
    assert reason.startswith("the pool counts 20,000 devices; dractl uses the first 10,000")
    (finding,) = dractl.validate(docs).findings
    assert (finding.rule, finding.field) == ("prototype/limit", "spec.count")
    refused = dractl.convert(docs, to="v1")
    assert not refused.ok
    assert [(lost.field, lost.reason) for lost in refused.lost] == [("spec.count", reason)]
    lossy = dractl.convert(docs, to="v1", lossy=True)
    assert sum(len(item["spec"].get("devices", ())) for item in lossy.objects) == 10_000
    assert lossy.lost == refused.lost


def test_within_the_limit_nothing_is_reported() -> None:
    docs = _counted("p", 10_000)
    assert not _left_out(dractl.simulate(docs, allocate_unreferenced=True))
    assert dractl.convert(docs, to="v1").ok


def test_all_pools_share_the_limit_of_the_run() -> None:
    docs = "---\n".join(_counted(f"p{number}", 2_000_000_000) for number in range(8))
    reasons = _left_out(dractl.simulate(docs, allocate_unreferenced=True))
    assert len(reasons) == 8
    assert "uses the first 0 and ignores 2,000,000,000 (50,000 in all pools)" in reasons[-1]


def test_ranges_of_a_billion_integers_are_compared_by_their_bounds() -> None:
    docs = "---\n".join(
        [
            thing("DevicePool", "p", BY_RANGE),
            device_class("c"),
            *(claim(f"k{number}", WANTS_ONE) for number in range(3)),
        ]
    )
    found = dractl.simulate(docs, dialect="proto-status", allocate_unreferenced=True)
    assert [row.device for row in found.placements] == ["a", "c"]
    assert [entry.claim for entry in found.pending] == ["default/k2"]
    converted = dractl.convert(thing("DevicePool", "p", BY_RANGE), to="v1", dialect="proto-status")
    assert converted.ok
    (counters,) = [
        item["spec"]["sharedCounters"] for item in converted.objects if "sharedCounters" in item["spec"]
    ]
    assert list(counters[0]["counters"]) == ["s-0", "s-400000000", "s-500000000"]


def test_a_pool_whose_ranges_cut_each_other_too_often_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(budgets, "PROTOTYPE_RANGES", budgets.PROTOTYPE_RANGES._replace(value=5))
    docs = thing("DevicePool", "p", BY_RANGE)
    (reason,) = _left_out(dractl.simulate(docs, dialect="proto-status", allocate_unreferenced=True))
    assert reason.startswith("the pool is ignored: its ranges overlap in 8 parts")
    assert not dractl.convert(docs, to="v1", dialect="proto-status").ok


def test_partitions_are_computed_up_to_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(budgets, "PROTOTYPE_PARTITIONS", budgets.PROTOTYPE_PARTITIONS._replace(value=3))
    body = """
        spec:
          driverName: acme.example
          nodeName: n1
          deviceShape: {partitions: [{count: 2000000000, name: {expression: "'p' + string(index)"}}]}
          devices: [{name: a}, {name: b}]
    """
    docs = thing("ResourcePool", "p", body, version=EVOLUTION)
    (reason,) = _left_out(dractl.simulate(docs, allocate_unreferenced=True))
    assert reason.startswith("it has 2,000,000,000 partitions; dractl computes 3 and")
    lossy = dractl.convert(docs, to="v1", lossy=True)
    (made,) = [item for item in lossy.objects if item["kind"] == "ResourceSlice"]
    assert len(made["spec"]["devices"]) == 6


def test_attributes_that_devices_inherit_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(budgets, "PROTOTYPE_INHERITED", budgets.PROTOTYPE_INHERITED._replace(value=3))
    docs = pool(
        "p",
        "n1",
        "- {name: a}\n- {name: b}",
        more="attributes: [{name: x, intValue: 1}, {name: z, intValue: 1}]",
    )
    (reason,) = _left_out(dractl.simulate(docs, allocate_unreferenced=True))
    assert reason.startswith("the pool is ignored: its 4 attributes and capacities")


def test_the_search_of_a_run_ends_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(budgets, "PROTOTYPE_STEPS", budgets.PROTOTYPE_STEPS._replace(value=10))
    docs = "---\n".join(
        [
            pool("p", "n1", "".join(f"- {{name: d{number}}}\n" for number in range(8))),
            device_class("c", driver="other.example"),
            *(claim(f"k{number}", WANTS_ONE) for number in range(4)),
        ]
    )
    found = dractl.simulate(docs, allocate_unreferenced=True)
    assert [entry.category for entry in found.pending] == ["no-devices", "timeout", "timeout", "timeout"]
    assert found.pending[-1].message == budgets.PROTOTYPE_STEPS.message()


def test_sizes_without_end_are_those_that_there_are_devices_for() -> None:
    wants = "- {name: x, allOf: [{class: c, maxDevices: 2000000000}]}"
    docs = "---\n".join([pool("p", "n1", "- {name: a}\n- {name: b}"), device_class("c"), claim("k", wants)])
    assert [row.device for row in dractl.simulate(docs, allocate_unreferenced=True).placements] == ["a"]


def test_a_claim_with_too_many_sizes_is_not_searched(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(budgets, "PROTOTYPE_CHOICES", budgets.PROTOTYPE_CHOICES._replace(value=1))
    wants = "- {name: x, allOf: [{class: c, maxDevices: 2}]}"
    docs = "---\n".join([pool("p", "n1", "- {name: a}\n- {name: b}"), device_class("c"), claim("k", wants)])
    (entry,) = dractl.simulate(docs, allocate_unreferenced=True).pending
    assert entry.category == "timeout"
    assert "2 sizes and options" in entry.message


def test_placements_beyond_the_limit_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(budgets, "PROTOTYPE_ROWS", budgets.PROTOTYPE_ROWS._replace(value=2))
    docs = "---\n".join(
        [
            pool("p", "n1", "- {name: a}"),
            device_class("c"),
            claim("k", WANTS_ONE),
            pod("q", "claimName: k", one="x", two="x", three="x", four="x"),
        ]
    )
    found = dractl.simulate(docs, allocate_unreferenced=True)
    assert len(found.placements) == 2
    assert _left_out(found) == ["2 more placements are not listed; dractl lists 2"]


@pytest.mark.slow
def test_selectors_of_a_run_have_one_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(budgets, "PROTOTYPE_CEL", budgets.PROTOTYPE_CEL._replace(value=1_000_000))
    numbers = "[0,1,2,3,4,5,6,7,8,9]"
    inner = "x + y + z + u + v + w >= 0"
    for name in "xyzuvw":
        inner = f"{numbers}.all({name}, {inner})"
    docs = "---\n".join(
        [
            pool("p", "n1", "- {name: a}\n- {name: b}"),
            device_class("c", constraints=inner),
            *(claim(f"k{number}", WANTS_ONE) for number in range(2)),
        ]
    )
    found = dractl.simulate(docs, allocate_unreferenced=True)
    assert len(found.pending) == 2
    assert f"costs more than {budgets.PROTOTYPE_CEL.value:,}" in found.pending[0].message
