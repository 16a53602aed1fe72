import re

import pytest

from dractl.api import gates, release
from dractl.api.gates import GateError, GateSet
from tests.rows import each_row

V137 = release.parse("1.37")
V134 = release.parse("1.34")


def on(minor: str, **overrides: bool) -> GateSet:
    return gates.resolve(release.parse(minor), overrides)


def test_defaults_differ_by_minor() -> None:
    assert "DRAPartitionableDevices" not in on("1.35")
    assert "DRAPartitionableDevices" in on("1.36")


def test_a_gate_with_a_later_compatibility_version_is_off_in_a_default_server() -> None:
    assert "DRAFractionalCapacityRange" not in on("1.37")


def test_overrides_win_over_defaults() -> None:
    assert "DRADeviceTaints" in on("1.34", DRADeviceTaints=True)
    assert "DRAAdminAccess" not in on("1.34", DRAAdminAccess=False)


def test_a_misspelt_gate_is_refused_with_the_nearest_name() -> None:
    with pytest.raises(GateError, match=r"did you mean DRADeviceTaints\?"):
        on("1.37", DRADeviceTaint=True)


def test_a_gate_of_another_minor_is_refused_with_its_minors() -> None:
    with pytest.raises(GateError, match=r"does not exist in 1\.37; available in 1\.31$"):
        on("1.37", DRAControlPlaneController=True)


def test_a_locked_gate_cannot_be_changed_but_may_be_repeated() -> None:
    with pytest.raises(GateError, match="locked on"):
        on("1.37", DRAAdminAccess=False)
    assert "DRAAdminAccess" in on("1.37", DRAAdminAccess=True)


def test_dependencies_are_checked_since_135() -> None:
    with pytest.raises(GateError, match="DRADeviceTaintRules requires DRADeviceTaints"):
        on("1.37", DRADeviceTaints=False)
    assert "DRAConsumableCapacity" in gates.resolve(V134, {"DRAConsumableCapacity": True})


def test_all_alpha_spares_what_is_set_by_name() -> None:
    found = on("1.37", AllAlpha=True, AllBeta=True, DRADerivedAttributes=False)
    assert "DRADerivedAttributes" not in found
    assert "DRADeviceCompatibilityGroups" in found


def test_all_beta_off_leaves_stable_gates() -> None:
    found = on("1.34", AllBeta=False)
    assert "DRAAdminAccess" not in found
    assert "DynamicResourceAllocation" in found


@each_row("minor", release.KNOWN)
def test_the_defaults_of_every_minor_are_a_possible_set(minor: release.Minor) -> None:
    names = set(gates.gates_of(minor))
    assert set(gates.resolve(minor)) <= names


def test_equal_sets_are_equal_and_hash_alike() -> None:
    one, other = on("1.37"), on("1.37", DRAAdminAccess=True)
    assert one == other
    assert hash(one) == hash(other)
    assert one != on("1.36")


def test_parse_overrides() -> None:
    assert gates.parse_overrides("A=true, B=false,,C=1,D=F") == {"A": True, "B": False, "C": True, "D": False}


@each_row("text", ["A", "A=", "A=maybe", "A:true"])
def test_other_forms_of_overrides_are_refused(text: str) -> None:
    with pytest.raises(GateError, match=re.escape(repr(text))):
        gates.parse_overrides(text)


def test_each_minor_of_several_has_its_own_gates() -> None:
    first, second = gates.resolve_each([release.parse("1.35"), V137], {"DRADeviceTaints": True})
    assert ("DRAPartitionableDevices" in first, "DRAPartitionableDevices" in second) == (False, True)
    assert first.overrides == second.overrides == {"DRADeviceTaints": True}


def test_the_minor_that_refuses_gates_is_named() -> None:
    with pytest.raises(GateError, match=r"^for Kubernetes 1\.37: .* is locked on in 1\.37"):
        gates.resolve_each([V134, V137], {"DRAAdminAccess": False})


@pytest.mark.parametrize("name", ["SidecarContainers", "InPlacePodVerticalScaling", "MemoryQoS"])
def test_gates_without_a_say_in_dra_are_reported_apart_from_slips(name: str) -> None:
    with pytest.raises(GateError) as refused:
        gates.resolve(release.parse("1.34"), {name: True})
    assert str(refused.value) == (
        f"unknown feature gate {name}; only gates that affect DRA are supported, see `dractl gates`"
    )


def test_a_gate_is_set_to_a_boolean() -> None:
    with pytest.raises(GateError, match="DRAExtendedResource must be True or False, got 'true'"):
        gates.resolve(release.parse("1.37"), {"DRAExtendedResource": "true"})  # type: ignore[dict-item]


def test_a_gate_that_is_switched_off_takes_the_gates_that_need_it_along() -> None:
    with pytest.raises(GateError, match=r"is off; set DRADeviceTaintRules=false as well$"):
        gates.resolve(release.parse("1.37"), {"DRADeviceTaints": False})
    with pytest.raises(GateError, match=r"is off; set DRADeviceTaints=true as well$"):
        gates.resolve(release.parse("1.37"), {"DRADeviceTaints": False, "DRADeviceTaintRules": True})


def test_a_gate_can_be_set_in_one_minor() -> None:
    wanted = {"1.34:DRAAdminAccess": True, "1.37:DRAListTypeAttributes": True}
    first, second = gates.resolve_each([V134, V137], wanted)
    assert first.overrides == {"DRAAdminAccess": True}
    assert second.overrides == {"DRAListTypeAttributes": True}
    assert gates.shared_overrides([first, second]) == {
        "1.34:DRAAdminAccess": True,
        "1.37:DRAListTypeAttributes": True,
    }
    general = {"DRADeviceTaints": True, "1.34:DRADeviceTaints": False}
    assert [each.overrides["DRADeviceTaints"] for each in gates.resolve_each([V134, V137], general)] == [
        False,
        True,
    ]
    assert gates.shared_overrides(gates.resolve_each([V134, V137], {"DRADeviceTaints": True})) == {
        "DRADeviceTaints": True
    }


def test_a_gate_in_another_minor_is_refused() -> None:
    with pytest.raises(gates.GateError, match=r"is set for 1\.33, which is not among the minors"):
        gates.resolve_each([V134, V137], {"1.33:DRAAdminAccess": True})
