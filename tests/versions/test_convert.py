"""Conversions of single objects, as plain data."""

from __future__ import annotations

from typing import Any

import pytest

from dractl.api import release
from dractl.versions.convert import Conversion, Versioned, convert, newest, reading_of
from dractl.versions.table import tables
from tests.reading import read_yaml
from tests.rows import each_row

NOW = "2026-01-01T00:00:00Z"
GROUP = "resource.k8s.io"


def _claim(version: str, requests: str) -> dict[str, Any]:
    return {
        "apiVersion": f"{GROUP}/{version}",
        "kind": "ResourceClaim",
        "metadata": {"name": "c"},
        "spec": {"devices": {"requests": read_yaml(requests)}},
    }


def _slice(version: str, spec: str) -> dict[str, Any]:
    return {
        "apiVersion": f"{GROUP}/{version}",
        "kind": "ResourceSlice",
        "metadata": {"name": "s"},
        "spec": read_yaml(spec),
    }


def _to(document: dict[str, Any], version: str, minor: str | None = None) -> Conversion:
    source = reading_of(document, now=NOW)
    kind = document["kind"]
    target = newest(f"{GROUP}/{version}", kind)
    if minor is not None:
        parsed = release.parse(minor)
        target = Versioned(parsed, tables(parsed).kinds[f"{GROUP}/{version}", kind])
    assert source is not None
    assert target is not None
    return convert(document, source, target, now=NOW)


def _requests(conversion: Conversion) -> Any:
    assert conversion.value is not None
    return conversion.value["spec"]["devices"]["requests"]


FLAT_AND_NESTED = [
    ("[{name: a, deviceClassName: gpu}]", "[{name: a, exactly: {deviceClassName: gpu}}]"),
    (
        "[{name: a, deviceClassName: gpu, count: 2, tolerations: [{operator: Exists}]}]",
        "[{name: a, exactly: {deviceClassName: gpu, count: 2, tolerations: [{operator: Exists}]}}]",
    ),
    (
        "[{name: a, firstAvailable: [{name: b, deviceClassName: gpu}]}]",
        "[{name: a, firstAvailable: [{name: b, deviceClassName: gpu}]}]",
    ),
    ("[{name: a, adminAccess: false}]", "[{name: a, exactly: {adminAccess: false}}]"),
    ("[{name: a, selectors: []}]", "[{name: a, exactly: {selectors: []}}]"),
    ("[{name: a}]", "[{name: a}]"),
]


@pytest.mark.parametrize(("flat", "nested"), FLAT_AND_NESTED)
@pytest.mark.parametrize("version", ["v1beta2", "v1"])
@pytest.mark.parametrize("old", ["v1alpha3", "v1beta1"])
def test_requests_move_between_flat_and_nested(old: str, version: str, flat: str, nested: str) -> None:
    there = _to(_claim(old, flat), version)
    assert _requests(there) == read_yaml(nested)
    assert there.losses == ()
    back = _to(_claim(version, nested), old)
    assert _requests(back) == read_yaml(flat)
    assert back.losses == ()


@each_row(
    ("flat", "nested"),
    [
        ("[{name: a, count: 0}]", "[{name: a}]"),
        ("[{name: a, deviceClassName: '', allocationMode: null}]", "[{name: a}]"),
        ("[{name: a, deviceClassName: g, tolerations: []}]", "[{name: a, exactly: {deviceClassName: g}}]"),
        ("[{name: a, tolerations: []}]", "[{name: a, exactly: {}}]"),
        ("[null]", "[null]"),
    ],
)
def test_what_means_nothing_in_a_flat_request_goes(flat: str, nested: str) -> None:
    found = _to(_claim("v1beta1", flat), "v1")
    assert _requests(found) == read_yaml(nested)
    assert found.losses == ()


def test_templates_are_converted_as_claims_are() -> None:
    document = _claim("v1beta1", "[{name: a, deviceClassName: gpu}]")
    document |= {"kind": "ResourceClaimTemplate", "spec": {"spec": document["spec"]}}
    found = _to(document, "v1")
    assert found.value is not None
    assert found.value["spec"]["spec"]["devices"]["requests"] == [
        {"name": "a", "exactly": {"deviceClassName": "gpu"}}
    ]


def test_between_v1beta2_and_v1_only_the_version_differs() -> None:
    document = _claim("v1beta2", "[{name: a, exactly: {deviceClassName: gpu}}]")
    assert _to(document, "v1").value == document | {"apiVersion": f"{GROUP}/v1"}


def test_the_document_itself_stays() -> None:
    document = _claim("v1beta1", "[{name: a, deviceClassName: gpu}]")
    _to(document, "v1")
    assert document == _claim("v1beta1", "[{name: a, deviceClassName: gpu}]")


def test_devices_come_out_of_basic_and_go_back() -> None:
    flat = "{driver: d, devices: [{name: a, attributes: {x: {int: 1}}}, {name: b}]}"
    basic = "{driver: d, devices: [{name: a, basic: {attributes: {x: {int: 1}}}}, {name: b, basic: {}}]}"
    assert _to(_slice("v1beta1", basic), "v1").value == _slice("v1", flat)
    assert _to(_slice("v1", flat), "v1beta1").value == _slice("v1beta1", basic)


def test_the_capacity_of_v1alpha3_is_a_plain_quantity() -> None:
    plain = "{driver: d, devices: [{name: a, basic: {capacity: {m: 16Gi}}}]}"
    boxed = "{driver: d, devices: [{name: a, capacity: {m: {value: 16Gi}}}]}"
    assert _to(_slice("v1alpha3", plain), "v1").value == _slice("v1", boxed)
    assert _to(_slice("v1", boxed), "v1alpha3").value == _slice("v1alpha3", plain)


def test_nothing_but_the_value_of_a_capacity_fits_into_v1alpha3() -> None:
    spec = "{driver: d, devices: [{name: a, capacity: {m: {value: 16Gi, requestPolicy: {default: 1Gi}}}}]}"
    (loss,) = _to(_slice("v1", spec), "v1alpha3").losses
    assert loss.steps[:6] == ("spec", "devices", 0, "capacity", "m", "requestPolicy")


def test_an_empty_node_name_means_nothing_before_v1() -> None:
    found = _to(_slice("v1beta1", "{driver: d, nodeName: '', allNodes: false, nodeSelector: null}"), "v1")
    assert found.value == _slice("v1", "{driver: d, nodeSelector: null}")
    assert found.losses == ()


def test_an_empty_node_name_of_v1_cannot_be_said_in_v1beta1() -> None:
    losses = _to(_slice("v1", "{driver: d, nodeName: '', allNodes: false}"), "v1beta1").losses
    assert [(loss.steps, loss.reason) for loss in losses] == [
        (
            ("spec", "nodeName"),
            "resource.k8s.io/v1beta1 of Kubernetes 1.37 cannot distinguish '' from an unset value",
        ),
        (
            ("spec", "allNodes"),
            "resource.k8s.io/v1beta1 of Kubernetes 1.37 cannot distinguish False from an unset value",
        ),
    ]


def test_an_empty_request_of_v1_cannot_be_said_in_v1beta1() -> None:
    (loss,) = _to(_claim("v1", "[{name: a, exactly: {}}]"), "v1beta1").losses
    assert loss.steps == ("spec", "devices", "requests", 0, "exactly")


@pytest.mark.parametrize(
    ("fields", "steps"),
    [
        ({"controller": "c.example.com"}, ("spec", "controller")),
        ({"future": {"x": 1}}, ("spec", "future")),
    ],
)
def test_a_field_that_one_of_the_two_lacks_is_lost(fields: dict[str, Any], steps: tuple[str, ...]) -> None:
    document = _claim("v1alpha3", "[{name: a, deviceClassName: gpu}]")
    document["spec"] |= fields
    found = _to(document, "v1")
    assert [loss.steps for loss in found.losses] == [steps]
    assert found.value == _claim("v1", "[{name: a, exactly: {deviceClassName: gpu}}]")


def test_unknown_fields_are_lost_however_many_there_are() -> None:
    document = _claim("v1", "[{name: a}]")
    names = [f"name{number}" for number in range(150)]
    document["spec"]["devices"]["requests"][0] |= dict.fromkeys(names, "a")
    found = _to(document, "v1beta1")
    assert [loss.steps[-1] for loss in found.losses] == names


def test_an_older_minor_lacks_fields_that_a_newer_one_has() -> None:
    document = _claim("v1beta1", "[{name: a, deviceClassName: g, capacity: {requests: {m: 1Gi}}}]")
    assert _to(document, "v1beta1", "1.37").losses == ()
    (loss,) = _to(document, "v1beta2", "1.33").losses
    assert loss.steps == ("spec", "devices", "requests", 0, "capacity")
    assert loss.reason == "resource.k8s.io/v1beta2 of Kubernetes 1.33 has no such field"


@pytest.mark.parametrize(
    ("version", "request_", "reason"),
    [
        (
            "v1",
            "{name: a, deviceClassName: g}",
            "in v1 `deviceClassName` belongs under `exactly`: move it there",
        ),
        ("v1beta1", "{name: a, exactly: {}}", "v1beta1 has no `exactly`: move its fields one level up"),
    ],
)
def test_a_request_of_another_version_is_moved_first(version: str, request_: str, reason: str) -> None:
    (loss,) = _to(_claim(version, f"[{request_}]"), "v1beta2").losses
    assert loss.reason == reason


def test_a_device_of_another_version_is_moved_first() -> None:
    spec = "{driver: d, nodeName: n, pool: {name: p}, devices: [{name: a, %s}]}"
    (loss,) = _to(_slice("v1beta1", spec % "attributes: {}"), "v1").losses
    assert loss.reason == "in v1beta1 `attributes` belongs under `basic`: move it there"
    (loss,) = _to(_slice("v1", spec % "basic: {}"), "v1").losses
    assert loss.reason == "v1 has no `basic`: move its fields one level up"


def test_the_minor_that_knows_most_fields_reads_a_document() -> None:
    document = _claim("v1alpha3", "[{name: a, deviceClassName: gpu}]")
    found = reading_of(document, now=NOW)
    assert found is not None
    assert str(found.minor) == "1.33"
    document["spec"]["controller"] = "c.example.com"
    found = reading_of(document, now=NOW)
    assert found is not None
    assert str(found.minor) == "1.31"
    assert reading_of({"apiVersion": f"{GROUP}/v9", "kind": "ResourceClaim"}, now=NOW) is None


def test_selectors_of_taint_rules_are_gone_since_1_35() -> None:
    document = {
        "apiVersion": f"{GROUP}/v1alpha3",
        "kind": "DeviceTaintRule",
        "metadata": {"name": "r"},
        "spec": {"deviceSelector": {"deviceClassName": "g"}, "taint": {"key": "k", "effect": "NoSchedule"}},
    }
    (loss,) = _to(document, "v1").losses
    assert loss.steps == ("spec", "deviceSelector", "deviceClassName")


def test_what_cannot_be_read_is_not_converted() -> None:
    found = _to(_claim("v1beta1", "[{name: 1}]"), "v1")
    assert found.value is None
    assert [loss.steps for loss in found.losses] == [("spec", "devices", "requests", 0, "name")]
