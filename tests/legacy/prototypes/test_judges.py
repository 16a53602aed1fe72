"""What the prototypes' own tests expect, by the files of testdata/prototypes/judges."""

from __future__ import annotations

from typing import Any

import dractl
from dractl.api.json_types import Object
from dractl.api.quantity import parse
from dractl.cel.common.errors import CelError
from dractl.legacy.prototypes.cel import compile_prototype
from dractl.legacy.prototypes.kubecon.capacities import MODES, Allocated, entries
from dractl.legacy.prototypes.kubecon.schedule import without
from dractl.source.document import Document
from dractl.source.load import load
from tests.legacy.prototypes.build import PROTO
from tests.paths import ROOT

FOLDER = ROOT / "testdata" / "prototypes" / "judges"


def _file(name: str) -> Any:
    (document,) = load(FOLDER / name)
    assert isinstance(document, Document)
    return document.value


def _numa(number: int) -> list[Object]:
    return [{"type": "numa", "name": f"numa-{number}", "groupInResource": True}]


def _nodes(name: str, shape: Object) -> list[Object]:
    primary: list[Object] = [
        {"name": "pods", "counter": {"capacity": 100}},
        {"name": "containers", "counter": {"capacity": 1000}},
    ]
    for number, (cpu, memory) in enumerate(shape["numa"]):
        sizes = (("cpu", str(cpu), "10m"), ("memory", memory, "1Mi"))
        primary += [
            {"name": of, "block": {"capacity": size, "size": block}, "topologies": _numa(number)}
            for of, size, block in sizes
        ]
    pools: list[Object] = [
        {"name": "primary", "driver": "kubelet", "resources": [{"name": "primary", "capacities": primary}]}
    ]
    if "foozers" in shape:
        capacities = [
            {"name": "example.com/foozer/cores", "quantity": {"capacity": str(shape["cores"])}},
            {"name": "example.com/foozer/memory", "block": {"capacity": shape["memory"], "size": "256Mi"}},
            {"name": "example.com/foozer/interfaces", "counter": {"capacity": shape["interfaces"]}},
        ]
        resources = [
            {"name": f"dev-foo-{number}", "capacities": capacities} for number in range(shape["foozers"])
        ]
        pools.append({"name": "foozer", "driver": "example.com/foozer", "resources": resources})
    return [{"name": f"{name}-{number}", "pools": pools} for number in range(shape["nodes"])]


def _amount(capacity: str, amount: object) -> Object:
    kind = "counter" if isinstance(amount, int) else "quantity"
    return {"capacity": capacity, kind: {"request": amount}}


def _pod(case: Object) -> Object:
    of_pod: list[Object] = [{"name": "pod", "capacities": [_amount("pods", 1)]}]
    if "foozer" in case:
        cores, memory, interfaces = case["foozer"]
        names = ("cores", "memory", "interfaces")
        wanted = zip(names, (str(cores), memory, interfaces), strict=True)
        capacities = [_amount(f"example.com/foozer/{name}", amount) for name, amount in wanted]
        of_pod.append({"name": "foozer", "driver": "example.com/foozer", "capacities": capacities})
    containers = []
    for number, amounts in enumerate(case["containers"]):
        sizes = zip(("cpu", "memory"), map(str, amounts), strict=False)
        claim = [_amount("containers", 1), *(_amount(name, size) for name, size in sizes)]
        containers.append({"name": f"c{number}", "claims": [{"name": "container", "capacities": claim}]})
    return {"podClaim": {"name": "pod", "claims": of_pod}, "containerClaims": containers}


def test_the_scheduler_of_the_first_state_places_pods() -> None:
    judges = _file("kubecon.yaml")
    found = {}
    for case in judges["pods"]:
        nodes = _nodes(case["shape"], judges["shapes"][case["shape"]])
        simulation = dractl.simulate([*nodes, _pod(case)])
        assert simulation.left_out == ()
        found[case["of"]] = bool(simulation.placements) and not simulation.pending
    assert found == {case["of"]: case["fits"] for case in judges["pods"]}
    assert len(found) == 11


def _left(capacity: Object) -> object:
    kind = next(kind for kind in ("counter", "quantity", "block", "accessMode") if kind in capacity)
    return capacity[kind] if kind == "accessMode" else capacity[kind]["capacity"]


def test_the_first_state_takes_amounts_of_capacities() -> None:
    cases = _file("kubecon.yaml")["taken"]
    assert len(cases) == 15
    for case in cases:
        taken = [
            Allocated(
                name,
                amount if amount in MODES else parse(str(amount)),
                tuple(("numa", topology) for topology in where),
            )
            for name, amount, *where in case["take"]
        ]
        try:
            found = without({"name": "r", "capacities": case["capacities"]}, taken)
        except KeyError as error:
            assert error.args == (case["error"],), case["of"]
        else:
            assert [_left(capacity) for capacity in entries(found, "capacities")] == case["left"], case["of"]


def _object(version: str, kind: str, name: str, spec: Object) -> Object:
    return {"apiVersion": version, "kind": kind, "metadata": {"name": name}, "spec": spec}


def _pools(name: str, shape: Object) -> list[Object]:
    return [
        {
            "apiVersion": PROTO,
            "kind": "DevicePool",
            "metadata": {"name": f"{name}-{node}-{kind}-{numa}"},
            "spec": {
                "nodeName": f"{name}-{node}",
                "driver": f"example.com-{kind}",
                "count": count,
                "attributes": [
                    {"name": "model", "stringValue": f"{kind}-1000"},
                    {"name": "numa", "stringValue": str(numa)},
                ],
            },
        }
        for node in range(shape["nodes"])
        for numa in range(shape["numa"])
        for kind, count in shape["pools"].items()
    ]


def test_the_pools_only_state_selects_nodes() -> None:
    judges = _file("pools.yaml")
    found = {}
    for case in judges["cases"]:
        pools = [pool for name in case["shapes"] for pool in _pools(name, judges["shapes"][name])]
        # The tests name a class that the scheduler of that state never looks at.
        of_any = _object(PROTO, "DeviceClass", "any", {"deviceType": "x"})
        entries = [
            {"name": f"e{number}", "claim": {"deviceClass": "any", **claim}}
            for number, claim in enumerate(case["claims"])
        ]
        containers = [{"name": "c", "image": "i"}]
        pod = _object("v1", "Pod", "p", {"containers": containers, "deviceClaims": entries})
        simulation = dractl.simulate([*pools, of_any, pod])
        assert simulation.left_out == ()
        found[case["of"]] = bool(simulation.placements) and not simulation.pending
    assert found == {case["of"]: case["fits"] for case in judges["cases"]}
    assert len(found) == 8


def test_expressions_of_devmgmtproto_come_to_the_same() -> None:
    cases = _file("cel.yaml")["plain"]
    assert len(cases) == 7
    for case in cases:
        if not case["expression"]:
            continue
        selector = compile_prototype(case["expression"], "plain")
        assert not isinstance(selector, CelError), case["of"]
        values = {
            name: parse(value["quantity"]) if "quantity" in value else value["string"]
            for name, value in case["attributes"].items()
        }
        found = selector.evaluate(values)
        given = found.kind if isinstance(found, CelError) else found
        assert given == case.get("error", case.get("gives")), case["of"]


def test_versions_of_dra_evolution_come_to_the_same() -> None:
    cases = _file("cel.yaml")["typed"]
    assert len(cases) == 17
    for case in cases:
        gives = case.get("gives", case["expression"])
        selector = compile_prototype(f"({case['expression']}) == ({gives})", "typed")
        if isinstance(selector, CelError):
            assert case.get("error") == "compile", (case["of"], selector)
            continue
        found = selector.evaluate({})
        given = found.kind if isinstance(found, CelError) else found
        assert given == case.get("error", True), case["of"]
