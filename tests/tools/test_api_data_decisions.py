"""Gated fields, and what a person decides about a release."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import pytest

from tests.tools.small_release import RESOURCE, constant, field, gate, named, package, release, version
from tools.api_data import field_gates, gates, kinds, report, tables
from tools.api_data.decisions import Change, Data, decisions
from tools.api_data.fields import FieldTable
from tools.api_data.published import ALLOCATION, API, PLUGIN_NAMES, PLUGINS, Published
from tools.kubernetes.modules import KUBERNETES


def _table(published: Published) -> dict[str, Any]:
    rows = kinds.rows(published)
    types = FieldTable(published).build(kinds.roots(rows))
    return {"minor": published.release.minor, "patch": "x", "kinds": rows, "types": types}


def _gates(*names: str) -> dict[str, Any]:
    minors = {"1.38": {"default": True}, "1.39": {"default": True}}
    return {"gates": {name: {"minors": minors} for name in names}}


def _row(path: str, gate_name: str, minor: str = "1.38", **rule: Any) -> dict[str, Any]:
    rules = [{"minors": [minor], "gatesNeeded": [gate_name], "create": "drop", **rule}]
    return {
        "gate": gate_name, "kind": "ResourceClaim", "path": path, "existsIn": {minor: ["v1"]}, "rules": rules
    }  # fmt: skip


def _gated(name: str, of: str = "string") -> dict[str, Any]:
    return field(name.title(), of, name, f"Text.\n+featureGate=Gate{name.title()}\n")


def test_a_rule_goes_on_where_field_and_gates_do(tmp_path: Path) -> None:
    fields = _table(release(tmp_path, fields=(_gated("here"), _gated("open"))))
    table = {
        "fields": [
            _row("spec.here", "GateHere"),
            _row("spec.open", "GateGone"),
            _row("spec.lost", "GateHere"),
            _row("spec.here.deeper[*]", "GateHere"),
        ],
        "kinds": [
            {"kind": "ResourceClaim", "group": "resource.k8s.io", "gate": "GateHere", "minors": ["1.38"]},
            {"kind": "*", "group": "resource.k8s.io", "gate": "GateGone", "minors": ["1.38"]},
            {"kind": "DeviceClass", "group": "resource.k8s.io", "gate": "GateHere", "minors": ["1.38"]},
        ],
        "behaviour": [{"gate": "GateHere", "minors": ["1.38"]}, {"gate": "GateGone", "minors": ["1.38"]}],
    }
    before = copy.deepcopy(table)
    found = field_gates.column(table, fields, _gates("GateHere"), "1.38")
    assert table == before
    assert [row["existsIn"].get("1.39") for row in found["fields"]] == [["v1"], ["v1"], None, None]
    carried = [["1.38", "1.39"], ["1.38"], ["1.38"], ["1.38"]]
    assert [row["rules"][0]["minors"] for row in found["fields"]] == carried
    assert [row["minors"] for row in found["kinds"]] == [["1.38", "1.39"], ["1.38"], ["1.38"]]
    assert [row["minors"] for row in found["behaviour"]] == [["1.38", "1.39"], ["1.38"]]
    assert list(field_gates.without_rule(found, "1.39")) == ["ResourceClaim spec.open (GateGone)"]
    assert field_gates.column(found, fields, _gates("GateHere"), None) == found


def test_a_new_gated_field_without_a_row_is_a_candidate(tmp_path: Path) -> None:
    lists = {"list": f"{RESOURCE}.Part"}
    part = {"Part": {"comment": "", "shape": "struct", "fields": [_gated("deep")]}}
    new = release(tmp_path / "new", fields=(_gated("old"), _gated("row"), field("Parts", lists, "parts")))
    new.packages[RESOURCE].types.update(
        release(tmp_path / "part", packages={f"{API}/x": package(types=part)}).packages[f"{API}/x"].types
    )
    old = release(tmp_path / "old", minor="1.38", fields=(_gated("old"),))
    table = {"fields": [_row("spec.row", "GateRow", "1.39")]}
    (found,) = field_gates.candidates(table, _table(new), _table(old))
    assert field_gates.candidate_row(found, "1.39") == {
        "gate": "GateDeep",
        "kind": "ResourceClaim",
        "part": "spec",
        "path": "spec.parts[*].deep",
        "existsIn": {"1.39": ["v1"]},
        "rules": [{"minors": ["1.39"], "gatesNeeded": ["GateDeep"]}],
    }


def _plugins(weight: str) -> dict[str, Any]:
    plugin = [
        {"key": "Name", "value": named("names.DynamicResources")},
        {"key": "Weight", "value": {"call": "ptr.To", "arguments": [weight]}},
    ]
    return package(
        returned={
            "getDefaultPlugins": [{"key": "MultiPoint", "value": [{"key": "Enabled", "value": [plugin]}]}]
        }
    )


def _validation(**functions: str) -> dict[str, Any]:
    return {f"{KUBERNETES}/pkg/apis/resource/validation": package(functions=functions)}


def _feature(name: str) -> dict[str, Any]:
    features = {"comment": "", "shape": "struct", "fields": [field(name, "bool", "")]}
    return {f"{ALLOCATION}/structured": package(types={"Features": features})}


@pytest.fixture
def change(tmp_path: Path) -> Change:
    """A release that differs from the one before in everything that is looked at."""
    on, off = (
        [gate(Version=version("1.38"), Default=value, PreRelease=named("featuregate.Beta"))]
        for value in (True, False)
    )
    before = release(
        tmp_path / "before",
        minor="1.38",
        fields=(field("Kept", "string", "kept"), field("Gone", "string", "gone")),
        gates={"DRAOld": off},
        packages={
            PLUGINS: _plugins("1"),
            PLUGIN_NAMES: package(constants={"Old": constant("Old")}),
            **_validation(Same="1", Changed="1", Gone="1"),
            **_feature("Old"),
        },
    )
    published = release(
        tmp_path / "published",
        fields=(field("Kept", "int32", "kept", "+k8s:minimum=1\n"), _gated("fresh")),
        gates={"DRAOld": on, "DRANew": off, "Unrelated": off},
        constants={"MaxThings": constant(7)},
        packages={
            PLUGINS: _plugins("2"),
            PLUGIN_NAMES: package(constants={"New": constant("New")}),
            **_validation(Same="1", Changed="2", New="1"),
            **_feature("New"),
        },
    )
    empty: dict[str, Any] = {"minors": ["1.38"], "gates": {}}
    gate_table = gates.column(gates.column(empty, before, None), published, "1.38")
    data = Data(
        _table(published),
        gate_table,
        {"fields": []},
        {"limits": [{"id": "a", "constant": None, "values": {"1.39": 3}}], "stringConstants": {}},
    )
    return Change(published, before, data, _table(before))


def test_every_difference_has_a_topic(change: Change) -> None:
    found = {decision.topic: decision.items for decision in decisions(change)}
    candidate = found.pop("gated fields without a row")
    assert [row.count('"path": "spec.fresh"') for row in candidate] == [1]
    assert found == {
        "new fields": ("resource/v1.Spec.fresh (GateFresh)",),
        "fields that are gone": ("resource/v1.Spec.gone",),
        "requirements, types and values of fields": ('resource/v1.Spec.kept type: "string" -> "int32"',),
        "rules of declarative validation": ('resource/v1.Spec.kept tags: none -> ["minimum=1"]',),
        "new gates": ("DRANew: beta, off; Enables DRANew",),
        "changed gates": ("DRAOld default: false -> true",),
        "new gates that are not in the table": ("Unrelated: beta",),
        "changed limits": ("a: none -> 3",),
        "new constants": ("MaxThings = 7",),
        "numbers without a constant": ("a = 3",),
        "functions that validate": (
            "kubernetes/pkg/apis/resource/validation: new: New; gone: Gone; changed: Changed",
        ),
        "features of the allocator": ("New: new", "Old: gone"),
        "scheduler plugins": ("New: new", "Old: gone", "DynamicResources in getDefaultPlugins: 1 -> 2"),
    }  # fmt: skip


def test_nothing_is_decided_about_the_same_release(change: Change) -> None:
    same = Change(change.before, change.before, change.data, change.fields_before)
    same = same._replace(data=same.data._replace(fields=change.fields_before))
    topics = {decision.topic for decision in decisions(same)}
    assert topics == set()


def test_only_files_that_differ_are_written(
    change: Change, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "data"
    (folder / "fields").mkdir(parents=True)
    assert report.write(change.data, check=True, folder=folder)
    assert not list(folder.glob("*.json"))
    assert report.write(change.data, folder=folder)
    assert tables.read("gates.json", folder) == change.data.gates
    capsys.readouterr()
    assert not report.write(change.data, folder=folder)
    assert capsys.readouterr().out.splitlines()[0] == "1.39 fields/1.39.json: the same"
    other = change.data._replace(limits={"limits": []})
    assert report.write(other, folder=folder)
    assert "1.39 limits.json: differs\n  limits[a].id" in capsys.readouterr().out


def test_a_long_list_is_cut_off(capsys: pytest.CaptureFixture[str]) -> None:
    report.print_some(["a", "b", "c"], most=2)
    assert capsys.readouterr().out == "  a\n  b\n  and 1 more\n"
