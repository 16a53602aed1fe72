"""Known faults of a release are named where they decide, and only there."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

import pytest

from dractl.api import release
from dractl.simulation.allocator.model import known_faults
from dractl.simulation.allocator.model.known_faults import FAULTS, KnownFault, faults_in, mended_in
from dractl.simulation.allocator.model.quirks import ROWS, Quirks
from dractl.simulation.engine import fault_notes as notes
from dractl.simulation.engine.report import Simulation
from dractl.simulation.engine.run import run
from dractl.simulation.pods.outcome import Note, Outcome
from tests.rows import each_row
from tests.simulation.build import (
    allocated,
    body,
    claim,
    container,
    device,
    device_class,
    environment,
    exactly,
    features,
    first_of,
    gate_set,
    pod,
    resource_slice,
    result,
    sized_node,
    taint_rule,
)

Objects = list[dict[str, Any]]
CLASSES = [
    device_class("gpu"),
    device_class("a", 'device.attributes["gpu.example.com"].model == "a"'),
    device_class("b", 'device.attributes["gpu.example.com"].model == "b"'),
]
USER = pod("p", claims={"gpu": "c"})
A_B = resource_slice("s", device("x", "a"), device("y", "b"))
HELD = allocated(claim("other"), result("x"))
TAINTS = {"DRADeviceTaints": True}
RULES = {**TAINTS, "DRADeviceTaintRules": True}
EXTENDED = {**RULES, "DRAExtendedResource": True}
SHARES = {"DRAConsumableCapacity": True}
COUNTERS = {"DRAPartitionableDevices": True}
DRA = {"DynamicResourceAllocation": True}
TAINT = {"key": "k", "effect": "NoSchedule"}


def simulate(kube: str, objects: Objects, gates: Mapping[str, bool] | None = None) -> Outcome:
    on = gates or {}
    if kube.startswith(("1.32", "1.33")):
        on = {**DRA, **on}
    cluster = [sized_node("node-a"), *CLASSES, *objects]
    return run(cluster, features=features(kube, **on), environment=environment(kube, **on))


def faults(found: Outcome) -> list[Note]:
    return [note for note in found.notes if note.code == "known-fault"]


def drawing(name: str, amount: str = "40Gi", **more: Any) -> dict[str, Any]:
    counters = [{"counterSet": "c", "counters": {"mem": {"value": amount}}}]
    return device(name, consumesCounters=counters, **more)


def counted(
    *devices: dict[str, Any], kube: str, driver: str = "gpu.example.com", limit: str = "40Gi"
) -> Objects:
    """The slices of a pool with a counter: in one slice up to 1.34, then in two."""
    sets = [{"name": "c", "counters": {"mem": {"value": limit}}}]
    if kube in ("1.33", "1.34"):
        return [resource_slice("s", *devices, nodeName="node-a", sharedCounters=sets)]
    return [
        resource_slice(f"{driver}-0", count=2, nodeName="node-a", sharedCounters=sets, driver=driver),
        resource_slice(f"{driver}-1", *devices, count=2, driver=driver),
    ]


class World(NamedTuple):
    """A cluster in which a fault decides in ``kube``, and one in which it does not."""

    kube: str
    decides: Objects
    otherwise: Objects
    gates: Mapping[str, bool] = MappingProxyType({})
    fixed_in: str | None = None
    pods: tuple[str, ...] = ("default/p",)


def _all(name: str = "gpu", **more: Any) -> dict[str, Any]:
    return exactly(name, count=None, **more)


def _two_nodes(*, held: bool) -> Objects:
    slices = [resource_slice(f"s-{name}", "d", pool=name) for name in ("node-a", "node-b")]
    shared = resource_slice("s", "x", pool="everywhere", driver="net.example.com", allNodes=True)
    first = claim("held")
    if held:
        first = allocated(first, result("x", pool="everywhere", driver="net.example.com"))
    user = pod("p", claims={"held": "held", "new": "new"})
    return [sized_node("node-b"), *slices, shared, first, claim("new"), user]


def _evicting(*tolerations: dict[str, Any], **status: Any) -> Objects:
    """A pod that runs with device x, which is tainted."""
    user = {"resource": "pods", "name": "p", "uid": "1"}
    more: dict[str, Any] = {"tolerations": list(tolerations)} if tolerations else {}
    held = allocated(claim("c"), result("x", **more), node_name="node-a", reservedFor=[user], **status)
    runs = pod("p", claims={"gpu": "c"}, metadata={"uid": "1"}, nodeName="node-a")
    tainted = device("x", taints=[{"key": "k", "effect": "NoExecute", "timeAdded": "2026-01-01T00:00:00Z"}])
    return [resource_slice("s", tainted), held, runs]


def _extended(effect: str) -> Objects:
    """A pod that runs with device x for an extended resource, which a rule taints."""
    user = {"resource": "pods", "name": "p", "uid": "1"}
    held = allocated(claim("special"), result("x"), node_name="node-a", reservedFor=[user])
    mapping = {"containerName": "main", "resourceName": "example.com/gpu", "requestName": "gpu"}
    runs = pod(
        "p", container("main", requests={"example.com/gpu": "1"}), metadata={"uid": "1"}, nodeName="node-a"
    )
    status = {"extendedResourceClaimStatus": {"resourceClaimName": "special", "requestMappings": [mapping]}}
    return [A_B, held, {**runs, "status": status}, taint_rule("r", {"device": "x"}, effect=effect)]


def _rule_on(name: str) -> Objects:
    """A pod that runs with device x of a pool that no slice publishes, and a rule."""
    slices, held, runs = _evicting()
    slices["spec"]["devices"] = [device("y")]
    return [slices, held, runs, taint_rule("r", {"device": name}, effect="NoExecute")]


EMPTY_SHARE = drawing("m", allowMultipleAllocations=True)
SHARE = drawing("m", allowMultipleAllocations=True, capacity={"mem": {"value": "10Gi"}})
SMALL = {"capacity": {"requests": {"mem": "1Gi"}}}
TWO_SHARES = claim("c", exactly("one", **SMALL), exactly("two", **SMALL))
DISTINCT = {"distinctAttribute": "gpu.example.com/model"}


def _spread(models: str) -> Objects:
    devices = [device(f"d{number}", model) for number, model in enumerate(models)]
    item = claim("c", exactly("gpu", count=len(models)), constraints=[DISTINCT])
    return [resource_slice("s", *devices), item, USER]


def _pool_over_nodes(*targets: str) -> Objects:
    slices = [
        resource_slice(f"s{number}", f"d{number}", pool="p", nodeName=name, count=len(targets))
        for number, name in enumerate(targets)
    ]
    return [*slices, claim("c", _all()), USER]


def _named_alike(*more: dict[str, Any]) -> Objects:
    """Two drivers have a pool of one name, each with a counter; that of the first one is used up."""
    first = "a.example.com"
    other = counted(drawing("o"), drawing("o2"), kube="1.36", driver=first)
    held = allocated(claim("other"), result("o", driver=first))
    return [*other, *counted(drawing("x"), kube="1.36"), held, *more, claim("c"), USER]


def _shared_by_others(amount: str) -> Objects:
    """A share of one device takes counters of which another device needs some."""
    devices = (
        drawing("m", amount, allowMultipleAllocations=True, capacity={"mem": {"value": "9Gi"}}),
        drawing("n"),
    )
    held = allocated(claim("other"), result("m", shareID="1", consumedCapacity={"mem": "1Gi"}))
    wanted = claim("c", exactly("gpu", "!device.allowMultipleAllocations"))
    return [*counted(*devices, kube="1.36", limit="50Gi"), held, wanted, USER]


INVALID = resource_slice("s1", device("x", "b"), device("x", "b"))
ELSEWHERE = resource_slice("s2", "y", pool="p", allNodes=True)


def _either(second: str) -> dict[str, Any]:
    return claim("c", first_of("gpu", one=body(count=None, of="a"), two=body(count=None, of=second)))


HELD_SHARE = allocated(claim("o"), result("m", shareID="1"))
PAIR = claim("c", exactly("gpu", count=2))
WORLDS: dict[str, World] = {
    "all-ends-search": World(
        "1.32",
        [A_B, claim("c", exactly("any"), _all("all", of="a")), USER],
        [A_B, claim("c", exactly("any"), _all("all", of="gpu")), USER],
        fixed_in="1.33",
    ),
    "all-second-alternative": World(
        "1.35",
        [A_B, HELD, _either("b"), USER],
        [A_B, HELD, _either("gpu"), USER],
        fixed_in="1.36",
    ),
    "all-counters-crash": World(
        "1.35.5",
        [*counted(drawing("x"), kube="1.35"), claim("c", _all()), USER],
        [*counted(device("x"), kube="1.35"), claim("c", _all()), HELD, USER],
        COUNTERS,
        "1.35.6",
    ),
    "pools-counted-per-node": World(
        "1.34",
        [*_pool_over_nodes("node-a", "node-b")],
        [*_pool_over_nodes("node-a", "node-b")[:1], claim("c", _all()), USER],
        fixed_in="1.35",
    ),
    "pools-invalid-is-error": World(
        "1.34",
        [INVALID, ELSEWHERE, claim("c", exactly("gpu", of="a")), USER],
        [INVALID, claim("c", exactly("gpu", of="a")), USER],
        fixed_in="1.35",
    ),
    "taints-every-effect": World(
        "1.34",
        [resource_slice("s", device("x", taints=[{"key": "k", "effect": "None"}])), claim("c"), USER],
        [resource_slice("s", device("x", taints=[TAINT])), claim("c"), USER],
        TAINTS,
        "1.35",
    ),
    "taints-rules-crash": World(
        "1.36.2",
        [A_B, claim("c"), USER, taint_rule("r", {"device": "other"})],
        [A_B, claim("c", exactly("gpu", count=3)), USER, taint_rule("r", {"device": "other"})],
        RULES,
        "1.36.3",
    ),
    "taints-rule-without-selector": World(
        "1.37.0",
        [A_B, claim("c"), USER, taint_rule("r", None)],
        [A_B, claim("c", exactly("gpu", count=3)), USER, taint_rule("r", None)],
        RULES,
        "1.37.1",
    ),
    "counters-by-pool-name": World(
        "1.36.3",
        _named_alike(),
        _named_alike(allocated(claim("mine"), result("x"))),
        COUNTERS,
        "1.36.4",
    ),
    "counters-stay-reserved": World(
        "1.36.2",
        [*counted(drawing("x", taints=[TAINT]), drawing("y"), kube="1.36"), claim("c"), USER],
        [*counted(drawing("x", taints=[TAINT]), drawing("y", "50Gi"), kube="1.36"), claim("c"), USER],
        {**COUNTERS, **TAINTS},
        "1.36.3",
    ),
    "shares-every-share-draws": World(
        "1.34",
        [*counted(SHARE, kube="1.34"), TWO_SHARES, USER],
        [*counted({**SHARE, "allowMultipleAllocations": False}, kube="1.34"), TWO_SHARES, USER],
        {**SHARES, **COUNTERS},
        "1.35",
    ),
    "shares-empty-share-draws": World(
        "1.36",
        [*counted(EMPTY_SHARE, kube="1.36"), HELD_SHARE, claim("c"), USER],
        [*counted(drawing("m"), kube="1.36"), allocated(claim("o"), result("m")), claim("c"), USER],
        fixed_in="1.37",
    ),
    "shares-no-counters": World(
        "1.36.1", _shared_by_others("40Gi"), _shared_by_others("1Gi"), {**SHARES, **COUNTERS}, "1.36.2"
    ),
    "capacity-other-device": World(
        "1.34",
        [resource_slice("s1", "x", count=2), resource_slice("s2", "y", count=2), PAIR, USER],
        [resource_slice("s1", "x", "y"), claim("c", exactly("gpu", count=3)), USER],
        SHARES,
        "1.35",
    ),
    "distinct-forgets": World("1.36", _spread("aba"), _spread("ab"), SHARES, "1.37"),
    "limit-counted-twice": World(
        "1.33.0",
        [resource_slice("s", *(f"d{n}" for n in range(40))), claim("c", exactly("gpu", count=17)), USER],
        [resource_slice("s", *(f"d{n}" for n in range(16))), claim("c", exactly("gpu", count=17)), USER],
        fixed_in="1.33.1",
    ),
    "score-allocated-claim": World("1.35.5", _two_nodes(held=True), _two_nodes(held=False), {}, "1.35.6"),
    "eviction-extended-resource": World(
        "1.37.1", _extended("NoExecute"), _extended("NoSchedule"), EXTENDED, "1.37.2"
    ),
    "eviction-published-only": World("1.34", _rule_on("x"), _rule_on("y"), TAINTS, "1.35"),
    "eviction-toleration-effect": World(
        "1.37",
        _evicting({"key": "k", "operator": "Exists"}),
        _evicting({"key": "k", "operator": "Exists", "effect": "NoExecute"}),
        TAINTS,
        "1.38",
    ),
}  # fmt: skip


@each_row("fault", FAULTS)
def test_a_fault_is_named_where_it_decides_and_only_there(fault: KnownFault) -> None:
    world = WORLDS[fault.id]
    found = simulate(world.kube, world.decides, world.gates)
    assert [(note.fault, note.fixed_in, note.pods) for note in faults(found)] == [
        (fault.id, world.fixed_in, world.pods)
    ]
    (note,) = faults(found)
    assert note.message.endswith(f": {fault.sentence}; fixed in {world.fixed_in} [{fault.id}]")
    assert faults(simulate(world.kube, world.otherwise, world.gates)) == []


@each_row("fault", FAULTS)
def test_the_release_that_mends_a_fault_decides_otherwise(fault: KnownFault) -> None:
    world = WORLDS[fault.id]
    gates = {} if world.fixed_in == "1.38" else world.gates
    if known_faults.Trait.RULES in fault.traits:
        gates = RULES
    found = simulate(world.fixed_in or "", world.decides, gates)
    assert fault.id not in [note.fault for note in faults(found)]


def test_every_fault_has_rows_and_ends() -> None:
    known = set(Quirks._fields)
    for fault in FAULTS:
        assert set(fault.quirks) <= known
        assert {row.name for row in ROWS} >= set(fault.quirks)
    assert len({fault.id for fault in FAULTS}) == len(FAULTS)
    assert faults_in(Quirks()) == ()


def test_the_newest_release_has_none_that_it_could_name_for_pods() -> None:
    assert {fault.decides for fault in faults_in(features().quirks)} <= {known_faults.Decides.EVICTION}


def test_a_fault_that_is_not_mended_yet_has_no_release() -> None:
    fault = next(fault for fault in FAULTS if fault.id == "score-allocated-claim")
    assert mended_in(fault, gate_set("1.35.4")) == "1.35.6"
    assert mended_in(fault, gate_set("1.36.0")) == "1.36.2"
    assert mended_in(fault, gate_set(str(release.KNOWN[-1]))) is None


def test_only_some_pods_are_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    world = WORLDS["taints-every-effect"]
    pods = [pod(f"p{number}", claims={"gpu": "c"}) for number in range(5)]
    objects = [*world.decides[:-1], *pods]
    (note,) = faults(simulate("1.34", objects, TAINTS))
    assert len(note.pods) == 5
    monkeypatch.setattr(notes, "MOST_PODS", 2)
    (note,) = faults(simulate("1.34", objects, TAINTS))
    assert note.pods == ("default/p0", "default/p1")


def test_faults_that_decide_together_are_all_named() -> None:
    tainted = device("y", "a", taints=[{"key": "k", "effect": "None"}])
    free = resource_slice("s2", tainted, pool="p", allNodes=True)
    found = simulate("1.34", [INVALID, free, claim("c", exactly("gpu", of="a")), USER], TAINTS)
    assert [note.fault for note in faults(found)] == ["pools-invalid-is-error", "taints-every-effect"]


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        ("eviction-extended-resource", "default/p will not be evicted because of a known fault"),
        ("eviction-toleration-effect", "default/p will be evicted because of a known fault"),
        ("shares-no-counters", "default/p gets these devices because of a known fault"),
    ],
)
def test_a_note_says_what_the_fault_does(fault: str, said: str) -> None:
    world = WORLDS[fault]
    (note,) = faults(simulate(world.kube, world.decides, world.gates))
    assert note.message.startswith(said)


def test_a_toleration_that_is_not_counted_changes_the_time() -> None:
    some = {"key": "k", "operator": "Exists", "tolerationSeconds": 9}
    soon = {"key": "k", "operator": "Exists", "effect": "NoExecute", "tolerationSeconds": 20}
    (note,) = faults(simulate("1.37", _evicting(some, soon), TAINTS))
    assert note.message.startswith("default/p will be evicted at this time because of a known fault")


def test_the_document_names_the_fault() -> None:
    world = WORLDS["taints-every-effect"]
    document = Simulation("1.34", {}, simulate("1.34", world.decides, TAINTS), ()).to_dict()
    (note,) = document["notes"]
    assert note["fault"] == "taints-every-effect"
    assert (note["fixedIn"], note["pods"], note["severity"]) == ("1.35", ["default/p"], "info")
    assert note["message"] == (
        "default/p stays Pending because of a known fault of Kubernetes 1.34: a taint with the effect None "
        "keeps a device from being allocated; fixed in 1.35 [taints-every-effect]"
    )
