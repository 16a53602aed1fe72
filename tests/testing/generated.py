"""Generated objects before the API servers: ``python -m tests.testing.generated 10000 [SEED]`` asks them.

The objects are those of ``dractl.testing.strategies``; ``$DRACTL_ORACLE`` names the folder of the programs
that run the code of each minor. An object in v1beta1 goes to 1.32 and later, one in v1 to 1.34 and later.
"""

from __future__ import annotations

import json
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from dractl.api import gates, release
from dractl.testing import strategies
from tests import oracle

GATES = {
    "DRAPartitionableDevices": True,
    "DRADeviceTaints": True,
    "DRAConsumableCapacity": True,
    "DRAPrioritizedList": True,
    "DynamicResourceAllocation": True,
}

CORE = {"DynamicResourceAllocation": True}

SPANS: Sequence[tuple[str, dict[str, bool]]] = (
    *((minor, CORE) for minor in ("1.31", "1.32", "1.33", "1.32..1.37")),
    *((minor, {}) for minor in ("1.34", "1.35", "1.36", "1.37", "1.38", "1.34..1.38", "1.36..1.38")),
    ("1.33", {name: on for name, on in GATES.items() if name != "DRAConsumableCapacity"}),
    ("1.34", GATES),
    ("1.35", GATES),
)
"""Minors and gates that objects are generated for."""


def objects_of(
    kube_version: str, feature_gates: dict[str, bool], number: int, start: int = 0
) -> list[dict[str, Any]]:
    """About ``number`` objects of all kinds but nodes, the same each time for a ``start``."""
    found: list[dict[str, Any]] = []
    options = {"kube_version": kube_version, "feature_gates": feature_gates}
    any_world: SearchStrategy[list[Any]] = st.one_of(
        strategies.worlds(**options, max_devices=8),  # type: ignore[arg-type]
        strategies.pools(**options, node=None).map(list),  # type: ignore[arg-type]
        strategies.resource_slices(**options, max_devices=64).map(lambda item: [item]),  # type: ignore[arg-type]
    )

    @seed(start)
    @settings(
        max_examples=number,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(any_world)
    def collect(world: list[Any]) -> None:
        if len(found) < number:
            found.extend(item for item in world if item["kind"] != "Node")

    collect()
    return found


def refusals(minor: str, feature_gates: dict[str, bool], objects: Sequence[dict[str, Any]]) -> Iterator[str]:
    """What the API server of a minor rejects, or drops because a gate is off."""
    program = oracle.binary(minor)
    assert program is not None
    requests = [oracle.validate(json.dumps(item), gates=feature_gates) for item in objects]
    for item, answer in zip(objects, oracle.ask(program, requests), strict=True):
        wrong = [
            answer[name] for name in ("error", "api_error", "decode_errors", "errors") if answer.get(name)
        ]
        if wrong:
            yield f"{minor}: {json.dumps(item)}: {wrong}"


def minors_of(kube_version: str) -> list[str]:
    """The minors of a span."""
    return [str(minor) for minor in release.parse_range(kube_version)]


def gates_in(minor: str, feature_gates: dict[str, bool]) -> dict[str, bool]:
    """The gates that a minor has."""
    known = gates.gates_of(release.parse(minor))
    return {name: on for name, on in feature_gates.items() if name in known}


def main(number: int, start: int = 0) -> int:
    """Ask every minor about ``number`` objects in all; return how many are rejected."""
    started = time.monotonic()
    rejected, kinds, verdicts = 0, Counter[str](), 0
    for kube_version, feature_gates in SPANS:
        found = objects_of(kube_version, feature_gates, number // len(SPANS) + 1, start)
        kinds.update(item["kind"] for item in found)
        for minor in minors_of(kube_version):
            verdicts += len(found)
            for line in refusals(minor, gates_in(minor, feature_gates), found):
                rejected += 1
                sys.stdout.write(f"{line}\n")
    counts = ", ".join(f"{count} {kind}" for kind, count in sorted(kinds.items()))
    took = time.monotonic() - started
    sys.stdout.write(f"{kinds.total()} objects ({counts}); {verdicts} verdicts in {took:.0f} s; ")
    sys.stdout.write(f"{rejected} rejected\n")
    return rejected


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])) > 0)
