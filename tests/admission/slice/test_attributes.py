from __future__ import annotations

from typing import TYPE_CHECKING

import dractl
from dractl.admission.shared.checks import is_qualified_name
from dractl.admission.slice.attributes import check_attributes
from dractl.api import names, release
from tests.admission.refusals import SPEC, bad_values, refused
from tests.rows import each_row

if TYPE_CHECKING:
    from dractl.api.objects.resource import DeviceAttribute

A = "spec.attributes[a]"


def found(attributes: dict[str, DeviceAttribute], minor: str = str(release.NEWEST)) -> set[str]:
    return refused(lambda ctx: check_attributes(ctx, attributes, SPEC), minor=minor)


@each_row(
    ("name", "expected"),
    [
        ("model", set()),
        ("_Model_1", set()),
        ("gpu.example.com/model", set()),
        ("GPU.example.com/model", set()),
        ("a" * 32, set()),
        ("\u0130.example.com/model", set()),
        ("", {"Invalid"}),
        ("driver-version", {"Invalid"}),
        ("1st", {"Invalid"}),
        ("a" * 33, {"TooLong"}),
        ("é" * 17, {"TooLong", "Invalid"}),
        ("/model", {"Invalid"}),
        ("gpu.example.com/", {"Invalid"}),
        ("gpu_example/model", {"Invalid"}),
        (f"{'a' * 64}/model", {"TooLong"}),
        (f"{'k' * 20}{chr(0x212A) * 15}/model", {"TooLong"}),
        (f"{'a' * 63}/{'b' * 32}", set()),
    ],
)
def test_names(name: str, expected: set[str]) -> None:
    lines = found({name: {"int": 1}})
    assert lines == {f"device/attr-key {kind} spec.attributes" for kind in expected}
    assert is_qualified_name(name) == (not expected)


def test_a_second_slash_ends_the_look_up_to_1_37_and_is_refused_since() -> None:
    slash = {"device/attr-key Invalid spec.attributes"}
    for name in ("a/b c/d", "//", f"{'a' * 64}/b/c"):
        assert not is_qualified_name(name)
        assert found({name: {"int": 1}}) == set()
        assert found({name: {"int": 1}}, minor="1.38") == slash


@each_row(
    ("version", "well"),
    [
        (f"{'1' * 18}.0.0", True),
        (f"{'1' * 19}.0.0", False),
        (f"0.0.{'9' * 19}-a", False),
        (f"0.0.0-a.{'9' * 18}", True),
        (f"0.0.0-a.{'9' * 19}", False),
        (f"0.0.0-{'9' * 19}a", True),
        (f"0.0.0+{'9' * 19}", True),
        (f"0.0.0--.{'9' * 19}", False),
    ],
)
def test_numbers_of_versions_have_at_most_18_digits_since_1_38(version: str, well: bool) -> None:
    wrong = {"device/attr-version Invalid spec.attributes[v].version"}
    assert found({"v": {"version": version}}) == set()
    assert found({"v": {"version": version}}, minor="1.38") == (set() if well else wrong)


def test_what_is_remembered_of_names_agrees_with_what_is_refused() -> None:
    for name in (
        "a",
        "a-b",
        "a/b",
        "A.b/c",
        "a_b/c",
        "/",
        "",
        "a" * 33,
        f"{'a' * 63}/b",
        f"{'a' * 64}/b",
    ):
        assert is_qualified_name(name) == (found({name: {"bool": True}}) == set())
    assert names.IDENTIFIER_MAX == 32


@each_row(
    ("attribute", "expected"),
    [
        ({"int": 0}, set()),
        ({"bool": False}, set()),
        ({"string": ""}, set()),
        ({"string": "é" * 32}, set()),
        ({"string": "a" * 64}, set()),
        ({"string": "a" * 65}, {f"device/attr-string-length TooLong {A}.string"}),
        ({"string": "é" * 33}, {f"device/attr-string-length TooLong {A}.string"}),
        ({"version": "1.2.3"}, set()),
        ({"version": "0.0.0-alpha.1-x+001.b"}, set()),
        ({"version": "99999999999999999999.0.0"}, set()),
        ({"version": ""}, {f"device/attr-version Invalid {A}.version"}),
        ({"version": "v1.2.3"}, {f"device/attr-version Invalid {A}.version"}),
        ({"version": "1.2"}, {f"device/attr-version Invalid {A}.version"}),
        ({"version": "1.2.03"}, {f"device/attr-version Invalid {A}.version"}),
        ({"version": "1.2.3-01"}, {f"device/attr-version Invalid {A}.version"}),
        ({"version": "1.2.3\n"}, {f"device/attr-version Invalid {A}.version"}),
        ({"version": f"1.2.3+{'a' * 58}"}, set()),
        ({"version": f"1.2.3+{'a' * 59}"}, {f"device/attr-version-length TooLong {A}.version"}),
        ({}, {f"device/attr-none Invalid {A}"}),
        ({"int": 1, "bool": True}, {f"device/attr-many Invalid {A}"}),
        (
            {"string": "a" * 65, "version": "x"},
            {
                f"device/attr-many Invalid {A}",
                f"device/attr-string-length TooLong {A}.string",
                f"device/attr-version Invalid {A}.version",
            },
        ),
        ({"ints": [1, 2]}, set()),
        ({"bools": []}, {f"device/attr-list-empty Invalid {A}.bools"}),
        (
            {"strings": [], "string": "a"},
            {f"device/attr-list-empty Invalid {A}.strings", f"device/attr-many Invalid {A}"},
        ),
        ({"strings": ["a", "b" * 65]}, {f"device/attr-list-string TooLong {A}.strings[1]"}),
        ({"versions": ["1.2.3", "2"]}, {f"device/attr-list-version Invalid {A}.versions[1]"}),
        (
            {"versions": ["x" * 65]},
            {f"device/attr-list-version Invalid {A}.versions[0]"}
            | {f"device/attr-list-version TooLong {A}.versions[0]"},
        ),
    ],
)
def test_values(attribute: DeviceAttribute, expected: set[str]) -> None:
    assert found({"a": attribute}) == expected


def test_a_long_name_is_shortened_in_the_path() -> None:
    name = f"{'d' * 70}/{'n' * 40}"
    assert found({name: {}}) == {
        "device/attr-key TooLong spec.attributes",
        f"device/attr-none Invalid spec.attributes[{'d' * 47}...{'d' * 5}/{'n' * 40}]",
    }


def test_values_are_counted_one_by_one() -> None:
    fine: dict[str, DeviceAttribute] = {f"a{number}": {"ints": [1, 2, 3]} for number in range(16)}
    assert found(fine) == set()
    assert found(fine | {"b": {"int": 1}}) == {"device/attr-values-total Invalid spec"}
    assert bad_values(lambda ctx: check_attributes(ctx, fine | {"b": {"int": 1}}, SPEC)) == [49]


def test_the_bad_value_of_an_attribute_with_two_values_is_the_attribute() -> None:
    attribute: DeviceAttribute = {"int": 1, "string": "a"}
    assert bad_values(lambda ctx: check_attributes(ctx, {"a": attribute}, SPEC)) == [attribute]


@each_row(
    ("version", "hint"),
    [
        ("1.30", "write 1.30.0, or use `string` for other formats"),
        ("v1.4.0", "write 1.4.0, or use `string` for other formats"),
        ("V1.4", "write 1.4.0, or use `string` for other formats"),
        ("535.104.05", "write 535.104.5, or use `string` for other formats"),
        ("6.19.14.3140", "use `string` for other formats"),
        ("latest", "use `string` for other formats"),
    ],
)
def test_the_version_that_was_meant_is_advised(version: str, hint: str) -> None:
    manifest = {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "ResourceSlice",
        "metadata": {"name": "a"},
        "spec": {
            "driver": "gpu.example.com",
            "nodeName": "node-a",
            "pool": {"name": "node-a", "generation": 1, "resourceSliceCount": 1},
            "devices": [{"name": "gpu-0", "attributes": {"v": {"version": version}}}],
        },
    }
    (finding,) = dractl.validate([manifest]).findings
    assert (finding.rule, finding.hint) == ("device/attr-version", hint)
