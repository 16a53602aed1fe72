"""Differences: each kind of change by a case of its own, and the document."""

from __future__ import annotations

import copy
import json
from typing import Any

import jsonschema
import pytest

import dractl
from dractl.api import budgets
from dractl.diffing.objects import changed_fields
from dractl.report.changes.differences import headline
from tests.paths import ROOT
from tests.rows import each_row

Object = dict[str, Any]

EXAMPLE = ROOT / "testdata" / "examples" / "driver-update"
DRIVER = "gpu.example.com"
API = "resource.k8s.io/v1"
NODE: Object = {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "a"}}
CLASS: Object = {
    "apiVersion": API,
    "kind": "DeviceClass",
    "metadata": {"name": "gpu"},
    "spec": {"selectors": [{"cel": {"expression": f'device.driver == "{DRIVER}"'}}]},
}


def _slice(*models: str, names: str = "gpu-{}", **pool: Any) -> Object:
    devices = [
        {"name": names.format(number), "attributes": {"model": {"string": model}}}
        for number, model in enumerate(models)
    ]
    return {
        "apiVersion": API,
        "kind": "ResourceSlice",
        "metadata": {"name": "a"},
        "spec": {
            "driver": DRIVER,
            "nodeName": "a",
            "pool": {"name": "a", "generation": 1, "resourceSliceCount": 1, **pool},
            "devices": devices,
        },
    }


def _claim(name: str = "gpu", model: str = "a", count: int = 1, *, device: str = "") -> Object:
    expression = f'device.attributes["{DRIVER}"].model == "{model}"'
    request = {"deviceClassName": "gpu", "count": count, "selectors": [{"cel": {"expression": expression}}]}
    item: Object = {
        "apiVersion": API,
        "kind": "ResourceClaim",
        "metadata": {"name": name, "namespace": "ml"},
        "spec": {"devices": {"requests": [{"name": "gpu", "exactly": request}]}},
    }
    if device:
        fields = [{"key": "metadata.name", "operator": "In", "values": ["a"]}]
        result = {"request": "gpu", "driver": DRIVER, "pool": "a", "device": device}
        item["status"] = {
            "allocation": {
                "devices": {"results": [result]},
                "nodeSelector": {"nodeSelectorTerms": [{"matchFields": fields}]},
            }
        }
    return item


def _pod(name: str = "train", claim: str = "gpu") -> Object:
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": name, "namespace": "ml"},
        "spec": {
            "resourceClaims": [{"name": "gpu", "resourceClaimName": claim}],
            "containers": [{"name": "main", "image": "x", "resources": {"claims": [{"name": "gpu"}]}}],
        },
    }


WORLD = [NODE, _slice("a", "a"), CLASS, _claim(), _pod()]


def _with(world: list[Object], item: Object) -> list[Object]:
    """``world`` with an object in place of the one of its kind and name."""
    key = item["kind"], item["metadata"]["name"]
    return [item if (one["kind"], one["metadata"]["name"]) == key else one for one in world]


def test_equal_inputs_do_not_differ() -> None:
    found = dractl.diff(WORLD, copy.deepcopy(WORLD))
    assert found.ok
    assert headline(found) == "nothing differs"
    assert (found.old_objects, found.new_objects) == (5, 5)


def test_the_order_and_the_place_of_objects_do_not_count() -> None:
    text = "\n---\n".join(map(json.dumps, WORLD))
    assert dractl.diff(text, f"# moved\n\n{text}").ok
    assert dractl.diff(WORLD, WORLD[::-1]).ok


def test_a_new_value_ends_a_selector_and_makes_a_pod_pending() -> None:
    found = dractl.diff(WORLD, _with(WORLD, _slice("A", "b")))
    (selector,) = found.selectors
    assert (selector.object.name, selector.request, selector.number) == ("gpu", "gpu", 0)
    assert selector.before is not None
    assert selector.after is not None
    assert (selector.before.selected, selector.after.selected, selector.after.devices) == (2, 0, 2)
    (attribute,) = selector.attributes
    assert attribute == (f"{DRIVER}/model", ("a",), ("A", "b"), 2)
    (move,) = found.placements
    assert (move.change, move.subject, move.is_pod) == ("pending", "ml/train", True)
    assert move.before is not None
    assert move.before.devices == (f"gpu: {DRIVER}/a/gpu-0",)
    why = dractl.simulate(_with(WORLD, _slice("A", "b"))).to_dict()["pending"][0]
    assert move.reason == f"no-devices: {why['summary']}"
    (change,) = found.objects
    assert (change.change, change.object.kind) == ("changed", "ResourceSlice")
    assert change.fields == (("spec.devices[*].attributes.model.string", 2),)


def test_the_other_way_round_the_pod_gets_its_device() -> None:
    found = dractl.diff(_with(WORLD, _slice("A", "b")), WORLD)
    (move,) = found.placements
    assert move.change == "placed"
    assert move.reason.startswith("no-devices: ")
    (selector,) = found.selectors
    assert (selector.lost, selector.gained) == (0, 2)


def test_renamed_devices_vanish_and_others_come() -> None:
    found = dractl.diff(WORLD, _with(WORLD, _slice("a", "a", names="card-{}")))
    selectors = {entry.object.kind: entry for entry in found.selectors}
    assert set(selectors) == {"DeviceClass", "ResourceClaim"}
    selector = selectors["ResourceClaim"]
    assert (selector.lost, selector.gained, selector.vanished, selector.attributes) == (2, 2, 2, ())
    (move,) = found.placements
    assert (move.change, move.reason) == ("moved", "a device is not published anymore")


def test_values_of_devices_that_replace_others_are_named() -> None:
    found = dractl.diff(WORLD, _with(WORLD, _slice("A", "A", names="card-{}")))
    selector = next(entry for entry in found.selectors if entry.object.kind == "ResourceClaim")
    assert [entry[:3] for entry in selector.attributes] == [(f"{DRIVER}/model", ("a",), ("A",))]


def test_a_changed_expression_is_not_blamed_on_attributes() -> None:
    found = dractl.diff(WORLD, _with(WORLD, _claim(model="z")))
    (selector,) = found.selectors
    assert selector.expression != selector.old_expression
    assert selector.attributes == ()


def test_a_selector_that_fails_counts_apart() -> None:
    item = _slice("a", "a")
    del item["spec"]["devices"][1]["attributes"]
    (selector,) = dractl.diff(WORLD, _with(WORLD, item)).selectors
    assert selector.after == (1, 1, 2)
    assert [entry[:3] for entry in selector.attributes] == [(f"{DRIVER}/model", ("a",), ("",))]


def test_a_request_that_moves_in_its_claim_keeps_its_selector_and_findings() -> None:
    bad, moved = copy.deepcopy(_claim()), copy.deepcopy(_claim())
    for item in (bad, moved):
        item["spec"]["devices"]["requests"][0]["exactly"]["allocationMode"] = "Some"
    moved["spec"]["devices"]["requests"].insert(0, {"name": "first", "exactly": {"deviceClassName": "gpu"}})
    found = dractl.diff(_with(WORLD, bad), _with(WORLD, moved))
    assert found.findings_begin == found.findings_end == ()
    assert found.selectors == ()


def test_findings_begin_and_end() -> None:
    bad = copy.deepcopy(_claim())
    bad["spec"]["devices"]["requests"][0]["name"] = "Not A Name"
    begin = dractl.diff(WORLD, _with(WORLD, bad))
    assert [entry.rule for entry in begin.findings_begin if entry.severity.value == "error"] == [
        "request/name"
    ]
    end = dractl.diff(_with(WORLD, bad), WORLD)
    assert "request/name" in [entry.rule for entry in end.findings_end]


def test_a_second_finding_of_one_key_is_one_more() -> None:
    def claim(*names: str) -> Object:
        item = copy.deepcopy(_claim())
        item["spec"]["devices"]["requests"] = [
            {"name": name, "exactly": {"deviceClassName": "gpu"}} for name in names
        ]
        return item

    found = dractl.diff([claim("A A")], [claim("A A", "B B")])
    (begin,) = found.findings_begin
    assert "requests[1]" in begin.field


def test_running_claims_lose_their_devices() -> None:
    world = [NODE, _slice("a", "a"), CLASS, _claim(device="gpu-1")]
    gone = dractl.diff(world, _with(world, _slice("a")))
    assert [(entry.begins, entry.rule, entry.claims) for entry in gone.claims] == [
        (True, "audit/device", ("ml/gpu",))
    ]
    changed = dractl.diff(world, _with(world, _slice("a", "b")))
    (entry,) = changed.claims
    assert (entry.rule, entry.device) == ("audit/selector", f"{DRIVER}/a/gpu-1")
    assert [one[:3] for one in entry.attributes] == [(f"{DRIVER}/model", ("a",), ("b",))]
    (legal,) = dractl.diff(_with(world, _slice("a", "b")), world).claims
    assert not legal.begins


def test_objects_are_added_and_removed() -> None:
    found = dractl.diff(WORLD[:-1], WORLD)
    assert [(entry.change, entry.object.kind) for entry in found.objects] == [("added", "Pod")]
    (move,) = found.placements
    assert (move.change, move.before, move.reason) == ("placed", None, "only in the new input")
    found = dractl.diff(WORLD, WORLD[:-1])
    assert [(entry.change, entry.object.kind) for entry in found.objects] == [("removed", "Pod")]
    assert [(move.change, move.after) for move in found.placements] == [("gone", None)]


def test_a_pod_moves_as_another_one_has_its_device() -> None:
    world = [NODE, _slice("a", "a"), CLASS, _claim(), _pod()]
    first = [_claim("first"), _pod("first", "first")]
    found = dractl.diff(world, [*world[:3], *first, *world[3:]])
    moved = [move for move in found.placements if move.change == "moved"]
    assert [(move.subject, move.reason) for move in moved] == [
        ("ml/train", "a device is allocated to another pod")
    ]


def test_pods_beyond_the_limit_of_explanations_have_one_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(budgets, "EXPLANATIONS", budgets.EXPLANATIONS._replace(value=0))
    names = ("one", "two", "third")
    pods = [item for name in names for item in (_claim(name), _pod(name, name))]
    world = [NODE, _slice("a", "a", "a"), CLASS, *pods]
    found = dractl.diff(world, _with(world, _slice("A", "A", "A")))
    assert len(found.placements) == 3
    assert len({move.reason for move in found.placements}) <= 2


def test_an_input_replaces_the_shared_slices_of_its_drivers() -> None:
    new = _slice("A", "A")
    new["metadata"] = {"name": "under-another-name"}
    found = dractl.diff([], [new], shared=WORLD)
    assert [(entry.change, entry.object.name) for entry in found.objects] == [
        ("added", "under-another-name"),
        ("removed", "a"),
    ]
    assert [move.change for move in found.placements] == ["pending"]
    other = copy.deepcopy(new)
    other["spec"]["driver"] = "other.example.com"
    assert dractl.diff([], [other], shared=WORLD).placements == ()


def test_another_api_version_is_the_same_object() -> None:
    old = copy.deepcopy(CLASS)
    old["apiVersion"] = "resource.k8s.io/v1beta1"
    (change,) = dractl.diff([old], [CLASS]).objects
    assert (change.change, change.fields) == ("changed", (("apiVersion", 1),))


def test_what_a_server_writes_does_not_count() -> None:
    stored = copy.deepcopy(CLASS)
    stored["metadata"] |= {"uid": "u", "resourceVersion": "7", "managedFields": [], "generation": 1}
    assert dractl.diff([CLASS], [stored]).objects == ()


def test_kinds_that_are_not_read_do_not_count() -> None:
    note = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"}}
    assert dractl.diff([CLASS], [CLASS, note]).ok
    assert dractl.diff([CLASS, {"apiVersion": API}], [CLASS]).findings_end


def test_without_nodes_nothing_is_placed() -> None:
    found = dractl.diff([CLASS], [CLASS, _claim(), _pod()])
    assert found.placements == ()
    assert any("placements are not compared" in note for note in found.notes)


def test_what_cannot_be_read_is_noted() -> None:
    found = dractl.diff("a: [", "a: [")
    assert found.ok
    assert [note.partition(":")[0] for note in found.notes[:2]] == ["<old text>", "<new text>"]
    assert dractl.diff("a: 1", "a: [").findings_begin[0].rule == "decode/fatal"


def test_objects_of_prototypes_are_compared() -> None:
    pool = {
        "apiVersion": "devmgmtproto.k8s.io/v1alpha1",
        "kind": "DeviceClass",
        "metadata": {"name": "gpu"},
        "spec": {"driver": "gpu.example.com"},
    }
    other = copy.deepcopy(pool) | {"spec": {"driver": "nic.example.com"}}
    found = dractl.diff([pool], [other])
    assert [(entry.change, entry.fields) for entry in found.objects] == [("changed", (("spec.driver", 1),))]
    assert any("prototype" in note for note in found.notes)


@each_row("kind", [{"a": 1}, [1], 7, None, True])
def test_a_kind_that_is_not_a_text_is_a_finding(kind: object) -> None:
    odd = {"apiVersion": API, "kind": kind, "metadata": {"name": ["a"]}, "spec": 7}
    found = dractl.diff([CLASS], [CLASS, odd])
    assert found.objects == ()
    assert found.findings_begin


def test_names_that_a_server_generates_are_counted() -> None:
    claim = _claim()
    claim["metadata"] = {"generateName": "gpu-", "namespace": "ml"}
    (change,) = dractl.diff([claim], [claim, claim]).objects
    assert (change.change, change.object.name) == ("added", "gpu-")


@each_row(
    ("before", "after", "expected"),
    [
        ({"a": 1}, {"a": 1}, []),
        ({"a": 1}, {"a": True}, [("a", 1)]),
        ({"a": {"b": 1}}, {}, [("a", 1)]),
        ({"a": [1, 2]}, {"a": [1, 3, 4]}, [("a[*]", 2)]),
        ({"a": [{"name": "x", "b": 1}]}, {"a": [{"name": "y", "b": 1}]}, [("a[*]", 2)]),
        (
            {"a": [{"name": "x"}, {"name": "y"}]},
            {"a": [{"name": "y"}, {"name": "x"}]},
            [("a", 1)],
        ),
        ({"a": [{"name": "x", "b": 1}]}, {"a": [{"name": "x", "b": 2}]}, [("a[*].b", 1)]),
        ({"a": {"b/c": 1}}, {"a": {"b/c": 2}}, [("a[b/c]", 1)]),
        ({"a": {str(n): n for n in range(50)}}, {"a": {}}, [(f"a[{n}]", 1) for n in range(20)]),
    ],
)
def test_changed_fields(before: object, after: object, expected: list[tuple[str, int]]) -> None:
    assert list(changed_fields(before, after)) == expected


@pytest.mark.parametrize("kube_version", ["1.37", "1.34", "1.30"])
def test_documents_follow_their_schema(kube_version: str) -> None:
    schema = json.loads((ROOT / "schemas/documents/dractl.diff.1.json").read_text(encoding="utf-8"))
    pairs: list[tuple[Any, Any, Any]] = [
        (EXAMPLE / "driver-1.0", EXAMPLE / "driver-1.1", EXAMPLE / "cluster"),
        (WORLD[:3], [*WORLD[3:], {"apiVersion": API}], []),
    ]
    for old, new, shared in pairs:
        document = dractl.diff(old, new, shared=shared, kube_version=kube_version).to_dict()
        jsonschema.validate(json.loads(json.dumps(document)), schema)
