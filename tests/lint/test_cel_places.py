"""Where the errors of CEL expressions stand in manifests, however the text of the expression is written."""

from __future__ import annotations

import re
from typing import Any

import pytest

import dractl
from tests.rows import each_row

CLASS = "apiVersion: resource.k8s.io/v1\nkind: DeviceClass\nmetadata: {name: gpu}\nspec:\n  selectors:\n"

_WRITTEN = r"""
# plain
- cel:
    expression: device.driver == "a" && §nope
# plain, quotes inside
- cel:
    expression: device.driver == "it's" || §nope
# plain over lines
- cel:
    expression: device.driver == "a"
      &&
      §nope
# plain over an empty line
- cel:
    expression: device.driver ==

      "a" && §nope
# plain, on a line of its own
- cel:
    expression:
      device.driver == "a" && §nope
# plain in flow
- cel: {expression: device.driver == "a" && §nope}
# plain in flow over lines
- {cel: {expression: device.driver == "a"
   && §nope}}
# plain with a comment
- cel:
    expression: device.driver == "a" && §nope # nope
# single quotes
- cel:
    expression: 'device.driver == "a" && §nope'
# single quotes, doubled
- cel:
    expression: 'device.driver == ''a'' && §nope'
# single quotes over lines
- cel:
    expression: 'device.driver ==

      ''a''
      && §nope'
# double quotes
- cel:
    expression: "device.driver == 'a' && §nope"
# double quotes, escaped
- cel:
    expression: "device.driver == \"a\" && §nope"
# double quotes, escapes of characters
- cel:
    expression: "'\u00e4\t\x41\U0001F600' == '' && §nope"
# double quotes, escaped line break
- cel:
    expression: "device.driver \
      == 'a' && \
      §nope"
# double quotes over lines
- cel: {expression: "device.driver == 'a'
    && §nope"}
# literal
- cel:
    expression: |
      device.driver == "a"
      && §nope
# literal, deeper lines
- cel:
    expression: |
      device.driver == "a"
          && §nope
      && true
# literal, stripped
- cel:
    expression: |-
      device.driver == "a" &&
      §nope
# literal, kept
- cel:
    expression: |+
      device.driver == "a" &&
      §nope


# literal, indentation given
- cel:
    expression: |2
        device.driver == "a" &&
        §nope
# literal, empty lines
- cel:
    expression: |

      device.driver == "a" &&

      §nope
# literal, comment of CEL
- cel:
    expression: |
      // nope
      device.driver == "a" && §nope
# folded
- cel:
    expression: >
      device.driver == "a"
      && §nope
# folded, empty line
- cel:
    expression: >
      device.driver == "a"

      && §nope
# folded, deeper lines
- cel:
    expression: >-
      device.driver == "a"
        && true
        && §nope
      && true
# folded, stripped
- cel:
    expression: >-
      device.driver == "a" &&
      §nope
# wide characters
- cel:
    expression: device.driver == "漢字 😀" && §nope
# tagged
- cel:
    expression: !!str device.driver == "a" && §nope
# anchored
- cel:
    expression: &name "device.driver == 'a' && §nope"
# quoted key
- "cel":
    "expression": device.driver == "a" && §nope
# JSON in YAML
- {"cel": {"expression": "device.driver == \"a\" && §nope"}}
"""
"""Items of a list of selectors, each below its name; § stands before what is wrong."""

WRITTEN = {
    match[1]: re.sub(r"^(?=.)", "  ", match[2], flags=re.MULTILINE)
    for match in re.finditer(r"^# (.*)\n((?:(?!# ).*\n)+)", _WRITTEN, re.MULTILINE)
}


def _expected(text: str) -> tuple[str, int, int]:
    """The text without the mark, and the line and column of the mark."""
    before, _, after = text.partition("§")
    return before + after, before.count("\n") + 1, len(before) - before.rfind("\n")


def _places(text: Any, rule: str = "cel/compile", **options: Any) -> list[tuple[int, int]]:
    return [
        (finding.location.line, finding.location.column)
        for finding in dractl.validate(text, **options).findings
        if finding.rule == rule and finding.location is not None
    ]


@each_row("name", WRITTEN)
def test_the_place_of_an_error_in_a_scalar(name: str) -> None:
    text, line, column = _expected(CLASS + WRITTEN[name])
    assert _places(text) == [(line, column)]


@each_row("name", ["plain over lines", "literal", "folded", "double quotes, escaped line break"])
def test_line_breaks_of_other_systems(name: str) -> None:
    text, line, column = _expected(CLASS + WRITTEN[name])
    assert _places(text.replace("\n", "\r\n")) == [(line, column)]


@each_row("name", WRITTEN)
def test_documents_before_do_not_matter(name: str) -> None:
    before = "# ü\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: ä}\n---\n"
    text, line, column = _expected(before + CLASS + WRITTEN[name])
    assert _places(text) == [(line, column)]


def test_json_has_places_too() -> None:
    document = (
        '{"apiVersion": "resource.k8s.io/v1", "kind": "DeviceClass", "metadata": {"name": "gpu"},\n'
        ' "spec": {"selectors": [{"cel": {"expression": "device.driver == \\"\\u00e4\\n\\" && §nope"}}]}}\n'
    )
    text, line, column = _expected(document.replace('\\n\\"', '\\"'))
    assert _places(text) == [(line, column)]


def test_an_expression_behind_an_alias_is_reported_where_it_is_written() -> None:
    text = CLASS + '  - cel: &cel {expression: device.driver == "a" && nope}\n  - cel: *cel\n'
    written = len('  - cel: &cel {expression: device.driver == "a" && ') + 1
    first, second = _places(text)
    assert first == (6, written)
    assert second[0] in {6, 7}


@each_row(
    ("text", "rule"),
    [
        ('expression: "device.§driver"', "cel/output"),
        ("expression: >-\n          device.driver ==\n          'a' §= 'b'", "cel/compile"),
        ("expression: |\n          true ||\n          device.driver == §'a", "cel/compile"),
        ('expression: "device.driver.§nope == 1"', "cel/compile"),
        ("expression: \"device.driver.matches(§'(')\"", "cel/compile"),
        ("expression: \"device.driver == 'a' &&§\"", "cel/compile"),
    ],
)
def test_other_errors(text: str, rule: str) -> None:
    text, line, column = _expected(f"{CLASS}  - cel:\n      {text}\n".replace("\n          ", "\n        "))
    assert _places(text, rule) == [(line, column)]


def test_places_in_taint_rules() -> None:
    text, line, column = _expected(
        "apiVersion: resource.k8s.io/v1alpha3\nkind: DeviceTaintRule\nmetadata: {name: a}\nspec:\n"
        "  taint: {key: a/b, effect: NoSchedule}\n"
        "  deviceSelector:\n    selectors:\n    - cel:\n        expression: >\n"
        "          true &&\n          §nope\n"
    )
    assert _places(text, kube_version="1.33", feature_gates={"DRADeviceTaints": True}) == [(line, column)]


_SELECTOR = "{cel: {expression: true == §nope}}"
CLAIMS = {
    "v1": f"requests: [{{name: g, exactly: {{deviceClassName: a, selectors: [{_SELECTOR}]}}}}]",
    "v1beta2": "requests: [{name: g, firstAvailable: ["
    f"{{name: s, deviceClassName: a, selectors: [{_SELECTOR}]}}]}}]",
    "v1beta1": f"requests: [{{name: g, deviceClassName: a, selectors: [{_SELECTOR}]}}]",
}


@pytest.mark.parametrize("version", CLAIMS)
@pytest.mark.parametrize("kind", ["ResourceClaim", "ResourceClaimTemplate"])
def test_places_in_claims_of_all_versions(version: str, kind: str) -> None:
    spec = f"spec: {{devices: {{{CLAIMS[version]}}}}}"
    if kind.endswith("Template"):
        spec = f"spec: {{{spec}}}"
    text, line, column = _expected(
        f"apiVersion: resource.k8s.io/{version}\nkind: {kind}\nmetadata: {{name: a}}\n{spec}\n"
    )
    assert _places(text) == [(line, column)]


def test_places_in_a_list() -> None:
    item = CLASS.replace("\n", "\n  ") + "  - cel: {expression: true && §nope}\n"
    text, line, column = _expected("apiVersion: v1\nkind: List\nitems:\n- " + item)
    assert _places(text) == [(line, column)]


def test_an_object_has_no_places() -> None:
    value = {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "DeviceClass",
        "metadata": {"name": "gpu"},
        "spec": {"selectors": [{"cel": {"expression": "nope"}}]},
    }
    assert _places(value) == [(0, 0)]
