"""Random worlds of every dialect that has pods and claims: pools, classes, claims and pods, with all fields.

Each world is a list of objects in the words of its dialect; pods come last.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import Any

from tests.legacy.prototypes.build import EVOLUTION, PROTO

__all__ = ["MAKERS", "world"]

Made = dict[str, Any]

_DRIVERS = ("a.example", "b.example")
_NODES = ("n1", "n2")


def world(dialect: str, random: Random) -> list[Made]:
    """The objects of a random world of a dialect."""
    return MAKERS[dialect](random)


def _object(version: str, kind: str, name: str, body: Made, **metadata: Any) -> Made:
    return {"apiVersion": version, "kind": kind, "metadata": {"name": name, **metadata}, **body}


def _maybe(random: Random, chance: float, **fields: Any) -> Made:
    """Some fields, or none of them."""
    return fields if random.random() < chance else {}


# devmgmtproto.k8s.io

_PLAIN_ATOMS = (
    "device.model == 'a'",
    "device.model != 'b'",
    "device.size > 1",
    "'size' in device",
    "device.ver == '1.2.3'",
)


def _proto(kind: str, name: str, body: Made, **metadata: Any) -> Made:
    return _object(PROTO, kind, name, body, **metadata)


def _attributes(random: Random, words: Mapping[str, str]) -> list[Made]:
    found: list[Made] = [
        {"name": "model", words["string"]: random.choice("ab")},
        {"name": "size", words["int"]: random.randint(1, 3)},
        {"name": "ver", words["version"]: random.choice(("1.2.3", "2.0.0"))},
        {"name": "mem", words["quantity"]: random.choice(("1Gi", "2Gi"))},
    ]
    return [value for value in found if random.random() < 0.6]


_LAST_WORDS = {
    "string": "stringValue",
    "int": "intValue",
    "version": "semVerValue",
    "quantity": "quantityValue",
}
_STATUS_WORDS = {"string": "string", "int": "int", "version": "semver", "quantity": "quantity"}


def _config(random: Random, **more: str) -> list[Made]:
    if random.random() < 0.8:
        return []
    return [{"apiVersion": "v1", "kind": "ConfigMap", "name": random.choice(("mode", "missing")), **more}]


_MODE: Made = {
    "apiVersion": "v1",
    "kind": "ConfigMap",
    "metadata": {"name": "mode", "namespace": "default"},
    "data": {"a": "b"},
}


def _pool(random: Random, number: int, *, consumes: str, provides: str) -> Made:
    shared = random.sample(["k", "m"], random.randint(0, 2))
    devices = []
    for position in range(random.randint(1, 4)):
        device: Made = {
            "name": f"d{position}",
            **_maybe(random, 0.8, attributes=_attributes(random, _LAST_WORDS)),
        }
        if shared and random.random() < 0.7:
            device[consumes] = {random.choice(shared): random.randint(0, 2)}
        if random.random() < 0.5:
            block = _maybe(random, 0.5, blockSize=random.choice((1, 2)))
            device[provides] = [{"name": "memory", "capacity": random.randint(1, 8), **block}]
        devices.append(device)
    spec = {
        "driver": random.choice(_DRIVERS),
        "devices": devices,
        **_maybe(random, 0.8, nodeName=random.choice(_NODES)),
        **_maybe(random, 0.3, attributes=_attributes(random, _LAST_WORDS)),
        **_maybe(
            random,
            0.9,
            sharedResources=[
                {"name": name, "capacity": random.randint(1, 4), **_maybe(random, 0.3, blockSize=2)}
                for name in shared
            ],
        ),
    }
    status = _maybe(
        random,
        0.1,
        status={"deviceStatuses": [{"name": "d0", "claimUIDs": ["u"], "conditions": [{"type": "Ready"}]}]},
    )
    return _proto("DevicePool", f"pool-{number}", {"spec": spec, **status})


def _status_pool(random: Random, number: int) -> Made:
    quantity = {"name": "k", "quantity": {"value": random.randint(1, 6), **_maybe(random, 0.4, blockSize=2)}}
    ranged = {"name": "slices", "intrange": {"value": random.choice(("0-3", "0-1,3"))}}
    shared = [entry for entry in (quantity, ranged) if random.random() < 0.8]
    devices = []
    for position in range(random.randint(1, 4)):
        asked = [
            {"name": "k", "quantity": random.randint(0, 3)}
            if entry is quantity
            else {"name": "slices", "intrange": random.choice(("0", "0-1", "2-3", "3"))}
            for entry in shared
            if random.random() < 0.7
        ]
        devices.append(
            {
                "name": f"d{position}",
                **_maybe(random, 0.8, attributes=_attributes(random, _STATUS_WORDS)),
                **({"sharedResourceRequests": asked} if asked else {}),
            }
        )
    spec = {
        "driverName": random.choice(_DRIVERS),
        "devices": devices,
        **_maybe(random, 0.9, nodeName=random.choice(_NODES)),
        **_maybe(random, 0.3, attributes=_attributes(random, _STATUS_WORDS)),
        **({"sharedResources": shared} if shared else {}),
    }
    status = _maybe(random, 0.15, status={"allocatedDevices": [{"name": "d0", "claimUID": "other"}]})
    return _proto("DevicePool", f"pool-{number}", {"spec": spec, **status})


def _expression(random: Random) -> str:
    one, other = random.choice(_PLAIN_ATOMS), random.choice(_PLAIN_ATOMS)
    return random.choice((one, one, f"{one} && {other}", f"{one} || {other}", f"!({one})"))


def _classes(random: Random) -> list[Made]:
    found = []
    for number in range(random.randint(1, 3)):
        definition = {
            "driver": random.choice(_DRIVERS),
            **_maybe(random, 0.3, constraints=_expression(random)),
            **({"configs": listed} if (listed := _config(random, namespace="default")) else {}),
        }
        labels = {"kind": random.choice("xz")}
        found.append(
            _proto("DeviceClass", f"class-{number}", {"spec": {"definition": definition}}, labels=labels)
        )
    if random.random() < 0.4:
        selector = random.choice(
            (
                {"matchLabels": {"kind": "x"}},
                {"matchExpressions": [{"key": "kind", "operator": "In", "values": ["x"]}]},
            )
        )
        found.append(_proto("DeviceClass", "any", {"spec": {"selector": selector}}))
    return found


def _detail(random: Random, classes: list[Made], *, of_class: str, constraints: str) -> Made:
    if random.random() < 0.12:
        return {of_class: _name(random, classes), "adminAccess": True}
    requests: Made = _maybe(random, 0.3, devices=random.randint(1, 2))
    requests |= _maybe(random, 0.2, memory=random.randint(1, 6))
    return {
        of_class: _name(random, classes),
        **_maybe(random, 0.3, **{constraints: _expression(random)}),
        **({"requests": requests} if requests else {}),
        **_maybe(random, 0.2, maxDevices=random.randint(2, 3)),
        **_maybe(random, 0.2, matchAttributes=[random.choice(("model", "size", "ver", "mem"))]),
        **_maybe(random, 0.1, adminAccess=False),
        **({"configs": listed} if (listed := _config(random)) else {}),
    }


def _name(random: Random, entries: list[Made]) -> str:
    return str(random.choice(entries)["metadata"]["name"])


def _some_names(random: Random, entries: list[Made]) -> list[str]:
    return [entry["name"] for entry in random.sample(entries, random.randint(0, len(entries)))]


def _parts(random: Random, classes: list[Made], *, constraints: str = "constraints") -> list[Made]:
    parts = []
    for number in range(random.randint(1, 2)):
        form = random.choice(("allOf", "allOf", "oneOf", "both"))
        part: Made = {"name": f"r{number}"}
        for field, least in (("allOf", 1), ("oneOf", 2)):
            if form in (field, "both"):
                part[field] = [
                    _detail(random, classes, of_class="class", constraints=constraints)
                    for _ in range(random.randint(least, least + 1))
                ]
        parts.append(part)
    return parts


def _claims(random: Random, classes: list[Made]) -> list[Made]:
    return [
        _proto(
            "DeviceClaim",
            f"claim-{number}",
            {
                "spec": {
                    "devices": _parts(random, classes),
                    **_maybe(random, 0.2, matchAttributes=[random.choice(("model", "ver"))]),
                }
            },
        )
        for number in range(random.randint(1, 3))
    ]


def _pod(name: str, claims: object, used: list[str], *, random: Random, **more: Any) -> Made:
    field = random.choice(("containers", "initContainers"))
    spec: Made = {
        "containers": [{"name": "c0", "image": "i"}],
        **({"deviceClaims": claims} if claims else {}),
        **more,
    }
    container = {"name": "c1", "image": "i", "devices": [{"name": name} for name in used]}
    spec.setdefault(field, []).append(container)
    return {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": name}, "spec": spec}


def _template(random: Random, name: str, number: int, *, field: str = "claimName") -> Made:
    elsewhere = {"namespace": "other"}
    inner = {"name": f"inner-{number}", "labels": {"e": "f"}, "annotations": {"g": "h"}}
    return {
        field: name,
        **_maybe(random, 0.3, name=f"own-{number}"),
        **_maybe(random, 0.2, labels={"a": "b"}),
        **_maybe(random, 0.2, annotations={"c": "d"}),
        **_maybe(random, 0.2, metadata=random.choice((elsewhere, inner, inner, inner))),
    }


def _struct_pod(
    random: Random, number: int, claims: list[Made], classes: list[Made], parts: str
) -> tuple[Made, list[str]]:
    """One of the three forms of ``deviceClaims``, and the names that containers may use."""
    form = random.choice(("devices", "template", "claimName"))
    if form == "devices":
        entries = [{"name": f"e{n}", "class": _name(random, classes)} for n in range(random.randint(1, 2))]
        return {"devices": entries}, [entry["name"] for entry in entries]
    found = random.choice(claims)
    name = found["metadata"]["name"]
    names = [part["name"] for part in found["spec"][parts]]
    return {form: name} if form == "claimName" else {form: _template(random, name, number)}, names


def _on_node(random: Random) -> Made:
    return _maybe(random, 0.1, nodeName=random.choice(_NODES))


def _oneof(random: Random, make: Callable[[Random, int], Made] | None = None) -> list[Made]:
    classes = _classes(random)
    claims = _claims(random, classes)
    pools = [
        make(random, number)
        if make is not None
        else _pool(random, number, consumes="sharedResourcesConsumed", provides="claimResourcesProvided")
        for number in range(random.randint(1, 3))
    ]
    pods = []
    for number in range(random.randint(1, 4)):
        struct, names = _struct_pod(random, number, claims, classes, "devices")
        used = random.sample(names, random.randint(0, len(names)))
        pods.append(_pod(f"pod-{number}", struct, used, random=random, **_on_node(random)))
    return [_MODE, *pools, *classes, *claims, *pods]


def _with_status(random: Random) -> list[Made]:
    return _oneof(random, _status_pool)


def _groups(random: Random) -> list[Made]:
    classes = _classes(random)
    groups = []
    for number in range(random.randint(2, 3)):
        parts = _parts(random, classes, constraints="selector")
        named = [{**part, "name": f"g{number}-{part['name']}"} for part in parts]
        spec = {"claims": named, **_maybe(random, 0.2, matchAttributes=["model"])}
        groups.append(_proto("DeviceClaimGroup", f"group-{number}", {"spec": spec}))
    pools = [
        _pool(random, number, consumes="sharedResourcesConsumed", provides="claimResourcesProvided")
        for number in range(random.randint(1, 3))
    ]
    pods = []
    for number in range(random.randint(1, 3)):
        mine = random.sample(groups, random.randint(1, 2))
        entries, names = [], []
        for place, group in enumerate(mine):
            name = group["metadata"]["name"]
            form = random.choice(("template", "claimName"))
            entries.append(
                {"claimName": name}
                if form == "claimName"
                else {"template": _template(random, name, number * 10 + place)}
            )
            names += [part["name"] for part in group["spec"]["claims"]]
        if random.random() < 0.3:
            entries.append({"devices": [{"name": "direct", "class": _name(random, classes)}]})
            names.append("direct")
        used = random.sample(names, random.randint(0, len(names)))
        pods.append(_pod(f"pod-{number}", entries, used, random=random, **_on_node(random)))
    return [_MODE, *pools, *classes, *groups, *pods]


def _lists(random: Random) -> list[Made]:
    classes = _classes(random)
    claims = []
    for number in range(random.randint(1, 3)):
        parts = []
        for _ in range(random.randint(1, 2)):
            details = [
                _detail(random, classes, of_class="deviceClass", constraints="constraints") for _ in range(2)
            ]
            parts.append(random.choice((details[0], {"oneOf": details})))
        spec = {"devices": parts, **_maybe(random, 0.2, matchAttributes=["model"])}
        claims.append(_proto("DeviceClaim", f"claim-{number}", {"spec": spec}))
    pools = [
        _pool(random, number, consumes="consumesSharedResources", provides="providesClaimResources")
        for number in range(random.randint(1, 3))
    ]
    pods = []
    for number in range(random.randint(1, 4)):
        entries: list[Made] = []
        for place in range(random.randint(1, 2)):
            name = _name(random, claims)
            one = number * 10 + place
            source: Made = random.choice(
                (
                    {"deviceClaimName": name},
                    {"templateClaim": _template(random, name, one)},
                    {"templateClass": _template(random, _name(random, classes), one, field="className")},
                )
            )
            entries.append({"name": f"e{place}", "source": source})
        used = _some_names(random, entries)
        pods.append(_pod(f"pod-{number}", entries, used, random=random, **_on_node(random)))
    return [_MODE, *pools, *classes, *claims, *pods]


def _counted(random: Random, classes: list[Made]) -> Made:
    least = random.randint(1, 2)
    return {
        "deviceClass": _name(random, classes),
        **_maybe(random, 0.3, driver=random.choice(_DRIVERS)),
        **_maybe(random, 0.3, constraints=_expression(random)),
        **_maybe(random, 0.5, minDeviceCount=least),
        **_maybe(random, 0.3, maxDeviceCount=random.randint(2, 3)),
        **_maybe(random, 0.2, matchAttributes=[random.choice(("model", "ver"))]),
        **({"configs": listed} if (listed := _config(random)) else {}),
    }


def _privileged(random: Random) -> Made:
    return {
        "driver": random.choice(_DRIVERS),
        **_maybe(random, 0.3, constraints=_expression(random)),
        **({"configs": listed} if (listed := _config(random)) else {}),
    }


def _set(random: Random, classes: list[Made]) -> Made:
    return {
        "claimSpec": [_counted(random, classes) for _ in range(random.randint(1, 2))],
        **_maybe(random, 0.3, matchAttributes=["model"]),
    }


def _counts(random: Random) -> list[Made]:
    driver = _proto("DeviceDriver", "driver", {"deviceTypes": ["gpu"]})
    classes = []
    for number in range(random.randint(1, 2)):
        spec = {
            "deviceType": random.choice(("gpu", "gpu", "nic")),
            **_maybe(random, 0.5, driver=random.choice(_DRIVERS)),
            **_maybe(random, 0.3, constraints=_expression(random)),
            **_maybe(random, 0.2, minDeviceCount=random.randint(1, 2)),
            **_maybe(random, 0.2, maxDeviceCount=random.randint(2, 3)),
            **_maybe(random, 0.2, matchAttributes=["model"]),
            **({"configs": listed} if (listed := _config(random, namespace="default")) else {}),
        }
        status = _maybe(random, 0.1, status={"conditions": [{"type": "Ready"}], "drivers": ["a.example"]})
        classes.append(_proto("DeviceClass", f"class-{number}", {"spec": spec, **status}))
    pools = []
    for number in range(random.randint(1, 3)):
        spec = {
            "driver": random.choice(_DRIVERS),
            "count": random.randint(0, 3),
            **_maybe(random, 0.9, nodeName=random.choice(_NODES)),
            **_maybe(random, 0.7, attributes=_attributes(random, _LAST_WORDS)),
        }
        status = _maybe(random, 0.1, status={"availableDevices": 1})
        pools.append(_proto("DevicePool", f"pool-{number}", {"spec": spec, **status}))
    kinds: tuple[tuple[str, str, Callable[[], Made]], ...] = (
        ("DeviceClaim", "claimSpec", lambda: _counted(random, classes)),
        ("DevicePrivilegedClaim", "privilegedClaimSpec", lambda: _privileged(random)),
        ("DeviceSetClaim", "setClaimSpec", lambda: _set(random, classes)),
    )
    claims, templates = [], []
    for number in range(random.randint(2, 3)):
        kind, _, make = random.choice(kinds)
        claims.append(_proto(kind, f"claim-{number}", {"spec": make()}))
    for number in range(2):
        _, field, make = random.choice(kinds)
        templates.append(_proto("DeviceClaimTemplate", f"template-{number}", {"spec": {field: make()}}))
    pods = []
    for number in range(random.randint(1, 4)):
        entries: list[Made] = []
        for place in range(random.randint(1, 2)):
            form = random.choice(
                (
                    {"claim": _counted(random, classes)},
                    {"claimName": _name(random, claims)},
                    {"claimTemplateName": _name(random, templates)},
                )
            )
            entries.append({"name": f"e{place}", **form})
        used = _some_names(random, entries)
        pods.append(_pod(f"pod-{number}", entries, used, random=random, **_on_node(random)))
    return [_MODE, driver, *pools, *classes, *claims, *templates, *pods]


# DRA evolution

_TYPED_ATOMS = (
    "device.stringAttributes['a.example/model'] == 'a'",
    "device.driverName == 'a.example'",
    "device.boolAttributes['b.example/fast']",
    "'a.example/model' in device.attributes",
    "device.quantityAttributes['a.example/mem'].isGreaterThan(quantity('1Gi'))",
    "device.versionAttributes['a.example/ver'].isLessThan(semver('2.0.0'))",
)


def _evolution(kind: str, name: str, body: Made, **metadata: Any) -> Made:
    return _object(EVOLUTION, kind, name, body, **metadata)


def _typed_attributes(random: Random, *, has_quantity: bool = True, has_int: bool = False) -> list[Made]:
    found: list[Made] = [
        {"name": "model", "string": random.choice("ab")},
        {"name": "fast", "bool": random.random() < 0.5},
        {"name": "ver", "version": random.choice(("1.2.3", "2.0.0"))},
    ]
    if has_quantity:
        found.append({"name": "mem", "quantity": random.choice(("1Gi", "2Gi"))})
    if has_int:
        found.append({"name": "rank", "int": random.randint(0, 1)})
    return [value for value in found if random.random() < 0.6]


def _opaque(random: Random, chance: float) -> list[Made]:
    if random.random() >= chance:
        return []
    return [{"opaque": {"driverName": random.choice(_DRIVERS), "parameters": {"n": random.randint(0, 9)}}}]


def _requirements(random: Random, chance: float) -> list[Made]:
    return [{"deviceSelector": random.choice(_TYPED_ATOMS)}] if random.random() < chance else []


def _filled(**fields: Any) -> Made:
    """Only the fields that have something."""
    return {name: value for name, value in fields.items() if value}


def _evo_claim(random: Random, classes: list[Made], dialect: str) -> Made:
    requests = []
    for number in range(random.randint(1, 2)):
        request: Made = {
            "name": f"r{number}",
            "deviceClassName": _name(random, classes),
            **_maybe(random, 0.12, adminAccess=True),
            **_filled(config=_opaque(random, 0.2), requirements=_requirements(random, 0.3)),
        }
        if dialect == "dra-evo-named":
            least = random.randint(1, 2)
            request |= _maybe(random, 0.5, count={"minimum": least, "maximum": least + random.randint(0, 1)})
            request |= _maybe(random, 0.2, match=[{"attribute": "a.example/model"}])
            if random.random() < 0.2:
                amount = {"resource": {"name": "cores", "quantity": random.randint(1, 3)}}
                request["requirements"] = [*request.get("requirements", ()), amount]
        requests.append(request)
    matched = random.choice(("a.example/model", "model", "mem"))
    return {
        "requests": requests,
        **_maybe(random, 0.2, constraints=[{"matchAttribute": matched}]),
        **_filled(config=_opaque(random, 0.2)),
        **_maybe(random, 0.5, shareable=random.random() < 0.8),
        **(_maybe(random, 0.1, controllerName="ctl") if dialect in _CLASSIC else {}),
    }


_CLASSIC = ("dra-evo-classic", "dra-evo-netpool")


def _consumed(random: Random, names: list[str], field: str = "capacity") -> list[Made]:
    return [{"name": name, field: random.randint(0, 2)} for name in names if random.random() < 0.6]


def _evo_pool(random: Random, number: int, dialect: str) -> Made:
    driver = random.choice(_DRIVERS)
    has_quantity = dialect != "dra-evo-content"
    shared = random.sample(["k", "m"], random.randint(0, 2))
    devices: list[Made] = []
    for position in range(random.randint(1, 3)):
        attributes = _typed_attributes(random, has_quantity=has_quantity)
        device = {"name": f"d{number}-{position}", **_filled(attributes=attributes)}
        if dialect == "dra-evo-content":
            device |= _maybe(
                random, 0.7, capacity=[{"name": "mem", "capacity": random.choice(("1Gi", "2Gi"))}]
            )
        if dialect == "dra-evo-groups":
            groups = [{"name": "g0", "sharedCapacity": _consumed(random, shared)}]
            device |= _maybe(random, 0.8, sharedCapacityConsumed=groups)
        elif "shape" not in dialect and dialect != "dra-evo-cel":
            device |= _filled(sharedCapacityConsumed=_consumed(random, shared))
        devices.append(device)
    spec: Made = {"nodeName": random.choice(_NODES), "driverName": driver, "devices": devices}
    capacities = [{"name": name, "capacity": random.randint(1, 4)} for name in shared]
    if dialect in ("dra-evo-shape", "dra-evo-cel"):
        spec["deviceShape"] = {
            **_filled(attributes=_typed_attributes(random), sharedCapacity=capacities),
            "partitions": _partitions(random, shared, dialect),
        }
    elif dialect == "dra-evo-groups":
        spec["sharedCapacity"] = [{"name": "g0", "sharedCapacity": capacities}]
    elif capacities:
        spec["sharedCapacity"] = capacities
    if dialect == "dra-evo-attrs":
        spec["attributes"] = _typed_attributes(random)
    if dialect == "dra-evo-content":
        spec["sliceContent"] = "Devices"
    if dialect == "dra-evo-netpool" and random.random() < 0.7:
        del spec["nodeName"]
        zone = {"key": "zone", "operator": "In", "values": [random.choice("ab")]}
        selector = {"nodeSelectorTerms": [{"matchExpressions": [zone]}]}
        spec["devicePool"] = {
            **_maybe(random, 0.7, name=f"rack/{number}"),
            **_maybe(random, 0.6, nodeSelector=selector),
        }
    stamp = _maybe(random, 0.2, creationTimestamp=f"2024-01-0{random.randint(1, 3)}T00:00:00Z")
    return _evolution("ResourcePool", f"pool-{number}", {"spec": spec}, **stamp)


def _partitions(random: Random, shared: list[str], dialect: str) -> list[Made]:
    if dialect == "dra-evo-shape":
        return [
            {
                "name": f"p{number}",
                **_filled(
                    attributes=_typed_attributes(random), sharedCapacityConsumed=_consumed(random, shared)
                ),
            }
            for number in range(random.randint(1, 2))
        ]
    return [
        {
            "count": random.randint(1, 3),
            "name": {"expression": "'p' + string(index)"},
            "attributes": [entry for entry in _COMPUTED if random.random() < 0.6],
            "sharedCapacityConsumed": [
                {"name": {"value": name}, "capacity": {"value": "1"}} for name in shared
            ],
        }
    ]


_COMPUTED: tuple[Made, ...] = (
    {"name": {"value": "model"}, "string": {"value": "a"}},
    {"name": {"value": "fast"}, "bool": {"expression": "index == 0"}},
    {"name": {"value": "mem"}, "quantity": {"expression": "string(index + 1) + 'Gi'"}},
    {"name": {"value": "ver"}, "version": {"value": "1.2.3"}},
)


def _named_pool(random: Random, number: int) -> Made:
    quantity = {"name": "k", "quantity": random.randint(1, 4)}
    ranged = {"name": "slices", "intRange": "0-3"}
    shared = [entry for entry in (quantity, ranged) if random.random() < 0.8]
    devices = []
    for position in range(random.randint(1, 3)):
        drawn = [
            {"name": "k", "quantity": random.randint(0, 2)}
            if entry is quantity
            else {"name": "slices", "intRange": random.choice(("0", "0-1", "2-3"))}
            for entry in shared
            if random.random() < 0.7
        ]
        local = [{"name": "cores", "quantity": random.randint(1, 3)}] if random.random() < 0.5 else []
        devices.append(
            {
                "name": f"d{number}-{position}",
                **_filled(
                    attributes=_typed_attributes(random, has_int=True),
                    resources=_filled(fromSharedPool=drawn, local=local),
                ),
            }
        )
    named = {
        "devices": devices,
        **_filled(commonAttributes=_typed_attributes(random, has_int=True), sharedResources=shared),
    }
    body = {"nodeName": random.choice(_NODES), "driverName": random.choice(_DRIVERS), "namedDevices": named}
    return _evolution("ResourcePool", f"pool-{number}", body)


def _evo(dialect: str) -> Callable[[Random], list[Made]]:
    def made(random: Random) -> list[Made]:
        nodes = [
            {"apiVersion": "v1", "kind": "Node", "metadata": {"name": name, "labels": {"zone": zone}}}
            for name, zone in zip(_NODES, "ab", strict=True)
        ]
        classes = [
            _evolution(
                "DeviceClass",
                f"class-{number}",
                {
                    **_filled(config=_opaque(random, 0.3), requirements=_requirements(random, 0.5)),
                    **(
                        _maybe(random, 0.1, suitableNodes={"nodeSelectorTerms": []})
                        if dialect in _CLASSIC
                        else {}
                    ),
                },
            )
            for number in range(random.randint(1, 2))
        ]
        quota = [_evolution("Quota", "quota", {"spec": {"allowManagementAccess": random.random() < 0.7}})]
        pools = [
            _named_pool(random, number) if dialect == "dra-evo-named" else _evo_pool(random, number, dialect)
            for number in range(random.randint(1, 3))
        ]
        claims = [
            _evolution("ResourceClaim", f"claim-{number}", {"spec": _evo_claim(random, classes, dialect)})
            for number in range(random.randint(1, 2))
        ]
        templates = [
            _evolution(
                "ResourceClaimTemplate",
                f"template-{number}",
                {
                    "spec": {
                        "spec": _evo_claim(random, classes, dialect),
                        **_maybe(random, 0.3, metadata={"labels": {"a": "b"}, "annotations": {"c": "d"}}),
                    }
                },
            )
            for number in range(random.randint(1, 2))
        ]
        pods = [
            _evo_pod(random, number, claims, templates, dialect) for number in range(random.randint(1, 4))
        ]
        return [
            *nodes,
            *(quota if random.random() < 0.6 else []),
            *pools,
            *classes,
            *claims,
            *templates,
            *pods,
        ]

    return made


def _evo_pod(random: Random, number: int, claims: list[Made], templates: list[Made], dialect: str) -> Made:
    entries, used = [], []
    for place in range(random.randint(1, 2)):
        is_direct = random.random() < 0.5
        found = random.choice(claims if is_direct else templates)
        field = "resourceClaimName" if is_direct else "resourceClaimTemplateName"
        source: Made = {field: found["metadata"]["name"]}
        if dialect == "dra-evo-named" and random.random() < 0.5:
            source = {"source": source}
        entries.append({"name": f"e{place}", **source})
        spec = found["spec"] if is_direct else found["spec"]["spec"]
        if random.random() < 0.7:
            request = random.choice(spec["requests"])["name"]
            used.append({"name": f"e{place}", **_maybe(random, 0.5, requestName=request)})
    field = random.choice(("containers", "initContainers"))
    body: Made = {"containers": [], "resourceClaims": entries, **_on_node(random)}
    body.setdefault(field, []).append({"name": "c", "image": "i", "resources": {"claims": used}})
    return _evolution("Pod", f"pod-{number}", {"spec": body}, namespace="default")


MAKERS: Mapping[str, Callable[[Random], list[Made]]] = {
    "proto-pools": _counts,
    "proto-status": _with_status,
    "proto-list": _lists,
    "proto-oneof": _oneof,
    "proto-group": _groups,
    **{
        name: _evo(name)
        for name in (
            "dra-evo",
            "dra-evo-classic",
            "dra-evo-netpool",
            "dra-evo-content",
            "dra-evo-attrs",
            "dra-evo-groups",
            "dra-evo-shape",
            "dra-evo-cel",
            "dra-evo-named",
        )
    },
}
"""What makes a random world, by dialect."""
