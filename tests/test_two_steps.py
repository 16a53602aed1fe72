"""Going on with a saved state comes to the same as doing everything at once, in v1 and in 1.30."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import Any

import pytest

import dractl

FEW, MANY = 15, 150
V1, V1ALPHA2 = "resource.k8s.io/v1", "resource.k8s.io/v1alpha2"
Made = dict[str, Any]


def _object(version: str, kind: str, name: str, **body: Any) -> Made:
    metadata = (
        {"name": name} if "Class" in kind or "Slice" in kind else {"name": name, "namespace": "default"}
    )
    return {"apiVersion": version, "kind": kind, "metadata": metadata, **body}


def _pods(random: Random, claims: list[str], templates: list[str], *, has_source: bool) -> list[Made]:
    found = []
    for number in range(random.randint(2, 5)):
        entries = []
        for place, (field, names) in enumerate(
            (("resourceClaimName", claims), ("resourceClaimTemplateName", templates))
        ):
            if random.random() < 0.7:
                source = {field: random.choice(names)}
                entries.append({"name": f"e{place}", **({"source": source} if has_source else source)})
        used = [{"name": entry["name"]} for entry in entries]
        container = {"name": "c", "image": "i", "resources": {"claims": used}}
        spec = {"containers": [container], **({"resourceClaims": entries} if entries else {})}
        found.append(_object("v1", "Pod", f"pod-{number}", spec=spec))
    return found


def _of_v1(random: Random) -> list[Made]:
    slices = [
        _object(
            V1,
            "ResourceSlice",
            f"s-{node}",
            spec={
                "driver": "d.example",
                "nodeName": node,
                "pool": {"name": node, "generation": 1, "resourceSliceCount": 1},
                "devices": [
                    {"name": f"d{number}", "attributes": {"model": {"string": random.choice("ab")}}}
                    for number in range(random.randint(1, 3))
                ],
            },
        )
        for node in ("n1", "n2")
    ]
    model = 'device.attributes["d.example"].model == "a"'
    selectors = [{"cel": {"expression": model}}] if random.random() < 0.5 else []

    def asked() -> Made:
        exactly: Made = {"deviceClassName": "k", "count": random.randint(1, 2)}
        if random.random() < 0.2:
            exactly = {"deviceClassName": "k", "allocationMode": "All"}
        spec: Made = {"devices": {"requests": [{"name": "r", "exactly": exactly}]}}
        if random.random() < 0.3:
            spec["devices"]["constraints"] = [{"matchAttribute": "d.example/model"}]
        return spec

    return [
        *slices,
        _object(V1, "DeviceClass", "k", spec={"selectors": selectors} if selectors else {}),
        *(_object(V1, "ResourceClaim", f"c{number}", spec=asked()) for number in range(2)),
        *(_object(V1, "ResourceClaimTemplate", f"t{number}", spec={"spec": asked()}) for number in range(2)),
        *_pods(random, ["c0", "c1"], ["t0", "t1"], has_source=False),
    ]


def _of_130(random: Random) -> list[Made]:
    slices = [
        _object(
            V1ALPHA2,
            "ResourceSlice",
            f"s-{node}",
            nodeName=node,
            driverName="d.example",
            namedResources={
                "instances": [
                    {"name": f"i{number}", "attributes": [{"name": "model", "string": random.choice("ab")}]}
                    for number in range(random.randint(1, 3))
                ]
            },
        )
        for node in ("n1", "n2")
    ]
    parameters = [
        _object(
            V1ALPHA2,
            "ResourceClaimParameters",
            f"p{number}",
            shareable=random.random() < 0.7,
            driverRequests=[
                {
                    "driverName": "d.example",
                    "requests": [
                        {
                            "namedResources": {
                                "selector": f'attributes.string["model"] == "{random.choice("ab")}"'
                            }
                        }
                    ],
                }
            ],
        )
        for number in range(2)
    ]

    def asked() -> Made:
        reference = {
            "apiGroup": "resource.k8s.io",
            "kind": "ResourceClaimParameters",
            "name": f"p{random.randint(0, 1)}",
        }
        return {"resourceClassName": "k", **({"parametersRef": reference} if random.random() < 0.7 else {})}

    return [
        *slices,
        *parameters,
        _object(V1ALPHA2, "ResourceClass", "k", driverName="d.example", structuredParameters=True),
        *(_object(V1ALPHA2, "ResourceClaim", f"c{number}", spec=asked()) for number in range(2)),
        *(
            _object(V1ALPHA2, "ResourceClaimTemplate", f"t{number}", spec={"spec": asked()})
            for number in range(2)
        ),
        *_pods(random, ["c0", "c1"], ["t0", "t1"], has_source=True),
    ]


WORLDS: Mapping[str, tuple[Callable[[Random], list[Made]], Mapping[str, bool]]] = {
    "1.37": (_of_v1, {}),
    "1.30": (_of_130, {"DynamicResourceAllocation": True}),
}


def _held(simulation: Any, tried: set[str | None]) -> tuple[Any, ...]:
    devices = {(row.claim, row.node, row.driver, row.pool, row.device) for row in simulation.placements}
    waiting = sorted(row.pod for row in simulation.pending if row.pod is not None and row.pod not in tried)
    return {row for row in devices if row[0]}, waiting


def _differs(minor: str, random: Random) -> tuple[int, str]:
    make, gates = WORLDS[minor]
    objects = make(random)
    pods = [item for item in objects if item["kind"] == "Pod"]
    named = str([pod["spec"] for pod in pods])
    # A claim that no pod uses would get devices in the first step already.
    rest = [
        item
        for item in objects
        if item["kind"] not in ("Pod", "ResourceClaim") or f"'{item['metadata']['name']}'" in named
    ]
    cut = random.randint(0, len(pods))
    first_named = str([pod["spec"] for pod in pods[:cut]])
    later = [
        item
        for item in rest
        if item["kind"] == "ResourceClaim" and f"'{item['metadata']['name']}'" not in first_named
    ]
    first = [item for item in rest if item not in later]

    def simulated(docs: list[Made]) -> Any:
        return dractl.simulate(docs, kube_version=minor, feature_gates=gates)

    saved = simulated([*first, *pods[:cut]])
    two = simulated([*saved.objects, *later, *pods[cut:]])
    one = simulated([*rest, *pods])
    assert one.left_out == ()
    tried: set[str | None] = {row.pod for row in saved.pending}
    # What waits after the first step is tried again, before the pods of the second.
    is_same = bool(tried) or _held(one, tried) == _held(two, tried)
    return len(objects), "" if is_same else f"{objects}\n{cut}"


@pytest.mark.parametrize("minor", WORLDS)
def test_two_steps_are_as_one(minor: str) -> None:
    random = Random(minor)  # noqa: S311 - no secret
    assert [found for _ in range(FEW) if (found := _differs(minor, random)[1])] == []


@pytest.mark.slow
@pytest.mark.parametrize("minor", WORLDS)
def test_two_steps_are_as_one_over_a_thousand_objects(minor: str) -> None:
    random = Random(f"{minor} many")  # noqa: S311 - no secret
    sizes, differing = zip(*(_differs(minor, random) for _ in range(MANY)), strict=True)
    assert sum(sizes) >= 1_000
    assert [found for found in differing if found] == []
