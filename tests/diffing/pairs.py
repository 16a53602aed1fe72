"""Pairs of random clusters: the second is the first with a few random changes, legal and illegal ones."""

from __future__ import annotations

import copy
import random
from collections.abc import Callable, Iterator
from typing import Any

import dractl
from tests.simulation.random_scenarios import ScenarioMaker
from tests.sizing.worlds import WorldMaker

Object = dict[str, Any]

_MODELS = ("a", "b", "half", "whole", "NEW")


class PairMaker:
    """Makes one pair after the other from a seed."""

    def __init__(self, seed: int) -> None:
        """Start; equal seeds make equal pairs."""
        self._random = random.Random(seed)  # noqa: S311 - clusters are no secrets
        self._scenarios = ScenarioMaker(seed)
        self._worlds = WorldMaker(seed)

    def pair(self) -> tuple[list[Object], list[Object]]:
        """The objects of both sides; in half of the pairs claims are allocated and pods run."""
        world = self._scenario() if self._random.random() < 0.6 else self._worlds.world()
        if self._random.random() < 0.5:
            world = [copy.deepcopy(item) for item in dractl.simulate(world).objects]
        other = copy.deepcopy(world)
        for _ in range(self._random.choice((0, 1, 1, 2, 4, 8))):
            self._random.choice(_EDITS)(self._random, other)
        return world, other

    def _scenario(self) -> list[Object]:
        story = self._scenarios.replay()
        created = (step["create"] for step in story["steps"] if isinstance(step.get("create"), dict))
        return [*story["objects"], *created]


def _of_kind(world: list[Object], *kinds: str) -> list[Object]:
    return [item for item in world if item["kind"] in kinds]


def _drop(rng: random.Random, world: list[Object]) -> None:
    if world:
        world.remove(rng.choice(world))


def _move(rng: random.Random, world: list[Object]) -> None:
    rng.shuffle(world)


def _devices(rng: random.Random, world: list[Object]) -> list[Object]:
    """The devices of one slice."""
    slices = [item for item in _of_kind(world, "ResourceSlice") if item["spec"].get("devices")]
    return rng.choice(slices)["spec"]["devices"] if slices else []


def _drop_device(rng: random.Random, world: list[Object]) -> None:
    devices = _devices(rng, world)
    if devices:
        devices.pop(rng.randrange(len(devices)))


def _rename_devices(rng: random.Random, world: list[Object]) -> None:
    for device in _devices(rng, world):
        device["name"] = f"{device['name']}-x"


def _change_attributes(rng: random.Random, world: list[Object]) -> None:
    for device in _devices(rng, world):
        for value in (device.get("attributes") or {}).values():
            if "string" in value:
                value["string"] = rng.choice(_MODELS)
            elif "int" in value:
                value["int"] += 1


def _drop_attributes(rng: random.Random, world: list[Object]) -> None:
    for device in _devices(rng, world)[: rng.randint(1, 3)]:
        device.pop("attributes", None)


def _break_device(rng: random.Random, world: list[Object]) -> None:
    for device in _devices(rng, world)[:1]:
        device["name"] = "Not_A_Label"


def _newer_generation(rng: random.Random, world: list[Object]) -> None:
    for item in _of_kind(world, "ResourceSlice"):
        if rng.random() < 0.5:
            item["spec"]["pool"]["generation"] += 1


def _requests(world: list[Object]) -> Iterator[Object]:
    for item in _of_kind(world, "ResourceClaim", "ResourceClaimTemplate"):
        spec = item["spec"] if item["kind"] == "ResourceClaim" else item["spec"]["spec"]
        yield from (spec.get("devices") or {}).get("requests") or ()


def _change_requests(rng: random.Random, world: list[Object]) -> None:
    for request in _requests(world):
        exactly = request.get("exactly")
        if exactly and rng.random() < 0.5:
            expression = rng.choice(("true", "false", 'device.driver == "x"', "device.", "1 + 1"))
            exactly["selectors"] = [{"cel": {"expression": expression}}]


def _insert_request(rng: random.Random, world: list[Object]) -> None:
    claims = _of_kind(world, "ResourceClaimTemplate")
    if claims:
        requests = rng.choice(claims)["spec"]["spec"]["devices"]["requests"]
        requests.insert(0, {"name": "first", "exactly": {"deviceClassName": rng.choice(("gpu", "Bad Name"))}})


def _change_class(rng: random.Random, world: list[Object]) -> None:
    for item in _of_kind(world, "DeviceClass"):
        if rng.random() < 0.3:
            item["spec"]["selectors"] = [{"cel": {"expression": rng.choice(("true", "false", "!"))}}]


def _copy_pod(rng: random.Random, world: list[Object]) -> None:
    pods = _of_kind(world, "Pod")
    if pods:
        pod = copy.deepcopy(rng.choice(pods))
        pod["metadata"] = {"name": f"{pod['metadata']['name']}-2", "namespace": "default"}
        pod.pop("status", None)
        pod["spec"].pop("nodeName", None)
        world.append(pod)


_EDITS: tuple[Callable[[random.Random, list[Object]], None], ...] = (
    _drop,
    _drop,
    _move,
    _drop_device,
    _rename_devices,
    _change_attributes,
    _drop_attributes,
    _break_device,
    _newer_generation,
    _change_requests,
    _insert_request,
    _change_class,
    _copy_pod,
)
