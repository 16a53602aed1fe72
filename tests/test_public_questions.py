"""``dractl.cel``, ``dractl.why``, ``dractl.test``, and the arguments that choose rules and schemas."""

from __future__ import annotations

import ast
import inspect
import json
import re
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import jsonschema
import pytest

import dractl
from dractl import results
from dractl.cel.compile import compile_selector
from dractl.lint.catalog import UnknownRuleError
from dractl.lint.parameters import SchemaFileError
from dractl.workflows.questions import NotFoundError
from tests.paths import ROOT
from tests.rows import each_row

EXAMPLES = ROOT / "testdata" / "examples"
QUICKSTART = EXAMPLES / "quickstart"
PENDING = [QUICKSTART, EXAMPLES / "pending.yaml"]
CLAIM = """\
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: one}
spec:
  devices:
    requests: [{name: gpu, exactly: {deviceClassName: gpu}}]
    config: [{opaque: {driver: gpu.example.com, parameters: {kind: Share, size: big}}}]
"""
SCHEMA = {"properties": {"size": {"type": "integer"}}}


def follows_schema(document: Any) -> bool:
    name = document["schema"].replace("/", ".") + ".json"
    schema = json.loads((ROOT / "schemas" / "documents" / name).read_text(encoding="utf-8"))
    jsonschema.validate(json.loads(json.dumps(document)), schema)
    return True


def test_a_selector_has_verdicts_and_devices() -> None:
    found = dractl.cel("device.driver == 'gpu.example.com'", QUICKSTART)
    assert found.ok
    assert [(each.driver, each.device) for each in found.expressions[0].matched][:1] == [
        ("gpu.example.com", "gpu-0")
    ]
    assert follows_schema(found.to_dict())
    wrong = dractl.cel(["device.nope == 1", "true"], kube_version="1.36", env="new")
    assert not wrong.ok
    assert [each.ok for each in wrong.expressions] == [False, True]
    assert [each.environment for each in wrong.expressions[0].verdicts] == ["new"]


def test_a_selector_is_explained_on_request() -> None:
    (plain,) = dractl.cel("device.driver == 'x'", QUICKSTART).expressions
    (explained,) = dractl.cel("device.driver == 'x'", QUICKSTART, explain=True).expressions
    assert plain.answers[0].cost is None
    assert explained.answers[0].parts


def test_what_a_selector_could_not_be_tried_with_is_named() -> None:
    assert dractl.cel("true", EXAMPLES / "broken.yaml").left_out
    env: Any = "old"
    with pytest.raises(ValueError, match="env: expected one of 'new', 'stored', 'both', got 'old'"):
        dractl.cel("true", env=env)
    with pytest.raises(OSError, match="missing"):
        dractl.cel("true", Path("missing"))


def test_the_package_and_the_function_share_a_name() -> None:
    function: Any = dractl.cel
    assert list(inspect.signature(function).parameters)[:2] == ["expression", "docs"]
    assert function.compile.compile_selector is compile_selector
    assert "cel" in dir(dractl)


def test_why_a_pod_waits() -> None:
    found = dractl.why(PENDING, "evaluate")
    assert found.explanation is not None
    assert (found.subject, found.explanation.category) == ("default/evaluate", "no-devices")
    assert found.explanation.ways_out
    assert follows_schema(found.to_dict())
    assert [each.to_dict() for each in dractl.why(PENDING)] == [found.to_dict()]
    placed = dractl.why(PENDING, "pod/default/train")
    assert placed.explanation is None
    assert "node-a" in placed.lines[0]
    with pytest.raises(NotFoundError, match="no pod or claim named nobody"):
        dractl.why(PENDING, "nobody")
    name: Any = None
    with pytest.raises(ValueError, match="require the name"):
        dractl.why(PENDING, name, node="node-a")


def test_expectation_files_are_run() -> None:
    found = dractl.test(EXAMPLES / "dractl-test.yaml", kube_version="1.37")
    assert found.ok
    assert (len(found.tried), found.files) == (3, 1)
    assert follows_schema(found.to_dict())
    assert dractl.test([str(EXAMPLES / "dractl-test.yaml")]).ok
    assert not vars(dractl.test)["__test__"]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (dractl.test, "paths: expected a path or several, got {}"),
        (lambda value: dractl.test([value]), "paths: expected a path, got {}"),
        (dractl.cel, "expression: expected a string or several, got {}"),
        (lambda value: dractl.cel([value]), "expression: expected a string, got 3"),
        (lambda value: dractl.why(PENDING, value), "name: expected a name as a string, got {}"),
        (lambda value: dractl.why(PENDING, "a", node=value), "node: expected a name as a string, got {}"),
        (lambda value: dractl.why(PENDING, "a", device=value), "device: expected a name as a string, got {}"),
    ],
)
def test_an_argument_of_a_wrong_type_is_named(call: Callable[[Any], object], message: str) -> None:
    with pytest.raises(TypeError, match=re.escape(message.format("a Python int"))):
        call(3)


def test_nothing_is_no_argument() -> None:
    nothing: Any = None
    with pytest.raises(TypeError, match="paths: expected a path or several, got None"):
        dractl.test(nothing)
    with pytest.raises(TypeError, match="expression: expected a string or several, got None"):
        dractl.cel(nothing)


def test_a_text_is_no_path() -> None:
    with pytest.raises(ValueError, match="expected a path, got several lines"):
        dractl.test("schema: dractl.test/1\nexpect: {}\n")


def test_expectations_that_do_not_hold(tmp_path: Path) -> None:
    file = tmp_path / "t.yaml"
    file.write_text("schema: dractl.test/1\nmanifests: c.yaml\nexpect: {refused: {}}\n", "utf-8")
    (tmp_path / "c.yaml").write_text(CLAIM, "utf-8")
    found = dractl.test(tmp_path)
    assert not found.ok
    file.write_text("schema: dractl.test/1\nexpct: {}\n", "utf-8")
    found = dractl.test(file)
    assert (found.ok, list(found.faulty)) == (False, [str(file)])
    with pytest.raises(FileNotFoundError, match="missing"):
        dractl.test(tmp_path / "missing")
    with pytest.raises(ValueError, match=r"1\.99"):
        dractl.test(file, kube_version="1.99")


def test_rules_are_chosen() -> None:
    everything = {found.rule for found in dractl.validate(EXAMPLES / "broken.yaml").findings}
    chosen = dractl.validate(EXAMPLES / "broken.yaml", select=["shape/*"])
    assert {found.rule for found in chosen.findings} == {"shape/request-flat"}
    left = dractl.validate(EXAMPLES / "broken.yaml", ignore=["shape/*"])
    assert {found.rule for found in left.findings} == everything - {"shape/request-flat"}
    assert left.summary.errors < dractl.validate(EXAMPLES / "broken.yaml").summary.errors
    matrix = dractl.validate_range(EXAMPLES / "broken.yaml", kube_versions="1.36..1.37", select=["shape/*"])
    assert {row.finding.rule for row in matrix.findings} == {"shape/request-flat"}
    with pytest.raises(UnknownRuleError, match="shape/request-flat"):
        dractl.validate(CLAIM, select=["shape/request-falt"])
    rules: Any = "shape/*"
    with pytest.raises(TypeError, match="select: expected a list of rule ids"):
        dractl.validate(CLAIM, select=rules)


def test_parameters_are_compared_with_a_schema(tmp_path: Path) -> None:
    file = tmp_path / "share.json"
    file.write_text(json.dumps(SCHEMA), encoding="utf-8")
    for schema in (SCHEMA, file):
        (found,) = dractl.validate(CLAIM, config_schema={"gpu.example.com/Share": schema}).findings
        assert (found.rule, found.field) == (
            "config/schema",
            "spec.devices.config[0].opaque.parameters.size",
        )
    other = {"gpu.example.com/Other": SCHEMA}
    assert dractl.validate_range(CLAIM, kube_versions="1.36..1.37", config_schema=other).findings == ()


@each_row(
    ("schema", "error", "message"),
    [
        ({"Share": SCHEMA}, ValueError, "config_schema: expected DRIVER/KIND, got 'Share'"),
        ({"d/K": "schema.json"}, TypeError, "'d/K' must be a path or a schema, got a Python str"),
        ({"d/K": {"type": "nope"}}, SchemaFileError, "d/K: not a valid JSON Schema at type"),
        (["d/K"], TypeError, "config_schema: expected a mapping"),
    ],
)
def test_a_schema_has_a_form(schema: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        dractl.validate(CLAIM, config_schema=schema)


@pytest.mark.parametrize("module", [dractl, results])
def test_what_is_loaded_is_what_a_type_checker_sees(module: ModuleType) -> None:
    tree = ast.parse(Path(str(module.__file__)).read_text(encoding="utf-8"))
    (block,) = (node for node in tree.body if isinstance(node, ast.If))
    seen = {
        alias.asname or alias.name: (node.module, alias.name)
        for node in block.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    homes = {name: home if isinstance(home, tuple) else (home, name) for name, home in module._HOMES.items()}
    assert homes == seen
    assert set(module.__all__) - {"__version__"} == set(homes)


def test_all_types_of_results_are_there() -> None:
    assert all(isinstance(getattr(results, name), type) for name in results.__all__)
    assert dir(results) == results.__all__ == sorted(results.__all__)
    assert {name for name in dractl.__all__ if name[0].isupper()} <= set(results.__all__)
    with pytest.raises(AttributeError, match="Nope"):
        results.Nope  # noqa: B018
    (row,) = dractl.simulate(PENDING).pending
    assert isinstance(row, results.Pending)
