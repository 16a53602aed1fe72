"""Hashed names: the same everywhere, in the same order, so that a simulation places the same devices."""

from __future__ import annotations

import json
import re
from typing import Any

import dractl
from dractl.live.hashing import with_hashed_names
from dractl.source.document import Document
from dractl.source.load import load
from tests.live.fake_kubectl import QUICKSTART


def _objects() -> list[dict[str, Any]]:
    items = [item.value for item in load(QUICKSTART) if isinstance(item, Document)]
    for item in items:
        if item["kind"] not in ("Node", "ResourceSlice", "DeviceClass"):
            item["metadata"].setdefault("namespace", "ml")
    return items


def _devices(docs: list[dict[str, Any]]) -> list[tuple[int, str, str]]:
    """The placements without the names that are hashed: order of node, request, driver."""
    found = dractl.simulate(docs, kube_version="1.36")
    assert found.ok
    nodes = sorted(found.outcome.nodes)
    return [(nodes.index(row.node or ""), row.request, row.driver) for row in found.placements]


def test_a_simulation_of_hashed_objects_is_the_same() -> None:
    hashed = with_hashed_names(_objects(), b"key")
    assert _devices([dict(item) for item in hashed]) == _devices(_objects())


def test_no_name_of_the_cluster_is_left_and_drivers_and_classes_stay() -> None:
    text = json.dumps(with_hashed_names(_objects(), b"key"))
    left = [
        name for name in ("node-a", "node-b", "gpu-0", "eth-0", '"ml"', '"chat"', "large-gpu") if name in text
    ]
    assert left == []
    assert "gpu.example.com" in text
    assert '"deviceClassName": "gpu"' in text


def test_a_key_gives_the_same_names_again_and_another_key_others() -> None:
    first, again, other = (with_hashed_names(_objects(), key) for key in (b"a", b"a", b"b"))
    assert first == again
    assert first != other


def test_names_in_expressions_and_requests_follow() -> None:
    claim = {
        "kind": "ResourceClaim",
        "metadata": {"name": "c", "namespace": "team"},
        "spec": {"expression": "x == 'c' && y == \"other\""},
        "status": {
            "allocation": {"devices": {"results": [{"request": "c/big", "pool": "p", "device": "d"}]}}
        },
    }
    (found,) = with_hashed_names([claim], b"key")
    name = found["metadata"]["name"]  # type: ignore[index]
    assert re.fullmatch(r"n\d-[0-9a-f]{8}", name)
    assert found["spec"] == {"expression": f"x == '{name}' && y == \"other\""}
    assert json.dumps(found).count(name) == 3


def test_common_namespaces_keep_their_names() -> None:
    pod = {"kind": "Pod", "metadata": {"name": "p", "namespace": "kube-system"}}
    (found,) = with_hashed_names([pod], b"key")
    assert found["metadata"]["namespace"] == "kube-system"  # type: ignore[index]
