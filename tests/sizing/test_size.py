"""Sizes: as many copies as a simulation places, nodes that suffice, and each part by a case of its own."""

from __future__ import annotations

import copy
import json
import os
import re
from collections import Counter
from decimal import Decimal
from typing import Any

import jsonschema
import pytest
import yaml

import dractl
from dractl.api import budgets, quantity
from dractl.report.sizes import prometheus, text
from dractl.report.style import PLAIN
from dractl.sizing.model import Amounts, Limit, Shortage
from tests.paths import ROOT
from tests.sizing.worlds import DRIVER, OTHER, POD, Object, WorldMaker, by_hand, device_class, slice_of

SCHEMA = json.loads((ROOT / "schemas" / "documents" / "dractl.size.1.json").read_text(encoding="utf-8"))
EXAMPLE = ROOT / "testdata" / "examples" / "size"
CASES = int(os.environ.get("DRACTL_FUZZ_CASES", "16"))
SEED = int(os.environ.get("DRACTL_FUZZ_SEED", "1"))


def _check_copies(maker: WorldMaker, number: int, kube: str) -> int:
    """Compare a world with the simulation of one copy after the other; return what fits."""
    objects = maker.world()
    pods = {POD: 1} if number % 4 else {POD: 1, OTHER: 2}
    found = dractl.size(objects, pod=pods, kube_version=kube)
    sets, copies = by_hand(objects, pods, kube)
    counted = Counter(
        {(node, pod): count for node, of in found.per_node.items() for pod, count in of.copies.items()}
    )
    assert (found.fits, counted) == (sets, copies), f"world {number}"
    jsonschema.validate(json.loads(json.dumps(found.to_dict())), SCHEMA)
    # Every node that takes no more says why.
    assert all(of.limits for of in found.per_node.values())
    return sets


@pytest.mark.parametrize("kube", ["1.34", "1.37"])
def test_as_many_fit_as_a_simulation_places(kube: str) -> None:
    maker = WorldMaker(SEED)
    assert sum(_check_copies(maker, number, kube) for number in range(CASES // 2))


@pytest.mark.slow
@pytest.mark.parametrize("kube", ["1.33", "1.35", "1.37", "1.38"])
def test_as_many_fit_in_many_worlds(kube: str) -> None:
    maker = WorldMaker(SEED + 1)
    assert sum(_check_copies(maker, number, kube) for number in range(60))


# The nodes to add.


def _clones(objects: list[Object], like: str, number: int) -> list[Object]:
    """New nodes like one, made without the code under test."""
    made = []
    for count in range(number):
        for item in objects:
            name = f"{like}-fresh-{count}"
            if item["kind"] == "Node" and item["metadata"]["name"] == like:
                clone = copy.deepcopy(item)
                clone["metadata"]["name"] = name
                clone["metadata"]["labels"]["kubernetes.io/hostname"] = name
                made.append(clone)
            elif item["kind"] == "ResourceSlice" and item["spec"].get("nodeName") == like:
                clone = copy.deepcopy(item)
                clone["metadata"]["name"] += f"-fresh-{count}"
                clone["spec"]["nodeName"] = clone["spec"]["pool"]["name"] = name
                made.append(clone)
    return made


def _waiting(objects: list[Object], kube: str) -> int:
    found = dractl.simulate(objects, kube_version=kube)
    return sum(1 for pod in found.outcome.pods if pod.node is None)


def _check_added(objects: list[Object], kube: str) -> bool:
    """Compare the number of nodes with simulations; whether any node is needed."""
    choice = dractl.size(objects, like="node-0", kube_version=kube).add[0]
    jsonschema.validate(choice.to_dict(), SCHEMA["properties"]["add"]["items"])
    # Pods that have a node keep it when others are added.
    state = list(dractl.simulate(objects, kube_version=kube).objects)
    waits = [
        _waiting([*state, *_clones(objects, "node-0", number)], kube) for number in range(choice.nodes + 1)
    ]
    assert waits[-1] == len(choice.still_pending)
    # With one node fewer more pods wait, and with many more nodes no fewer.
    assert all(fewer > waits[-1] for fewer in waits[:-1])
    assert _waiting([*state, *_clones(objects, "node-0", choice.nodes + 6)], kube) == waits[-1]
    return choice.nodes > 0


def _queues(maker: WorldMaker) -> list[Object]:
    """A world with several pods of each kind."""
    objects = maker.world()
    pods = [item for item in objects if item["kind"] == "Pod"]
    return objects + [
        {**pod, "metadata": {**pod["metadata"], "name": f"{pod['metadata']['name']}-{number}"}}
        for number in range(3)
        for pod in pods
    ]


def test_the_added_nodes_suffice_and_one_fewer_does_not() -> None:
    maker = WorldMaker(SEED + 2)
    assert sum(_check_added(_queues(maker), "1.37") for _ in range(CASES // 4))


@pytest.mark.slow
def test_the_added_nodes_suffice_in_many_worlds() -> None:
    maker = WorldMaker(SEED + 3)
    assert sum(_check_added(_queues(maker), "1.37") for _ in range(24))


# One thing at a time.


def _cluster(written: str) -> list[Object]:
    return [item for item in yaml.safe_load_all(written) if item]


def _example() -> list[Object]:
    return [
        item for path in sorted(EXAMPLE.glob("*.yaml")) for item in _cluster(path.read_text(encoding="utf-8"))
    ]


def _limits(found: dractl.Size, node: str) -> list[tuple[str, str, str, str, str]]:
    return [
        (limit.kind, limit.name, str(limit.amounts.needed), str(limit.amounts.free), str(limit.amounts.total))
        for limit in found.per_node[node].limits
        if limit.amounts is not None
    ]


def test_what_runs_out_is_named_with_its_numbers() -> None:
    found = dractl.size(_example(), pod="ml/train")
    assert found.fits == 4
    assert {node: of.total for node, of in found.per_node.items()} == {"gpu-a": 2, "gpu-b": 2, "parts": 0}
    assert _limits(found, "gpu-a") == [("resource", "cpu", "6", "4", "16")]
    assert _limits(found, "gpu-b") == [("devices", "gpu", "1", "0", "3")]
    assert _limits(found, "parts") == [("devices", "gpu", "1", "0", "0")]
    assert [(unit.resource, unit.devices) for unit in found.units] == [
        ("gpu.deviceclass.resource.k8s.io/devices", 1)
    ]


def test_a_counter_runs_out() -> None:
    objects = _example()
    template = next(item for item in objects if item["metadata"]["name"] == "half-gpu")
    selector = template["spec"]["spec"]["devices"]["requests"][0]["exactly"]["selectors"][0]["cel"]
    whole = copy.deepcopy(template)
    whole["metadata"]["name"] = "whole-gpu"
    whole["spec"]["spec"]["devices"]["requests"][0]["exactly"]["selectors"][0]["cel"] = {
        "expression": selector["expression"].replace("half", "whole")
    }
    pod = copy.deepcopy(next(item for item in objects if item["metadata"]["name"] == "serve"))
    pod["metadata"]["name"] = "large"
    pod["spec"]["resourceClaims"][0]["resourceClaimTemplateName"] = "whole-gpu"
    found = dractl.size([*objects, whole, pod], pod="ml/large")
    assert found.fits == 0
    assert not found.ok
    assert _limits(found, "parts") == [("counter", "memory", "40Gi", "20Gi", "40Gi")]
    assert found.queue == ("ml/large",)


def _shared_device(request: Object) -> list[Object]:
    device = {"name": "d", "allowMultipleAllocations": True, "capacity": {"memory": {"value": "10Gi"}}}
    spec = {"devices": {"requests": [{"name": "part", "exactly": {"deviceClassName": "gpu", **request}}]}}
    return [
        {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "a"}},
        device_class("gpu", "true"),
        slice_of("a", None, devices=[device]),
        {
            "apiVersion": "resource.k8s.io/v1",
            "kind": "ResourceClaimTemplate",
            "metadata": {"name": "part", "namespace": "default"},
            "spec": {"spec": spec},
        },
        _pod("one", [{"name": "part", "resourceClaimTemplateName": "part"}]),
    ]


def _pod(name: str, claims: list[Object], **spec: Any) -> Object:
    container = {"name": "main", "image": "registry.example.com/main:1"}
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": name, "namespace": "default"},
        "spec": {"containers": [container], "resourceClaims": claims, **spec},
    }


def test_a_capacity_runs_out() -> None:
    found = dractl.size(_shared_device({"capacity": {"requests": {"memory": "3Gi"}}}), pod="default/one")
    assert found.fits == 2
    assert _limits(found, "a") == [("capacity", "memory", "3Gi", "1Gi", "10Gi")]


def test_the_pod_of_a_workload_without_replicas_is_copied() -> None:
    for name in ("ml/batch", "Deployment/ml/batch", "batch"):
        assert dractl.size(_example(), pod=name).fits == 6


def test_a_pod_without_limits_is_counted_as_far_as_the_limit_goes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(budgets, "COPIES", budgets.COPIES._replace(value=7))
    objects = [{"apiVersion": "v1", "kind": "Node", "metadata": {"name": "a"}}, _pod("one", [])]
    found = dractl.size(objects, pod="default/one")
    assert (found.fits, found.is_complete, found.ok) == (7, False, True)
    assert any("stopped after 7 copies" in note for note in found.notes)
    both = dractl.size([*objects, _pod("two", [])], pod={"default/one": 1, "default/two": 1})
    assert (both.fits, both.is_complete) == (3, False)


def test_copies_share_a_claim_that_is_shared() -> None:
    objects = _shared_device({})
    claim = {**objects[3], "kind": "ResourceClaim", "spec": objects[3]["spec"]["spec"]}
    shared = _pod("one", [{"name": "part", "resourceClaimName": "part"}])
    objects[0]["status"] = {"allocatable": {"pods": "5"}}
    found = dractl.size([*objects[:3], claim, shared], pod="default/one")
    assert found.fits == 4
    assert _limits(found, "a") == [("pods", "pods", "1", "0", "5")]
    assert not found.units


def test_gates_of_a_pod_do_not_keep_its_copies_back() -> None:
    objects = _shared_device({"capacity": {"requests": {"memory": "5Gi"}}})
    objects[-1] = _pod(
        "one", [{"name": "part", "resourceClaimTemplateName": "part"}], schedulingGates=[{"name": "later"}]
    )
    assert dractl.size(objects, pod="default/one").fits == 2


def test_stranded_partitions_are_found_with_what_a_move_would_win() -> None:
    objects = _example()
    second = [copy.deepcopy(item) for item in objects if item["metadata"]["name"].startswith("parts")]
    for item in second:
        item["metadata"]["name"] = item["metadata"]["name"].replace("parts", "parts2")
        if item["kind"] == "ResourceSlice":
            item["spec"]["nodeName"] = item["spec"]["pool"]["name"] = "parts2"
    busy = [copy.deepcopy(item) for item in objects if item["metadata"]["name"] == "serve"] * 2
    busy = [
        {**pod, "metadata": {"name": f"more-{number}", "namespace": "ml"}} for number, pod in enumerate(busy)
    ]
    alone = dractl.size(objects, pod="ml/train").stranded
    assert [(entry.pool, entry.largest, entry.fits) for entry in alone] == [("parts", "whole", "half")]
    assert [(holder.claim, holder.devices) for holder in alone[0].holders] == [
        ("ml/serve-gpu", ("card-0-half-0",))
    ]
    assert alone[0].move is not None
    assert (alone[0].move.claim, alone[0].move.wins, alone[0].move.to) == ("ml/serve-gpu", "whole", None)
    both = dractl.size([*objects, *second, busy[0]], pod="ml/train").stranded
    assert {entry.pool for entry in both} == {"parts", "parts2"}
    targets = {entry.move.to for entry in both if entry.move is not None}
    assert targets == {
        "parts.example.com/parts2/card-0-half-1",
        "parts.example.com/parts/card-0-half-1",
    }


def test_nothing_is_stranded_where_nothing_is_free_or_in_use() -> None:
    objects = _example()
    empty = [item for item in objects if item["metadata"]["name"] != "serve"]
    assert not dractl.size(empty, pod="ml/train").stranded
    pod = next(item for item in objects if item["metadata"]["name"] == "serve")
    second = {**pod, "metadata": {"name": "serve-2", "namespace": "ml"}}
    assert not dractl.size([*objects, second], pod="ml/train").stranded


def test_the_cheapest_choice_comes_first() -> None:
    found = dractl.size(
        _example(), like=("gpu-b", "gpu-a"), prices={"gpu-a": 12, "gpu-b": "25.5"}, replicas={"ml/batch": 20}
    )
    assert [(choice.like, choice.nodes, choice.cost) for choice in found.add] == [
        ("gpu-a", 4, Decimal(48)),
        ("gpu-b", 5, Decimal("127.5")),
    ]
    assert found.fits is None


def test_a_template_of_a_group_without_nodes_is_not_part_of_the_cluster() -> None:
    objects = _example()
    here = dractl.size(objects, pod="ml/train", like="gpu-a", replicas={"ml/batch": 4})
    assert (here.fits, here.add[0].nodes, here.add[0].per_node) == (1, 0, 2)
    from_zero = dractl.size(objects, pod="ml/train", like="gpu-a", replicas={"ml/batch": 4}, from_zero=True)
    assert "gpu-a" not in from_zero.per_node
    assert (from_zero.add[0].nodes, len(from_zero.add[0].placed)) == (1, 2)


def test_what_a_new_node_does_not_get_is_said() -> None:
    nodes = _example()[:3]
    shared = [
        slice_of("fabric", {"allNodes": True}, devices=[{"name": "d"}]),
        slice_of(
            "rack",
            {
                "nodeSelector": {
                    "nodeSelectorTerms": [
                        {
                            "matchExpressions": [
                                {"key": "kubernetes.io/hostname", "operator": "In", "values": ["gpu-a"]}
                            ]
                        }
                    ]
                }
            },
            devices=[{"name": "d"}],
        ),
        slice_of("spread", {"nodeName": "gpu-a"}, part="one", count=2, devices=[{"name": "d1"}]),
        slice_of("spread", {"nodeName": "gpu-b"}, part="two", count=2, devices=[{"name": "d2"}]),
    ]
    found = dractl.size([*nodes, *shared], like="gpu-a").add[0]
    assert [reason.partition(":")[0] for reason in found.not_cloned] == [
        f"pool {DRIVER}/fabric",
        f"pool {DRIVER}/rack",
        f"pool {DRIVER}/spread",
    ]


def test_daemons_take_their_part_of_a_new_node() -> None:
    objects = _example()
    daemon = {
        "apiVersion": "apps/v1",
        "kind": "DaemonSet",
        "metadata": {"name": "agent", "namespace": "ml"},
        "spec": {
            "selector": {"matchLabels": {"app": "agent"}},
            "template": {
                "metadata": {"labels": {"app": "agent"}},
                "spec": {
                    "containers": [
                        {"name": "main", "image": "i", "resources": {"requests": {"cpu": "5"}}},
                    ]
                },
            },
        },
    }
    assert dractl.size(objects, pod="ml/train", like="gpu-a").add[0].per_node == 2
    assert dractl.size([*objects, daemon], pod="ml/train", like="gpu-a").add[0].per_node == 1


def test_quota_counts_as_the_server_does() -> None:
    requests = [
        {"name": "a", "exactly": {"deviceClassName": "gpu", "count": 3}},
        {
            "name": "b",
            "firstAvailable": [
                {"name": "x", "deviceClassName": "gpu", "count": 2},
                {"name": "y", "deviceClassName": "nic"},
            ],
        },
        {"name": "c", "exactly": {"deviceClassName": "all", "allocationMode": "All"}},
    ]
    objects = _shared_device({})
    objects[3]["spec"]["spec"]["devices"]["requests"] = requests
    found = dractl.size(objects, pod="default/one")
    assert {unit.class_name: unit.devices for unit in found.units} == {"gpu": 5, "nic": 1, "all": 32}


@pytest.mark.parametrize(
    ("question", "message"),
    [
        ({"pod": "ml/trian"}, "unknown pod ml/trian; did you mean ml/train"),
        ({"like": "gpu-c"}, "unknown node gpu-c; did you mean gpu-"),
        ({"pod": "ml/train", "prices": {"gpu-a": 1}}, "node gpu-a is not one of --like"),
        ({"pod": {"ml/train": 0}}, "at least one copy"),
        ({"like": "gpu-a", "prices": {"gpu-a": "much"}}, "must be a number"),
        ({"pod": "ml/train", "kube_version": "1.30"}, "supports 1.31 and newer"),
        ({}, "name a pod to copy"),
    ],
)
def test_an_impossible_question_is_refused(question: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        dractl.size(_example(), **question)


def test_without_nodes_the_scheduler_says_why() -> None:
    objects = [item for item in _example() if item["kind"] not in ("Node", "ResourceSlice")]
    found = dractl.size(objects, pod="ml/train")
    jsonschema.validate(json.loads(json.dumps(found.to_dict())), SCHEMA)
    assert [(entry.limit.name, entry.nodes) for entry in found.limited_by] == [("no-devices", ())]
    assert "Pending: no-devices: no nodes exist" in text.render(found, PLAIN)


def test_a_missing_class_is_named_for_all_nodes() -> None:
    objects = [item for item in _example() if item["metadata"]["name"] != "gpu"]
    found = dractl.size(objects, pod="ml/train")
    assert [(entry.limit.name, len(entry.nodes)) for entry in found.limited_by] == [("class-missing", 3)]


def test_an_error_on_one_node_keeps_copies_off_all() -> None:
    nodes = [{"apiVersion": "v1", "kind": "Node", "metadata": {"name": name}} for name in ("good", "odd")]
    slices = [
        slice_of(name, None, devices=[_with_model("d0", "a"), _with_model("d1", other)])
        for name, other in (("good", "a"), ("odd", "b"))
    ]
    objects = _shared_device({"allocationMode": "All"})
    devices = objects[3]["spec"]["spec"]["devices"]
    devices["constraints"] = [{"matchAttribute": f"{DRIVER}/model"}]
    found = dractl.size([*nodes, *slices, objects[1], *objects[3:]], pod="default/one")
    assert found.fits == 0
    (limit,) = found.per_node["good"].limits
    assert limit.name == "error"
    assert limit.message.startswith("on node odd: ")


def _with_model(name: str, model: str) -> Object:
    return {"name": name, "attributes": {"model": {"string": model}}}


# Stranded partitions are what a pod would find.


def _asking_for(card: str, profile: str) -> list[Object]:
    """A pod for a device of a profile of one card of ``node-0``."""
    selectors = [
        f'device.attributes["{DRIVER}"].model == "{profile}"',
        f'device.attributes["{DRIVER}"].numa == {card.removeprefix("card-")}',
    ]
    exactly = {
        "deviceClassName": "any",
        "selectors": [{"cel": {"expression": expression}} for expression in selectors],
    }
    template = {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "ResourceClaimTemplate",
        "metadata": {"name": "probe", "namespace": "default"},
        "spec": {"spec": {"devices": {"requests": [{"name": "r", "exactly": exactly}]}}},
    }
    return [template, _pod("probe", [{"name": "c", "resourceClaimTemplateName": "probe"}])]


def _fits(objects: list[Object], card: str, profile: str) -> bool:
    found = dractl.simulate([*objects, *_asking_for(card, profile)])
    return next(pod.node for pod in found.outcome.pods if pod.pod == "default/probe") is not None


def test_stranded_partitions_are_those_that_a_pod_finds() -> None:
    maker, seen = WorldMaker(SEED + 4), Counter[str]()
    for _ in range(CASES):
        world = [item for item in maker.partitions() if item["kind"] != "ResourceClaim"]
        found = dractl.size(world, like="node-0")
        state = [item for item in dractl.simulate(world).objects if _is_settled(item)]
        stranded = {entry.counter_set: entry for entry in found.stranded}
        for entry in stranded.values():
            seen["stranded"] += 1
            assert not _fits(state, entry.counter_set, entry.largest)
            assert entry.fits is None or _fits(state, entry.counter_set, entry.fits)
            if entry.move is not None:
                seen["move"] += 1
                without = [item for item in state if not _belongs_to(item, entry.move.claim)]
                assert _fits(without, entry.counter_set, entry.move.wins)
        sets = {name for item in world for name in _counter_sets(item)}
        for card in sets - stranded.keys():
            seen["other"] += 1
            # Nothing is in use, or nothing is left.
            assert _fits(state, card, "whole") or not _fits(state, card, "quarter")
    assert all(seen[name] for name in ("stranded", "move", "other"))


def _is_settled(item: Object) -> bool:
    return item["kind"] != "Pod" or bool(item["spec"].get("nodeName"))


def _belongs_to(item: Object, claim: str) -> bool:
    """Whether an object is a claim or the pod that it was generated for."""
    name = claim.removeprefix("default/")
    pod = name.rpartition("-c")[0]
    return (item["kind"], item["metadata"]["name"]) in {("ResourceClaim", name), ("Pod", pod)}


def _counter_sets(item: Object) -> list[str]:
    return [entry["name"] for entry in item.get("spec", {}).get("sharedCounters") or ()]


# Formats.


def test_metrics_escape_what_names_may_hold() -> None:
    found = dractl.size(_example(), pod="ml/train")
    name = 'a"b\\c\nd'
    odd = found._replace(per_node={name: found.per_node["gpu-a"]}, limited_by=())
    lines = prometheus.render(odd).splitlines()
    assert 'dractl_size_node_copies{pod="ml/train",node="a\\"b\\\\c\\nd"} 2' in lines
    assert all(re.fullmatch(r"# (HELP|TYPE) .*|[a-z_]+(\{.*\})? [0-9.]+", line) for line in lines)


def test_the_size_of_a_set_is_told_by_node() -> None:
    found = dractl.size(_example(), pod={"ml/train": 1, "ml/batch": 2})
    assert (found.pod, found.fits) == ("ml/train, ml/batch-0=2", 1)
    assert {node: dict(of.copies) for node, of in found.per_node.items() if of.copies} == {
        "gpu-a": {"ml/batch-0": 1},
        "gpu-b": {"ml/train": 1, "ml/batch-0": 1},
    }


@pytest.mark.parametrize(
    ("name", "value", "nodes", "note"),
    [
        ("ADDED_NODES", 3, 3, "adds at most 3 nodes"),
        # One, two and three nodes for six pods are 36; a fourth trial would make it 60.
        ("ADDED_TRIALS", 50, 3, "tries at most 50 nodes"),
    ],
)
def test_adding_nodes_ends_at_a_limit_and_says_so(
    monkeypatch: pytest.MonkeyPatch, name: str, value: int, nodes: int, note: str
) -> None:
    monkeypatch.setattr(budgets, name, getattr(budgets, name)._replace(value=value))
    one = {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {"name": "a"},
        "status": {"allocatable": {"pods": "1"}},
    }
    pods = [_pod(f"pod-{number}", []) for number in range(7)]
    found = dractl.size([one, *pods], like="a")
    choice = found.add[0]
    assert (choice.nodes, len(choice.placed), len(choice.still_pending)) == (nodes, 3, 3)
    assert not choice.is_complete
    assert [entry for entry in found.notes if note in entry]
    assert "Add: at least 3 nodes like a: 3 of 6 pending pods fit" in text.render(found, PLAIN)


def test_a_copy_waits_for_a_template_that_was_left_out() -> None:
    template = {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "ResourceClaimTemplate",
        "metadata": {"name": "t", "namespace": "default"},
        "spec": {
            "spec": {
                "devices": {"requests": [{"name": "a", "exactly": {"deviceClassName": "a", "count": -1}}]}
            }
        },
    }
    node = {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "a"}}
    pod = _pod("one", [{"name": "c", "resourceClaimTemplateName": "t"}])
    found = dractl.size([node, template, pod], pod="default/one")
    (limit,) = found.per_node["a"].limits
    assert "ResourceClaimTemplate default/t was left out (" in limit.message


@pytest.mark.parametrize("name", ["one", "default/one", "Pod/default/one"])
def test_a_pod_that_was_left_out_is_told_with_the_reason(name: str) -> None:
    pod = _pod("one", [])
    pod["spec"]["containers"][0]["resources"] = {"requests": {"cpu": "x"}}
    with pytest.raises(ValueError, match=r"Pod default/one was left out \(.*'x' is not a quantity"):
        dractl.size([pod], pod=name)


def test_large_numbers_of_copies_are_readable() -> None:
    node = {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {"name": "a"},
        "status": {"allocatable": {"pods": "1201"}},
    }
    found = text.render(dractl.size([node, _pod("one", [])], pod="default/one"), PLAIN)
    assert found.startswith("1,200 more copies of default/one fit")
    assert "\na     1,200   pods: needs 1, 0 of 1,201 free\n" in found


def test_objects_of_prototypes_are_named() -> None:
    pools = ROOT / "testdata" / "prototypes" / "dra-evolution" / "pools-one-node-sriov-0.yaml"
    found = dractl.size([*yaml.safe_load_all(pools.read_text(encoding="utf-8")), *_example()], pod="ml/train")
    assert any("left out: of a prototype API, which no API server serves" in note for note in found.notes)


def test_counts_are_not_written_as_quantities() -> None:
    amounts = Amounts(*map(quantity.of_int, (1, 0, 8000)))
    entry = Shortage(Limit("devices", "gpu", "p", "gpu", amounts), ("a", "b"))
    shown = text.render(dractl.size(_example(), pod="ml/train")._replace(limited_by=(entry,)), PLAIN)
    assert "needs 1, 0 of 8,000 free (2 nodes)" in shown
