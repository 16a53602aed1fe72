from __future__ import annotations

import pytest

from dractl.api import release
from dractl.versions import fields
from dractl.versions.table import tables
from tests.rows import each_row

NEWEST = release.NEWEST


def _place(path: str, kind: str = "resourceclaim", minor: str = "1.37") -> fields.Place:
    found = fields.place(release.at(minor), fields.kinds_named(kind, release.at(minor))[0], path)
    assert found is not None
    return found


@pytest.mark.parametrize(
    "path", ["spec.devices.requests", "SPEC.Devices.Requests[0]", "spec.devices.requests[*]"]
)
def test_a_field_is_found_in_whatever_case_and_with_indices(path: str) -> None:
    assert _place(path).path == "spec.devices.requests"


@pytest.mark.parametrize("path", ["spec.nothing", "spec.devices.requests.name.more", "metadata.labels.app"])
def test_no_field_is_none(path: str) -> None:
    assert fields.place(NEWEST, fields.kinds_named("ResourceClaim", NEWEST)[0], path) is None


@pytest.mark.parametrize("name", ["", "claims", "resourceclaim/v9"])
def test_no_kind_is_none(name: str) -> None:
    assert fields.kinds_named(name, NEWEST) == []


def test_items_and_values_are_marked() -> None:
    assert (
        _place("spec.devices.attributes.string", "resourceslices").path
        == "spec.devices[*].attributes{*}.string"
    )


@each_row(
    ("path", "kind", "words"),
    [
        ("spec.devices.requests", "resourceclaim", "list of objects"),
        ("spec.devices.requests.exactly.count", "resourceclaim", "integer (int64)"),
        ("spec.devices.capacity.value", "resourceslice", "quantity"),
        ("spec.devices.attributes", "resourceslice", "map of objects"),
        ("metadata.labels", "resourceslice", "map of strings"),
        ("", "resourceslice", "object"),
    ],
)
def test_types_are_words(path: str, kind: str, words: str) -> None:
    assert _place(path, kind).type == words


def test_history_names_other_spellings() -> None:
    spans = fields.history(_place("spec.devices.requests.exactly.count"))
    assert [(span.api_version.rpartition("/")[2], span.path.count("exactly")) for span in spans] == [
        ("v1", 1),
        ("v1beta2", 1),
        ("v1beta1", 0),
        ("v1alpha3", 0),
    ]
    assert [(str(span.since), str(span.until)) for span in spans][2:] == [("1.32", "1.37"), ("1.31", "1.33")]


def test_history_is_the_same_from_each_version() -> None:
    minor = release.at("1.33")
    for kind in fields.kinds_named("ResourceClaim", minor):
        flat = fields.place(minor, kind, "spec.devices.requests.count")
        nested = fields.place(minor, kind, "spec.devices.requests.exactly.count")
        found = flat or nested
        assert found is not None
        assert len(fields.history(found)) == 4


@each_row("minor", release.KNOWN)
def test_every_field_is_found_by_its_path(minor: release.Minor) -> None:
    for kind in tables(minor).kinds.values():
        if kind.group != "resource.k8s.io":
            continue
        for found in fields.every_path(minor, kind):
            again = fields.place(minor, kind, found.path)
            assert again == found
            assert any(span.path == found.path for span in fields.history(found)) or minor != NEWEST


def test_children_go_all_the_way_down_on_demand() -> None:
    top = _place("spec.devices")
    assert {child.depth for child in fields.children(NEWEST, top)} == {0}
    deep = fields.children(NEWEST, top, recursive=True)
    assert max(child.depth for child in deep) > 2
    assert "deviceClassName" in {child.name for child in deep}


@each_row(
    ("path", "kind", "value"),
    [
        ("spec.devices.requests.exactly.count", "resourceclaim", "1"),
        ("spec.devices.requests.exactly.allocationMode", "resourceclaim", "ExactCount"),
        ("spec.devices.requests.exactly.tolerations.operator", "resourceclaim", "Equal"),
        ("spec.devices.taints.timeAdded", "resourceslice", "the current time"),
        ("spec.devices.requests.exactly.deviceClassName", "resourceclaim", ""),
        ("spec.devices.requests.name", "resourceclaim", ""),
    ],
)
def test_defaults_are_those_of_the_server(path: str, kind: str, value: str) -> None:
    assert fields.default_of(NEWEST, _place(path, kind)) == value
