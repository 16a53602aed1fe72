"""Compares conversions with those of the real Kubernetes code, minor by minor.

``$DRACTL_FUZZ_CASES`` and ``$DRACTL_FUZZ_SEED`` make the run longer or another one; manifests below
``$DRACTL_CORPUS`` are converted, too.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from dractl.api import release
from dractl.api.release import Minor
from dractl.source.document import Document
from dractl.source.load import load_paths
from dractl.versions.convert import reading_of
from dractl.versions.decode import decode
from tests import oracle
from tests.admission.seeds import seeds
from tests.conversion.differential import APART, NOW, STEMS, differing, objects, pairs
from tests.paths import ROOT

CASES = int(os.environ.get("DRACTL_FUZZ_CASES", "30"))
NUMBER = int(os.environ.get("DRACTL_FUZZ_SEED", "1"))
TESTDATA = ROOT / "testdata"
CORPUS = Path(os.environ.get("DRACTL_CORPUS") or TESTDATA / "examples")


def _minors() -> list[Any]:
    return [
        pytest.param(
            minor,
            marks=pytest.mark.skipif(
                oracle.binary(str(minor)) is None,
                reason=f"$DRACTL_ORACLE names no folder with the Kubernetes code of {minor}",
            ),
            id=str(minor),
        )
        for minor in release.KNOWN
        if minor.within(release.at("1.32"), None)
    ]


@pytest.mark.parametrize("stem", STEMS)
@pytest.mark.parametrize("minor", _minors())
def test_what_is_lost_of_random_objects_is_what_the_real_code_misses(minor: Minor, stem: str) -> None:
    if seeds(stem, minor):
        assert differing(minor, list(pairs(minor, objects(minor, stem, CASES, NUMBER)))) == []


@pytest.mark.parametrize("minor", _minors())
def test_what_is_lost_of_manifests_is_what_the_real_code_misses(minor: Minor) -> None:
    assert differing(minor, list(pairs(minor, _manifests(minor)))) == []


def _manifests(minor: Minor) -> list[dict[str, Any]]:
    """The objects of the corpus that are read without a problem by this minor, and by no later one."""
    found = []
    for document in load_paths([CORPUS]):
        value = document.value if isinstance(document, Document) else None
        if not isinstance(value, dict) or not str(value.get("apiVersion")).startswith("resource.k8s.io/"):
            continue
        home = reading_of(value, now=NOW)
        if home is None or home.minor != minor or home.kind.api_version == APART:
            continue
        if not decode(minor, home.kind, value, now=NOW).problems:
            found.append(value)
    return found
