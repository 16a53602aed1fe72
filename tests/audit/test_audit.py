"""Audits: no alarm about what allocators allocate, every damage found, and each rule by a case of its own."""

from __future__ import annotations

import copy
import json
import os
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml

import dractl
from dractl.api import gates, release
from dractl.auditing.model import Violation
from dractl.auditing.rules import AUDIT_RULES
from dractl.report.audit import render
from dractl.report.style import Style
from dractl.simulation.allocator.model.features import features_of
from dractl.simulation.allocator.model.quirks import Quirks
from tests import oracle
from tests.audit.damage import DAMAGES, Damage, damaged
from tests.audit.worlds import alarms, audited, settled
from tests.forking import run_dractl
from tests.paths import ROOT
from tests.rows import each_row
from tests.simulation.oracle_allocator import outcome
from tests.simulation.random_clusters import WorldMaker

ROWS = sorted((ROOT / "testdata" / "conformance").glob("allocate-*.jsonl"))
CASES = int(os.environ.get("DRACTL_FUZZ_CASES", "16"))
SEED = int(os.environ.get("DRACTL_FUZZ_SEED", "1"))
MINORS = [str(minor) for minor in release.KNOWN if minor >= release.parse("1.31")]


def _rows() -> Iterator[dict[str, Any]]:
    for path in ROWS:
        with path.open(encoding="utf-8") as lines:
            yield from islice((json.loads(line) for line in lines), 12)


def test_nothing_that_an_allocator_did_is_an_alarm() -> None:
    found: list[tuple[str, Violation]] = []
    allocated = 0
    for row in _rows():
        objects, fresh = settled(row, row["outcome"])
        before = audited(row["kube"], row.get("gates"), row["objects"])
        after = audited(row["kube"], row.get("gates"), objects)
        allocated += len(fresh)
        found += [(row["id"], alarm) for alarm in alarms(before, after, fresh)]
    assert found == []
    assert allocated > 30


@pytest.mark.parametrize("damage", DAMAGES, ids=lambda damage: damage.name)
def test_every_damage_is_found(damage: Damage) -> None:
    done, missed = 0, []
    for row in _rows():
        features = features_of(gates.resolve(release.parse(row["kube"]), row.get("gates")))
        if damage.feature and not getattr(features, damage.feature):
            continue
        objects, fresh = settled(row, row["outcome"])
        for name in sorted(fresh)[:1]:
            case = damaged(objects, name, damage, done)
            if case is None:
                continue
            done += 1
            audit = audited(row["kube"], row.get("gates"), case)
            rules = {one.rule for one in audit.violations if name in one.claims}
            if not rules & damage.rules:
                missed.append((row["id"], name, rules))
    assert missed == []
    assert done >= 2


@pytest.mark.parametrize(
    "kube",
    [
        pytest.param(
            kube,
            marks=pytest.mark.skipif(
                oracle.binary(kube) is None,
                reason="$DRACTL_ORACLE names no folder with the Kubernetes code of the minor",
            ),
        )
        for kube in MINORS
    ],
)
def test_nothing_that_the_real_allocator_does_is_an_alarm(kube: str) -> None:
    program = oracle.binary(kube)
    assert program is not None
    maker = WorldMaker(SEED, kube)
    worlds = [maker.api_objects() for _ in range(CASES)]
    requests = [{"op": "allocate", "timeout_s": 20, "repeat": 1, **world} for world in worlds]
    found: list[Violation] = []
    for world, answer in zip(worlds, oracle.ask(program, requests), strict=True):
        assert "error" not in answer, answer
        if answer.get("timeout"):
            continue
        steps = (answer.get("alternatives") or [answer])[0]["steps"]
        objects, fresh = settled(world, map(outcome, steps))
        before = audited(oracle.version(program), world["gates"], world["objects"])
        after = audited(oracle.version(program), world["gates"], objects)
        found += list(alarms(before, after, fresh))
    assert found == []


CLUSTER = """
apiVersion: v1
kind: Node
metadata: {name: a}
---
apiVersion: v1
kind: Node
metadata: {name: b}
---
apiVersion: resource.k8s.io/v1
kind: DeviceClass
metadata: {name: gpu}
spec: {selectors: [{cel: {expression: 'device.driver == "gpu.example.com"'}}]}
---
apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata: {name: counters}
spec:
  driver: gpu.example.com
  nodeName: a
  pool: {name: a, resourceSliceCount: 2, generation: 1}
  sharedCounters: [{name: card, counters: {memory: {value: 40Gi}}}]
---
apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata: {name: devices}
spec:
  driver: gpu.example.com
  nodeName: a
  pool: {name: a, resourceSliceCount: 2, generation: 1}
  devices:
  - {name: half-0, consumesCounters: [{counterSet: card, counters: {memory: {value: 20Gi}}}]}
  - {name: half-1, consumesCounters: [{counterSet: card, counters: {memory: {value: 20Gi}}}]}
  - {name: whole, consumesCounters: [{counterSet: card, counters: {memory: {value: 40Gi}}}]}
  - {name: shared, allowMultipleAllocations: true, capacity: {memory: {value: 10Gi}}}
"""

CLAIM = """
---
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {{name: {name}, namespace: default, uid: {name}}}
spec: {{devices: {{requests: [{{name: gpu, exactly: {{deviceClassName: gpu{more}}}}}]}}}}
status:
  allocation:
    nodeSelector:
      nodeSelectorTerms: [{{matchFields: [{{key: metadata.name, operator: In, values: [{node}]}}]}}]
    devices: {{results: [{{request: gpu, driver: gpu.example.com, pool: a, device: {device}{share}}}]}}
"""


def _claim(name: str, device: str, node: str = "a", more: str = "", share: str = "") -> str:
    return CLAIM.format(name=name, device=device, node=node, more=more, share=share)


def _share(name: str, amount: str) -> str:
    share = (
        f", shareID: 7ed6e1c0-0000-4000-8000-00000000000{name[-1]}, consumedCapacity: {{memory: {amount}}}"
    )
    return _claim(name, "shared", more=f", capacity: {{requests: {{memory: {amount}}}}}", share=share)


@each_row(
    ("claims", "expected"),
    [
        (_claim("one", "half-0") + _claim("two", "half-1"), []),
        (
            _claim("one", "half-0") + _claim("two", "whole"),
            [("audit/counters", ("default/one", "default/two"), "gpu.example.com/a")],
        ),
        (
            _claim("one", "half-0") + _claim("two", "half-0"),
            [("audit/exclusive", ("default/one", "default/two"), "gpu.example.com/a/half-0")],
        ),
        (_claim("one", "half-9"), [("audit/device", ("default/one",), "gpu.example.com/a/half-9")]),
        (_claim("one", "half-0", node="b"), [("audit/device", ("default/one",), "gpu.example.com/a/half-0")]),
        (_claim("one", "half-0", more=", count: 2"), [("audit/count", ("default/one",), "")]),
        (_share("one1", "4Gi") + _share("two2", "6Gi"), []),
        (
            _share("one1", "4Gi") + _share("two2", "8Gi"),
            [("audit/capacity", ("default/one1", "default/two2"), "gpu.example.com/a/shared")],
        ),
        (_claim("one", "shared"), [("audit/share", ("default/one",), "gpu.example.com/a/shared")]),
    ],
)
def test_a_case_for_a_person(claims: str, expected: list[tuple[str, tuple[str, ...], str]]) -> None:
    audit = dractl.audit(CLUSTER + claims)
    assert [found[:3] for found in audit.violations] == expected
    assert audit.ok == (not expected)


@pytest.mark.parametrize(
    ("extra", "message"),
    [
        ({"count": 2}, "request gpu needs 2 devices and has 1"),
        ({"count": 1}, "request gpu needs 1 device and has 2"),
    ],
)
def test_a_wrong_number_of_devices_is_told(extra: dict[str, int], message: str) -> None:
    *objects, claim = yaml.safe_load_all(CLUSTER + _claim("one", "half-0"))
    claim["spec"]["devices"]["requests"][0]["exactly"].update(extra)
    if extra["count"] == 1:
        results = claim["status"]["allocation"]["devices"]["results"]
        results.append({**results[0], "device": "half-1"})
    assert [found.message for found in dractl.audit([*objects, claim]).violations] == [message]


def test_a_newer_generation_without_the_device_is_named() -> None:
    objects = list(yaml.safe_load_all(CLUSTER + _claim("one", "half-0")))
    newer = copy.deepcopy(objects[-2])
    newer["metadata"]["name"] = "newer"
    newer["spec"]["pool"] = {"name": "a", "resourceSliceCount": 1, "generation": 2}
    newer["spec"]["devices"] = [{"name": "new"}]
    (found,) = dractl.audit([*objects, newer]).violations
    assert found.message == "the device is in generation 1 only; the pool is at generation 2"


def test_what_cannot_be_checked_is_listed() -> None:
    text = CLUSTER.replace("metadata: {name: gpu}", "metadata: {name: other}") + _claim("one", "half-0")
    audit = dractl.audit(text)
    assert audit.ok
    assert [entry.subject for entry in audit.unchecked] == ["default/one"]
    assert "DeviceClass gpu does not exist" in audit.unchecked[0].reason
    assert not audit.is_complete


def test_a_claim_that_cannot_be_checked_fails_the_command(tmp_path: Path) -> None:
    legal = CLUSTER + _claim("one", "half-0")
    unknown = legal.replace("metadata: {name: gpu}", "metadata: {name: other}")
    rejected = legal.replace("requests: [{name: gpu, exactly: {deviceClassName: gpu}}]", "requests: 5")
    prototype = "---\napiVersion: devmgmtproto.k8s.io/v1alpha1\nkind: DevicePool\nmetadata: {name: p}\n"
    for text, code in ((legal, 0), (unknown, 1), (rejected, 1), (legal + prototype, 0), (legal + "a: [", 1)):
        (tmp_path / "a.yaml").write_text(text, encoding="utf-8")
        done = run_dractl(["audit", "a.yaml", "--quiet"], tmp_path)
        assert (done.returncode, bool(done.stdout or done.stderr)) == (code, bool(code)), text


def test_an_input_without_allocations_says_what_to_pass() -> None:
    written = render(dractl.audit(CLUSTER), Style())
    assert written.startswith("nothing to check: no ResourceClaim of the input has a status.allocation")
    assert "--save-state" in written


def test_a_fault_of_the_allocator_itself_is_marked() -> None:
    row = next(row for row in _rows() if row["kube"].startswith("1.34") and _has_known_fault(row))
    objects, _ = settled(row, row["outcome"])
    found = audited(row["kube"], row.get("gates"), objects).violations
    assert any(one.is_known_fault and one.rule == "audit/distinct-attribute" for one in found)


def _has_known_fault(row: dict[str, Any]) -> bool:
    objects, fresh = settled(row, row["outcome"])
    found = audited(row["kube"], row.get("gates"), objects).violations
    return any(one.is_known_fault and fresh.intersection(one.claims) for one in found)


def test_the_document_follows_its_schema() -> None:
    schema = json.loads((ROOT / "schemas/documents/dractl.audit.1.json").read_text(encoding="utf-8"))
    document: Any = dractl.audit(CLUSTER + _claim("one", "half-0") + _claim("two", "whole")).to_dict()
    jsonschema.validate(document, schema)
    assert [entry["knownFault"] for entry in document["violations"]] == [False]


def test_rules_have_ids_of_their_own_and_name_quirks() -> None:
    ids = [rule.id for rule in AUDIT_RULES]
    faults = {fault for rule in AUDIT_RULES for fault in rule.faults}
    assert len(set(ids)) == len(ids)
    assert faults <= set(Quirks._fields)


def test_objects_of_prototypes_are_not_checked() -> None:
    text = (ROOT / "testdata" / "prototypes" / "dra-evolution" / "classes.yaml").read_text(encoding="utf-8")
    audit = dractl.audit(text)
    assert audit.ok
    assert len(audit.unchecked) == 15
    assert {entry.reason for entry in audit.unchecked} == {"of a prototype API, which no API server serves"}
    assert audit.unchecked[0].subject == "DeviceClass foozer.example.com"


def test_a_broken_object_of_a_prototype_is_not_checked() -> None:
    text = "apiVersion: devmgmtproto.k8s.io/v1alpha1\nkind: DevicePool\nmetadata: x\n"
    assert [entry.subject for entry in dractl.audit(text).unchecked] == ["DevicePool"]
