from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import dractl
from dractl.admission.framework.rule import declared
from dractl.finding import Finding, Severity
from dractl.lint.base.lint_rule import OwnRule
from dractl.lint.cel.rules import CEL_LINT_RULES
from tests.rows import each_row

DRIVER = "gpu.example.com"
A = f'device.attributes["{DRIVER}"]'
NODE = {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "node-a"}}


def _attribute(value: Any) -> dict[str, Any]:
    if isinstance(value, dict):
        return value
    return {{str: "string", int: "int", bool: "bool"}[type(value)]: value}


def _slice(*devices: dict[str, Any], name: str = "node-a", driver: str = DRIVER, count: int = 1) -> Any:
    listed = [
        {
            "name": f"gpu-{number}",
            "attributes": {key: _attribute(value) for key, value in device.items() if key != "memory"},
            "capacity": {"memory": {"value": device["memory"]}} if "memory" in device else {},
        }
        for number, device in enumerate(devices)
    ]
    return {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "ResourceSlice",
        "metadata": {"name": f"{name}-{driver}"},
        "spec": {
            "driver": driver,
            "nodeName": name,
            "pool": {"name": name, "generation": 1, "resourceSliceCount": count},
            "devices": listed,
        },
    }


def _class(*expressions: str, name: str = "gpu") -> Any:
    return {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "DeviceClass",
        "metadata": {"name": name},
        "spec": {"selectors": [{"cel": {"expression": expression}} for expression in expressions]},
    }


def _body(*expressions: str, class_name: str = "gpu") -> dict[str, Any]:
    selectors = [{"cel": {"expression": expression}} for expression in expressions]
    return {"deviceClassName": class_name, "selectors": selectors}


def _claim(*expressions: str, class_name: str = "gpu") -> Any:
    exactly = _body(*expressions, class_name=class_name)
    return {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "ResourceClaim",
        "metadata": {"name": "one"},
        "spec": {"devices": {"requests": [{"name": "gpu", "exactly": exactly}]}},
    }


def _findings(docs: Iterable[Any], **options: Any) -> list[Finding]:
    return [
        found for found in dractl.validate(docs, **options).findings if found.rule.startswith("selector/")
    ]


def _rules(*docs: Any) -> list[str]:
    return [finding.rule for finding in _findings(docs)]


@each_row("rule", CEL_LINT_RULES)
def test_the_bad_example_has_no_other_lint_of_selectors_and_the_good_one_has_none(rule: OwnRule) -> None:
    examples = list(rule.examples())
    assert [example.good for example in examples] == [True, False]
    for example in examples:
        findings = dractl.validate(example.expanded_text).findings
        assert all(finding.severity is not Severity.ERROR for finding in findings)
        found = {
            (finding.rule, finding.severity) for finding in findings if finding.rule.startswith("selector/")
        }
        assert found == (set() if example.good else {(rule.id, rule.severity)})


def test_they_are_rules_of_dractls_own() -> None:
    assert not {rule.id for rule in CEL_LINT_RULES} & set(declared())
    assert all(rule.summary.endswith(".") and rule.explanation for rule in CEL_LINT_RULES)


# A selector that fails


GPUS = _class(f'device.driver == "{DRIVER}"')


def test_an_attribute_that_some_devices_lack_needs_a_guard() -> None:
    (found,) = _findings([GPUS, _slice({"index": 0}, {"model": "x"}), _claim(f"{A}.index == 0")])
    assert found.rule == "selector/fails"
    assert found.field == "spec.devices.requests[0].exactly.selectors[0].cel.expression"
    assert found.message.startswith(
        f"device {DRIVER}/node-a/gpu-1 has no attribute {DRIVER}/index, so this fails"
    )
    assert found.hint == f"guard it: `has({A}.index) && ...`"


@each_row(
    "expression",
    [
        f"has({A}.index) && {A}.index == 0",
        f"{A}.?index.orValue(1) == 0",
        f'"index" in {A} && {A}.index == 0',
        f"{A}.index == 0 || true",
        f"{A}.model == 'y' && {A}.index == 0",
    ],
)
def test_a_guard_is_enough(expression: str) -> None:
    docs = [GPUS, _slice({"index": 0, "model": "y"}, {"model": "x"}), _claim(expression)]
    assert _findings(docs) == []


def test_names_in_brackets_get_another_guard() -> None:
    docs = [GPUS, _slice({"index": 0}, {"model": "x"}), _claim(f'{A}["index"] == 0')]
    assert [found.hint for found in _findings(docs)] == [f'guard it: `"index" in {A} && ...`']


def test_a_capacity_may_be_missing_too() -> None:
    expression = f'device.capacity["{DRIVER}"].memory.isGreaterThan(quantity("1Gi"))'
    (found,) = _findings([GPUS, _slice({"memory": "2Gi"}, {"model": "x"}), _claim(expression)])
    assert f"has no capacity {DRIVER}/memory" in found.message
    assert found.hint == f'guard it: `has(device.capacity["{DRIVER}"].memory) && ...`'


def test_the_class_guards_the_request() -> None:
    docs = [_slice({"index": 0}, {"model": "x"}), _claim(f"{A}.index == 0")]
    assert _rules(_class(f"has({A}.index)"), *docs) == []
    assert _rules(_class(f"has({A}.model)"), *docs) == []
    assert _rules(_class("true || device.driver == ''"), *docs) == ["selector/fails"]


def test_an_earlier_selector_guards_a_later_one() -> None:
    docs = [GPUS, _slice({"index": 0}, {"model": "x"})]
    assert _rules(*docs, _claim(f"has({A}.index)", f"{A}.index == 0")) == []
    assert _rules(*docs, _claim(f"{A}.index == 0", f"has({A}.index)")) == ["selector/fails"]


def test_a_class_meets_the_devices_of_all_drivers() -> None:
    other = _slice({"speed": 1}, driver="nic.example.com")
    (found,) = _findings([_class(f"{A}.index == 0"), _slice({"index": 0}), other])
    assert "device nic.example.com/node-a/gpu-0 has no attribute" in found.message
    assert _rules(_class(f'device.driver == "{DRIVER}" && {A}.index == 0'), _slice({"index": 0}), other) == []


def test_other_failures_are_reported_with_their_place() -> None:
    docs = [GPUS, _slice({"index": "0"}), _claim(f"{A}.index < 1")]
    (found,) = _findings(docs)
    assert found.message == f"fails for device {DRIVER}/node-a/gpu-0: cannot compare a string with an int"
    assert _rules(GPUS, _slice({"index": 0}), _claim(f"{A}.index")) == ["selector/fails"]
    assert _rules(GPUS, _slice({"v": "1.2"}), _claim(f'semver({A}.v).isLessThan(semver("2.0.0"))')) == [
        "selector/fails"
    ]


def test_an_attribute_that_no_device_has_may_be_one_of_devices_elsewhere() -> None:
    docs = [GPUS, _slice({"model": "x"}), _claim(f"{A}.partition == 1")]
    assert _rules(*docs) == []
    assert _rules(*docs, NODE) == ["selector/fails"]
    (found,) = _findings([GPUS, _slice({"model": "x"}), _claim(f"{A}.modle == 'x'")])
    assert (found.rule, found.hint) == ("selector/fails", "did you mean model?")


def test_the_place_is_in_the_text() -> None:
    text = (
        "apiVersion: resource.k8s.io/v1\nkind: DeviceClass\nmetadata: {name: gpu}\nspec:\n  selectors:\n"
        "  - cel:\n      expression: >-\n"
        f'        device.driver == "{DRIVER}" &&\n        {A}.index == 0\n'
    )
    (found,) = _findings([text, _slice({"index": 0}, {"model": "x"})])
    assert found.location is not None
    assert found.location[1:3] == (9, 8 + len(A) + 2)


# A name that no device has


@each_row(
    ("expression", "hint"),
    [
        (f"has({A}.Index)", "did you mean index?"),
        (f"{A}.?idnex.orValue(0) == 1", "did you mean index?"),
        (f'"indexes" in {A} || has({A}.model)', None),
        (f'device.capacity["{DRIVER}"].?memry.hasValue() || has({A}.model)', "did you mean memory?"),
        (f"has({A}.healthy) || has({A}.model)", None),
        (f"has({A}.Index) ? {A}.Index == 1 : {A}.index == 1", None),
    ],
)
def test_a_name_that_is_nearly_that_of_an_attribute(expression: str, hint: str | None) -> None:
    device = {"index": 1, "model": "x", "memory": "1Gi"}
    found = [one for one in _findings([GPUS, _slice(device), _claim(expression)]) if "unknown" in one.rule]
    assert [one.hint for one in found] == ([] if hint is None else [hint])


def test_a_name_is_reported_once() -> None:
    expression = f"has({A}.Index) && {A}.Index == 1"
    assert _rules(GPUS, _slice({"index": 1}), _claim(expression)) == ["selector/attribute-unknown"]


def test_pools_that_are_not_all_there_may_have_it() -> None:
    docs = [GPUS, _slice({"index": 1}, count=2)]
    assert _rules(*docs, _claim(f"has({A}.Index)")) == []
    assert _rules(*docs, _claim(f"{A}.index == '1'")) == []
    assert _rules(*docs, _claim(f"{A}.index == 2"), NODE) == []


# A selector that selects nothing


def test_a_request_that_selects_nothing_in_a_cluster() -> None:
    docs = [GPUS, _slice({"model": "small"}, {"model": "large"}), NODE]
    (found,) = _findings([*docs, _claim(f'{A}.model == "huge"')])
    assert found.rule == "selector/nothing"
    assert found.message == "the request selects none of the devices in the input that its class gpu selects"
    assert found.hint == f"their {DRIVER}/model is large, small"
    assert _rules(*docs, _claim(f'{A}.model == "large"')) == []


def test_without_nodes_only_a_value_that_is_nearly_right_is_reported() -> None:
    docs = [GPUS, _slice({"model": "small"}, {"model": "large"})]
    assert _rules(*docs, _claim(f'{A}.model == "huge"')) == []
    (found,) = _findings([*docs, _claim(f'{A}.model == "Large"')])
    assert (found.rule, found.hint) == ("selector/nothing", "did you mean 'large'?")


def test_a_value_with_a_default_is_compared_as_well() -> None:
    docs = [GPUS, _slice({"model": "small"}, {"index": 1}), _claim(f'{A}.?model.orValue("") == "Small"')]
    assert [one.hint for one in _findings(docs)] == ["did you mean 'small'?"]


def test_selectors_may_exclude_each_other() -> None:
    docs = [GPUS, _slice({"model": "a", "index": 1}, {"model": "b", "index": 2}), NODE]
    assert _rules(*docs, _claim(f'{A}.model == "a"', f"{A}.index == 2")) == ["selector/nothing"]


def test_of_alternatives_nothing_is_reported() -> None:
    claim = _claim()
    claim["spec"]["devices"]["requests"] = [
        {"name": "gpu", "firstAvailable": [{"name": "huge", **_body(f'{A}.model == "huge"')}]}
    ]
    assert _rules(GPUS, _slice({"model": "small"}), NODE, claim) == []


def test_a_class_that_names_its_driver_selects_something() -> None:
    docs = [_slice({"model": "small"}), NODE]
    (found,) = _findings([*docs, _class(f'device.driver == "{DRIVER}" && {A}.model == "huge"')])
    assert found.message == f"the class selects none of 1 device of {DRIVER} in the input"
    assert _rules(*docs, _class('device.driver == "other.example.com"')) == []
    assert _rules(*docs, _class(f'has({A}.model) && {A}.model == "huge"')) == []


def test_a_class_that_is_not_there_says_nothing_about_its_requests() -> None:
    docs = [_slice({"model": "small"}), NODE, _claim(f'{A}.modl == "x"', class_name="elsewhere")]
    assert _rules(*docs) == []
    assert _rules(*docs, _class("device.driver == ''", name="other")) == []


def test_a_class_that_is_refused_says_nothing_about_its_requests() -> None:
    assert _rules(_class("device."), _slice({"model": "small"}), NODE, _claim(f'{A}.modl == "x"')) == []


def test_one_mistake_is_reported_once() -> None:
    docs = [GPUS, _slice({"index": 1}), NODE, _claim(f'{A}.index == "1"')]
    assert _rules(*docs) == ["selector/never-equal"]


# Values of another type


@each_row(
    ("device", "expression", "outcome"),
    [
        ({"x": 1}, f'{A}.x == "1"', "never"),
        ({"x": 1}, f'"1" != {A}.x', "always"),
        ({"x": 1}, f"{A}.x == 1.0", ""),
        ({"x": 1}, f"{A}.x == 1u", ""),
        ({"x": "1"}, f"{A}.x == 1", "never"),
        ({"x": True}, f'{A}.x == "true"', "never"),
        ({"x": "1.0.0"}, f'{A}.x == semver("1.0.0")', "never"),
        ({"x": {"version": "1.0.0"}}, f'"1.0.0" == {A}.x', "never"),
        ({"x": {"version": "1.0.0"}}, f'{A}.x == semver("1.0.0")', ""),
        ({"x": 1, "y": "a"}, f"{A}.x == {A}.y || {A}.x == 1", ""),
        ({"x": 1}, f"has({A}.y) && {A}.y == 3 || {A}.x == 1", ""),
    ],
)
def test_a_value_of_another_type(device: dict[str, Any], expression: str, outcome: str) -> None:
    found = [one for one in _findings([GPUS, _slice(device), _claim(expression)]) if "equal" in one.rule]
    assert [f"is {outcome} true" in one.message for one in found] == ([True] if outcome else [])


def test_devices_may_have_it_in_both_types() -> None:
    docs = [GPUS, _slice({"x": 1}, {"x": "1"}), _claim(f'{A}.x == "1"')]
    assert _rules(*docs) == []


# Versions as texts


@each_row(
    ("values", "expression", "is_reported"),
    [
        (["1.9.3"], f'{A}.x >= "1.10.0"', True),
        (["535.104.5", "550.54"], f'"535.1" < {A}.x', True),
        (["1.9.3"], f'{A}.x == "1.10.0"', False),
        (["1.9.3", "latest"], f'{A}.x >= "1.10.0"', False),
        (["2024.01.15"], f'{A}.x >= "2023.12.31"', False),
        (["abc"], f'{A}.x >= "abb"', False),
        (["17"], f'{A}.x >= "5"', False),
    ],
)
def test_versions_that_are_ordered_as_texts(values: list[str], expression: str, is_reported: bool) -> None:
    docs = [GPUS, _slice(*({"x": value} for value in values)), _claim(expression)]
    assert [one.rule for one in _findings(docs)] == (["selector/version-text"] if is_reported else [])


# Where nothing is said


def test_nothing_is_reported_without_devices_or_in_objects_that_are_refused() -> None:
    assert _rules(GPUS, _claim(f"{A}.index == 0")) == []
    wrong = _claim(f"{A}.index == 0")
    wrong["spec"]["devices"]["requests"][0]["name"] = "GPU"
    assert _rules(GPUS, _slice({"index": 0}, {"model": "x"}), wrong) == []


def test_the_minor_has_to_have_the_version() -> None:
    docs = [GPUS, _slice({"index": 0}, {"model": "x"}), _claim(f"{A}.index == 0")]
    assert [one.rule for one in _findings(docs, kube_version="1.34")] == ["selector/fails"]
    assert _findings(docs, kube_version="1.33") == []


def test_many_devices_take_little_time() -> None:
    devices = [{"index": number, "model": f"m{number % 7}"} for number in range(128)]
    slices = [_slice(*devices, name=f"n{number}") for number in range(20)]
    claims = [_claim(f'{A}.model == "m{number % 7}"', f"{A}.index >= {number}") for number in range(50)]
    assert _findings([GPUS, *slices, *claims]) == []


# Domains that no device has

WRONG = DRIVER.replace("example", "exmple")


@each_row(
    ("expression", "message"),
    [
        (f'device.attributes["{WRONG}"].?model.orValue("") == "x2"', f"has the attribute {WRONG}/model"),
        (f'has(device.attributes["{WRONG}"].model)', f"has the attribute {WRONG}/model"),
        (f'"{WRONG}" in device.attributes', f"has attributes of the domain {WRONG}"),
        (f'!("{WRONG}" in device.capacity)', f"has capacity of the domain {WRONG}"),
    ],
)
def test_a_misspelled_domain_is_reported_where_it_makes_no_error(expression: str, message: str) -> None:
    (found,) = _findings([GPUS, _slice({"model": "x2", "memory": "1Gi"}), _claim(expression)])
    assert found.rule == "selector/attribute-unknown"
    assert found.message == f"no device in the input {message}"
    assert found.hint == f"did you mean {DRIVER}?"


def test_a_misspelled_domain_that_fails_names_the_right_one() -> None:
    (found,) = _findings(
        [GPUS, _slice({"model": "x2"}), _claim(f'device.attributes["{WRONG}"].model == "x2"')]
    )
    assert found.rule == "selector/fails"
    assert found.hint == (f"no device has attributes of the domain {WRONG}; did you mean {DRIVER}?")


@each_row(
    "expression",
    [
        'has(device.attributes["nic.example.org"].model)',
        '"nic.example.org" in device.attributes',
        f'"{DRIVER}" in device.attributes',
        f'"{WRONG}" in device.attributes || "{DRIVER}" in device.attributes',
    ],
)
def test_another_domain_may_be_meant(expression: str) -> None:
    found = _rules(GPUS, _slice({"model": "x2"}), _claim(expression))
    assert found == (["selector/attribute-unknown"] if WRONG in expression else [])
