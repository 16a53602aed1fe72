"""Gates to features."""

from __future__ import annotations

import pytest

from dractl.api import gates
from dractl.simulation.features import GATES, Features
from tests.simulation.build import features


def test_every_feature_names_known_gates() -> None:
    for name, needed in GATES.items():
        assert name in Features._fields
        assert set(needed) <= gates.known_gates()


def test_a_default_scheduler_runs_the_incubating_allocator() -> None:
    found = features()
    assert found.admin_access
    assert found.consumable_capacity
    assert found.binding_conditions
    assert found.device_taint_rules
    assert not found.fractional_capacity_range
    assert not found.list_type_attributes
    assert found.knows_capacity
    assert not found.knows_node_operations
    assert not found.counters_from_anywhere


def test_taint_rules_need_taints() -> None:
    assert not features(DRADeviceTaints=False, DRADeviceTaintRules=False).device_taint_rules
    assert features(DRADeviceTaintRules=False).device_taints


@pytest.mark.parametrize(
    "gate",
    [
        "DRAListTypeAttributes",
        "DRAOptionalNodeOperations",
        "DRADerivedAttributes",
        "DRADeviceCompatibilityGroups",
    ],
)
def test_an_alpha_feature_brings_the_experimental_allocator(gate: str) -> None:
    assert features(**{gate: True}).knows_node_operations


def test_without_what_is_new_the_stable_allocator_runs() -> None:
    off_gates = {"DRAConsumableCapacity": False, "DRADeviceBindingConditions": False}
    off = features(**off_gates)
    assert not off.knows_capacity
    assert off.counters_from_anywhere
    assert features(DRAConsumableCapacity=False).knows_capacity
    # The gates around the allocator do not choose it.
    quiet = {"DRADeviceTaintRules": False, "DRASchedulerFilterTimeout": False}
    assert features(
        DRAConsumableCapacity=False, DRADeviceBindingConditions=False, **quiet
    ).counters_from_anywhere
