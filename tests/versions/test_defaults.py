from typing import Any

import pytest

from dractl.api import release
from dractl.versions.decode import decode
from dractl.versions.table import tables

NOW = "2026-01-31T12:00:00Z"


def first_request(minor: str, version: str, request: dict[str, Any]) -> dict[str, Any]:
    number = release.parse(minor)
    kind = tables(number).kinds[(f"resource.k8s.io/{version}", "ResourceClaim")]
    decoded = decode(number, kind, {"spec": {"devices": {"requests": [request]}}}, now=NOW)
    found: dict[str, Any] = decoded.value["spec"]["devices"]["requests"][0]
    return found


def test_an_exact_request_counts_one() -> None:
    request = first_request("1.37", "v1", {"name": "a", "exactly": {}})
    assert request["exactly"] == {"allocationMode": "ExactCount", "count": 1}


def test_a_mode_other_than_exact_count_gets_no_count() -> None:
    request = first_request("1.37", "v1", {"name": "a", "exactly": {"allocationMode": "All"}})
    assert request["exactly"] == {"allocationMode": "All"}


def test_subrequests_count_one_in_every_version() -> None:
    for version in ("v1", "v1beta2", "v1beta1"):
        request = first_request("1.37", version, {"name": "a", "firstAvailable": [{"name": "b"}]})
        assert request["firstAvailable"] == [{"name": "b", "allocationMode": "ExactCount", "count": 1}]


def test_a_flat_request_is_defaulted_only_with_a_class_since_133() -> None:
    assert "count" not in first_request("1.37", "v1beta1", {"name": "a"})
    assert first_request("1.37", "v1beta1", {"name": "a", "deviceClassName": "c"})["count"] == 1
    assert first_request("1.32", "v1beta1", {"name": "a"})["count"] == 1


def test_a_toleration_compares_by_default() -> None:
    request = first_request("1.37", "v1", {"name": "a", "exactly": {"tolerations": [{"key": "k"}]}})
    assert request["exactly"]["tolerations"] == [{"key": "k", "operator": "Equal"}]


@pytest.mark.parametrize("version", ["v1", "v1beta2", "v1alpha3"])
def test_a_taint_gets_the_current_time(version: str) -> None:
    minor = release.parse("1.37")
    kind = tables(minor).kinds[(f"resource.k8s.io/{version}", "DeviceTaintRule")]
    decoded = decode(minor, kind, {"spec": {"taint": {"key": "a", "effect": "None"}}}, now=NOW)
    assert decoded.value["spec"]["taint"]["timeAdded"] == NOW
