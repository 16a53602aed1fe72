from __future__ import annotations

from typing import Any

import jsonschema
import pytest

import dractl
from dractl.legacy.prototypes.dialects.dialects import DIALECTS, SHAPES
from dractl.legacy.prototypes.dialects.shape import problems
from dractl.legacy.prototypes.json_schema import UnknownKindError, json_schema
from dractl.source.document import Document
from dractl.source.load import load, load_paths
from tests.legacy.prototypes.build import claim, pool, thing
from tests.paths import ROOT
from tests.rows import each_row

FILES = ROOT / "testdata" / "prototypes"


def _values(*texts: str) -> list[Any]:
    return [found.value for found in load(texts) if isinstance(found, Document)]


@each_row("dialect", DIALECTS)
def test_every_kind_has_a_schema(dialect: str) -> None:
    for kind in SHAPES[dialect]:
        if kind != "Pod":
            schema = json_schema(dialect, kind or "model")
            jsonschema.Draft7Validator.check_schema(schema)
            assert dialect in str(schema["title"])


def test_a_kind_that_a_dialect_does_not_have() -> None:
    with pytest.raises(
        UnknownKindError, match=r"unknown kind DevicePool in dialect dra-evo; choose from DeviceClass, "
    ):
        json_schema("dra-evo", "DevicePool")
    with pytest.raises(UnknownKindError):
        json_schema("proto-oneof", "Pod")


@each_row(
    ("dialect", "kind", "text", "is_valid"),
    [
        ("proto-oneof", "devicepool", pool("p", "n1", "- {name: a, sharedResourcesConsumed: {m: 1}}"), True),
        ("proto-oneof", "DevicePool", pool("p", "n1", "- {name: a, consumesSharedResources: {m: 1}}"), False),
        ("proto-list", "DevicePool", pool("p", "n1", "- {name: a, consumesSharedResources: {m: 1}}"), True),
        ("proto-list", "DeviceClaim", claim("c", "- {deviceClass: k, requests: {devices: 2}}"), True),
        ("proto-list", "DeviceClaim", claim("c", "- {name: x, allOf: [{class: k}]}"), False),
        (
            "proto-group",
            "DeviceClaimGroup",
            claim("c", "- {name: x, allOf: [{class: k, selector: 'true'}]}", kind="DeviceClaimGroup"),
            True,
        ),
        ("proto-pools", "DevicePool", thing("DevicePool", "p", "spec: {driver: a, count: 2}"), True),
        ("proto-pools", "DevicePool", thing("DevicePool", "p", "spec: {driver: a, count: two}"), False),
    ],
)
def test_schemas_take_what_strict_reading_takes(dialect: str, kind: str, text: str, is_valid: bool) -> None:
    (value,) = _values(text)
    validator = jsonschema.Draft7Validator(json_schema(dialect, kind))
    assert validator.is_valid(value) is is_valid
    if is_valid:
        found = {finding.rule for finding in dractl.validate(value, dialect=dialect).findings}
        assert not found & {"prototype/dia-5", "prototype/type"}


def test_the_models_follow_their_schema() -> None:
    for name, dialect in (("named.yaml", "nv-named"), ("mixins.yaml", "nv-mixin")):
        (document,) = (found for found in load_paths([FILES / "nv" / name]) if isinstance(found, Document))
        assert jsonschema.Draft7Validator(json_schema(dialect, "model")).is_valid(document.value)
        assert list(problems(document.value, SHAPES[dialect][""])) == []
