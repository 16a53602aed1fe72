from __future__ import annotations

import json
import sys
from typing import Any

import pytest

from dractl.api import gates, release
from dractl.api.gates import GateSet
from dractl.cel.compile import CelError
from dractl.cel.second_opinion import NotInstalledError, SecondOpinion
from dractl.source.load import Loaded, load, load_text
from dractl.workflows.cel import Known, devices_in, document, examine, select_of_prototypes
from tests.paths import ROOT
from tests.rows import each_row

ATTRIBUTES = 'device.attributes["gpu.example.com"]'
INPUT = ROOT / "testdata" / "output" / "inputs" / "devices.yaml"


def _gates(minor: str = "1.37", **overrides: bool) -> GateSet:
    return gates.resolve(release.parse(minor), overrides)


def _slice(name: str, device: str, *, generation: int = 1, driver: str = "gpu.example.com") -> str:
    return (
        f"apiVersion: resource.k8s.io/v1\nkind: ResourceSlice\nmetadata: {{name: {name}}}\n"
        f"spec:\n  driver: {driver}\n  nodeName: node-a\n"
        f"  pool: {{name: node-a, generation: {generation}, resourceSliceCount: 1}}\n"
        f"  devices: [{{name: {device}, attributes: {{model: {{string: {device}}}}}}}]\n"
    )


def _known(*texts: str, minor: str = "1.37") -> Known:
    loaded: list[Loaded] = [item for text in texts for item in load_text(text)]
    return devices_in(loaded, _gates(minor))


def _names(known: Known) -> list[str]:
    return [str(device.id) for device in known.devices]


def test_devices_of_all_slices_that_the_server_takes() -> None:
    known = devices_in(load(INPUT), _gates())
    assert _names(known) == [f"gpu.example.com/node-a/gpu-{number}" for number in range(3)]
    (reason,) = known.left_out
    assert reason.startswith(f"{INPUT}:32:3: the slice is rejected and left out: spec.driver: 'nic_example'")


def test_only_the_newest_generation_of_a_pool_counts() -> None:
    known = _known(_slice("new", "gpu-1", generation=2), _slice("old", "gpu-0"))
    assert _names(known) == ["gpu.example.com/node-a/gpu-1"]


def test_pools_of_two_drivers_are_two() -> None:
    known = _known(_slice("one", "gpu-0"), _slice("two", "nic-0", driver="nic.example.com"))
    assert _names(known) == ["gpu.example.com/node-a/gpu-0", "nic.example.com/node-a/nic-0"]


def test_what_cannot_be_read_is_reported() -> None:
    known = _known("a: [", _slice("one", "gpu-0"))
    assert len(known.devices) == 1
    assert known.left_out[0].startswith("<text>:")


def test_a_slice_of_a_version_that_the_minor_lacks_is_reported() -> None:
    known = _known(_slice("one", "gpu-0"), minor="1.33")
    assert known.devices == ()
    assert "does not have ResourceSlice in resource.k8s.io/v1" in known.left_out[0]


def test_other_objects_are_not_told() -> None:
    claim = "apiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nmetadata: {name: a}\nspec: {wrong: 1}\n"
    assert _known(claim) == Known((), ())


def _examined(expression: str, *environments: Any, minor: str = "1.37", **overrides: bool) -> Any:
    return examine(expression, _gates(minor, **overrides), environments or ("new", "stored"), ())


def test_both_environments_take_what_is_usual() -> None:
    examined = _examined('device.driver == "a"')
    assert examined.ok
    assert [(verdict.environment, verdict.error) for verdict in examined.verdicts] == [
        ("new", None),
        ("stored", None),
    ]


def test_a_function_may_be_too_new_for_the_api_server_only() -> None:
    examined = _examined("[1].sort() == [1]", minor="1.34")
    new, stored = examined.verdicts
    assert not examined.ok
    assert (new.selector, new.error.kind, new.error.offset) == (None, "type", 4)
    assert stored.error is None


def test_a_gate_decides_for_new_expressions() -> None:
    expression = f'{ATTRIBUTES}.models.includes("x")'
    assert not _examined(expression, "new", minor="1.36").ok
    assert _examined(expression, "new", minor="1.36", DRAListTypeAttributes=True).ok


def test_cost_and_length_are_limits_for_new_expressions_since_132() -> None:
    costly = 'device.capacity["a"].b != quantity("1")'
    new, stored = _examined(costly).verdicts
    assert (new.error.kind, stored.error) == ("cost", None)
    assert new.selector is not None
    assert new.error.message.startswith("the expression is too complex: ")
    assert _examined(costly, "new", minor="1.31").ok
    long = "'" + "x" * 10_240 + "' == ''"
    new, stored = _examined(long).verdicts
    assert "at most 10240 bytes" in new.error.message
    assert stored.error is None
    assert _examined(long, "new", minor="1.31").ok


def _answers(expression: str, **options: Any) -> Any:
    return examine(expression, _gates(), ("stored",), devices_in(load(INPUT), _gates()).devices, **options)


def test_each_device_has_an_answer() -> None:
    answers = _answers(f'{ATTRIBUTES}.model == "H100"').answers
    assert [answer.result for answer in answers[:2]] == [False, True]
    error = answers[2].result
    assert isinstance(error, CelError)
    assert (error.kind, error.offset) == ("runtime", len(ATTRIBUTES) + 1)
    assert [answer.cost for answer in answers] == [None, None, None]


def test_an_expression_that_does_not_compile_has_no_answers() -> None:
    assert _answers("device.driver ==").answers == ()


def test_without_the_stored_environment_the_new_one_answers() -> None:
    known = devices_in(load(INPUT), _gates())
    assert len(examine("true", _gates(), ("new",), known.devices).answers) == 3


def test_a_device_for_which_nothing_can_be_evaluated() -> None:
    text = _slice("one", "gpu-0").replace(
        "apiVersion: resource.k8s.io/v1\n", "apiVersion: resource.k8s.io/v1\n"
    )
    known = _known(text)
    broken = known.devices[0]._replace(value=CelError("runtime", "attribute a has no value"))
    examined = examine("true", _gates(), ("stored",), [broken])
    assert [answer.result for answer in examined.answers] == [CelError("runtime", "attribute a has no value")]


def test_explained_answers_have_their_cost_and_parts() -> None:
    answer = _answers(f"{ATTRIBUTES}.index > 0", explain=True).answers[1]
    assert answer.cost == 5
    assert [part.text for part in answer.parts] == [f"{ATTRIBUTES}.index > 0", f"{ATTRIBUTES}.index"]


def test_what_costs_too_much_is_not_explained() -> None:
    expression = 'device.capacity["gpu.example.com"].memory != quantity("1")'
    assert [answer.parts for answer in _answers(expression, explain=True).answers] == [(), (), ()]


def test_another_engine_may_agree_or_not() -> None:
    answers = _answers(f'{ATTRIBUTES}.driverVersion == "1.9.0"', second_opinion=SecondOpinion()).answers
    assert [answer.opinion for answer in answers[:2]] == [False, True]
    # A version is never equal to a string, and to ask fails; plain CEL sees two strings.
    assert [answer.is_disputed for answer in answers] == [True, True, False]
    assert _answers("true").answers[0].is_disputed is False


def test_another_engine_that_is_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "celpy", None)
    with pytest.raises(NotInstalledError):
        _answers("true", second_opinion=SecondOpinion())


def test_the_document() -> None:
    examined = [_answers(f'{ATTRIBUTES}.model == "H100"', explain=True), _examined("device.", "new")]
    found = json.loads(json.dumps(document(_gates(), examined)))
    assert (found["schema"], found["kubeVersion"], found["costLimit"]) == ("dractl.cel/1", "1.37", 1_000_000)
    first, second = found["expressions"]
    assert first["environments"] == {
        "stored": {"accepted": True, "error": None, "type": "bool", "maxCost": 5}
    }
    assert [device["result"] for device in first["devices"]] == [False, True, None]
    assert first["devices"][1]["parts"][1] == {
        "depth": 1,
        "start": 0,
        "end": len(ATTRIBUTES) + 6,
        "text": f"{ATTRIBUTES}.model",
        "times": 1,
        "values": [{"value": '"H100"'}],
    }
    assert first["devices"][2]["error"]["offset"] == len(ATTRIBUTES) + 1
    assert second["environments"]["new"]["error"]["kind"] == "syntax"
    assert second["devices"] == []


def test_named_resources_of_1_30_are_devices_of_their_node() -> None:
    text = (
        "apiVersion: resource.k8s.io/v1alpha2\nkind: ResourceSlice\nmetadata: {name: old}\n"
        "nodeName: node-a\ndriverName: gpu.example.com\nnamedResources:\n  instances:\n"
        "  - {name: gpu-0, attributes: [{name: model, string: A100}]}\n"
        "  - {name: gpu-1, attributes: [{name: model, string: H100}]}\n  - {name: gpu-2}\n"
    )
    known = _known(text, minor="1.30")
    assert known.left_out == ()
    assert [str(device.id) for device in known.devices] == [
        f"gpu.example.com/node-a/gpu-{number}" for number in range(3)
    ]
    found = examine('attributes.string["model"] == "H100"', _gates("1.30"), ("stored",), known.devices)
    results = [answer.result for answer in found.answers]
    assert results[:2] == [False, True]
    assert isinstance(results[2], CelError)


@pytest.mark.parametrize(
    ("expression", "results"),
    [
        ("device.model == 'a'", [True, False]),
        ("device.model = 'a'", None),
        ("device.size > 1", ["fails"] * 2),
    ],
)
def test_pools_of_prototypes_have_devices_and_an_environment_of_their_own(
    expression: str, results: list[object] | None
) -> None:
    text = (
        "apiVersion: devmgmtproto.k8s.io/v1alpha1\nkind: DevicePool\nmetadata: {name: p}\n"
        "spec:\n  driver: d.example\n  nodeName: n1\n  devices:\n"
        "  - {name: d0, attributes: [{name: model, stringValue: a}]}\n"
        "  - {name: d1, attributes: [{name: model, stringValue: b}]}\n"
    )
    found = select_of_prototypes(load_text(text), None, expression)
    assert found is not None
    (verdict,) = found.verdicts
    assert (verdict.environment, verdict.dialect) == ("prototype", "proto-oneof")
    assert found.ok is (results is not None)
    said = ["fails" if isinstance(answer.result, CelError) else answer.result for answer in found.answers]
    assert said == (results or [])
    assert select_of_prototypes(load_text("{}"), None, expression) is None
    of_evolution = select_of_prototypes((), "dra-evo", "device.driverName == 'x'")
    assert of_evolution is not None
    assert of_evolution.ok


@each_row(
    ("text", "reason"),
    [
        ("hello", ""),
        ("[{kind: ResourceSlice}]", ""),
        ("{kind: ConfigMap, apiVersion: v1, data: 1}", ""),
        ("{kind: Pod, apiVersion: v1, metadata: x}", ""),
        ("{kind: [ResourceSlice], apiVersion: v1}", "1:2: kind must be a string"),
        ("{kind: ResourceSlice}", "1:1: the slice is rejected and left out: apiVersion is required"),
        (
            "{kind: ResourceSlice, apiVersion: resource.k8s.io/v1, metadata: x}",
            "the slice is rejected and left out:",
        ),
        (
            "{kind: ResourceSlice, apiVersion: resource.k8s.io/v1, spec: [1]}",
            "the slice is rejected and left out:",
        ),
    ],
)
def test_a_document_that_is_no_slice_has_no_devices(text: str, reason: str) -> None:
    known = _known(text, _slice("node-a", "gpu-0"))
    assert _names(known) == ["gpu.example.com/node-a/gpu-0"]
    assert len(known.left_out) == bool(reason)
    assert all(reason in said for said in known.left_out)


TWO_NAMES = """
apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata: {name: s}
spec:
  driver: gpu.example.com
  nodeName: node-a
  pool: {name: node-a, generation: 1, resourceSliceCount: 1}
  devices:
  - name: gpu-0
    attributes:
      gpu.example.com/index: {int: 2}
      index: {int: 1}
"""


@pytest.mark.parametrize(("minor", "expected"), [("1.37", False), ("1.38", True)])
def test_since_1_38_the_attribute_with_its_domain_counts(minor: str, expected: bool) -> None:
    known = _known(TWO_NAMES, minor=minor)
    expression = 'device.attributes["gpu.example.com"].index == 2'
    (answer,) = examine(expression, _gates(minor), ["stored"], known.devices).answers
    assert answer.result is expected


def test_documents_count_a_failing_constant_among_what_does_not_compile() -> None:
    examined = [examine("int('x') == 1", _gates(), ["new"], [])]
    (expression,) = document(_gates(), examined)["expressions"]
    assert expression["environments"]["new"]["error"]["kind"] == "type"
