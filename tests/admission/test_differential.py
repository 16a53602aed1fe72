"""Compares verdicts on manifests changed at random with those of the real Kubernetes code.

``$DRACTL_FUZZ_CASES`` and ``$DRACTL_FUZZ_SEED`` make the run longer or another one.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests import oracle
from tests.admission.mutation import NEWEST, Mutator
from tests.conformance import verdicts

SEEDS = Path(__file__).parents[2] / "testdata" / "mutation"
STEMS = sorted(path.stem for path in SEEDS.glob("*.yaml"))
CASES = int(os.environ.get("DRACTL_FUZZ_CASES", "100"))
NUMBER = int(os.environ.get("DRACTL_FUZZ_SEED", "1"))
LABELS = {"admin": {"resource.kubernetes.io/admin-access": "true"}}

PROGRAM = oracle.binary(str(NEWEST))

needs_program = pytest.mark.skipif(
    PROGRAM is None, reason="$DRACTL_ORACLE names no folder with the Kubernetes code of the minor"
)


def seeds(stem: str) -> list[dict[str, Any]]:
    text = (SEEDS / f"{stem}.yaml").read_text(encoding="utf-8")
    return list(yaml.safe_load_all(text))


def creates(stem: str, cases: int = CASES, number: int = NUMBER) -> Iterator[dict[str, Any]]:
    """Requests about new objects."""
    mutator = Mutator(seeds(stem), number)
    for _ in range(cases):
        yield _request(mutator, mutator.manifest())


def updates(stem: str, cases: int = CASES, number: int = NUMBER) -> Iterator[dict[str, Any]]:
    """Requests about changed objects, or about changed statuses where the seeds are for that."""
    mutator = Mutator(seeds(stem), number)
    for _ in range(cases):
        new, old = mutator.pair()
        subresource = "status" if stem.endswith("-status") else ""
        yield _request(mutator, new, old=_text(old), subresource=subresource)


def _request(mutator: Mutator, manifest: dict[str, Any], **update: str) -> dict[str, Any]:
    return oracle.validate(_text(manifest), gates=mutator.gates(), namespace_labels=LABELS, **update)


def _text(manifest: dict[str, Any]) -> str:
    return json.dumps(manifest, ensure_ascii=False)


def differing(requests: list[dict[str, Any]]) -> list[Any]:
    """The requests on which the verdicts differ, with both."""
    assert PROGRAM is not None
    found = []
    for request, answer in zip(requests, oracle.ask(PROGRAM, requests), strict=True):
        if "error" in answer or "api_error" in answer:
            # There is no verdict where the old object cannot be one, or is a newer one.
            continue
        difference = verdicts.check(oracle.row(str(NEWEST), request, answer))
        if difference is not None:
            found.append((request, difference))
    return found


@needs_program
@pytest.mark.parametrize("stem", [stem for stem in STEMS if not stem.endswith("-status")])
def test_verdicts_on_new_objects_are_those_of_the_real_code(stem: str) -> None:
    assert differing(list(creates(stem))) == []


@needs_program
@pytest.mark.parametrize("stem", STEMS)
def test_verdicts_on_changed_objects_are_those_of_the_real_code(stem: str) -> None:
    assert differing(list(updates(stem))) == []


@pytest.mark.parametrize("stem", STEMS)
def test_a_number_gives_the_same_requests_again(stem: str) -> None:
    assert list(creates(stem, 20, 7)) == list(creates(stem, 20, 7))
    assert list(updates(stem, 20, 7)) == list(updates(stem, 20, 7))
    assert list(creates(stem, 20, 7)) != list(creates(stem, 20, 8))
