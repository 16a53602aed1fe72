"""Files of a newer API: no one-of and no closed set is ever read as if nothing stood there."""

from __future__ import annotations

import copy
from typing import Any, NamedTuple

import pytest
import yaml

import dractl
from dractl.api import release
from dractl.finding import Finding
from dractl.lint.base.newer_apis import CANNOT_KNOW, ONE_OFS
from dractl.lint.catalog import known_ids
from dractl.versions.table import tables
from tests.rows import each_row

Steps = tuple[str | int, ...]


class Place(NamedTuple):
    """A valid document, and where one object with a one-of, or one value of a closed set, stands in it."""

    steps: Steps
    text: str
    minor: str = "1.37"
    gates: tuple[str, ...] = ()
    subresource: str = ""

    @property
    def value(self) -> dict[str, Any]:
        found: dict[str, Any] = yaml.safe_load(self.text)
        return found


def _claim(devices: str, version: str = "v1") -> str:
    return (
        f"{{apiVersion: resource.k8s.io/{version}, kind: ResourceClaim, "
        f"metadata: {{name: c, namespace: default}}, spec: {{devices: {devices}}}}}"
    )


def _slice(fields: str, version: str = "v1") -> str:
    return (
        f"{{apiVersion: resource.k8s.io/{version}, kind: ResourceSlice, metadata: {{name: s}}, "
        "spec: {driver: d.example.com, pool: {name: p, generation: 1, resourceSliceCount: 1}, "
        f"{fields}}}}}"
    )


_ONE = "requests: [{name: a, exactly: {deviceClassName: g"
_REQUEST = ("spec", "devices", "requests", 0)
_DEVICE = ("spec", "devices", 0)
_OLD = "apiVersion: resource.k8s.io/v1alpha2"

PLACES: dict[str, list[Place]] = {
    "request/union-none": [
        Place(_REQUEST, _claim(f"{{{_ONE}}}}}]}}")),
        Place(_REQUEST, _claim(f"{{{_ONE}}}}}]}}", "v1beta2"), "1.33"),
        Place(_REQUEST, _claim("{requests: [{name: a, deviceClassName: g}]}", "v1beta1"), "1.34"),
    ],
    "cel/required": [
        Place(
            (*_REQUEST, "exactly", "selectors", 0),
            _claim(f"{{{_ONE}, selectors: [{{cel: {{expression: 'true'}}}}]}}}}]}}"),
        ),
        Place(
            ("spec", "selectors", 0),
            "{apiVersion: resource.k8s.io/v1, kind: DeviceClass, metadata: {name: c}, "
            "spec: {selectors: [{cel: {expression: 'true'}}]}}",
        ),
    ],
    "constraint/none-any": [
        Place(
            ("spec", "devices", "constraints", 0),
            _claim(f"{{{_ONE}}}}}], constraints: [{{matchAttribute: d.example.com/x}}]}}"),
            gates=("DRAConsumableCapacity",),
        )
    ],
    "constraint/none-match": [
        Place(
            ("spec", "devices", "constraints", 0),
            _claim(
                "{requests: [{name: a, deviceClassName: g}], "
                "constraints: [{matchAttribute: d.example.com/x}]}",
                "v1beta1",
            ),
            "1.32",
        )
    ],
    "config/opaque-required": [
        Place(
            ("spec", "devices", "config", 0),
            _claim(f"{{{_ONE}}}}}], config: [{{opaque: {{driver: d.example.com, parameters: {{}}}}}}]}}"),
        ),
        Place(
            ("spec", "config", 0),
            "{apiVersion: resource.k8s.io/v1, kind: DeviceClass, metadata: {name: c}, "
            "spec: {config: [{opaque: {driver: d.example.com, parameters: {}}}]}}",
        ),
    ],
    "device/attr-none": [
        Place(
            (*_DEVICE, "attributes", "x"),
            _slice("nodeName: node, devices: [{name: a, attributes: {x: {int: 1}}}]"),
        ),
        Place(
            (*_DEVICE, "basic", "attributes", "x"),
            _slice("nodeName: node, devices: [{name: a, basic: {attributes: {x: {int: 1}}}}]", "v1beta1"),
            "1.32",
        ),
    ],
    "slice/node-selection-none": [Place(("spec",), _slice("nodeName: node, devices: []"))],
    "device/node-selection-none": [
        Place(
            _DEVICE,
            _slice("perDeviceNodeSelection: true, devices: [{name: a, nodeName: node}]"),
            gates=("DRAPartitionableDevices",),
        )
    ],
    "nar/union": [
        Place(
            (*_DEVICE, "nodeAllocatableResources", "cpu", "mapping"),
            _slice(
                "nodeName: node, devices: [{name: a, "
                "nodeAllocatableResources: {cpu: {mapping: {deviceMultiplier: 4}}}}]"
            ),
            gates=("DRANodeAllocatableResources",),
        )
    ],
    "pod/claim-none": [
        Place(
            ("spec", "resourceClaims", 0),
            "{apiVersion: v1, kind: Pod, metadata: {name: p}, spec: {containers: [{name: c, image: x}], "
            "resourceClaims: [{name: a, resourceClaimName: c}]}}",
        ),
    ],
    "oldslice/attr-none": [
        Place(
            ("namedResources", "instances", 0, "attributes", 0),
            f"{{{_OLD}, kind: ResourceSlice, metadata: {{name: s}}, driverName: d.example.com, "
            "namedResources: {instances: [{name: a, attributes: [{name: x, int: 1}]}]}}",
            "1.30",
        )
    ],
    "oldslice/model": [
        Place(
            (),
            f"{{{_OLD}, kind: ResourceSlice, metadata: {{name: s}}, driverName: d.example.com, "
            "namedResources: {instances: []}}",
            "1.30",
        )
    ],
    "oldparams/model": [
        Place(
            ("driverRequests", 0, "requests", 0),
            f"{{{_OLD}, kind: ResourceClaimParameters, metadata: {{name: s}}, driverRequests: [{{driverName: "
            "d.example.com, requests: [{namedResources: {selector: 'true'}}]}]}",
            "1.30",
        )
    ],
    "oldclaim/handle-model": [
        Place(
            ("status", "allocation", "resourceHandles", 0, "structuredData", "results", 0),
            f"{{{_OLD}, kind: ResourceClaim, metadata: {{name: c, namespace: default}}, "
            "spec: {resourceClassName: g}, status: {driverName: d.example.com, allocation: "
            "{resourceHandles: [{driverName: d.example.com, structuredData: "
            "{nodeName: node, results: [{namedResources: {name: a}}]}}]}}}",
            "1.30",
            subresource="status",
        )
    ],
}
"""By the rule that refuses an object of the one-of in which nothing is set."""

CASES = [
    pytest.param(rule, place, id=f"{rule}-{place.minor}-{number}")
    for rule, places in PLACES.items()
    for number, place in enumerate(places)
]
_MEMBERS = {rule: row.members for row in ONE_OFS for rule in row.rules}
_FLAT = {"request/union-none": ("deviceClassName",), "pod/claim-none": ("source",)}


def _findings(place: Place, value: dict[str, Any]) -> list[Finding]:
    old = {key: part for key, part in place.value.items() if key != "status"} if place.subresource else None
    report = dractl.validate(
        value,
        kube_version=place.minor,
        feature_gates=dict.fromkeys(place.gates, True),
        old=old,
        subresource=place.subresource or None,
    )
    return [found for found in report.findings if found.severity == "error"]


def _holder(value: Any, steps: Steps) -> Any:
    for step in steps:
        value = value[step]
    return value


def _without_members(rule: str, place: Place) -> dict[str, Any]:
    value = copy.deepcopy(place.value)
    holder = _holder(value, place.steps)
    for name in (*_MEMBERS[rule], *_FLAT.get(rule, ())):
        holder.pop(name, None)
    return value


def test_every_one_of_is_tried() -> None:
    assert set(PLACES) == set(_MEMBERS)
    assert set(PLACES) <= set(known_ids())


@pytest.mark.parametrize("row", ONE_OFS, ids=lambda row: f"{row.at}-{'-'.join(row.members)}")
def test_members_are_fields_of_their_type(row: Any) -> None:
    newest = next(minor for minor in reversed(release.KNOWN) if _has_type(minor, row.at))
    fields = tables(newest).struct(row.at).fields
    assert set(row.members) <= set(fields)


def _has_type(minor: release.Minor, key: str) -> bool:
    try:
        tables(minor).struct(key)
    except KeyError:
        return False
    return True


def test_every_union_that_the_field_tables_know_is_among_them() -> None:
    """The tables mark what the server checks by rules that are generated from the types."""
    named = {row.at.partition(".")[2] for row in ONE_OFS}
    newest = tables(release.NEWEST)
    marked = {
        key.partition(".")[2]
        for kind in newest.kinds.values()
        if kind.group == "resource.k8s.io"
        for key in _types_below(kind.type)
        if any(
            tag.endswith("unionMember") for field in newest.struct(key).fields.values() for tag in field.tags
        )
    }
    assert marked
    assert marked <= named


def _types_below(key: str, seen: frozenset[str] = frozenset()) -> set[str]:
    newest = tables(release.NEWEST)
    if key in seen or newest.scalar(key) is not None:
        return set()
    found = {key}
    for field in newest.struct(key).fields.values():
        for part in (field, field.items, field.values):
            if part is not None and part.ref:
                found |= _types_below(part.ref, seen | found)
    return found


@pytest.mark.parametrize(("rule", "place"), CASES)
def test_the_example_itself_is_valid(rule: str, place: Place) -> None:
    assert [found.rule for found in _findings(place, place.value)] == [], rule


@pytest.mark.parametrize(("rule", "place"), CASES)
def test_an_empty_one_is_refused_and_not_read_as_nothing(rule: str, place: Place) -> None:
    found = [found for found in _findings(place, _without_members(rule, place)) if found.rule == rule]
    assert len(found) == 1
    assert CANNOT_KNOW in found[0].hint


@pytest.mark.parametrize(("rule", "place"), CASES)
def test_an_unknown_member_is_refused_and_named(rule: str, place: Place) -> None:
    value = _without_members(rule, place)
    _holder(value, place.steps)["fromTheFuture"] = {"size": 4}
    findings = _findings(place, value)
    assert "decode/unknown" in [found.rule for found in findings]
    (found,) = [found for found in findings if found.rule == rule]
    assert found.hint.endswith(f"`fromTheFuture` may be its replacement in a newer version: {CANNOT_KNOW}")


@pytest.mark.parametrize(("rule", "place"), CASES)
def test_an_unknown_member_next_to_a_known_one_is_refused(rule: str, place: Place) -> None:
    value = copy.deepcopy(place.value)
    _holder(value, place.steps)["fromTheFuture"] = {"size": 4}
    assert [found.rule for found in _findings(place, value)] == ["decode/unknown"], rule


@pytest.mark.parametrize(("rule", "place"), CASES)
def test_an_unknown_member_is_not_lost_in_silence_by_a_conversion(rule: str, place: Place) -> None:
    value = _without_members(rule, place)
    if value["apiVersion"] == "v1":
        # dractl converts the claims of pods, and reads nothing else of them.
        _holder(value, place.steps)["source"] = {"fromTheFuture": "x"}
    else:
        _holder(value, place.steps)["fromTheFuture"] = {"size": 4}
    for version in ("v1beta1", "v1beta2", "v1"):
        if value["apiVersion"] != f"resource.k8s.io/{version}":
            converted = dractl.convert(value, to=version)
            assert not converted.ok
            assert converted.objects == ()


@pytest.mark.parametrize(("rule", "place"), CASES)
def test_an_object_with_an_unknown_member_takes_no_part_in_a_simulation(rule: str, place: Place) -> None:
    if place.subresource:
        # A status does not make a simulation refuse an object that it was given as it is.
        return
    value = _without_members(rule, place)
    _holder(value, place.steps)["fromTheFuture"] = {"size": 4}
    gates = {**dict.fromkeys(place.gates, True), "DynamicResourceAllocation": True}
    simulation = dractl.simulate(value, kube_version=place.minor, feature_gates=gates)
    assert [entry.object["kind"] for entry in simulation.left_out] == [value["kind"]]
    assert simulation.placements == ()


VALUES = {
    "request/mode": Place(
        (*_REQUEST, "exactly", "allocationMode"), _claim(f"{{{_ONE}, allocationMode: All}}}}]}}")
    ),
    "request/tol-operator": Place(
        (*_REQUEST, "exactly", "tolerations", 0, "operator"),
        _claim(f"{{{_ONE}, tolerations: [{{operator: Exists}}]}}}}]}}"),
    ),
    "request/tol-effect": Place(
        (*_REQUEST, "exactly", "tolerations", 0, "effect"),
        _claim(f"{{{_ONE}, tolerations: [{{operator: Exists, effect: NoSchedule}}]}}}}]}}"),
    ),
    "device/taint-effect": Place(
        (*_DEVICE, "taints", 0, "effect"),
        _slice("nodeName: node, devices: [{name: a, taints: [{key: k, effect: NoSchedule}]}]"),
    ),
    "taintrule/effect": Place(
        ("spec", "taint", "effect"),
        "{apiVersion: resource.k8s.io/v1beta2, kind: DeviceTaintRule, metadata: {name: r}, "
        "spec: {deviceSelector: {driver: d.example.com}, taint: {key: k, effect: NoSchedule}}}",
        gates=("DRADeviceTaintRules",),
    ),
    "skip-ops/op": Place(
        ("spec", "skipNodeOperations", 0),
        _slice(
            "nodeName: node, devices: [], skipNodeOperations: [NodePrepareResources, NodeUnprepareResources]"
        ),
        gates=("DRAOptionalNodeOperations",),
    ),
    "oldclaim/mode": Place(
        ("spec", "allocationMode"),
        f"{{{_OLD}, kind: ResourceClaim, metadata: {{name: c, namespace: default}}, "
        "spec: {resourceClassName: g, allocationMode: Immediate}}",
        "1.30",
    ),
}
"""A value of each closed set that decides what an object means."""


@pytest.mark.parametrize("place", VALUES.values(), ids=VALUES)
def test_an_unknown_value_of_a_closed_set_is_refused(place: Place) -> None:
    assert _findings(place, place.value) == []
    value = copy.deepcopy(place.value)
    _holder(value, place.steps[:-1])[place.steps[-1]] = "FromTheFuture"
    found = [found for found in _findings(place, value) if found.type == "FieldValueNotSupported"]
    assert found
    assert all(entry.hint.endswith(f"a newer version may have it: {CANNOT_KNOW}") for entry in found)


def test_a_mode_of_the_future_is_carried_over_as_it_is() -> None:
    text = VALUES["request/mode"].text.replace("allocationMode: All", "allocationMode: FromTheFuture")
    there = dractl.convert(text, to="v1beta1")
    assert there.objects[0]["spec"]["devices"]["requests"][0]["allocationMode"] == "FromTheFuture"
    assert dractl.convert(there.text, to="v1").objects == (yaml.safe_load(text),)


def test_an_empty_list_as_the_only_member_is_refused_in_the_same_words() -> None:
    (found,) = _findings(Place((), ""), yaml.safe_load(_claim("{requests: [{name: a, firstAvailable: []}]}")))
    assert found.rule == "request/union-none"
    assert found.hint.endswith(CANNOT_KNOW)


@pytest.mark.parametrize("name", ["validPrimes", "fromTheFuture"])
def test_an_unknown_member_of_a_request_policy_is_refused_in_the_same_words(name: str) -> None:
    policy = f"requestPolicy: {{default: 1Gi, {name}: {{size: 4}}}}"
    device = f"{{name: a, allowMultipleAllocations: true, capacity: {{memory: {{value: 8Gi, {policy}}}}}}}"
    place = Place((), _slice(f"nodeName: node, devices: [{device}]"), gates=("DRAConsumableCapacity",))
    (found,) = _findings(place, place.value)
    assert found.rule == "decode/unknown"
    assert found.hint.endswith(f"it may be a member of a newer version: {CANNOT_KNOW}")


_PROTO = "devmgmtproto.k8s.io/v1alpha1"
_EVO = "resource.k8s.io/v1alpha2"
PROTOTYPES = {
    "dc-1": (_PROTO, "DeviceClass", "spec: {MEMBER}"),
    "dp-5": (
        _PROTO,
        "DevicePool",
        "spec: {driver: d.example, devices: [{name: d, attributes: [{name: a, MEMBER}]}]}",
    ),
    "cl-4-none": (_PROTO, "DeviceClaim", "spec: {devices: [{name: x, MEMBER}]}"),
    "de-5": (
        _EVO,
        "ResourcePool",
        "spec: {nodeName: n, driverName: d.example, devices: [{name: d, attributes: [{name: a, MEMBER}]}]}",
    ),
    "de-9": (_EVO, "DeviceClass", "requirements: [{MEMBER}]"),
    "de-10": (
        _EVO,
        "ResourceClaim",
        "spec: {requests: [{name: a, deviceClassName: g}], constraints: [{MEMBER}]}",
    ),
    "de-15": (_EVO, "DeviceClass", "config: [{MEMBER}]"),
}
"""Objects of prototypes by the rule that refuses them without a member of their one-of."""


@pytest.mark.parametrize("rule", PROTOTYPES)
@pytest.mark.parametrize(
    ("member", "words"),
    [
        ("", "a member of a newer version may have been dropped here"),
        ("fromTheFuture: {size: 4}", "`fromTheFuture` may be its replacement in a newer version"),
    ],
)
def test_a_one_of_of_a_prototype_is_refused_in_the_same_words(rule: str, member: str, words: str) -> None:
    version, kind, body = PROTOTYPES[rule]
    head = f"apiVersion: {version}, kind: {kind}, metadata: {{name: x, namespace: default}}"
    value = yaml.safe_load(f"{{{head}, {body.replace('MEMBER', member)}}}")
    errors = [found for found in dractl.validate(value).findings if found.severity == "error"]
    (found,) = [found for found in errors if found.rule == f"prototype/{rule}"]
    assert found.hint.endswith(f"{words}: {CANNOT_KNOW}")


@pytest.mark.parametrize(
    ("form", "rule"), [("{}", "po-1"), ("[{name: a, source: {}}]", "pl-2"), ("[{}]", "gr-2")]
)
def test_a_pod_of_a_prototype_that_says_nothing_is_refused_in_the_same_words(form: str, rule: str) -> None:
    text = f"{{apiVersion: v1, kind: Pod, metadata: {{name: p}}, spec: {{deviceClaims: {form}}}}}"
    report = dractl.validate(text, dialect="proto-group" if rule == "gr-2" else "proto-oneof")
    (found,) = [found for found in report.findings if found.rule == f"prototype/{rule}"]
    assert found.hint.endswith(CANNOT_KNOW)


@each_row(
    ("field", "hint"),
    [
        ("allocationMode: exactCount", "did you mean ExactCount?"),
        ("allocationMode: all", "did you mean All?"),
        ("allocationMode: Some", f"a newer version may have it: {CANNOT_KNOW}"),
        ("tolerations: [{key: a, operator: Equal1, value: b}]", "did you mean Equal?"),
        ("tolerations: [{key: a, operator: Exists, effect: NoSchedul}]", "did you mean NoSchedule?"),
    ],
)
def test_a_typo_comes_before_a_newer_version(field: str, hint: str) -> None:
    text = (
        "apiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nmetadata: {name: a}\n"
        "spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: gpu, %s}}]}}\n"
    )
    assert [finding.hint for finding in dractl.validate(text % field).findings] == [hint]


def test_a_reference_with_a_typo_is_answered_with_the_name() -> None:
    text = (
        "apiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nmetadata: {name: a}\n"
        "spec: {devices: {requests: [{name: big-gpu, exactly: {deviceClassName: gpu}}],"
        " constraints: [{requests: [%s], matchAttribute: a.io/b}]}}\n"
    )
    hints = [dractl.validate(text % name).findings[0].hint for name in ("big-gpus", "nic")]
    assert hints == ["the claim has big-gpu; did you mean big-gpu?", "the claim has big-gpu"]
