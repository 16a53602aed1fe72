"""A simulation as it concerns some of its pods."""

from __future__ import annotations

from typing import Any

import dractl
from dractl.simulation.engine.selection import about_pods, full_pod_name, pods_in
from tests.simulation.build import (
    allocated,
    claim,
    container,
    device_class,
    exactly,
    pod,
    resource_slice,
    result,
    sized_node,
    template,
)

CLUSTER: list[dict[str, Any]] = [
    sized_node("node-a"),
    resource_slice("s", "g0", "g1"),
    device_class("gpu"),
    template("one"),
    template("many", exactly("gpu", count=9)),
    pod("fits", container("main", "gpu"), templates={"gpu": "one"}),
    pod("waits", container("main", "gpu"), templates={"gpu": "many"}),
    pod("idle"),
    claim("lone"),
]
BROKEN = {**claim("broken"), "spec": {"devices": {"requests": [{"name": "UPPER"}]}}}
BROKEN_POD = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "bad"}, "spec": {"containers": 1}}


def simulate(*more: dict[str, Any]) -> dractl.Simulation:
    return dractl.simulate([*CLUSTER, *more])


def test_rows_reasons_and_verdict_are_about_the_pods() -> None:
    found = simulate(BROKEN)
    assert not found.ok
    fits = about_pods(found, ["default/fits"])
    assert (fits.ok, [row.pod for row in fits.placements], fits.pending) == (True, ["default/fits"], ())
    assert fits.outcome.notes == ()
    waits = about_pods(found, ["default/waits"])
    assert (waits.ok, waits.placements, [row.pod for row in waits.pending]) == (False, (), ["default/waits"])
    both = about_pods(found, ["default/waits", "default/fits"])
    assert (len(both.placements), len(both.pending), both.left_out) == (1, 1, ())


def test_the_objects_are_all_of_the_cluster() -> None:
    found = simulate()
    assert about_pods(found, ["default/fits"]).objects == found.objects


def test_a_pod_without_devices_is_told() -> None:
    found = about_pods(simulate(), ["default/idle"])
    assert found.ok
    assert [(note.code, note.message) for note in found.notes] == [
        ("nothing-to-place", "pod default/idle has no devices")
    ]


def test_a_pod_that_is_left_out_is_known() -> None:
    found = simulate(BROKEN_POD)
    assert pods_in(found) == ["default/fits", "default/waits", "default/idle", "default/bad"]
    bad = about_pods(found, ["default/bad"])
    assert not bad.ok
    assert [out.object["name"] for out in bad.left_out] == ["bad"]
    assert bad.notes == ()


def test_warnings_are_about_the_pods_their_claims_and_templates() -> None:
    old = claim("old", exactly("gpu", 'device.driver == "x"'))
    old["metadata"]["uid"] = "u"
    old["spec"]["devices"]["requests"][0]["name"] = "UPPER"
    user = pod("user", claims={"gpu": "old"})
    found = simulate(old, user)
    assert [warning.rule for warning in about_pods(found, ["default/user"]).findings] == [
        warning.rule for warning in found.findings if warning.object and warning.object.name == "old"
    ]
    assert about_pods(found, ["default/user"]).findings
    assert about_pods(found, ["default/fits"]).findings == ()


def test_notes_are_about_the_pods() -> None:
    there = allocated(claim("shared"), result("g0"), node_name="node-x")
    user = pod("moved", claims={"gpu": "shared"})
    found = simulate(there, user)
    moved = about_pods(found, ["default/moved"])
    assert [note.code for note in moved.notes if note.pods] == ["claim-freed"]
    assert about_pods(found, ["default/fits"]).notes == ()


def test_a_name_without_a_namespace_is_in_the_default_one() -> None:
    assert [full_pod_name(name) for name in ("p", "a/p")] == ["default/p", "a/p"]
