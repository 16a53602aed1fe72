"""Small clusters in which pod p stays Pending, each for another reason; schedulers write events for it."""

from __future__ import annotations

from typing import Any

from tests.simulation.build import (
    claim,
    container,
    device,
    device_class,
    exactly,
    pod,
    resource_slice,
    sized_node,
    template,
)

Objects = list[dict[str, Any]]
GPU = device_class("gpu")


def _nodes(*names: str) -> Objects:
    made = []
    for name in names:
        made += [sized_node(name), resource_slice(f"s-{name}", "d", pool=name)]
    return made


def _spec(node: dict[str, Any], **spec: Any) -> dict[str, Any]:
    return {**node, "spec": spec}


def _pod(name: str = "p", selector: str = "", cpu: str = "", **claims: Any) -> dict[str, Any]:
    main = container("main", "gpu", image="x", requests={"cpu": cpu} if cpu else None)
    pinned: dict[str, Any] = {"nodeSelector": {"kubernetes.io/hostname": selector}} if selector else {}
    return pod(name, main, **(claims or {"claims": {"gpu": "c"}}), **pinned)


USER = _pod()
TAINT = {"key": "dedicated", "value": "gpu", "effect": "NoSchedule"}
PAIR = claim("c", exactly("gpu", count=2))

WORLDS: dict[str, tuple[Objects, dict[str, Any]]] = {
    "no-nodes": ([GPU, claim("c")], USER),
    "too-few-devices": ([GPU, *_nodes("node-a", "node-b"), PAIR], USER),
    "tainted-and-too-few": (
        [GPU, *_nodes("node-a", "node-b"), _spec(sized_node("node-c"), taints=[TAINT]), PAIR],
        USER,
    ),
    "cordoned-and-too-few": (
        [GPU, *_nodes("node-a"), _spec(sized_node("node-b"), unschedulable=True), PAIR],
        USER,
    ),
    "other-label-and-too-few": (
        [GPU, *_nodes("node-a", "node-b"), sized_node("node-c"), PAIR],
        _pod(selector="node-a"),
    ),
    "too-little-cpu": (
        [GPU, *_nodes("node-a", "node-b"), claim("c")],
        _pod(cpu="64"),
    ),
    "too-many-pods": ([GPU, sized_node("node-a", pods="0"), claim("c")], USER),
    "allocated-elsewhere": (
        [GPU, *_nodes("node-a", "node-b"), claim("c"), _pod("q", selector="node-a")],
        _pod(selector="node-b"),
    ),
    "no-class": ([*_nodes("node-a"), claim("c", exactly("r", of="gone"))], USER),
    "no-claim": ([GPU, *_nodes("node-a")], USER),
    "no-template": ([GPU, *_nodes("node-a")], _pod(templates={"gpu": "gone"})),
    "failing-selector": (
        [
            GPU,
            *_nodes("node-a"),
            template("t", exactly("r", 'device.attributes["gpu.example.com"].absent == 1')),
        ],
        _pod(templates={"gpu": "t"}),
    ),
    "invalid-pool": (
        [
            GPU,
            sized_node("node-a"),
            resource_slice("s1", device("d"), count=2),
            resource_slice("s2", device("d"), count=2),
            claim("c"),
        ],
        USER,
    ),
    "all-of-an-incomplete-pool": (
        [GPU, sized_node("node-a"), resource_slice("s", "d", count=2), claim("c", exactly("r", count=None))],
        USER,
    ),
}  # fmt: skip
"""The objects of a cluster, and the pod that comes last."""
