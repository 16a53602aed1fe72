from __future__ import annotations

import inspect
import re
from pathlib import Path
from typing import Any

import pytest

import dractl
from dractl.api.gates import GateError
from dractl.api.release import UnknownMinorError
from tests.paths import ROOT
from tests.rows import each_row

EXAMPLES = ROOT / "testdata" / "examples"
SLICE = """\
apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata: {name: node-a}
spec:
  driver: gpu.example.com
  nodeName: node-a
  pool: {name: node-a, generation: 1, resourceSliceCount: 1}
  devices: [{name: gpu-0}]
"""
CLASS = """\
apiVersion: resource.k8s.io/v1
kind: DeviceClass
metadata: {name: gpu}
spec: {}
"""


def _claim(name: str, **more: Any) -> dict[str, Any]:
    exactly = {"deviceClassName": "gpu", **more}
    return {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "ResourceClaim",
        "metadata": {"name": name},
        "spec": {"devices": {"requests": [{"name": "gpu", "exactly": exactly}]}},
    }


def test_documents_of_every_form(tmp_path: Path) -> None:
    path = tmp_path / "class.yaml"
    path.write_text(CLASS, encoding="utf-8")
    simulation = dractl.simulate([SLICE, path, _claim("one")], allocate_unreferenced=True)
    assert [(row.claim, row.device) for row in simulation.placements] == [("default/one", "gpu-0")]
    assert dractl.simulate(tmp_path).placements == ()
    assert dractl.validate(_claim("one")).ok


def test_a_simulation_answers_what_the_contract_says() -> None:
    simulation = dractl.simulate([EXAMPLES / "quickstart", EXAMPLES / "pending.yaml"])
    assert {(row.pod, row.container, row.node, row.device) for row in simulation.placements} == {
        ("default/chat", "server", "node-b", "gpu-0"),
        ("default/search", "server", "node-b", "gpu-0"),
        ("default/train", "trainer", "node-a", "gpu-1"),
        ("default/train", "loader", "node-a", "eth-0"),
    }
    assert [(row.pod, row.category, sorted(row.nodes)) for row in simulation.pending] == [
        ("default/evaluate", "no-devices", ["node-a", "node-b"])
    ]
    assert simulation.left_out == ()
    assert not simulation.ok
    assert simulation.to_dict()["schema"] == "dractl.simulate/1"


def test_the_result_of_a_simulation_can_be_simulated_again() -> None:
    first = dractl.simulate(EXAMPLES / "quickstart")
    again = dractl.simulate(first.objects)
    assert again.to_dict() == first.to_dict()
    assert again.objects == first.objects
    assert dractl.validate(first.objects).ok


def test_nodes_can_be_preferred() -> None:
    other = SLICE.replace("node-a", "node-b")
    docs: list[Any] = [SLICE, other, CLASS, _claim("one")]
    found = dractl.simulate(docs, allocate_unreferenced=True)
    assert [row.node for row in found.placements] == ["node-a"]
    found = dractl.simulate(docs, node_order=["node-b"], allocate_unreferenced=True)
    assert [row.node for row in found.placements] == ["node-b"]


def test_admin_access_depends_on_what_is_known_of_the_namespace() -> None:
    docs: list[Any] = [SLICE, CLASS, _claim("one", adminAccess=True)]
    assert dractl.simulate(docs).ok
    allowed = {"default": {"resource.kubernetes.io/admin-access": "true"}}
    assert dractl.simulate(docs, namespace_labels=allowed).ok
    refused = dractl.simulate(docs, namespace_labels={})
    assert [dict(row.object)["name"] for row in refused.left_out] == ["one"]


def test_an_older_minor() -> None:
    docs: list[Any] = [
        text.replace("resource.k8s.io/v1", "resource.k8s.io/v1beta2") for text in (SLICE, CLASS)
    ]
    claim = {**_claim("one"), "apiVersion": "resource.k8s.io/v1beta2"}
    gates = {"DynamicResourceAllocation": True}
    simulation = dractl.simulate(
        [*docs, claim], kube_version="1.33", feature_gates=gates, allocate_unreferenced=True
    )
    assert [row.device for row in simulation.placements] == ["gpu-0"]
    assert simulation.kube_version == "1.33"
    assert {item["apiVersion"] for item in simulation.objects} == {"resource.k8s.io/v1beta2"}


@pytest.mark.parametrize("function", [dractl.validate, dractl.simulate])
def test_what_is_raised(function: Any, tmp_path: Path) -> None:
    with pytest.raises(UnknownMinorError):
        function([], kube_version="1.99")
    with pytest.raises(GateError):
        function([], feature_gates={"DRAX": True})
    with pytest.raises(OSError, match="missing"):
        function(tmp_path / "missing")


def test_what_is_public_is_there() -> None:
    assert {"validate", "simulate", "Finding", "Report", "Simulation"} <= set(dractl.__all__)
    assert isinstance(dractl.validate(CLASS), dractl.Report)
    assert isinstance(dractl.simulate(CLASS), dractl.Simulation)
    assert all(getattr(dractl, name) is not None for name in dractl.__all__)


def test_an_unknown_name_is_no_attribute() -> None:
    with pytest.raises(AttributeError, match="explain_all"):
        dractl.explain_all  # noqa: B018


def test_a_range_has_a_function_of_its_own() -> None:
    with pytest.raises(UnknownMinorError, match=r"dractl\.validate_range"):
        dractl.validate(_claim("one"), kube_version="1.36..1.37")
    matrix = dractl.validate_range(_claim("one"), kube_versions="1.33..1.37")
    assert matrix.kube_versions == ("1.33", "1.34", "1.35", "1.36", "1.37")
    assert [list(map(str, row.changes)) for row in matrix.objects] == [["1.34"]]
    with pytest.raises(ValueError, match="subresource"):
        dractl.validate_range(_claim("one"), kube_versions="1.36..1.37", subresource="scale")


def test_the_package_lists_what_it_offers() -> None:
    assert {"validate", "simulate", "validate_range", "Report"} <= set(dir(dractl))
    assert not {"Any", "TYPE_CHECKING"} & set(dir(dractl))
    with pytest.raises(UnknownMinorError, match="as a string"):
        dractl.validate(CLASS, kube_version=1.37)  # type: ignore[arg-type]


@each_row(
    ("arguments", "message"),
    [
        (
            {"feature_gates": "A=true"},
            "feature_gates: expected a mapping such as {'DRAX': True}, got a Python str",
        ),
        (
            {"feature_gates": ["A"]},
            "feature_gates: expected a mapping such as {'DRAX': True}, got a Python list",
        ),
        ({"feature_gates": {5: True}}, "feature_gates: a gate name must be a string, but 5 is a Python int"),
        (
            {"namespace_labels": "x"},
            "namespace_labels: expected a mapping such as {'NAME': {'KEY': 'VALUE'}}, got a Python str",
        ),
        (
            {"namespace_labels": {"a": ["x"]}},
            "got a Python list for 'a'",
        ),
        (
            {"namespace_labels": {"a": {"x": 1}}},
            "namespace_labels: labels of 'a' must be strings, got 'x': 1",
        ),
        ({"namespace_labels": {1: {}}}, "namespace_labels: a namespace name must be a string, not 1"),
    ],
)
def test_arguments_of_another_form_are_named(arguments: dict[str, Any], message: str) -> None:
    ask: Any
    for ask in (dractl.validate, dractl.simulate):
        with pytest.raises(TypeError) as caught:
            ask(CLASS, **arguments)
        assert message in str(caught.value)


def test_a_range_is_a_text() -> None:
    versions: Any = ["1.33", "1.34"]
    with pytest.raises(UnknownMinorError, match="as a string"):
        dractl.validate_range(CLASS, kube_versions=versions)


def test_a_key_that_is_no_text_is_a_finding() -> None:
    value: Any = {"apiVersion": "resource.k8s.io/v1", "kind": "DeviceClass", "metadata": {"labels": {1: "x"}}}
    (found,) = dractl.validate(value).findings
    assert found.rule == "decode/fatal"
    assert "the key 1 at metadata.labels" in found.message


@pytest.mark.parametrize(("old", "file"), [(CLASS, "<old text>"), (_claim("a"), "<old object>")])
def test_what_is_gone_stands_in_the_old_text(old: str | dict[str, Any], file: str) -> None:
    (found,) = [found for found in dractl.validate(SLICE, old=old).findings if found.rule == "update/gone"]
    assert found.location is not None
    assert found.location.file == file
    with pytest.raises(ValueError, match=r"^old: <old text>:2:1: "):
        dractl.validate(SLICE, old="a: [\n")


@each_row(
    ("options", "error", "message"),
    [
        ({"replicas": {"job": -1}}, ValueError, "replicas: 'job' cannot have -1 pods"),
        ({"replicas": {"job": True}}, TypeError, "replicas: 'job' must be an int, but True is a Python bool"),
        ({"replicas": {"job": 2.5}}, TypeError, "replicas: 'job' must be an int, but 2.5 is a Python float"),
        ({"replicas": ["job=2"]}, TypeError, "replicas: expected a mapping such as .* got a Python list"),
        ({"replicas": {1: 2}}, TypeError, "replicas: a workload name must be a string"),
        ({"node_order": "node-b"}, TypeError, "node_order: expected a list of names .* got a Python str"),
        ({"node_order": ["a", 1]}, TypeError, "node_order: a node name must be a string, but 1 is"),
    ],
)
def test_a_simulation_checks_its_arguments(
    options: dict[str, Any], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        dractl.simulate(SLICE, **options)


def test_a_conversion_goes_to_a_version() -> None:
    nowhere: Any = None
    with pytest.raises(
        TypeError, match=r"^to: expected an API version such as 'resource\.k8s\.io/v1', got None"
    ):
        dractl.convert(CLASS, to=nowhere)


def test_a_path_that_is_missing_is_not_found(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"nope: No such file or directory"):
        dractl.simulate(tmp_path / "nope")
    (tmp_path / "empty").mkdir()
    with pytest.raises(OSError, match="has no") as caught:
        dractl.validate(tmp_path / "empty")
    assert not isinstance(caught.value, FileNotFoundError)


def test_an_object_has_an_end() -> None:
    item: dict[str, Any] = {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "a"}}
    shared = {"x": "y"}
    item["metadata"] = {"name": "a", "labels": shared, "annotations": shared}
    assert dractl.simulate(item).left_out == ()
    item["spec"] = {"taints": [item]}
    (out,) = dractl.simulate(item).left_out
    assert out.reason == "<object>:1:1: the object contains itself"
    deep: dict[str, Any] = {}
    for _ in range(3000):
        deep = {"a": deep}
    (found,) = dractl.validate(deep).findings
    assert found.message.startswith("mappings and lists are nested more than 256 levels deep")


def test_the_page_lists_which_function_takes_which_argument() -> None:
    page = (ROOT / "docs" / "python.md").read_text(encoding="utf-8")
    functions = {name for name in dractl.__all__ if name[0].islower()}
    rows = re.findall(r"^\| (`\w.*?) \| (.*?) \| .* \|$", page.partition("| argument")[2], re.MULTILINE)
    assert len(rows) >= 10
    for names, where in rows:
        said = set(re.findall(r"`(\w+)`", where)) & functions
        taking = functions - said if where.startswith("all but") else said
        for name in re.findall(r"`(\w+)`", names):
            having = {one for one in functions if name in inspect.signature(getattr(dractl, one)).parameters}
            assert (name, having) == (name, taking)
    assert set(re.findall(r"^\| `dractl\.(\w+)\(", page, re.MULTILINE)) == functions


def test_the_possible_sets_of_a_pool() -> None:
    found = dractl.possible(EXAMPLES / "mig", driver="gpu.example.com")
    assert found.ok
    assert [(pool.name, [sets.all for sets in pool.sets]) for pool in found.pools] == [
        ("gpu.example.com/node-a", [297])
    ]
    assert found.to_dict()["schema"] == "dractl.possible/1"
    model = ROOT / "testdata" / "prototypes" / "nv"
    assert len(dractl.possible(model, dialect="nv-named").pools) > 0


@each_row(
    ("arguments", "message"),
    [
        ({"driver": "gpu.exmple.com"}, "no pool of driver gpu.exmple.com; did you mean gpu.example.com"),
        ({"pool": "x"}, "no pool x; "),
        ({"kube_version": "1.30"}, "use 1.31 or newer"),
        ({"dialect": "x"}, "unknown dialect x"),
    ],
)
def test_possible_sets_of_what_there_is_not(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        dractl.possible(EXAMPLES / "mig", **arguments)
