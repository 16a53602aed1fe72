"""Random objects of resource.k8s.io/v1 and of 1.30 with every field, and pods that use them."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

__all__ = ["GATES", "V1_NAMESPACES", "of_130", "of_v1"]

Made = dict[str, Any]

GATES: Mapping[str, Mapping[str, bool]] = {
    "1.37": {
        "DRADerivedAttributes": True,
        "DRADeviceCompatibilityGroups": True,
        "DRAFractionalCapacityRange": True,
        "DRAListTypeAttributes": True,
        "DRANodeAllocatableResources": True,
        "DRAOptionalNodeOperations": True,
        "DRAPartitionableDevicesType": True,
        "DRAResourcePoolStatus": True,
    },
    "1.30": {"DynamicResourceAllocation": True},
}
"""The gates with which a minor has all its fields."""

V1_NAMESPACES: Mapping[str, Mapping[str, str]] = {"default": {"resource.kubernetes.io/admin-access": "true"}}

_V1, _V1ALPHA2 = "resource.k8s.io/v1", "resource.k8s.io/v1alpha2"
_NODES = ("n1", "n2")
_DRIVER = "d.example"


def _maybe(random: Random, chance: float, **fields: Any) -> Made:
    return fields if random.random() < chance else {}


def _object(version: str, kind: str, name: str, body: Made) -> Made:
    is_cluster_wide = kind in ("ResourceSlice", "DeviceClass", "ResourceClass", "DeviceTaintRule", "Node")
    metadata = {"name": name} if is_cluster_wide else {"name": name, "namespace": "default"}
    return {"apiVersion": version, "kind": kind, "metadata": metadata, **body}


def _nodes() -> list[Made]:
    amounts = {"cpu": "4", "memory": "8Gi", "pods": "20"}
    found = [
        _object("v1", "Node", name, {"status": {"allocatable": amounts, "capacity": amounts}})
        for name in _NODES
    ]
    for item, zone in zip(found, "ab", strict=True):
        item["metadata"]["labels"] = {"zone": zone}
    return found


def _term(random: Random) -> Made:
    zone = {"key": "zone", "operator": random.choice(("In", "NotIn")), "values": [random.choice("ab")]}
    field = {"key": "metadata.name", "operator": "In", "values": [random.choice(_NODES)]}
    return random.choice(({"matchExpressions": [zone]}, {"matchFields": [field]}))


def _selector(random: Random) -> Made:
    return {"nodeSelectorTerms": [_term(random)]}


# resource.k8s.io/v1


def _attributes(random: Random) -> Made:
    values: Made = {
        "model": {"string": random.choice("ab")},
        "size": {"int": random.randint(1, 2)},
        "fast": {"bool": random.random() < 0.5},
        "firmware": {"version": random.choice(("1.0.0", "2.0.0"))},
        "links": {"strings": [random.choice("xy"), "z"]},
        "lanes": {"ints": [random.randint(1, 2), 3]},
        "flags": {"bools": [random.random() < 0.5]},
        "releases": {"versions": [random.choice(("1.0.0", "2.0.0"))]},
    }
    return {name: value for name, value in values.items() if random.random() < 0.5}


_ATOMS = (
    "device.attributes['d.example'].model == 'a'",
    "device.attributes['d.example'].size > 1",
    "device.attributes['d.example'].fast",
    "device.attributes['d.example'].firmware.isGreaterThan(semver('1.5.0'))",
    "'x' in device.attributes['d.example'].links",
    "1 in device.attributes['d.example'].lanes",
    "device.attributes['d.example'].flags[0]",
    "device.attributes['d.example'].releases[0].isGreaterThan(semver('1.5.0'))",
    "device.capacity['d.example'].memory.compareTo(quantity('3')) > 0",
)


def _selectors(random: Random, chance: float) -> Made:
    return _maybe(random, chance, selectors=[{"cel": {"expression": random.choice(_ATOMS)}}])


def _policy(random: Random) -> Made:
    policy = random.choice(
        (
            {"default": "1", "validRange": {"min": "1", "max": random.choice(("2", "4")), "step": "1"}},
            {"default": "2", "validValues": ["2", random.choice(("3", "4"))]},
            {"default": "2", "validRange": {"min": "2", "step": "2"}},
        )
    )
    return {"requestPolicy": policy}


_TAINTS = ("NoSchedule", "NoExecute")


def _taint(random: Random) -> Made:
    return {
        "key": random.choice(("d.example/broken", "d.example/old")),
        "effect": random.choice(_TAINTS),
        **_maybe(random, 0.6, value=random.choice(("yes", "no"))),
        **_maybe(random, 0.4, timeAdded="2025-01-01T00:00:00Z"),
    }


def _toleration(random: Random) -> Made:
    key = {"key": random.choice(("d.example/broken", "d.example/old"))}
    equal = {**key, "operator": "Equal", "value": random.choice(("yes", "no"))}
    found = random.choice((equal, {**key, "operator": "Exists"}, {"operator": "Exists"}))
    found = {**found, **_maybe(random, 0.6, effect=random.choice((*_TAINTS, "NoExecute")))}
    if found.get("effect") == "NoExecute":
        found |= _maybe(random, 0.8, tolerationSeconds=60)
    return found


def _where(random: Random) -> Made:
    return random.choice(
        ({"nodeName": random.choice(_NODES)}, {"nodeSelector": _selector(random)}, {"allNodes": True})
    )


def _device(random: Random, name: str, *, is_partitioned: bool, has_place: bool) -> Made:
    device: Made = {"name": name, "attributes": _attributes(random), **(_where(random) if has_place else {})}
    memory = {"value": str(random.randint(4, 8))}
    if is_partitioned:
        taken = {"counterSet": "shared", "counters": {"memory": {"value": str(random.randint(1, 3))}}}
        groups = _maybe(random, 0.4, compatibilityGroups=[random.choice(("g1", "g2"))])
        device["consumesCounters"] = [{**taken, **groups}]
        device["attributes"]["model"] = {"string": random.choice("ab")}
    elif random.random() < 0.7:
        device["allowMultipleAllocations"] = True
        memory |= _policy(random) if random.random() < 0.7 else {}
    if random.random() < 0.9:
        device["capacity"] = {"memory": memory}
    device |= _maybe(random, 0.45, taints=[_taint(random)])
    if random.random() < 0.2:
        device |= {"bindingConditions": ["d.example/ready"], "bindingFailureConditions": ["d.example/failed"]}
        device |= _maybe(random, 0.5, bindsToNode=True)
    if random.random() < 0.4:
        device["nodeAllocatableResources"] = _node_resources(random, has_capacity="capacity" in device)
    return device


def _node_resources(random: Random, *, has_capacity: bool) -> Made:
    per_device = {"mapping": {"deviceMultiplier": str(random.choice((1, 5)))}}
    per_capacity = {"mapping": {"capacityKey": "memory", "capacityMultiplier": str(random.choice((1, 3)))}}
    overhead = {"overhead": {"perContainer": random.choice(("1", "5")), "perPod": random.choice(("1", "5"))}}
    forms: tuple[Made, ...] = (per_device, {**per_device, **overhead}, overhead)
    return {"cpu": random.choice((*forms, per_capacity) if has_capacity else forms)}


def _pool(random: Random, number: int) -> list[Made]:
    is_partitioned, has_places = random.random() < 0.4, random.random() < 0.3
    name = f"p{number}"
    pool = {"name": name, "generation": 2, "resourceSliceCount": 2 if is_partitioned else 1}
    place = {"perDeviceNodeSelection": True} if has_places else _where(random)
    common: Made = {"driver": random.choice((_DRIVER, _DRIVER, "e.example")), "pool": pool}
    devices = [
        _device(random, f"d{n}", is_partitioned=is_partitioned, has_place=has_places)
        for n in range(random.randint(2, 4))
    ]
    own = {
        **_maybe(random, 0.2, skipNodeOperations=random.choice((["*"], ["NodeUnprepareResources"]))),
        **(_maybe(random, 0.4, partitionTypeAttribute="d.example/model") if is_partitioned else {}),
    }
    found = [
        _object(_V1, "ResourceSlice", f"{name}-a", {"spec": {**common, **place, **own, "devices": devices}})
    ]
    if is_partitioned:
        counters = {"name": "shared", "counters": {"memory": {"value": str(random.randint(3, 6))}}}
        body = {"spec": {**common, **place, "sharedCounters": [counters]}}
        found.append(_object(_V1, "ResourceSlice", f"{name}-b", body))
    if random.random() < 0.3:
        older = {**common, "pool": {**pool, "generation": 1}, **place, "devices": devices[:1]}
        found.append(_object(_V1, "ResourceSlice", f"{name}-old", {"spec": older}))
    return found


def _opaque(random: Random) -> Made:
    return {
        "opaque": {"driver": random.choice((_DRIVER, "e.example")), "parameters": {"n": random.randint(0, 9)}}
    }


def _body(random: Random) -> Made:
    """What a request and a subrequest have in common."""
    two = {"allocationMode": "ExactCount", "count": 2}
    mode: Made = random.choice(({}, {}, {}, {"allocationMode": "All"}, two))
    body = {"deviceClassName": random.choice(("k0", "k1")), **mode, **_selectors(random, 0.2)}
    body |= _maybe(random, 0.6, tolerations=[_toleration(random)])
    body |= _maybe(random, 0.4, capacity={"requests": {"memory": str(random.randint(1, 5))}})
    return body


def _claim(random: Random) -> Made:
    requests: list[Made] = []
    for number in range(random.randint(1, 2)):
        if random.random() < 0.3:
            options = [{"name": f"o{n}", **_body(random)} for n in range(2)]
            requests.append({"name": f"r{number}", "firstAvailable": options})
        else:
            exactly = {**_body(random), **_maybe(random, 0.2, adminAccess=True)}
            requests.append({"name": f"r{number}", "exactly": exactly})
    of_some = _maybe(random, 0.5, requests=["r0"])
    names = ["d.example/model", "d.example/size"]
    if random.random() < 0.3:
        derived = {"name": "derived.example/same", "expression": "device.attributes['d.example'].model"}
        for body in _bodies(requests):
            body["derivedAttributes"] = [derived]
        names, of_some = ["derived.example/same"], {}
    constraint = {random.choice(("matchAttribute", "distinctAttribute")): random.choice(names)}
    has_derived = "derived.example/same" in names
    return {
        "devices": {
            "requests": requests,
            **_maybe(random, 1 if has_derived else 0.5, constraints=[{**constraint, **of_some}]),
            **_maybe(random, 0.4, config=[{**_opaque(random), **of_some}]),
        }
    }


def _bodies(requests: list[Made]) -> list[Made]:
    return [body for one in requests for body in one.get("firstAvailable") or [one["exactly"]]]


def _template_metadata(random: Random) -> Made:
    return _maybe(random, 0.4, metadata={"labels": {"a": "b"}, "annotations": {"c": "d"}})


def of_v1(random: Random) -> list[Made]:
    """Nodes, slices, classes, rules, claims and templates of v1, then pods."""
    classes = [
        _object(
            _V1,
            "DeviceClass",
            f"k{number}",
            {"spec": {**_selectors(random, 0.2), **_maybe(random, 0.4, config=[_opaque(random)])}},
        )
        for number in range(2)
    ]
    classes[0]["spec"] |= _maybe(random, 0.5, extendedResourceName="example.com/gpu")
    chosen = {"driver": _DRIVER, "pool": random.choice(("p0", "p1")), "device": random.choice(("d0", "d1"))}
    kept = {name: value for name, value in chosen.items() if name == "driver" or random.random() < 0.7}
    rule = _object(
        _V1, "DeviceTaintRule", "rule", {"spec": {"deviceSelector": kept, "taint": _taint(random)}}
    )
    return [
        *_nodes(),
        *(item for number in range(random.randint(1, 2)) for item in _pool(random, number)),
        *classes,
        *([rule] if random.random() < 0.5 else []),
        *(_object(_V1, "ResourceClaim", f"c{number}", {"spec": _claim(random)}) for number in range(2)),
        *(
            _object(
                _V1,
                "ResourceClaimTemplate",
                f"t{number}",
                {"spec": {"spec": _claim(random), **_template_metadata(random)}},
            )
            for number in range(2)
        ),
        *(_pod(random, number, has_source=False) for number in range(random.randint(1, 3))),
    ]


def _pod(random: Random, number: int, *, has_source: bool) -> Made:
    entries: list[Made] = []
    for place in range(random.randint(1, 2)):
        name = str(random.randint(0, 1))
        source = random.choice(({"resourceClaimName": f"c{name}"}, {"resourceClaimTemplateName": f"t{name}"}))
        entries.append({"name": f"e{place}", **({"source": source} if has_source else source)})
    used = [
        {"name": entry["name"], **({} if has_source else _maybe(random, 0.4, request="r0"))}
        for entry in entries
        if random.random() < 0.8
    ]
    extended = {"limits": {"example.com/gpu": "1"}} if not has_source and random.random() < 0.2 else {}
    container = {"name": "c", "image": "i", "resources": {"claims": used, **extended}}
    kind = random.choice(("containers", "initContainers"))
    spec: Made = {"containers": [{"name": "main", "image": "i"}], "resourceClaims": entries}
    spec[kind] = [*spec.get(kind, []), container]
    return _object("v1", "Pod", f"pod-{number}", {"spec": spec})


# resource.k8s.io/v1alpha2 of 1.30

_OLD_ATOMS = (
    'attributes.string["model"] == "a"',
    'attributes.int["size"] > 1',
    'attributes.bool["fast"]',
    'attributes.quantity["memory"].isGreaterThan(quantity("1"))',
    '"x" in attributes.stringslice["links"]',
    '1 in attributes.intslice["lanes"]',
    'attributes.version["firmware"].isGreaterThan(semver("1.5.0"))',
    "true",
    "true",
    "true",
)


def _old_attributes(random: Random) -> list[Made]:
    values: list[Made] = [
        {"name": "model", "string": random.choice("ab")},
        {"name": "size", "int": random.randint(1, 2)},
        {"name": "fast", "bool": random.random() < 0.5},
        {"name": "memory", "quantity": random.choice(("1", "2"))},
        {"name": "links", "stringSlice": {"strings": [random.choice("xy")]}},
        {"name": "lanes", "intSlice": {"ints": [random.randint(1, 2)]}},
        {"name": "firmware", "version": random.choice(("1.0.0", "2.0.0"))},
    ]
    return [value for value in values if random.random() < 0.7]


def _reference(kind: str, name: str, group: str = "resource.k8s.io", **more: str) -> Made:
    return {"apiGroup": group, "kind": kind, "name": name, **more}


def _origin(random: Random, **more: str) -> Made:
    """The object of a vendor from which parameters were made."""
    return _maybe(random, 0.4, generatedFrom=_reference("Vendor", "v0", "vendor.example", **more))


def of_130(random: Random) -> list[Made]:
    """Nodes, slices, classes, parameters, claims and templates of 1.30, then pods."""
    slices = [
        _object(
            _V1ALPHA2,
            "ResourceSlice",
            f"s{number}",
            {
                "nodeName": random.choice(_NODES),
                "driverName": random.choice((_DRIVER, _DRIVER, "e.example")),
                "namedResources": {
                    "instances": [
                        {"name": f"i{number}-{n}", "attributes": _old_attributes(random)}
                        for n in range(random.randint(1, 3))
                    ]
                },
            },
        )
        for number in range(random.randint(1, 3))
    ]
    request = {"namedResources": {"selector": random.choice(_OLD_ATOMS)}}
    asked = [
        {**request, **_maybe(random, 0.3, vendorParameters={"n": 1})} for _ in range(random.randint(1, 2))
    ]
    parameters = _object(
        _V1ALPHA2,
        "ResourceClaimParameters",
        "p0",
        {
            **_origin(random),
            **_maybe(random, 0.5, shareable=True),
            "driverRequests": [
                {"driverName": _DRIVER, "requests": asked, **_maybe(random, 0.3, vendorParameters={"n": 2})}
            ],
        },
    )
    of_class = _object(
        _V1ALPHA2,
        "ResourceClassParameters",
        "cp0",
        {
            **_origin(random, namespace="default"),
            **_maybe(
                random,
                0.7,
                filters=[{"driverName": _DRIVER, "namedResources": {"selector": random.choice(_OLD_ATOMS)}}],
            ),
            **_maybe(random, 0.4, vendorParameters=[{"driverName": _DRIVER, "parameters": {"n": 3}}]),
        },
    )
    chosen = random.choice(
        (
            _reference("ResourceClassParameters", "cp0", namespace="default"),
            _reference("Vendor", "v0", "vendor.example", namespace="default"),
        )
    )
    classes = [
        _object(
            _V1ALPHA2,
            "ResourceClass",
            f"k{number}",
            {
                "driverName": _DRIVER,
                **_maybe(random, 0.9, structuredParameters=True),
                **_maybe(random, 0.2, suitableNodes=_selector(random)),
                **_maybe(random, 0.7, parametersRef=chosen),
            },
        )
        for number in range(2)
    ]

    def claim() -> Made:
        found = random.choice(
            (
                _reference("ResourceClaimParameters", "p0"),
                _reference("Vendor", "v0", "vendor.example"),
            )
        )
        return {
            "resourceClassName": random.choice(("k0", "k1")),
            **_maybe(random, 0.7, parametersRef=found),
            **_maybe(random, 0.3, allocationMode=random.choice(("Immediate", "WaitForFirstConsumer"))),
        }

    return [
        *_nodes(),
        *slices,
        parameters,
        of_class,
        *classes,
        *(_object(_V1ALPHA2, "ResourceClaim", f"c{number}", {"spec": claim()}) for number in range(2)),
        *(
            _object(
                _V1ALPHA2,
                "ResourceClaimTemplate",
                f"t{number}",
                {"spec": {"spec": claim(), **_template_metadata(random)}},
            )
            for number in range(2)
        ),
        *(_pod(random, number, has_source=True) for number in range(random.randint(1, 3))),
    ]
