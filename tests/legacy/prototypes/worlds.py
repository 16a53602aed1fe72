"""Random worlds of devmgmtproto.k8s.io: pools of one node, classes, claims and pods."""

from __future__ import annotations

from random import Random
from typing import Any

from tests.legacy.prototypes.build import PROTO

_ATOMS = (
    "device.model == 'a'",
    "device.model == 'b'",
    "device.speed > 1",
    "device.speed == 2",
    "'numa' in device",
    "device.numa != 'a'",
    "has(device.model)",
)
_DRIVERS = ("a.example", "b.example")


def _object(kind: str, name: str, spec: dict[str, Any], **metadata: Any) -> dict[str, Any]:
    version = "v1" if kind == "Pod" else PROTO
    return {"apiVersion": version, "kind": kind, "metadata": {"name": name, **metadata}, "spec": spec}


def api_objects(random: Random) -> list[dict[str, Any]]:
    """The objects of a world. Pools are called such that drivers and pools have one order."""
    classes = [f"class-{number}" for number in range(random.randint(1, 3))]
    found = [_pool(random, number) for number in range(random.randint(1, 3))]
    found += [_class(random, name) for name in classes]
    if random.random() < 0.5:
        classes.append("any")
        found.append(_object("DeviceClass", "any", {"selector": {"matchLabels": {"kind": "x"}}}))
    for number in range(random.randint(1, 4)):
        name = f"claim-{number}"
        found.append(_object("DeviceClaim", name, _claim(random, classes)))
        if random.random() < 0.7:
            found.append(_object("Pod", f"pod-{number}", _pod(random, name, classes)))
    return found


def _attributes(random: Random) -> list[dict[str, Any]]:
    values = (
        {"name": "model", "stringValue": random.choice("ab")},
        {"name": "numa", "stringValue": random.choice("ab")},
        {"name": "speed", "intValue": random.randint(1, 3)},
    )
    return [value for value in values if random.random() < 0.7]


def _pool(random: Random, number: int) -> dict[str, Any]:
    driver = random.choice(_DRIVERS)
    counters = random.sample(["k", "m"], random.randint(0, 2))
    devices = []
    for position in range(random.randint(1, 5)):
        device: dict[str, Any] = {"name": f"d{position}", "attributes": _attributes(random)}
        if counters and random.random() < 0.7:
            device["sharedResourcesConsumed"] = {random.choice(counters): random.randint(0, 2)}
        devices.append(device)
    spec = {
        "nodeName": "n1",
        "driver": driver,
        "attributes": _attributes(random) if random.random() < 0.3 else [],
        "sharedResources": [{"name": name, "capacity": random.randint(1, 4)} for name in counters],
        "devices": devices,
    }
    return _object("DevicePool", f"{driver[0]}{number}", spec)


def _expression(random: Random) -> str:
    one, other = random.choice(_ATOMS), random.choice(_ATOMS)
    return random.choice((one, f"{one} && {other}", f"{one} || {other}", f"!({one})"))


def _class(random: Random, name: str) -> dict[str, Any]:
    definition = {"driver": random.choice(_DRIVERS)}
    if random.random() < 0.4:
        definition["constraints"] = _expression(random)
    return _object("DeviceClass", name, {"definition": definition}, labels={"kind": random.choice("xz")})


def _request(random: Random, classes: list[str]) -> dict[str, Any]:
    request: dict[str, Any] = {"class": random.choice(classes)}
    if random.random() < 0.4:
        request["constraints"] = _expression(random)
    if random.random() < 0.4:
        request["requests"] = {"devices": random.randint(1, 3)}
    if random.random() < 0.3:
        request["matchAttributes"] = random.sample(["model", "numa", "speed"], random.choice((1, 2)))
    return request


def _claim(random: Random, classes: list[str]) -> dict[str, Any]:
    parts = []
    for number in range(random.randint(1, 2)):
        form = random.choice(("allOf", "oneOf", "both"))
        part: dict[str, Any] = {"name": f"r{number}"}
        if form != "oneOf":
            part["allOf"] = [_request(random, classes) for _ in range(random.randint(1, 2))]
        if form != "allOf":
            part["oneOf"] = [_request(random, classes) for _ in range(random.randint(2, 3))]
        parts.append(part)
    match = {"matchAttributes": [random.choice(("model", "numa"))]} if random.random() < 0.2 else {}
    return {"devices": parts, **match}


def _pod(random: Random, claim: str, classes: list[str]) -> dict[str, Any]:
    entries = [{"name": name, "class": random.choice(classes)} for name in ("r0", "r1")]
    forms: tuple[dict[str, Any], ...] = (
        {"claimName": claim},
        {"template": {"claimName": claim}},
        {"devices": entries},
    )
    container = {"name": "c", "image": "i", "devices": [{"name": "r0"}]}
    return {"containers": [container], "deviceClaims": random.choice(forms)}
