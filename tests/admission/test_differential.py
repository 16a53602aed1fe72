"""Compares verdicts on manifests changed at random with those of the real Kubernetes code."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests import oracle
from tests.admission.mutation import NEWEST, Mutator
from tests.conformance import verdicts

SEEDS = Path(__file__).parents[2] / "testdata" / "mutation"
CASES = int(os.environ.get("DRACTL_FUZZ_CASES", "100"))
NUMBER = int(os.environ.get("DRACTL_FUZZ_SEED", "1"))
LABELS = {"admin": {"resource.kubernetes.io/admin-access": "true"}}

PROGRAM = oracle.binary(str(NEWEST))


def seeds(kind: str) -> list[dict[str, Any]]:
    text = (SEEDS / f"{kind}.yaml").read_text(encoding="utf-8")
    # What YAML reads as a timestamp or a float is given as text there.
    return [json.loads(json.dumps(document)) for document in yaml.safe_load_all(text)]


def _request(mutator: Mutator) -> dict[str, Any]:
    manifest = json.dumps(mutator.manifest(), ensure_ascii=False)
    return oracle.validate(manifest, gates=mutator.gates(), namespace_labels=LABELS)


@pytest.mark.skipif(
    PROGRAM is None, reason="$DRACTL_ORACLE names no folder with the Kubernetes code of the minor"
)
@pytest.mark.parametrize("kind", sorted(path.stem for path in SEEDS.glob("*.yaml")))
def test_verdicts_are_those_of_the_real_code(kind: str) -> None:
    assert PROGRAM is not None
    mutator = Mutator(seeds(kind), NUMBER)
    requests = [_request(mutator) for _ in range(CASES)]
    differing = []
    for request, answer in zip(requests, oracle.stream(PROGRAM, requests), strict=True):
        difference = verdicts.check(oracle.row(str(NEWEST), request, answer))
        if difference is not None:
            differing.append((request["manifest"], request["gates"], difference))
    assert differing == []


@pytest.mark.parametrize("kind", sorted(path.stem for path in SEEDS.glob("*.yaml")))
def test_a_number_gives_the_same_manifests_again(kind: str) -> None:
    first, second = Mutator(seeds(kind), 7), Mutator(seeds(kind), 7)
    assert [first.manifest() for _ in range(20)] == [second.manifest() for _ in range(20)]
