"""JSON Schemas and decoding: two roads, one verdict.

What JSON Schema cannot say, and decoding does: keys that are given twice; days that a month does not have;
numbers such as 1.0 for an integer, which JSON Schema takes for one; a line break behind a quantity.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cache
from typing import Any

import jsonschema
import pytest

from dractl.api import release
from dractl.api.release import KNOWN, NEWEST, Minor
from dractl.versions.decode import decode
from dractl.versions.schema import GROUP, file_name, folder_name, schema_files, schema_of
from dractl.versions.table import Kind, tables
from tests.admission.mutation import Mutator
from tests.paths import ROOT
from tests.reading import read_all_yaml
from tests.rows import each_row

SCHEMAS = ROOT / "schemas"
CASES = 25
NOW = "2026-01-31T12:00:00Z"


def dra_kinds() -> Iterator[tuple[Minor, Kind]]:
    for minor in KNOWN:
        yield from ((minor, kind) for kind in tables(minor).kinds.values() if kind.group == GROUP)


def kind_of(minor: Minor, kind: str, version: str) -> Kind:
    return tables(minor).kinds[f"{GROUP}/{version}", kind]


@cache
def validator(minor: Minor, kind: Kind) -> jsonschema.Draft7Validator:
    schema = schema_of(minor, kind)
    jsonschema.Draft7Validator.check_schema(schema)
    return jsonschema.Draft7Validator(schema)


def verdicts(minor: Minor, kind: Kind, value: dict[str, Any]) -> tuple[bool, bool]:
    """Whether decoding and whether the schema take ``value``."""
    return not decode(minor, kind, value, now=NOW).problems, validator(minor, kind).is_valid(value)


@cache
def seeds(kind: str) -> list[dict[str, Any]]:
    texts = [
        path.read_text(encoding="utf-8") for path in sorted((ROOT / "testdata" / "mutation").glob("*.yaml"))
    ]
    return [seed for text in texts for seed in read_all_yaml(text) if seed["kind"] == kind]


@pytest.mark.parametrize(
    ("minor", "kind"),
    [
        pytest.param(minor, kind, marks=[] if minor == release.NEWEST else [pytest.mark.slow])
        for minor, kind in dra_kinds()
    ],
    ids=lambda part: str(part) if isinstance(part, Minor) else file_name(part),
)
def test_random_manifests_get_one_verdict(minor: Minor, kind: Kind) -> None:
    base = {"apiVersion": kind.api_version, "kind": kind.kind}
    mutator = Mutator(
        [{**seed, **base} for seed in seeds(kind.kind) or [{**base, "metadata": {"name": "a"}}]], 1, minor
    )
    manifests = [mutator.manifest() for _ in range(CASES)]
    manifests = [manifest for manifest in manifests if base.items() <= manifest.items()]
    found = [(manifest, verdicts(minor, kind, manifest)) for manifest in manifests]
    assert [(manifest, both) for manifest, both in found if both[0] != both[1]] == []


def test_random_manifests_are_both_taken_and_refused() -> None:
    kind = kind_of(NEWEST, "ResourceClaim", "v1")
    mutator = Mutator(seeds("ResourceClaim"), 2)
    both = {verdicts(NEWEST, kind, mutator.manifest() | {"apiVersion": kind.api_version}) for _ in range(100)}
    assert both >= {(True, True), (False, False)}


def request(**fields: Any) -> dict[str, Any]:
    exactly = {"deviceClassName": "gpu.example.com", **fields}
    return {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "ResourceClaim",
        "metadata": {"name": "gpu"},
        "spec": {"devices": {"requests": [{"name": "gpu", "exactly": exactly}]}},
    }


@each_row(
    ("fields", "answer"),
    [
        ({}, True),
        ({"count": 2**63 - 1}, True),
        ({"count": 2**63}, False),
        ({"count": "1"}, False),
        ({"count": True}, False),
        ({"count": 1.5}, False),
        ({"count": None, "selectors": None, "capacity": None, "deviceClassName": None}, True),
        ({"adminAccess": "true"}, False),
        ({"selectors": [None]}, True),
        ({"selectors": {}}, False),
        ({"selectors": [{"cel": "true"}]}, False),
        ({"deviceClassName": 1}, False),
        ({"deviceclassname": "a"}, False),
        ({"allocationMode": "Whatever"}, True),
        (
            {"capacity": {"requests": {"a": "10Gi", "b": 5, "c": 1.5, "d": ".5e3", "e": "-1m", "f": None}}},
            True,
        ),
        ({"capacity": {"requests": {"a": "10GB"}}}, False),
        ({"capacity": {"requests": {"a": ""}}}, False),
        ({"capacity": {"requests": {"a": " 1", "b": "1Gi\u00a0", "c": "\u3000 .5 "}}}, True),
        ({"capacity": {"requests": {"a": "\t1"}}}, False),
        ({"capacity": {"requests": {"a": "1\u2028"}}}, False),
        ({"capacity": {"requests": {"a": "1 Gi"}}}, False),
        ({"capacity": {"requests": {"a": "1e"}}}, False),
        ({"capacity": {"requests": {"a": False}}}, False),
        ({"capacity": {"requests": ["1"]}}, False),
        ({"capacity": {"requests": {"": "1"}}}, True),
    ],
)
def test_fields(fields: dict[str, Any], *, answer: bool) -> None:
    assert verdicts(NEWEST, kind_of(NEWEST, "ResourceClaim", "v1"), request(**fields)) == (answer, answer)


@each_row(
    ("time", "answer"),
    [
        ("2026-01-31T12:00:00Z", True),
        ("2026-01-31T1:00:00.5+01:00", True),
        (None, True),
        ("2026-13-01T12:00:00Z", False),
        ("2026-01-32T12:00:00Z", False),
        ("2026-01-31T24:00:00Z", False),
        ("2026-01-31 12:00:00Z", False),
        ("2026-01-31T12:00:00", False),
        ("2026-01-31T12:00:00+24:00", False),
        ("", False),
        (5, False),
    ],
)
def test_timestamps(time: Any, *, answer: bool) -> None:
    value = request() | {"metadata": {"name": "gpu", "creationTimestamp": time}}
    assert verdicts(NEWEST, kind_of(NEWEST, "ResourceClaim", "v1"), value) == (answer, answer)


def test_parameters_are_any_json() -> None:
    kind = kind_of(NEWEST, "DeviceClass", "v1")
    for parameters in ({"a": [1, None]}, {}, None):
        config = [{"opaque": {"driver": "gpu.example.com", "parameters": parameters}}]
        value = {"apiVersion": kind.api_version, "kind": kind.kind, "spec": {"config": config}}
        assert verdicts(NEWEST, kind, value) == (True, True)


@pytest.mark.parametrize(
    ("value", "both"),
    [
        (request(count=1.0), (False, True)),
        (request() | {"metadata": {"creationTimestamp": "2026-02-30T12:00:00Z"}}, (False, True)),
        (request(capacity={"requests": {"a": "1Gi\n"}}), (False, True)),
    ],
    ids=["a number with a point", "a day that February does not have", "a line break"],
)
def test_what_json_schema_cannot_say(value: dict[str, Any], both: tuple[bool, bool]) -> None:
    assert verdicts(NEWEST, kind_of(NEWEST, "ResourceClaim", "v1"), value) == both


def test_a_schema_names_its_kind_alone() -> None:
    schema = validator(NEWEST, kind_of(NEWEST, "ResourceClaim", "v1"))
    assert schema.is_valid(request())
    assert not schema.is_valid(request() | {"kind": "ResourceSlice"})
    assert not schema.is_valid(request() | {"apiVersion": "resource.k8s.io/v1beta1"})
    assert not schema.is_valid({"kind": "ResourceClaim"})
    assert not schema.is_valid([])


@pytest.mark.parametrize(("minor", "is_there"), [("1.34", False), ("1.37", True)])
def test_fields_are_those_of_the_minor(minor: str, *, is_there: bool) -> None:
    kind = kind_of(release.parse(minor), "ResourceClaim", "v1")
    definitions = schema_of(release.parse(minor), kind)["definitions"]
    assert ("derivedAttributes" in definitions["resource.v1.ExactDeviceRequest"]["properties"]) is is_there


def test_descriptions_state_what_the_tables_know() -> None:
    schema = schema_of(release.parse("1.36"), kind_of(release.parse("1.36"), "ResourceClaim", "v1"))
    exactly = schema["definitions"]["resource.v1.ExactDeviceRequest"]["properties"]
    assert exactly["deviceClassName"]["description"] == "Required."
    assert exactly["allocationMode"]["description"] == "One of: All, ExactCount."
    assert exactly["capacity"]["description"] == "Feature gate DRAConsumableCapacity, on by default."
    assert exactly["adminAccess"]["description"] == "Feature gate DRAAdminAccess, always on."
    old = schema_of(release.parse("1.36"), kind_of(release.parse("1.36"), "ResourceClaim", "v1beta1"))
    assert old["description"].startswith("Not served by default")
    requests = old["definitions"]["resource.v1beta1.DeviceRequest"]["properties"]
    assert "Since Kubernetes 1.33." in requests["tolerations"]["description"]


def test_a_schema_stands_alone() -> None:
    for path, text in schema_files():
        references = set(re.findall(r'"\$ref": "([^"]*)"', text))
        schema = json.loads(text)
        assert references == {f"#/definitions/{name}" for name in schema["definitions"]}, path


def test_names_are_those_that_kubeconform_looks_for() -> None:
    kind = kind_of(NEWEST, "DeviceTaintRule", "v1alpha3")
    assert file_name(kind) == "devicetaintrule-resource-v1alpha3.json"
    assert folder_name(release.parse("1.34")) == "v1.34.0-standalone-strict"


def test_the_files_are_what_the_tables_give() -> None:
    expected = dict(schema_files())
    on_disk = {path.relative_to(SCHEMAS).as_posix() for path in SCHEMAS.glob("*-standalone-strict/*")}
    assert on_disk == set(expected)
    stale = [path for path, text in expected.items() if (SCHEMAS / path).read_text(encoding="utf-8") != text]
    assert stale == [], "run: python -m tests.drift --fix"


def test_the_files_can_be_printed() -> None:
    for name, text in schema_files():
        assert text.replace("\n", "").isprintable(), name
