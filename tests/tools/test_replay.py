"""Recorded inputs as questions to two oracles, the groups of what differs, and gates against an oracle."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from tools.new_minor import replay, verify
from tools.new_minor.questions import Question, question_of, recorded


@pytest.mark.slow
def test_every_recorded_input_is_asked_once() -> None:
    questions = recorded()
    assert len({json.dumps(each.request, sort_keys=True) for each in questions}) == len(questions)
    assert {each.request["op"] for each in questions} == {"validate", "cel", "allocate"}
    assert question_of({"id": "x", "text": "a: 1", "json": "{}"}) is None


def _validated(**answer: Any) -> dict[str, Any]:
    return {"gvk": "v1/Pod", "decode_errors": [], "errors": [], "result": {}, **answer}


def _error(place: str, type_: str = "FieldValueInvalid", detail: str = "") -> dict[str, Any]:
    return {"type": type_, "field": place, "bad_value": 1, "detail": detail}


STORED = {"spec": {"taints": [{"key": "a", "timeAdded": "now"}]}}


@pytest.mark.parametrize(
    ("op", "before", "after", "group", "what"),
    [
        ("validate", {}, {"errors": [_error("a[3].b")]}, "new rejections", "+ FieldValueInvalid a[*].b"),
        ("validate", {"errors": [_error("a")]}, {}, "gone rejections", "- FieldValueInvalid a"),
        (
            "validate",
            {"errors": [_error("a")]},
            {"errors": [_error("b")]},
            "other errors",
            "+ FieldValueInvalid b; - FieldValueInvalid a",
        ),
        (
            "validate",
            {},
            {"decode_errors": [{"kind": "strict", "message": 'unknown field "spec.x"'}]},
            "new rejections",
            '+ strict unknown field "spec.x"',
        ),
        (
            "validate",
            {},
            {"api_error": {"reason": "Conflict", "code": 409, "message": "no"}},
            "new rejections",
            "+ Conflict of the request",
        ),
        (
            "validate",
            {"errors": [_error("a", detail="one")]},
            {"errors": [_error("a", detail="two")]},
            "message only",
            "a: one N",
        ),
        ("validate", {}, {"result": {"spec": {"a": [1]}}}, "other stored objects", "spec"),
        ("validate", {}, {"gvk": ""}, "asked in one minor only", "kind v1/Pod"),
        ("validate", {"error": "panic: 7"}, {}, "asked in one minor only", "panic: N"),
        ("cel", {"compile_error": {"type": "Bad", "message": "x"}}, {}, "CEL", "compiles: Bad -> yes"),
        ("cel", {"max_cost": 7}, {"max_cost": 9}, "CEL", "max_cost"),
        ("cel", {"devices": [{"match": True}]}, {"devices": [{"match": False}]}, "CEL", "match"),
        ("cel", {"devices": [{"error": "a"}]}, {"devices": [{}]}, "CEL", "error"),
        (
            "cel",
            {"devices": [{"error": "a"}]},
            {"devices": [{"error": "b"}]},
            "message only",
            "error of an evaluation",
        ),
        (
            "allocate",
            {"steps": [{"node": "a", "allocations": []}]},
            {"steps": [{"node": "b", "allocations": []}]},
            "other allocations",
            "[*].node",
        ),
    ],
)
def test_a_difference_has_a_group(
    op: str, before: dict[str, Any], after: dict[str, Any], group: str, what: str
) -> None:
    complete = _validated if op == "validate" else dict
    found = replay.compare(Question("x", {"op": op}), complete(**before), complete(**after))
    assert found == replay.Difference(group, what, "x")


@pytest.mark.parametrize(
    ("op", "before", "after"),
    [
        ("validate", _validated(errors=[_error("a[0]")]), _validated(errors=[_error("a[0]")])),
        ("validate", _validated(result=STORED), _validated(result={"spec": {"taints": [{"key": "a"}]}})),
        ("validate", {"error": "x"}, {"error": "y"}),
        ("cel", {"devices": [{"match": True}]}, {"devices": [{"match": True}]}),
        ("allocate", {"steps": [], "timeout": True}, {"steps": [{"node": "b", "allocations": []}]}),
    ],
)
def test_equal_answers_are_no_difference(op: str, before: dict[str, Any], after: dict[str, Any]) -> None:
    assert replay.compare(Question("x", {"op": op}), before, after) is None


@pytest.mark.parametrize(
    ("wanted", "settable"),
    [
        ({"Free": False}, {"Free": False}),
        ({"Locked": True}, {}),
        ({"Locked": False}, None),
        ({"Gone": True, "Free": True}, {"Free": True}),
        ({"Gone": False}, None),
    ],
)
def test_a_gate_is_set_where_it_matters(wanted: dict[str, bool], settable: dict[str, bool] | None) -> None:
    assert replay.Gates({"Free": None, "Locked": True}).settable(wanted) == settable


def test_differences_of_one_cause_are_one_line() -> None:
    found = replay.grouped(
        [
            replay.Difference("CEL", "cost", "a"),
            replay.Difference("new rejections", "+ X", "b"),
            replay.Difference("CEL", "match", "c"),
            replay.Difference("CEL", "match", "d"),
        ]
    )
    assert list(found) == ["new rejections", "CEL"]
    assert list(found["CEL"].items()) == [("match", ["c", "d"]), ("cost", ["a"])]


_ORACLE = """\
#!{python}
import json, sys
for line in sys.stdin:
    asked = json.loads(line)
    if asked["op"] == "gates":
        free = {{"name": "Free", "stage": "BETA", "locked": False, "default": True}}
        print(json.dumps({{"gates": [free], "dependencies": {{"Free": ["B", "A"]}}}}))
    elif asked["op"] == "allocate":
        nodes = {nodes}[: asked.get("repeat", 1)]
        steps = [{{"steps": [{{"node": node, "allocations": []}}]}} for node in nodes]
        print(json.dumps(steps[0] | {{"alternatives": steps}}))
    else:
        print(json.dumps({{"gvk": "x", "errors": {errors}}}))
"""


def _oracle(path: Path, nodes: list[str], errors: list[dict[str, Any]]) -> Path:
    text = _ORACLE.format(python=sys.executable, nodes=nodes, errors=errors)
    path.write_text(text, encoding="utf-8")
    path.chmod(0o755)
    return path


@pytest.mark.skipif(sys.platform == "win32", reason="scripts with #! do not run here")
def test_allocations_in_a_random_order_differ_only_if_none_is_the_same(tmp_path: Path) -> None:
    questions = [
        Question("devices", {"op": "allocate", "gates": {}}),
        Question("object", {"op": "validate", "gates": {"Free": True}}),
        Question("gate", {"op": "validate", "gates": {"Nope": False}}),
    ]
    old = _oracle(tmp_path / "old", ["a", "b"], [])
    same = _oracle(tmp_path / "same", ["b", "a"], [])
    other = _oracle(tmp_path / "other", ["c"], [_error("a")])
    assert replay.replay(old, same, questions) == (2, [])
    answered, found = replay.replay(old, other, questions)
    assert answered == 2
    assert sorted(each.group for each in found) == ["new rejections", "other allocations"]


@pytest.mark.skipif(sys.platform == "win32", reason="scripts with #! do not run here")
@pytest.mark.parametrize(
    ("name", "row", "expected"),
    [
        ("Free", {}, []),
        ("Free", {"stage": "ga"}, ["Free stage: ga, but BETA in the release"]),
        ("Free", {"dependsOn": []}, ["Free dependsOn: [], but ['B', 'A'] in the release"]),
        ("Free", None, ["Free: not in the data"]),
        ("Other", {}, ["Other: not in the release"]),
        ("Other", None, []),
    ],
)
def test_gates_are_compared_with_the_oracle(
    tmp_path: Path, name: str, row: dict[str, Any] | None, expected: list[str]
) -> None:
    complete = {"stage": "beta", "default": True, "lockToDefault": False, "dependsOn": ["A", "B"]}
    table = {"gates": {name: {"minors": {"1.99": None if row is None else complete | row}}}}
    program = _oracle(tmp_path / "oracle", ["a"], [])
    assert list(verify.other_gates(program, table, "1.99")) == expected
