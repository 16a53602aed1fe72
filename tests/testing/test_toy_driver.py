"""Generated worlds find the mistakes of a toy driver: each within 200 examples."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings

import dractl
from dractl.assertions import assert_legal
from dractl.testing import strategies
from tests.testing.toy_driver import MISTAKES, Slices, published, renewed

MOST = 200
WORLDS = strategies.worlds(max_nodes=2, max_devices=4, max_pods=3)
QUICK = settings(
    max_examples=MOST,
    database=None,
    derandomize=True,
    deadline=None,
    phases=[Phase.generate],
    suppress_health_check=[HealthCheck.too_slow],
)


def check_driver(world: list[Any], mistake: str | None) -> None:
    """The properties of a driver: valid slices, the same devices for pods, and new generations."""
    hardware: Slices = [item for item in world if item["kind"] == "ResourceSlice"]
    others = [item for item in world if item["kind"] != "ResourceSlice"]
    slices = published(hardware, mistake)
    nodes = [item for item in world if item["kind"] == "Node"]
    report = dractl.validate([*nodes, *slices])
    assert [found for found in report.findings if found.severity in ("error", "warning")] == []
    expected, actual = dractl.simulate([*hardware, *others]), dractl.simulate([*slices, *others])
    assert_legal(actual)
    assert actual.placements == expected.placements
    update = dractl.validate(renewed(slices, mistake), old=slices)
    assert [found for found in update.findings if found.severity in ("error", "warning")] == []


@settings(QUICK, max_examples=5)
@given(WORLDS)
def test_a_driver_without_a_mistake_passes(world: list[Any]) -> None:
    check_driver(world, None)


@pytest.mark.slow
@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_is_found(mistake: str) -> None:
    found = [0]

    @QUICK
    @given(WORLDS)
    def look(world: list[Any]) -> None:
        found[0] += 1
        check_driver(world, mistake)

    with pytest.raises(AssertionError):
        look()
    assert found[0] <= MOST
