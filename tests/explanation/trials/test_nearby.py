"""Which nodes a change is tried on."""

from __future__ import annotations

from dractl.explanation.trials.nearby import MOST_NODES, cut_to, nearby, of_every_kind
from dractl.explanation.trials.situation import MOST_CONFIRMED, Situation
from tests.explanation.small_worlds import device, device_class, node, pod, slice_of, template, world_of


def test_all_nodes_of_a_small_cluster_are_tried() -> None:
    cluster = [item for name in "ab" for item in (node(name), slice_of(name))]
    world = world_of(*cluster, device_class(), template("late", {"count": 2}), pod())
    assert nearby(world) == ("a", "b")


def test_of_nodes_that_are_alike_two_are_tried_and_the_nearest_first() -> None:
    names = [f"n{number:02}" for number in range(20)]
    cluster = [item for name in names for item in (node(name), slice_of(name, count=2))]
    cluster += [node("tainted", taints=[{"key": "a", "effect": "NoSchedule"}]), slice_of("tainted", count=2)]
    early = [item for number in range(5) for item in (template(f"e{number}"), pod(f"e{number}"))]
    world = world_of(*cluster, device_class(), *early, template("late", {"count": 3}), pod())
    near = nearby(world)
    assert len(near) == 5
    assert len(near) < MOST_NODES
    kinds = ["tainted" if name == "tainted" else "used" if name in names[:5] else "free" for name in near]
    assert kinds == ["free", "used", "tainted", "free", "used"]


def test_a_cut_keeps_what_matters_on_its_nodes() -> None:
    cluster = [item for name in "ab" for item in (node(name), slice_of(name))]
    early = [item for name in ("e1", "e2") for item in (template(name), pod(name))]
    world = world_of(*cluster, device_class(), *early, template("late"), pod())
    cut = cut_to(world, ["a"])
    assert {key.name for key in cut.objects if key.kind == "Node"} == {"a"}
    assert len([key for key in cut.objects if key.kind == "ResourceClaim"]) == 2
    assert len([key for key in world.objects if key.kind == "ResourceClaim"]) == 3


def test_a_large_cluster_is_confirmed_on_nodes_of_every_kind() -> None:
    names = [f"n{number:03}" for number in range(MOST_CONFIRMED + 1)]
    cluster = [item for name in names for item in (node(name), slice_of(name))]
    odd = slice_of(names[40], devices=[device("g0", capacity={})])
    cluster[81] = odd
    world = world_of(*cluster, device_class(), template("late", {"count": 2}), pod())
    assert of_every_kind(world) == (names[0], names[40])
    situation = Situation(world)
    assert names[40] in {node.name for node in situation.wide.scheduler.nodes}
    assert len(situation.wide.scheduler.nodes) < len(names)


def test_a_cut_has_no_claims_of_other_pods_that_wait() -> None:
    names = ("o1", "o2", "o3")
    others = [item for name in names for item in (template(name, {"count": 2}), pod(name))]
    world = world_of(node(), slice_of(), device_class(), *others, template("late", {"count": 2}), pod())
    assert len([key for key in world.objects if key.kind == "ResourceClaim"]) == 4
    cut = cut_to(world, ["a"])
    assert [key.name for key in cut.objects if key.kind == "ResourceClaim"] == ["late-gpu"]
