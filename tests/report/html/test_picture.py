"""What the picture of devices shows of slices, claims and nodes."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from dractl.api import budgets
from dractl.report.html.counters import natural
from tests.report.html.samples import devices_of, picture_of

JsonDict = dict[str, object]


def slice_of(*devices: Mapping[str, object], name: str = "s", **spec: object) -> JsonDict:
    body = {"driver": "d.example.com", "nodeName": "node-a", "pool": pool("node-a"), **spec}
    if devices:
        body["devices"] = list(devices)
    return {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "ResourceSlice",
        "metadata": {"name": name},
        "spec": {key: value for key, value in body.items() if value is not None},
    }


def claim(name: str, *devices: str, **result: object) -> JsonDict:
    results = [
        {"request": "r", "driver": "d.example.com", "pool": "node-a", "device": device, **result}
        for device in devices
    ]
    return {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "ResourceClaim",
        "metadata": {"name": name, "namespace": "ml"},
        "spec": {},
        "status": {
            "allocation": {"devices": {"results": results}},
            "reservedFor": [{"resource": "pods", "name": f"pod-{name}", "uid": "1"}],
        },
    }


def node(name: str, **spec: object) -> JsonDict:
    return {"apiVersion": "v1", "kind": "Node", "metadata": {"name": name}, "spec": spec}


def part(name: str, memory: str, *slots: int, **more: object) -> JsonDict:
    counters = {"memory": {"value": memory}, **{f"slot-{n}": {"value": "1"} for n in slots}}
    return {"name": name, "consumesCounters": [{"counterSet": "card", "counters": counters}], **more}


def pool(name: str, slices: int = 1) -> JsonDict:
    return {"name": name, "generation": 1, "resourceSliceCount": slices}


def test_each_device_has_its_state() -> None:
    devices: list[JsonDict] = [
        {"name": "free"},
        {"name": "held"},
        {"name": "watched"},
        {"name": "sick", "taints": [{"key": "k", "value": "v", "effect": "NoSchedule"}]},
        {"name": "warned", "taints": [{"key": "k", "effect": "None"}]},
    ]
    found = devices_of(
        picture_of(
            [
                slice_of(*devices),
                claim("a", "held"),
                claim("b", "lost"),
                claim("c", "watched", adminAccess=True),
            ]
        )
    )
    states = {name: device.state.word for name, device in found.items()}
    assert states == {
        "free": "free",
        "held": "in use",
        "watched": "free",
        "sick": "tainted",
        "warned": "free",
        "lost": "not published",
    }
    assert found["held"].holders == ("ml/pod-a",)
    assert found["sick"].notes == ("taint k=v:NoSchedule",)
    assert found["watched"].notes == ("admin access: ml/pod-c",)
    assert found["held"].claims == "ml/a ml/pod-a"


def test_counters_are_bars_and_slots() -> None:
    both = pool("node-a", 2)
    amounts = {"memory": {"value": "40Gi"}, "slot-10": {"value": "1"}, "slot-2": {"value": "1"}}
    counters = slice_of(name="c", sharedCounters=[{"name": "card", "counters": amounts}], pool=both)
    devices = slice_of(
        part("whole", "40Gi", 2, 10), part("left", "20Gi", 2), part("right", "20Gi", 10), pool=both
    )
    view = picture_of([counters, devices, claim("a", "left")])
    ((group,),) = [pool.sets for place in view.places for pool in place.pools]
    assert group.name == "card"
    (bar,) = group.bars
    assert (bar.name, bar.text, bar.holders) == ("memory", "20Gi of 40Gi in use, 20Gi free", "ml/pod-a 20Gi")
    assert [(segment.start, segment.length) for segment in bar.segments] == [(0.0, 50.0)]
    assert [(slot.name, slot.holder) for slot in group.slots] == [("slot-2", "ml/pod-a"), ("slot-10", "")]
    found = devices_of(view)
    assert found["whole"].state.word == "blocked"
    assert found["whole"].notes == ("short of memory, slot-2",)
    assert found["right"].state.word == "free"
    assert found["right"].slots == (1,)
    assert view.places[0].is_wide


def test_shares_are_bars_of_capacities() -> None:
    nic = {"name": "nic", "allowMultipleAllocations": True, "capacity": {"bandwidth": {"value": "100G"}}}
    shares = [
        claim(name, "nic", shareID=name, consumedCapacity={"bandwidth": f"{amount}G"})
        for name, amount in (("a", 60), ("b", 10))
    ]
    found = devices_of(picture_of([slice_of(nic), *shares]))["nic"]
    assert found.state.word == "shared"
    assert found.bars[0].text == "70G of 100G in use, 30G free"
    assert found.bars[0].holders == "ml/pod-a 60G, ml/pod-b 10G"


@pytest.mark.parametrize(
    ("slices", "problem"), [(2, "incomplete: 1 of 2 slices"), (1, "invalid: device gpu is in slices")]
)
def test_a_pool_that_gives_nothing_shows_why(slices: int, problem: str) -> None:
    devices = [{"name": "gpu"}, {"name": "gpu"}] if slices == 1 else [{"name": "gpu"}]
    view = picture_of([slice_of(*devices, pool=pool("node-a", slices))])
    assert view.places[0].pools[0].problem.startswith(problem)
    assert devices_of(view)["gpu"].state.word == "unusable"


def test_pools_stand_at_their_node_or_together() -> None:
    selector = {"nodeSelectorTerms": [{"matchExpressions": [{"key": "gpu", "operator": "Exists"}]}]}
    shared = slice_of({"name": "fabric"}, name="t", nodeName=None, allNodes=True, pool=pool("net"))
    chosen = slice_of({"name": "chosen"}, name="u", nodeName=None, nodeSelector=selector, pool=pool("sel"))
    nodes = [node("node-a", unschedulable=True), node("node-b"), node("node-10"), node("node-9")]
    view = picture_of([slice_of({"name": "gpu"}), shared, chosen, *nodes])
    assert [(place.name, place.notes) for place in view.places] == [("node-a", ("cordoned",)), ("", ())]
    assert [pool.reach for pool in view.places[1].pools] == ["for all nodes", "for no known node"]
    assert view.idle == "3 more nodes have no devices of their own: node-9, node-10, node-b"


def test_many_devices_are_counted_instead_of_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(budgets, "PAGE_DEVICES", budgets.PAGE_DEVICES._replace(value=3))
    view = picture_of([slice_of(*({"name": f"gpu-{n}"} for n in range(5))), claim("a", "gpu-4", "gone")])
    assert len(devices_of(view)) == 3
    assert view.more.startswith("3 more devices not drawn (limit: 3)")


def test_a_minor_with_a_scheduler_of_its_own_shows_what_is_placed() -> None:
    assert picture_of([], "1.30").places == ()


def test_numbers_in_names_sort_by_value() -> None:
    names = ["gpu-10", "gpu-9", "gpu-²", "a", "gpu-" + "9" * 5000]
    assert sorted(names, key=natural)[:2] == ["a", "gpu-9"]


def test_a_slot_in_use_twice_names_both_and_flags_stand_at_their_device() -> None:
    amounts = {"slot-0": {"value": "1"}, "slot-1": {"value": "1"}}
    both = pool("node-a", 2)
    counters = slice_of(name="c", sharedCounters=[{"name": "card", "counters": amounts}], pool=both)
    devices = slice_of(part("one", "0", 0), part("two", "0", 0, 1), pool=both)
    for device in devices["spec"]["devices"]:  # type: ignore[index]
        del device["consumesCounters"][0]["counters"]["memory"]
    objects = [counters, devices, claim("a", "one"), claim("b", "two")]
    flags = {"d.example.com/node-a/one": ["violation: x"], "d.example.com/node-a": ["violation: y"]}
    view = picture_of(objects, flags=flags)
    (found,) = view.places[0].pools
    assert found.problem == "violation: y"
    assert [slot.holder for slot in found.sets[0].slots] == ["ml/pod-a, ml/pod-b", "ml/pod-b"]
    assert devices_of(view)["one"].notes == ("violation: x",)
