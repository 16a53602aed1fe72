"""Evictions by device taints."""

from __future__ import annotations

from typing import Any

import pytest

from dractl.cluster.devices import DeviceID
from dractl.simulation.eviction import evicted_users, evicting_taints
from tests.simulation.build import DRIVER, allocated, claim, device, resource_slice, result

TAINT = {"key": "k", "value": "v", "effect": "NoExecute"}
D = DeviceID(DRIVER, "node-a", "d")


def test_only_taints_that_evict_are_gathered() -> None:
    soft = {**TAINT, "effect": "NoSchedule"}
    slices = [resource_slice("s", device("d", taints=[soft, TAINT]), device("e", taints=[soft]), "f")]
    assert evicting_taints(slices) == {D: (TAINT,)}


@pytest.mark.parametrize(
    ("tolerations", "expected"),
    [
        ([], {"u"}),
        ([{"operator": "Exists", "effect": "NoExecute"}], set()),
        ([{"key": "k", "value": "v", "effect": "NoExecute"}], set()),
        ([{"key": "other", "operator": "Exists", "effect": "NoExecute"}], {"u"}),
        # The controller asks for the effect, which allocation does not.
        ([{"operator": "Exists"}], {"u"}),
    ],
)
def test_the_stored_tolerations_decide(tolerations: list[dict[str, Any]], expected: set[str]) -> None:
    users = [{"resource": "pods", "name": "p", "uid": "u"}]
    item = allocated(claim("c"), result("d", tolerations=tolerations), reservedFor=users)
    assert evicted_users([item], {D: (TAINT,)}) == expected


def test_other_devices_evict_nobody() -> None:
    users = [{"resource": "pods", "name": "p", "uid": "u"}]
    assert evicted_users([allocated(claim("c"), result("e"), reservedFor=users)], {D: (TAINT,)}) == set()
    assert evicted_users([claim("c")], {D: (TAINT,)}) == set()
