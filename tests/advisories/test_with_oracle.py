"""The real allocators confirm what reproductions show, where one was built from a release of either side."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from dractl.advisories.table import Advisory, advisories
from dractl.api import release
from dractl.api.gates import GateSet
from tests import oracle
from tests.advisories.outcomes import documents, outcome

AROUND = frozenset(
    {
        "score-allocated-claim",  # scores are not part of the allocator
        "eviction-extended-resource",
        "eviction-published-only",
        "extended-finished-pod",
        "extended-implicit-name",
        "extended-init-container",
        "eviction-tolerated-taint",
        "eviction-toleration-effect",
        "taints-rules-crash",
        "class-config-without-request",
    }
)
"""Faults of what is around the allocator, which the programs do not run, or that no device shows."""


def _has_feature(advisory: Advisory, minor: str) -> bool:
    """Whether the minor is not older than the fault, and so than the feature that has it."""
    return release.parse(minor) >= release.parse(advisory.affected[0].first).at_newest_patch()


MINORS = [str(minor) for minor in release.KNOWN if minor >= release.parse("1.31")]
BOTH = [
    pytest.param(advisory, minor, id=f"{advisory.id}-{minor}")
    for advisory in advisories()
    for minor in MINORS
    if advisory.id not in AROUND and _has_feature(advisory, minor)
]


def _answer(advisory: Advisory, gates: GateSet, program: Any) -> tuple[str, ...]:
    """Where the pods of the reproduction end, in the words of ``outcome``."""
    values = [copy.deepcopy(document.value) for document in documents(advisory.reproduction, gates)]
    claims = {item["metadata"]["name"]: item for item in values if item["kind"] == "ResourceClaim"}
    for claim in claims.values():
        claim["metadata"].setdefault("namespace", "default")
        claim["metadata"]["uid"] = claim["metadata"]["name"]
    pods = [item for item in values if item["kind"] == "Pod"]
    steps = [
        {"claims": [claims[entry["resourceClaimName"]] for entry in pod["spec"]["resourceClaims"]]}
        for pod in pods
    ]
    request = {
        "op": "allocate",
        "objects": [item for item in values if item["kind"] not in ("Pod", "ResourceClaim", "Namespace")],
        "steps": steps,
        "gates": dict(gates.overrides),
        "stop_on_error": True,
    }
    (answer,) = oracle.ask(program, [request])
    if "panic" in str(answer.get("error", "")):
        return tuple(sorted(f"default/{pod['metadata']['name']} is Pending (error)" for pod in pods))
    return tuple(sorted(_line(pod, step) for pod, step in zip(pods, answer["steps"], strict=True)))


def _line(pod: dict[str, Any], step: dict[str, Any]) -> str:
    name = f"default/{pod['metadata']['name']}"
    if step["node"] is None:
        is_error = step.get("fatal_nodes") or step.get("error")
        return f"{name} is Pending ({'error' if is_error else 'no-devices'})"
    devices = sorted(
        f"{result['request']}={result['device']}"
        for entry in step["allocations"]
        for result in entry["allocation"].get("devices", {}).get("results") or ()
    )
    return f"{name} on {step['node']}: {', '.join(devices) or 'no device'}"


@pytest.mark.parametrize(("advisory", "minor"), BOTH)
def test_the_real_allocator_has_the_fault_in_the_same_releases(advisory: Advisory, minor: str) -> None:
    program = oracle.binary(minor)
    if program is None:
        pytest.skip(f"no program of {minor} in ${oracle.ENVIRONMENT}")
    gates = advisory.gates_in(release.parse(oracle.version(program)))
    found = _answer(advisory, gates, program)
    assert found == outcome(advisory.reproduction, gates)
    if advisory.affects(gates):
        assert found != advisory.after
