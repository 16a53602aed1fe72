"""Nodes that offer the same are searched and explained once, with the result of looking at each."""

from __future__ import annotations

import copy
import json
import os
import random
from collections.abc import Iterator
from typing import Any

import pytest

import dractl
from dractl.simulation.allocator.supply_keys import SupplyKeys
from tests.explanation.random_worlds import odd, small, story

CASES = int(os.environ.get("DRACTL_FUZZ_CASES", "6"))

Object = dict[str, Any]


def cloned(objects: list[Object], seed: int) -> list[Object]:
    """The objects with two more of each node, which differ in serial numbers, and some in more than that."""
    pick = random.Random(seed)  # noqa: S311 - worlds are no secrets
    return [*objects, *(copied for number in range(2) for copied in _copies(objects, number, pick))]


def _copies(objects: list[Object], number: int, pick: random.Random) -> Iterator[Object]:
    for item in objects:
        if item["kind"] == "Node" or (item["kind"] == "ResourceSlice" and item["spec"].get("nodeName")):
            made = copy.deepcopy(item)
            made["metadata"]["name"] += f"-copy{number}"
            if item["kind"] == "Node":
                labels = made["metadata"].setdefault("labels", {})
                labels["kubernetes.io/hostname"] = made["metadata"]["name"]
            else:
                made["spec"]["nodeName"] += f"-copy{number}"
                made["spec"]["pool"]["name"] += f"-copy{number}"
                for device in made["spec"].get("devices") or ():
                    device.setdefault("attributes", {})["serial"] = {"string": f"s{pick.random()}"}
                    if pick.random() < 0.05:
                        device["attributes"]["model"] = {"string": "other"}
            yield made


@pytest.mark.parametrize("seed", range(CASES))
def test_results_are_those_of_each_node(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    docs, overrides = (small, story, odd)[seed % 3](seed, "1.37")
    objects = cloned(docs, seed)
    shared = dractl.simulate(objects, feature_gates=overrides).to_dict()
    monkeypatch.setattr(SupplyKeys, "key", lambda *_, **__: None)
    alone = dractl.simulate(objects, feature_gates=overrides).to_dict()
    for more, less in zip(shared["pending"], alone["pending"], strict=True):
        if less.get("cut"):
            # With the steps that nodes like one another save, more ways out are found.
            for name in ("conflict", "waysOut", "cut", "together"):
                more.pop(name, None)
                less.pop(name, None)
    assert json.dumps(shared, indent=1) == json.dumps(alone, indent=1)
