"""Instances for one claim, as the real scheduler of 1.30 chose them; see ``testdata/named/README.md``."""

from __future__ import annotations

import json
from typing import Any

from dractl.api import gates, release
from dractl.cel.common.environment import Environment
from dractl.cluster.objects import Objects
from dractl.legacy.v1alpha2.simulation.allocation import Failure, allocate
from dractl.legacy.v1alpha2.simulation.instances import Instances, hold, results_of
from dractl.legacy.v1alpha2.simulation.parameters import Problem, wanted_by
from tests.paths import ROOT

ROWS = ROOT / "testdata" / "named" / "allocations-1.30.jsonl"
MINOR = release.parse("1.30")
ENVIRONMENT = Environment(MINOR, gates.resolve(MINOR, {}), stored=True)
DRIVER, NODE = "gpu.example.com", "node-a"


def _world(row: dict[str, Any]) -> Objects:
    """A class with the filter, and a claim with the requests."""
    group = "resource.k8s.io"
    requests = [{"namedResources": {"selector": selector}} for selector in row["requests"]]
    filters = [{"driverName": DRIVER, "namedResources": {"selector": row["filter"]}}]
    of_class = {"apiGroup": group, "kind": "ResourceClassParameters", "name": "f", "namespace": "default"}
    of_claim = {"apiGroup": group, "kind": "ResourceClaimParameters", "name": "r"}
    return Objects(
        [
            {
                "kind": "ResourceClass",
                "metadata": {"name": "gpu"},
                "driverName": DRIVER,
                "structuredParameters": True,
                **({"parametersRef": of_class} if row["filter"] is not None else {}),
            },
            {"kind": "ResourceClassParameters", "metadata": {"name": "f"}, "filters": filters},
            {
                "kind": "ResourceClaimParameters",
                "metadata": {"name": "r"},
                "driverRequests": [{"driverName": DRIVER, "requests": requests}],
            },
            {
                "kind": "ResourceClaim",
                "metadata": {"name": "c"},
                "spec": {"resourceClassName": "gpu", "parametersRef": of_claim},
            },
        ]
    )


def _holder(names: list[str]) -> dict[str, Any]:
    results = [{"namedResources": {"name": name}} for name in names]
    handle = {"driverName": DRIVER, "structuredData": {"nodeName": NODE, "results": results}}
    return {"kind": "ResourceClaim", "status": {"allocation": {"resourceHandles": [handle]}}}


def _outcome(row: dict[str, Any]) -> Any:
    api_objects = _world(row)
    (claim,) = api_objects.of_kind("ResourceClaim")
    wanted = wanted_by(claim, api_objects, ENVIRONMENT)
    if isinstance(wanted, Problem):
        return "does not compile"
    slices = [
        {"nodeName": NODE, "driverName": DRIVER, "namedResources": {"instances": instances}}
        for instances in row["instances"]
    ]
    held: dict[tuple[str, str], set[str]] = {}
    hold([_holder([name]) for name in row["taken"]], held)
    found = allocate(wanted, NODE, Instances(slices), held)
    if isinstance(found, Failure):
        return "refused"
    return [result.name for result in results_of({"status": {"allocation": found}})]


def test_a_claim_gets_the_instances_that_the_real_scheduler_chose() -> None:
    rows = [json.loads(line) for line in ROWS.read_text(encoding="utf-8").splitlines()]
    assert rows
    assert [row for row in rows if _outcome(row) != row["outcome"]] == []
