"""The data of a minor as ``tools.api_data`` generates it of what a release published."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.tools.small_release import RESOURCE, constant, field, gate, kind_paths, named, package, version
from tests.tools.small_release import release as small_release
from tools.api_data import gates, kinds, limits, tables
from tools.api_data.decisions import Data
from tools.api_data.declarations import UnreadableSourceError, marker_values
from tools.api_data.fields import FieldTable
from tools.api_data.published import API, SCHEDULING_STORAGE, Published


def _spec(published: Published) -> dict[str, Any]:
    types = FieldTable(published).build(kinds.roots(kinds.rows(published)))
    found: dict[str, Any] = types["resource/v1.Spec"]["fields"]
    return found


def test_a_field_has_what_type_tag_and_document_say(tmp_path: Path) -> None:
    comment = "How.\n\n+optional\n+featureGate=One,Two\n+oneOf=How\n+zeroOrOneOf=What\n"
    published = small_release(
        tmp_path,
        fields=(
            field("Mode", {"pointer": f"{RESOURCE}.Mode"}, "mode,omitempty", comment),
            field("Sizes", {"key": "string", "map": "int64"}, "sizes"),
            field("Raw", {"list": "byte"}, "raw,omitempty"),
            field("When", {"list": "k8s.io/apimachinery/pkg/apis/meta/v1.Time"}, "when,omitempty"),
            field("Hidden", "string", "-"),
        ),
        schema={
            "type": "object",
            "required": ["sizes"],
            "properties": {
                "mode": {"default": "A"},
                "when": {
                    "x-kubernetes-list-type": "map",
                    "x-kubernetes-list-map-keys": ["name"],
                    "default": [],
                },
            },
        },
    )
    assert _spec(published) == {
        "mode": {
            "type": "string",
            "default": "A",
            "enum": ["A", "B"],
            "ptr": True,
            "featureGates": ["One", "Two"],
            "oneOf": ["How", "zeroOrOne:What"],
        },
        "raw": {"type": "string", "format": "byte"},
        "sizes": {"type": "map", "values": {"type": "int64"}, "required": True, "always": True},
        "when": {
            "type": "array",
            "items": {"type": "ref", "ref": "Time"},
            "listType": "map",
            "listMapKeys": ["name"],
        },
    }


@pytest.mark.parametrize(
    ("marker", "tag"),
    [
        ("k8s:maxItems=32", "maxItems=32"),
        ('k8s:beta(since: "1.37")=+k8s:optional', "beta@1.37:optional"),
        ('k8s:alpha(since:"1.36")=+k8s:eachVal=+k8s:opaqueType', "alpha@1.36:eachVal=opaqueType"),
        ("k8s:maximum=1000 # the highest", "maximum=1000"),
        ("k8s:ifDisabled(Gate)=+k8s:forbidden", "ifDisabled(Gate)=forbidden"),
        ("k8s:optional", None),
        ("k8s:listType=atomic", None),
        ("k8s:conversion-gen=false", None),
        ("listType=set", None),
    ],
)
def test_rules_of_declarative_validation_are_tags(tmp_path: Path, marker: str, tag: str | None) -> None:
    published = small_release(tmp_path, fields=(field("A", "string", "a,omitempty", f"A.\n+{marker}\n"),))
    assert _spec(published)["a"].get("tags") == ([tag] if tag else None)


def test_a_marker_ends_at_a_blank() -> None:
    assert marker_values("+featureGate=A,B +optional\n+featureGate=C\nfeatureGate=D\n", "featureGate") == [
        "A",
        "B",
        "C",
    ]


def test_a_type_of_a_package_that_is_not_read_is_an_error(tmp_path: Path) -> None:
    published = small_release(tmp_path, fields=(field("A", "k8s.io/else.Thing", "a"),))
    with pytest.raises(UnreadableSourceError, match=r"no source of type k8s\.io/else\.Thing"):
        _spec(published)


def test_the_kind_that_no_server_serves_has_the_fields_of_its_definition(tmp_path: Path) -> None:
    published = small_release(tmp_path)
    types = FieldTable(published).build(kinds.roots(kinds.rows(published)))
    items = types["core/v1.List"]["fields"]["items"]
    assert items == {
        "type": "array",
        "items": {"type": "ref", "ref": "RawExtension"},
        "required": True,
        "always": True,
    }


def test_a_kind_has_what_paths_and_methods_say(tmp_path: Path) -> None:
    row, listed = kinds.rows(small_release(tmp_path))
    assert row == {
        "group": "resource.k8s.io",
        "version": "v1",
        "kind": "ResourceClaim",
        "resource": "resourceclaims",
        "namespaced": True,
        "servedByDefault": True,
        "statusSubresource": True,
        "type": "resource/v1.ResourceClaim",
        "introducedIn": "1.34",
        "listType": "resource/v1.ResourceClaimList",
    }
    assert listed["kind"] == "List"


def test_new_kinds_of_scheduling_are_for_a_person(tmp_path: Path) -> None:
    published = small_release(tmp_path)
    paths = {
        f"/apis/scheduling.k8s.io/v1/{resource}/{{name}}": {
            "put": {
                "x-kubernetes-group-version-kind": {
                    "group": "scheduling.k8s.io",
                    "version": "v1",
                    "kind": kind,
                }
            }
        }
        for resource, kind in (
            ("workloads", "Workload"),
            ("others", "Other"),
            ("priorityclasses", "PriorityClass"),
        )
    }
    document = {"paths": paths, "components": {"schemas": {}}}
    (tmp_path / "apis__scheduling.k8s.io__v1_openapi.json").write_text(json.dumps(document), encoding="utf-8")
    assert list(kinds.undecided(published)) == ["scheduling.k8s.io/v1 Other"]


def test_a_kind_behind_a_gate_names_it(tmp_path: Path) -> None:
    guarded = package(guarded={"v1Storage/workloads": "GenericWorkload"})
    scheduling = {SCHEDULING_STORAGE: guarded, f"{API}/scheduling/v1": package()}
    published = small_release(tmp_path, packages=scheduling)
    kind = {"group": "scheduling.k8s.io", "version": "v1", "kind": "Workload"}
    path = {"/apis/scheduling.k8s.io/v1/workloads/{name}": {"put": {"x-kubernetes-group-version-kind": kind}}}
    document = {"paths": path, "components": {"schemas": {}}}
    (tmp_path / "apis__scheduling.k8s.io__v1_openapi.json").write_text(json.dumps(document), encoding="utf-8")
    (found,) = (row for row in kinds.rows(published) if row["kind"] == "Workload")
    assert (found["servedOnlyWithGate"], found["servedByDefault"]) == ("GenericWorkload", False)


ALPHA, BETA, GA = (named(f"featuregate.{stage}") for stage in ("Alpha", "Beta", "GA"))
GATES = {
    "DRAOld": [
        gate(Version=version("1.36"), Default=False, PreRelease=ALPHA),
        gate(Version=version("1.38"), Default=True, PreRelease=GA, LockToDefault=True),
        gate(Version=version("1.40"), Default=False, PreRelease=ALPHA),
    ],
    "DRANew": [
        gate(Version=version("1.39"), Default=True, PreRelease=BETA, MinCompatibilityVersion=version("1.39"))
    ],
    "DRAFuture": [gate(Version=version("1.40"), Default=True, PreRelease=BETA)],
    "Other": [gate(Version=version("1.39"), Default=True, PreRelease=BETA)],
}


def test_the_specification_of_the_newest_version_counts(tmp_path: Path) -> None:
    found = gates.specifications(small_release(tmp_path, gates=GATES))
    assert {name: dict(each.row) for name, each in found.items() if name != "Other"} == {
        "DRAOld": {
            "default": True, "stage": "ga", "lockToDefault": True, "since": "1.38", "dependsOn": []
        },
        "DRANew": {
            "default": False, "onFromCompatibility": "1.39", "stage": "beta", "lockToDefault": False,
            "since": "1.39", "dependsOn": [],
        },
    }  # fmt: skip


def test_up_to_131_a_gate_has_one_specification_without_a_version(tmp_path: Path) -> None:
    old = {"DRAOld": gate(Default=False, PreRelease=ALPHA)}
    found = gates.specifications(small_release(tmp_path, minor="1.31", gates=old))
    assert dict(found["DRAOld"].row) == {
        "default": False,
        "stage": "alpha",
        "lockToDefault": False,
        "dependsOn": [],
    }


def test_the_column_of_a_new_minor_keeps_what_stands_by_hand(tmp_path: Path) -> None:
    before = {
        "default": False,
        "stage": "alpha",
        "lockToDefault": False,
        "dependsOn": [],
        "consultedBy": ["x"],
    }
    table = {
        "minors": ["1.38"],
        "gates": {
            "DRAOld": {"group": "dra", "purpose": "by hand", "minors": {"1.38": before}},
            "DRAGone": {"group": "dra", "purpose": "gone", "minors": {"1.38": before}},
        },
    }
    found = gates.column(table, small_release(tmp_path, gates=GATES), "1.38")
    assert found["minors"] == ["1.38", "1.39"]
    assert list(found["gates"]) == ["DRAGone", "DRANew", "DRAOld"]
    assert found["gates"]["DRAGone"]["minors"]["1.39"] is None
    assert found["gates"]["DRAOld"]["purpose"] == "by hand"
    assert found["gates"]["DRAOld"]["minors"]["1.39"]["consultedBy"] == ["x"]
    new = found["gates"]["DRANew"]
    assert (new["purpose"], new["minors"]["1.38"]) == ("Enables DRANew", None)
    assert gates.column(found, small_release(tmp_path, gates=GATES), None) == found


def _limits(**row: Any) -> dict[str, Any]:
    return {"limits": [{"id": "size", "enforcedIn": [], **row}], "stringConstants": {"Word": {"1.38": "old"}}}


@pytest.mark.parametrize(
    ("row", "values", "enforced"),
    [
        ({"constant": "MaxSize", "values": {"1.38": 8}}, {"1.38": 8, "1.39": 16}, ["1.38", "1.39"]),
        (
            {"constant": ["Older", "MaxSize"], "values": {"1.38": 8}},
            {"1.38": 8, "1.39": 16},
            ["1.38", "1.39"],
        ),
        ({"constant": "Gone", "values": {"1.38": 8}}, {"1.38": 8}, ["1.38"]),
        ({"constant": None, "values": {"1.38": 8}}, {"1.38": 8, "1.39": 8}, ["1.38", "1.39"]),
    ],
)
def test_a_limit_is_the_value_of_its_constant(
    tmp_path: Path, row: dict[str, Any], values: dict[str, int], enforced: list[str]
) -> None:
    constants = {"MaxSize": constant(16), "Word": constant("new"), "MaxOther": constant(3)}
    published = small_release(tmp_path / "new", constants=constants)
    found = limits.column(_limits(**row, enforcedIn=["1.38"]), published, "1.38")
    assert (found["limits"][0]["values"], found["limits"][0]["enforcedIn"]) == (values, enforced)
    assert found["stringConstants"]["Word"] == {"1.38": "old", "1.39": "new"}
    assert limits.column(found, published, None) == found


def test_constants_that_no_row_names_are_for_a_person(tmp_path: Path) -> None:
    new = small_release(tmp_path / "new", constants={"MaxSize": constant(16), "MaxOther": constant(3)})
    old = small_release(tmp_path / "old", minor="1.38")
    table = _limits(constant="MaxSize", values={"1.38": 8, "1.39": 16})
    assert list(limits.added(table, new, old)) == ["MaxOther = 3"]
    assert list(limits.changed(table, "1.39", "1.38")) == ["size: 8 -> 16"]
    assert list(limits.by_hand(table, new)) == []
    assert list(limits.by_hand(_limits(constant=None, values={"1.39": 7}), new)) == ["size = 7"]


@pytest.mark.parametrize("minor", [path.stem for path in sorted((tables.FOLDER / "fields").iterdir())])
def test_the_data_is_laid_out_as_the_tool_does(minor: str) -> None:
    data = Data(
        tables.read(f"fields/{minor}.json"),
        tables.read("gates.json"),
        tables.read("field_gates.json"),
        tables.read("limits.json"),
    )
    for name, text in tables.texts(data).items():
        assert (tables.FOLDER / name).read_text(encoding="utf-8") == text


def test_differences_name_the_row() -> None:
    old = {"kinds": [{"kind": "A", "x": 1}], "list": [1, 2], "gone": True}
    new = {"kinds": [{"kind": "A", "x": 2}], "list": [1, 3], "new": None}
    assert tables.differences(json.dumps(old), json.dumps(new)) == [
        "kinds[A].x: 1 -> 2",
        "list: [1, 2] -> [1, 3]",
        "gone: true -> none",
        "new: none -> null",
    ]
    assert tables.differences('{"a": 1}', '{"a":1}') == ["the order or the layout"]
    assert tables.differences("{}", "{}") == []


def test_the_minor_before_is_the_newest_with_data() -> None:
    assert tables.previous_minor("1.37") == "1.36"
    assert tables.previous_minor("1.30") is None


def test_another_kind_needs_put_and_a_name(tmp_path: Path) -> None:
    published = small_release(tmp_path, paths=kind_paths("deviceclasses", "DeviceClass"))
    assert [row["kind"] for row in kinds.rows(published)] == ["DeviceClass", "ResourceClaim", "List"]
