"""What is converted is valid where the original is, and gets the same devices."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import dractl
from tests.paths import ROOT

TESTDATA = ROOT / "testdata"
WORLDS = sorted(
    path
    for folder in ("cases", "examples")
    for path in (TESTDATA / folder).iterdir()
    if any(path.rglob("*.yaml"))
)
MINORS = (pytest.param("1.34", marks=pytest.mark.slow), "1.37")


def _placements(docs: Any, minor: str) -> list[Any]:
    found = dractl.simulate(docs, kube_version=minor)
    return [tuple(row) for row in found.placements]


@pytest.mark.parametrize("minor", MINORS)
@pytest.mark.parametrize("version", ["v1beta1", "v1beta2"])
@pytest.mark.parametrize("api_objects", WORLDS, ids=lambda path: path.name)
def test_the_same_devices_are_found_in_every_version(api_objects: Path, version: str, minor: str) -> None:
    there = dractl.convert(api_objects, to=version, kube_version=minor)
    back = dractl.convert(there.text, to="resource.k8s.io/v1", kube_version=minor)
    if not there.ok or not back.ok:
        # A world of mistakes: what would be lost is no field of its version, which refuses it, too.
        assert not dractl.validate(api_objects, kube_version=minor).ok
        return
    if dractl.validate(api_objects, kube_version=minor).ok:
        assert dractl.validate(there.text, kube_version=minor).ok
        assert dractl.validate(back.text, kube_version=minor).ok
    wanted = _placements(api_objects, minor)
    assert _placements(there.text, minor) == wanted
    assert _placements(back.text, minor) == wanted


@pytest.mark.parametrize("version", ["v1beta1", "v1beta2"])
def test_the_quick_start_stays_valid(version: str) -> None:
    folder = TESTDATA / "examples" / "quickstart"
    converted = dractl.convert(folder, to=version)
    assert dractl.validate(converted.text).ok
    assert len(_placements(converted.text, "1.37")) > 0
