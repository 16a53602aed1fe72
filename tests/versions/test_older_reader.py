"""A client of an older minor, compared with lenient decoding, which was compared with real servers."""

from __future__ import annotations

import json
from typing import Any

import pytest

from dractl.api import release
from dractl.versions.decode import decode
from dractl.versions.older_reader import known_fields
from dractl.versions.registry import look_up
from dractl.versions.table import tables
from tests.paths import ROOT

CONFORMANCE = ROOT / "testdata" / "conformance"
NOW = "2026-01-01T00:00:00Z"


def stored_objects(minor: str) -> list[dict[str, Any]]:
    lines = (CONFORMANCE / f"validate-{minor}.jsonl").read_text(encoding="utf-8").splitlines()
    rows = (json.loads(line) for line in lines)
    return [row["persisted"] for row in rows if row.get("persisted") is not None]


@pytest.mark.parametrize(("newer", "older"), [("1.38", "1.35"), ("1.37", "1.36"), ("1.37", "1.34")])
def test_what_is_left_is_what_lenient_decoding_reads(newer: str, older: str) -> None:
    compared = lost = 0
    server, client = release.parse(newer), release.parse(older)
    for written in stored_objects(newer):
        kind = look_up(server, written).kind
        theirs = None if kind is None else tables(client).kinds.get((kind.api_version, kind.kind))
        if kind is None or theirs is None:
            continue
        value = decode(server, kind, written, now=NOW).value
        seen, dropped = known_fields(tables(client), theirs, value)
        again = decode(client, theirs, value, now=NOW)
        assert [problem.steps for problem in again.problems] == dropped
        if not dropped:
            assert seen == value
        # Decoding fills in defaults, which a client does not.
        assert _without_defaults(again.value, seen) == seen
        compared += 1
        lost += bool(dropped)
    assert compared > 30
    assert lost > 0


def _without_defaults(value: Any, seen: Any) -> Any:
    """``value`` without the keys that only it has."""
    if isinstance(value, dict) and isinstance(seen, dict):
        return {key: _without_defaults(item, seen[key]) for key, item in value.items() if key in seen}
    if isinstance(value, list) and isinstance(seen, list):
        return [_without_defaults(item, other) for item, other in zip(value, seen, strict=True)]
    return value


def test_a_one_of_whose_member_is_unknown_is_left_empty() -> None:
    kind = tables(release.parse("1.32")).kinds["resource.k8s.io/v1beta1", "ResourceClaim"]
    request = {"name": "gpu", "firstAvailable": [{"name": "big", "deviceClassName": "gpu"}]}
    value = {"apiVersion": kind.api_version, "metadata": {}, "spec": {"devices": {"requests": [request]}}}
    seen, dropped = known_fields(tables(release.parse("1.32")), kind, value)
    assert seen == {**value, "spec": {"devices": {"requests": [{"name": "gpu"}]}}}
    assert dropped == [("spec", "devices", "requests", 0, "firstAvailable")]


def test_raw_values_and_maps_keep_all_their_keys() -> None:
    kind = tables(release.NEWEST).kinds["resource.k8s.io/v1", "ResourceSlice"]
    devices = [{"name": "a", "attributes": {"anything": {"string": "x", "strange": 1}}}]
    value = {"metadata": {"labels": {"a": "b"}}, "spec": {"devices": devices}}
    seen, dropped = known_fields(tables(release.NEWEST), kind, value)
    assert seen["spec"] == {"devices": [{"name": "a", "attributes": {"anything": {"string": "x"}}}]}
    assert dropped == [("spec", "devices", 0, "attributes", "anything", "strange")]
