"""Generated objects are accepted, and shrink to the least."""

from __future__ import annotations

import os
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, find, given, settings
from hypothesis import strategies as st

import dractl
from dractl.api.gates import GateError
from dractl.testing import strategies
from tests import oracle
from tests.testing.generated import GATES, SPANS, gates_in, minors_of, objects_of, refusals

FEW = settings(
    max_examples=8,
    database=None,
    derandomize=True,
    phases=[Phase.generate],
    suppress_health_check=[HealthCheck.too_slow],
)
SMALLEST = settings(max_examples=200, database=None, derandomize=True, phases=[Phase.generate, Phase.shrink])


STANDING = {"version/deprecated", "version/not-served-by-default"}
"""What may be said about the API version of an object."""


def devices_of(world: list[Any]) -> list[Any]:
    return [device for item in world if is_slice(item) for device in item["spec"].get("devices", ())]


def is_slice(item: dict[str, Any]) -> bool:
    return bool(item["kind"] == "ResourceSlice")


def without_nodes(world: list[Any]) -> list[Any]:
    return [item for item in world if item["kind"] != "Node"]


@FEW
@given(st.data())
def test_servers_accept_what_is_generated_and_drop_nothing(data: st.DataObject) -> None:
    kube_version, feature_gates = data.draw(st.sampled_from(SPANS))
    world: list[Any] = data.draw(strategies.worlds(kube_version=kube_version, feature_gates=feature_gates))
    for minor in minors_of(kube_version):
        report = dractl.validate(
            without_nodes(world), kube_version=minor, feature_gates=gates_in(minor, feature_gates)
        )
        assert report.ok
        # A field of a feature that is off would be dropped.
        assert not [found for found in report.findings if found.rule.startswith("gate/")]


@pytest.mark.slow
@pytest.mark.parametrize(("kube_version", "feature_gates"), SPANS)
def test_the_real_servers_accept_them(kube_version: str, feature_gates: dict[str, bool]) -> None:
    if oracle.ENVIRONMENT not in os.environ:
        pytest.skip(f"${oracle.ENVIRONMENT} is not set")
    found = objects_of(kube_version, feature_gates, 40)
    for minor in minors_of(kube_version):
        if oracle.binary(minor) is not None:
            assert list(refusals(minor, gates_in(minor, feature_gates), found)) == []


@FEW
@given(strategies.worlds())
def test_worlds_can_be_simulated_legally(world: list[Any]) -> None:
    simulation = dractl.simulate(world)
    assert simulation.left_out == ()
    assert not [row for row in simulation.pending if row.category in ("class-missing", "invalid-pools")]
    assert dractl.audit(simulation.objects).ok


def test_the_smallest_world_has_one_of_each() -> None:
    world: list[Any] = find(strategies.worlds(), lambda _: True, settings=SMALLEST)
    kinds = [item["kind"] for item in world]
    assert kinds == ["Node", "ResourceSlice", "DeviceClass", "ResourceClaimTemplate", "Pod"]
    assert devices_of(world) == [{"name": "device-0"}]
    assert world[3]["spec"]["spec"]["devices"] == {
        "requests": [{"name": "0", "exactly": {"deviceClassName": "gpu.example.com"}}]
    }


@pytest.mark.slow
def test_a_failure_shrinks_to_few_devices() -> None:
    def fails(world: list[Any]) -> bool:
        return any("taints" in device for device in devices_of(world))

    world: list[Any] = find(strategies.worlds(), fails, settings=SMALLEST)
    (device,) = devices_of(world)
    assert device["taints"] == [{"key": "example.com/broken", "effect": "NoSchedule"}]
    (pool,) = [find(strategies.pools(partitions=True), lambda pool: len(pool) == 2, settings=SMALLEST)]
    assert [len(devices_of([item])) for item in pool if "devices" in item["spec"]] == [1]  # type: ignore[operator]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("feature", "is_there"),
    [
        ("partitions", lambda world: "sharedCounters" in str(world)),
        ("partitions", lambda world: len([d for d in devices_of(world) if "consumesCounters" in d]) > 2),
        ("taints", lambda world: any("taints" in device for device in devices_of(world))),
        ("shares", lambda world: any("allowMultipleAllocations" in device for device in devices_of(world))),
        ("alternatives", lambda world: "firstAvailable" in str(world)),
        (None, lambda world: "matchAttribute" in str(world) and "'opaque'" in str(world)),
        (None, lambda world: sum(map(is_slice, world)) > 2 and "'All'" in str(world)),
        (None, lambda world: {"ResourceClaim", "ResourceClaimTemplate"} <= {item["kind"] for item in world}),
    ],
)
def test_what_options_name_is_generated(feature: str | None, is_there: Any) -> None:
    options: dict[str, Any] = {} if feature is None else {feature: True}
    quick = settings(SMALLEST, phases=[Phase.generate])
    assert find(strategies.worlds(**options), is_there, settings=quick)


@pytest.mark.slow
@pytest.mark.parametrize("feature", ["partitions", "taints", "shares", "alternatives"])
def test_what_options_exclude_is_not_generated(feature: str) -> None:
    words = {
        "partitions": "Counters",
        "taints": "taints",
        "shares": "allowMultipleAllocations",
        "alternatives": "firstAvailable",
    }

    @FEW
    @given(strategies.worlds(**{feature: False}))  # type: ignore[arg-type]
    def look(world: list[Any]) -> None:
        assert words[feature] not in str(world)

    look()


@pytest.mark.parametrize(
    ("kube_version", "version"),
    [
        ("1.31", "v1alpha3"),
        ("1.32", "v1beta1"),
        ("1.33", "v1beta2"),
        ("1.32..1.37", "v1beta1"),
        ("1.34..1.38", "v1"),
        ("1.35.4", "v1"),
    ],
)
def test_the_newest_version_of_all_minors_is_written(kube_version: str, version: str) -> None:
    strategy = strategies.resource_claims(kube_version=kube_version)
    found: Any = find(strategy, lambda _: True, settings=SMALLEST)
    assert found["apiVersion"] == f"resource.k8s.io/{version}"
    slices: Any = find(
        strategies.resource_slices(kube_version=kube_version), lambda _: True, settings=SMALLEST
    )
    basic: dict[str, Any] = {"basic": {}} if version in ("v1alpha3", "v1beta1") else {}
    assert slices["spec"]["devices"] == [{"name": "device-0", **basic}]


def test_another_version_can_be_chosen() -> None:
    strategy = strategies.device_classes(kube_version="1.36", api_version="resource.k8s.io/v1beta1")
    assert find(strategy, lambda _: True)["apiVersion"] == "resource.k8s.io/v1beta1"


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        (
            {"kube_version": "1.34", "shares": True},
            ValueError,
            "shares: 1.34 does not have DRAConsumableCapacity",
        ),
        ({"kube_version": "1.31..1.34"}, ValueError, "no API version with devices is common to 1.31, 1.32"),
        ({"kube_version": "1.30"}, ValueError, "no API version with devices"),
        ({"kube_version": "1.34", "api_version": "resource.k8s.io/v2"}, ValueError, "no resource.k8s.io/v2"),
        ({"kube_version": "1.99"}, ValueError, "unsupported Kubernetes minor"),
        ({"feature_gates": {"Nope": True}}, GateError, "Nope"),
        (
            {"kube_version": "1.34..1.35", "feature_gates": GATES, "partitions": True},
            ValueError,
            "a range across 1.35",
        ),
    ],
)
def test_options_that_no_server_has(options: dict[str, Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        strategies.worlds(**options)


def test_a_pod_uses_claims_and_templates() -> None:
    strategy = strategies.pods(claims=["shared"], templates=["own"])
    found: Any = find(strategy, lambda pod: len(pod["spec"]["resourceClaims"]) == 2)
    assert dractl.validate(found).ok
    assert {"own", "shared"} == {
        name for entry in found["spec"]["resourceClaims"] for key, name in entry.items() if key != "name"
    }
    with pytest.raises(ValueError, match="a pod needs claims or templates"):
        strategies.pods(templates=())


def test_templates_and_standalone_slices_are_accepted() -> None:
    @FEW
    @given(strategies.resource_claim_templates(), strategies.resource_slices(node=None, max_devices=40))
    def look(template: Any, item: Any) -> None:
        assert dractl.validate([template, item]).ok

    look()
