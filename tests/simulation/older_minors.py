"""Turns worlds into what clusters of older minors hold: their API versions, and shapes that these had."""

from __future__ import annotations

from typing import Any

Object = dict[str, Any]

VERSIONS = {"1.31": "v1alpha3", "1.32": "v1beta1", "1.33": "v1beta2"}
"""The version of resource.k8s.io that is written for a minor; v1 for all others."""

RULE_VERSIONS = {"1.33": "v1alpha3", "1.34": "v1alpha3", "1.35": "v1alpha3", "1.36": "v1beta2"}
"""The version of DeviceTaintRules; older minors have none."""

GROUP_VERSIONS = {"1.36": "v1alpha2"}
"""The version of PodGroups; v1beta1 for newer minors."""

WITH_COUNTERS_IN_SLICES = ("1.31", "1.32", "1.33", "1.34")


def adapted(api_objects: Object, kube: str) -> Object:
    """The world for a cluster of a minor; 1.37 is what worlds are made for."""
    if kube == "1.37":
        return api_objects
    objects = api_objects["objects"]
    if kube in WITH_COUNTERS_IN_SLICES:
        objects = _with_counters_in_slices(objects)
    return {
        "objects": [item for item in (_object(item, kube) for item in objects) if item is not None],
        "steps": [
            {**step, "claims": [_object(claim, kube) for claim in step["claims"]]}
            for step in api_objects["steps"]
        ],
        "gates": api_objects["gates"],
    }


def adapted_story(replay: Object, kube: str) -> Object:
    """A random story for a cluster of a minor, with its events; 1.37 is what stories are made for."""
    if kube == "1.37":
        return replay
    changed = [item for step in replay["steps"] for word, item in step.items() if word in _WITH_OBJECT]
    counters = _counter_sets([*replay["objects"], *changed]) if kube in WITH_COUNTERS_IN_SLICES else {}

    def of_minor(item: Object) -> Object | None:
        moved = _with_counters(item, counters)
        return None if moved is None else _object(moved, kube)

    steps = []
    for step in replay["steps"]:
        ((word, subject),) = step.items()
        item = of_minor(subject) if word in _WITH_OBJECT else subject
        if item is not None:
            steps.append({word: item})
    objects = [item for item in map(of_minor, replay["objects"]) if item is not None]
    return {**replay, "objects": objects, "steps": steps}


_WITH_OBJECT = ("create", "update")


def _with_counters_in_slices(objects: list[Object]) -> list[Object]:
    """Counter sets stand in each slice of devices of their pool, and slices of counters are gone."""
    sets = _counter_sets(objects)
    return [found for item in objects if (found := _with_counters(item, sets)) is not None]


_Counters = dict[tuple[str, str], list[Object]]


def _counter_sets(objects: list[Object]) -> _Counters:
    return {
        _pool(item): item["spec"]["sharedCounters"]
        for item in objects
        if item["kind"] == "ResourceSlice" and item["spec"].get("sharedCounters")
    }


def _with_counters(item: Object, sets: _Counters) -> Object | None:
    """A slice with the counters of its pool; None for a slice that only had counters."""
    if item["kind"] != "ResourceSlice" or _pool(item) not in sets:
        return item
    if item["spec"].get("sharedCounters"):
        return None
    pool = dict(item["spec"]["pool"])
    pool["resourceSliceCount"] = max(1, pool["resourceSliceCount"] - 1)
    return {**item, "spec": {**item["spec"], "pool": pool, "sharedCounters": sets[_pool(item)]}}


def _pool(item: Object) -> tuple[str, str]:
    return item["spec"]["driver"], item["spec"]["pool"]["name"]


def _object(item: Object, kube: str) -> Object | None:
    if not item["apiVersion"].startswith("resource.k8s.io/"):
        return item
    if item["kind"] == "DeviceTaintRule":
        version = RULE_VERSIONS.get(kube)
        return None if version is None else {**item, "apiVersion": f"resource.k8s.io/{version}"}
    version = VERSIONS.get(kube, "v1")
    moved = {**item, "apiVersion": f"resource.k8s.io/{version}"}
    if version in ("v1alpha3", "v1beta1"):
        if item["kind"] == "ResourceSlice":
            moved["spec"] = _slice_spec(item["spec"], version)
        elif item["kind"] == "ResourceClaim":
            requests = [_request(request) for request in item["spec"]["devices"]["requests"]]
            moved["spec"] = {"devices": {**item["spec"]["devices"], "requests": requests}}
    return moved


def _slice_spec(spec: Object, version: str) -> Object:
    moved = dict(spec)
    if "devices" in spec:
        moved["devices"] = [_device(device, version) for device in spec["devices"]]
    return moved


def _device(device: Object, version: str) -> Object:
    basic = {key: value for key, value in device.items() if key != "name"}
    if version == "v1alpha3" and "capacity" in basic:
        basic["capacity"] = {name: entry["value"] for name, entry in basic["capacity"].items()}
    return {"name": device["name"], "basic": basic}


def _request(request: Object) -> Object:
    if "exactly" not in request:
        return request
    return {"name": request["name"], **request["exactly"]}
