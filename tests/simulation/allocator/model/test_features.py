"""Gates to features, and which implementation of the allocator a minor uses."""

from __future__ import annotations

import re

from dractl.api import gates, release
from dractl.simulation.allocator.model.features import (
    AROUND,
    FEATURES,
    IMPLEMENTATIONS,
    Features,
    implementation_of,
)
from dractl.simulation.allocator.model.quirks import EXPERIMENTAL, INCUBATING, ONLY, STABLE, Quirks, quirks_of
from dractl.simulation.allocator.search import BUDGET
from tests.paths import ROOT
from tests.rows import each_row
from tests.simulation.build import features, gate_set

MINORS = [str(minor) for minor in release.KNOWN if minor >= release.parse("1.31")]


def test_every_feature_names_known_gates() -> None:
    names = {row.feature for row in FEATURES}
    assert names | {"knows_node_operations", "most_consumers", "quirks"} == set(Features._fields)
    assert names >= AROUND
    for row in FEATURES:
        assert set(row.gates) <= gates.known_gates()


def test_implementations_support_features_there_are() -> None:
    names = {row.feature for row in FEATURES} - AROUND
    for entry in IMPLEMENTATIONS:
        assert entry.supports is None or entry.supports <= names


def test_a_default_scheduler_runs_the_incubating_allocator() -> None:
    found = features()
    assert found.admin_access
    assert found.consumable_capacity
    assert found.binding_conditions
    assert found.device_taint_rules
    assert not found.fractional_capacity_range
    assert not found.list_type_attributes
    assert not found.knows_node_operations
    assert found.quirks == quirks_of(release.NEWEST, INCUBATING)


def test_the_stable_allocator_of_1_38_does_whatever_is_not_alpha() -> None:
    found = features("1.38")
    assert found.fractional_capacity_range
    assert found.consumable_capacity
    assert not found.list_type_attributes
    assert not found.knows_node_operations
    assert found.quirks == Quirks()
    assert features("1.38", DRAListTypeAttributes=True).knows_node_operations


@each_row(
    ("kube", "expected"),
    [
        ("1.31", ONLY),
        ("1.32", ONLY),
        ("1.33", ONLY),
        # DRAResourceClaimDeviceStatus is on, which only the experimental one knows.
        ("1.34", EXPERIMENTAL),
        ("1.35", INCUBATING),
        ("1.36", INCUBATING),
        ("1.37", INCUBATING),
        ("1.38", STABLE),
    ],
)
def test_every_minor_has_its_default_implementation(kube: str, expected: str) -> None:
    assert implementation_of(gate_set(kube)) == expected


NOTHING = {"DRAAdminAccess": False, "DRAPrioritizedList": False}
NO_NEWS = {"DRAConsumableCapacity": False, "DRADeviceBindingConditions": False}


@each_row(
    ("kube", "overrides", "expected"),
    [
        ("1.34", {"DRAResourceClaimDeviceStatus": False}, INCUBATING),
        ("1.34", {"DRAResourceClaimDeviceStatus": False, **NOTHING}, STABLE),
        ("1.34", {"DRAResourceClaimDeviceStatus": False, "DRADeviceBindingConditions": True}, EXPERIMENTAL),
        ("1.35", NOTHING, STABLE),
        ("1.35", {"DRAConsumableCapacity": True}, EXPERIMENTAL),
        ("1.35", {"DRADeviceBindingConditions": True}, EXPERIMENTAL),
        ("1.36", NO_NEWS, STABLE),
        ("1.36", {"DRAListTypeAttributes": True}, INCUBATING),
        ("1.37", NO_NEWS, STABLE),
        ("1.37", {**NO_NEWS, "DRADeviceTaintRules": False, "DRASchedulerFilterTimeout": False}, STABLE),
        ("1.37", {"DRAConsumableCapacity": False}, INCUBATING),
        ("1.37", {"DRAFractionalCapacityRange": True}, INCUBATING),
        ("1.37", {"DRAListTypeAttributes": True}, EXPERIMENTAL),
        ("1.37", {"DRAOptionalNodeOperations": True}, EXPERIMENTAL),
        ("1.37", {"DRADerivedAttributes": True}, EXPERIMENTAL),
        ("1.37", {"DRADeviceCompatibilityGroups": True}, EXPERIMENTAL),
        ("1.38", {"DRAConsumableCapacity": False, "DRAFractionalCapacityRange": False}, STABLE),
        ("1.38", {"DRAListTypeAttributes": True}, INCUBATING),
        ("1.38", {"DRAOptionalNodeOperations": True}, INCUBATING),
        ("1.38", {"DRADerivedAttributes": True}, INCUBATING),
        ("1.38", {"DRADeviceCompatibilityGroups": True}, INCUBATING),
    ],
)
def test_gates_choose_the_implementation(kube: str, overrides: dict[str, bool], expected: str) -> None:
    assert implementation_of(gate_set(kube, **overrides)) == expected


def test_taint_rules_need_taints() -> None:
    assert not features(DRADeviceTaints=False, DRADeviceTaintRules=False).device_taint_rules
    assert features(DRADeviceTaintRules=False).device_taints
    # In 1.34 rules come with the taints.
    assert features("1.34", DRADeviceTaints=True).device_taint_rules
    assert not features("1.35", DRADeviceTaints=True).device_taint_rules


def test_admin_access_needs_no_gate_in_1_31() -> None:
    assert features("1.31").admin_access
    assert not features("1.32").admin_access


def test_the_scheduler_of_1_36_does_not_tell_of_lists() -> None:
    assert not features("1.36", DRAListTypeAttributes=True).list_type_attributes
    assert features("1.37", DRAListTypeAttributes=True).list_type_attributes


def test_only_the_experimental_allocator_knows_of_node_operations() -> None:
    assert features(DRAListTypeAttributes=True).knows_node_operations
    assert not features(DRAListTypeAttributes=True).optional_node_operations


@each_row("kube", MINORS)
def test_all_gates_of_a_minor_together_make_features(kube: str) -> None:
    found = features(kube, AllAlpha=True, AllBeta=True)
    assert found.admin_access
    assert found.consumable_capacity is (kube not in ("1.31", "1.32", "1.33"))


def test_the_documented_allocators_are_those_of_the_default_gates() -> None:
    text = (ROOT / "docs" / "allocator.md").read_text()
    rows = re.findall(r"^\| (1\.\d+) \| ([a-z ]+) \|$", text, re.MULTILINE)
    chosen = {
        str(minor): implementation_of(gates.resolve(minor, {}))
        for minor in release.KNOWN
        if minor >= release.parse("1.31")
    }
    assert {minor: "only" if name == "the only one" else name for minor, name in rows} == chosen
    assert f"{BUDGET:,} steps" in text
