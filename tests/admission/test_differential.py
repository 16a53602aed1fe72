"""Compares verdicts on manifests changed at random with those of the real Kubernetes code, minor by minor.

``$DRACTL_FUZZ_CASES`` and ``$DRACTL_FUZZ_SEED`` make the run longer or another one.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from typing import Any

import pytest

from dractl.api import release
from dractl.api.release import Minor
from dractl.versions.registry import Standing, look_up
from tests import oracle
from tests.admission.mutation import NEWEST, Mutator
from tests.admission.seeds import STEMS, has_seeds, seeds
from tests.conformance import verdicts

CASES = int(os.environ.get("DRACTL_FUZZ_CASES", "100"))
NUMBER = int(os.environ.get("DRACTL_FUZZ_SEED", "1"))
LABELS = {
    "admin": {"resource.kubernetes.io/admin-access": "true", "resource.k8s.io/admin-access": "true"},
}

Request = dict[str, Any]


def stems_of(minor: Minor, *, updates: bool) -> list[str]:
    """The files of seeds of which the minor has any; a status is only ever updated."""
    return [stem for stem in STEMS if has_seeds(stem, minor) and (updates or not stem.endswith("-status"))]


def _parameters(*, updates: bool) -> list[Any]:
    found = []
    for minor in release.KNOWN:
        missing = pytest.mark.skipif(
            oracle.binary(str(minor)) is None,
            reason=f"$DRACTL_ORACLE names no folder with the Kubernetes code of {minor}",
        )
        found += [
            pytest.param(minor, stem, marks=missing, id=f"{minor}-{stem}")
            for stem in stems_of(minor, updates=updates)
        ]
    return found


def creates(minor: Minor, stem: str, cases: int = CASES, number: int = NUMBER) -> Iterator[Request]:
    """Requests about new objects."""
    mutator = Mutator(seeds(stem, minor), number, minor)
    for _ in range(cases):
        yield _request(mutator, mutator.manifest())


def updates(minor: Minor, stem: str, cases: int = CASES, number: int = NUMBER) -> Iterator[Request]:
    """Requests about changed objects, or about changed statuses where the seeds are for that."""
    mutator = Mutator(seeds(stem, minor), number, minor)
    for _ in range(cases):
        new, old = mutator.pair()
        subresource = "status" if stem.endswith("-status") else ""
        yield _request(mutator, new, old=_text(old), subresource=subresource)


def _request(mutator: Mutator, manifest: dict[str, Any], **update: str) -> Request:
    return oracle.validate(_text(manifest), gates=mutator.gates(), namespace_labels=LABELS, **update)


def _text(manifest: dict[str, Any]) -> str:
    return json.dumps(manifest, ensure_ascii=False)


def differing(minor: Minor, requests: list[Request]) -> list[Any]:
    """The requests on which the verdicts differ, with both."""
    program = oracle.binary(str(minor))
    assert program is not None
    found = []
    for request, answer in zip(requests, oracle.ask(program, requests), strict=True):
        if "error" in answer or "api_error" in answer or not _has_old(minor, request):
            # There is no verdict where the old object cannot be one, or is a newer one.
            continue
        difference = verdicts.check_own(oracle.row(str(minor), request, answer))
        if difference is not None:
            found.append((request, difference))
    return found


def _has_old(minor: Minor, request: Request) -> bool:
    old = request.get("old")
    return old is None or look_up(minor, json.loads(old)).standing is Standing.KNOWN


@pytest.mark.parametrize(("minor", "stem"), _parameters(updates=False))
def test_verdicts_on_new_objects_are_those_of_the_real_code(minor: Minor, stem: str) -> None:
    assert differing(minor, list(creates(minor, stem))) == []


@pytest.mark.parametrize(("minor", "stem"), _parameters(updates=True))
def test_verdicts_on_changed_objects_are_those_of_the_real_code(minor: Minor, stem: str) -> None:
    assert differing(minor, list(updates(minor, stem))) == []


@pytest.mark.parametrize("stem", stems_of(NEWEST, updates=True))
def test_a_number_gives_the_same_requests_again(stem: str) -> None:
    assert list(creates(NEWEST, stem, 20, 7)) == list(creates(NEWEST, stem, 20, 7))
    assert list(updates(NEWEST, stem, 20, 7)) == list(updates(NEWEST, stem, 20, 7))
    assert list(creates(NEWEST, stem, 20, 7)) != list(creates(NEWEST, stem, 20, 8))
