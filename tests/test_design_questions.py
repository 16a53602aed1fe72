"""The page of design questions: what it names is there, and what nothing else tests is shown here."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import dractl
from dractl.lint.catalog import known_ids
from tests.paths import ROOT
from tests.rows import each_row

PAGE = (ROOT / "docs" / "contributing" / "design-questions.md").read_text(encoding="utf-8")


class Row(NamedTuple):
    """One question of the page."""

    number: int
    question: str
    answer: str
    shown_by: str


ROWS = [
    Row(int(number), *map(str.strip, rest.split(" | ")))
    for number, rest in re.findall(r"^\| (\d+) \| (.*) \|$", PAGE, re.MULTILINE)
]


def test_every_question_has_its_row() -> None:
    assert [row.number for row in ROWS] == list(range(1, 95))


def test_what_a_row_names_is_there() -> None:
    for row in ROWS:
        named = re.findall(r"`([^`]+)`", row.shown_by)
        assert named or row.shown_by == "—", row.number
        if not named:
            assert re.search(r"[Nn]othing to check|Does not apply", row.answer), row.number
        for name in named:
            if name.startswith("dractl rule "):
                assert name.removeprefix("dractl rule ") in known_ids(), row.number
            else:
                path, _, function = name.partition("::")
                assert function in _functions(ROOT / path), name


@cache
def _functions(path: Path) -> set[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}


# What follows is shown nowhere else.

GPU = "gpu.example.com"


def _object(kind: str, name: str, spec: Any, version: str = "v1") -> dict[str, Any]:
    return {
        "apiVersion": f"resource.k8s.io/{version}",
        "kind": kind,
        "metadata": {"name": name},
        "spec": spec,
    }


def _slice(**devices: dict[str, Any]) -> dict[str, Any]:
    pool = {"name": "node-a", "generation": 1, "resourceSliceCount": 1}
    listed = [{"name": name.replace("_", "-"), **fields} for name, fields in devices.items()]
    return _object(
        "ResourceSlice", "s", {"driver": GPU, "nodeName": "node-a", "pool": pool, "devices": listed}
    )


def _claim(name: str, *requests: dict[str, Any], **devices: Any) -> dict[str, Any]:
    return _object("ResourceClaim", name, {"devices": {"requests": list(requests), **devices}})


def _request(name: str, **fields: Any) -> dict[str, Any]:
    return {"name": name, "exactly": {"deviceClassName": "gpu", **fields}}


def _pod(name: str, claims: list[str], containers: dict[str, dict[str, str]]) -> dict[str, Any]:
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": name},
        "spec": {
            "resourceClaims": [{"name": claim, "resourceClaimName": claim} for claim in claims],
            "containers": [
                {"name": container, "image": "x", "resources": {"claims": [use]}}
                for container, use in containers.items()
            ],
        },
    }


CLASS = _object("DeviceClass", "gpu", {})


def _model(name: str) -> dict[str, Any]:
    return {"attributes": {"model": {"string": name}}}


def _rules(*objects: Any, **options: Any) -> list[str]:
    report = dractl.validate(list(objects), **options)
    return [found.rule for found in report.findings if found.severity == "error"]


def test_two_containers_get_devices_that_match() -> None:
    api_objects = [CLASS, _slice(a=_model("old"), b=_model("new"), c=_model("new"))]
    constraint = {"matchAttribute": f"{GPU}/model"}
    claim = _claim("pair", _request("one"), _request("two"), constraints=[constraint])
    uses = {"first": {"name": "pair", "request": "one"}, "second": {"name": "pair", "request": "two"}}
    found = dractl.simulate([*api_objects, claim, _pod("p", ["pair"], uses)])
    assert [(row.container, row.device) for row in found.placements] == [("first", "b"), ("second", "c")]


def test_a_pod_says_nothing_of_matching() -> None:
    pod = _pod("p", ["pair"], {"main": {"name": "pair"}})
    pod["spec"]["resourceClaims"][0]["constraints"] = [{"matchAttribute": f"{GPU}/model"}]
    assert _rules(pod) == ["decode/unknown"]


def test_a_constraint_leaves_other_claims_alone() -> None:
    api_objects = [CLASS, _slice(a=_model("old"), b=_model("new"), c=_model("old"))]
    constraint = {"matchAttribute": f"{GPU}/model"}
    claims = [
        _claim("pair", _request("one"), _request("two"), constraints=[constraint]),
        _claim("single", _request("one")),
    ]
    pod = _pod("p", ["pair", "single"], {"main": {"name": "pair"}, "other": {"name": "single"}})
    found = dractl.simulate([*api_objects, *claims, pod])
    assert [(row.claim, row.device) for row in found.placements] == [
        ("default/pair", "a"),
        ("default/pair", "c"),
        ("default/single", "b"),
    ]


def test_a_wrong_indentation_is_found_at_its_line() -> None:
    text = (
        "apiVersion: v1\nkind: Pod\nmetadata:\n  name: p\n spec:\n---\nkind: X\napiVersion: example.com/v1\n"
    )
    findings = dractl.validate(text).findings
    assert [(found.rule, found.location.line) for found in findings if found.location] == [
        ("decode/fatal", 5),
        ("document/skipped", 7),
    ]


def test_requests_for_something_else_are_not_passed_over() -> None:
    claim = _claim("c", _request("gpu"))
    claim["spec"]["networks"] = {"requests": [{"name": "n"}]}
    assert _rules(claim) == ["decode/unknown"]
    assert not dractl.convert(claim, to="v1beta1").ok


def test_a_slice_has_no_status() -> None:
    assert _rules({**_slice(a={}), "status": {"allocatedDevices": []}}) == ["decode/unknown"]


def test_a_device_chosen_by_its_capacity_is_given_whole() -> None:
    slices = _slice(
        small={"capacity": {"memory": {"value": "20Gi"}}}, big={"capacity": {"memory": {"value": "80Gi"}}}
    )
    expression = f'device.capacity["{GPU}"].memory.isGreaterThan(quantity("40Gi"))'
    request = _request("gpu", selectors=[{"cel": {"expression": expression}}])
    docs = [CLASS, slices, _claim("a", request), _claim("b", request)]
    found = dractl.simulate(docs, allocate_unreferenced=True)
    assert [(row.claim, row.device, dict(row.consumed_capacity)) for row in found.placements] == [
        ("default/a", "big", {})
    ]
    assert [entry.claim for entry in found.pending] == ["default/b"]


@pytest.mark.parametrize("selector", [{}, {"cel": None}])
def test_an_empty_selector_is_as_little_as_none(selector: dict[str, Any]) -> None:
    assert _rules(_claim("c", _request("gpu", selectors=[selector]))) == ["cel/required"]
    docs = [CLASS, _slice(a={}), _claim("c", _request("gpu", selectors=[selector]))]
    found = dractl.simulate(docs, allocate_unreferenced=True)
    assert found.placements == ()


@each_row("count", ["1-2", "2", 1.5, {"min": 1}])
def test_a_count_is_a_number_and_nothing_else(count: Any) -> None:
    assert _rules(_claim("c", _request("gpu", count=count))) == ["decode/fatal"]


GATE, FIELD = "DRAConsumableCapacity", "capacity"
GATED = _object(
    "ResourceClaim",
    "c",
    {
        "devices": {
            "requests": [
                {"name": "gpu", "deviceClassName": "gpu", FIELD: {"requests": {"example.com/m": "1"}}}
            ]
        }
    },
    "v1beta1",
)


def _has_field(persisted: dict[str, Any]) -> bool:
    return FIELD in persisted["spec"]["devices"]["requests"][0]


@each_row(
    ("minor", "gates", "verdict"),
    [
        ("1.33", {}, "refused"),
        ("1.34", {}, "dropped"),
        ("1.34", {GATE: True}, "kept"),
        ("1.36", {}, "kept"),
        ("1.36", {GATE: False}, "dropped"),
    ],
)
def test_a_new_object_over_three_releases(minor: str, gates: dict[str, bool], verdict: str) -> None:
    """The field came with 1.34, alpha and off; its gate is beta and on in 1.36."""
    report = dractl.validate(GATED, kube_version=minor, feature_gates=gates)
    (persisted,) = report.persisted
    outcome = "refused" if persisted is None else "kept" if _has_field(persisted) else "dropped"
    assert outcome == verdict
    assert ("gate/dropped" in [found.rule for found in report.findings]) is (verdict == "dropped")


@pytest.mark.parametrize("minor", ["1.34", "1.36"])
def test_a_stored_object_keeps_a_field_whose_gate_is_off(minor: str) -> None:
    new = {**GATED, "metadata": {"name": "c", "labels": {"a": "b"}}}
    report = dractl.validate(new, old=GATED, kube_version=minor, feature_gates={GATE: False})
    (persisted,) = report.persisted
    assert persisted is not None
    assert _has_field(persisted)


@pytest.mark.parametrize("devices", [{}, {"devices": []}])
def test_a_slice_may_have_no_devices(devices: dict[str, Any]) -> None:
    pool = {"name": "p", "generation": 1, "resourceSliceCount": 1}
    assert (
        _rules(_object("ResourceSlice", "s", {"driver": GPU, "nodeName": "node-a", "pool": pool, **devices}))
        == []
    )
