from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from dractl.admission.pod.extended import requested
from tests.admission.statuses import Json, judged, pod, refused
from tests.rows import each_row

if TYPE_CHECKING:
    from dractl.api.objects.core import Container

EXTENDED = "status.extendedResourceClaimStatus"
MAPPING = f"{EXTENDED}.requestMappings[0]"
CLAIM = "pod-extended-resources-4zk8x"


def mapping(container: str = "main", resource: str = "example.com/gpu", request: str = "r0") -> Json:
    return {"containerName": container, "resourceName": resource, "requestName": request}


def status(*mappings: Json, name: str = CLAIM) -> Json:
    return {"extendedResourceClaimStatus": {"resourceClaimName": name, "requestMappings": list(mappings)}}


@each_row(
    "mappings",
    [
        [mapping()],
        [mapping(), mapping(request="r1")],
        [mapping(resource="cpu")],
        [mapping(resource="example.com/fpga")],
        [mapping(resource="example.com/none")],
    ],
)
def test_good_mappings_are_taken(mappings: list[Json]) -> None:
    assert refused(pod(status(*mappings))) == set()


@each_row(
    ("mappings", "expected"),
    [
        ([], {f"pstat/ext-mappings-required Required {EXTENDED}.requestMappings"}),
        ([mapping("other")], {f"pstat/ext-container Invalid {MAPPING}.containerName"}),
        ([mapping("setup")], {f"pstat/ext-resource Invalid {MAPPING}.resourceName"}),
        ([mapping(resource="")], {f"pstat/ext-resource Invalid {MAPPING}.resourceName"}),
        ([mapping(request="")], {f"pstat/ext-request Invalid {EXTENDED}.requestName"}),
        ([mapping(request="r.0")], {f"pstat/ext-request Invalid {EXTENDED}.requestName"}),
        (
            [mapping(), mapping()],
            {
                f"pstat/ext-duplicate Duplicate {EXTENDED}.requestMappings[1].{field}"
                for field in ("containerName", "resourceName", "requestName")
            },
        ),
        (
            [{}],
            {
                f"pstat/ext-container Invalid {MAPPING}.containerName",
                f"pstat/ext-request Invalid {EXTENDED}.requestName",
            },
        ),
    ],
)
def test_bad_mappings_are_refused(mappings: list[Json], expected: set[str]) -> None:
    assert refused(pod(status(*mappings))) == expected


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("a.b", set()),
        ("", {f"pstat/ext-claim-required Required {EXTENDED}.resourceClaimName"}),
        ("a_b", {f"pstat/ext-claim-format Invalid {EXTENDED}.resourceClaimName"}),
    ],
)
def test_the_name_of_the_claim(name: str, expected: set[str]) -> None:
    assert refused(pod(status(mapping(), name=name))) == expected


def test_a_bad_request_stands_in_its_mapping() -> None:
    (error,) = judged(pod(status(mapping(), mapping(request="R")))).errors
    assert str(error.place) == f"{EXTENDED}.requestMappings[1].requestName"


def test_a_limit_counts_as_a_request_that_is_not_given() -> None:
    container: Container = {"resources": {"requests": {"a": "1"}, "limits": {"a": "2", "b": "3"}}}
    assert requested(container) == {"a": "1", "b": "3"}
    assert requested({}) == {}
