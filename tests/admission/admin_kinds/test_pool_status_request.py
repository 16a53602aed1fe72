from typing import Any

import pytest

from dractl.admission.admin_kinds import pool_status_request
from tests.admission.conftest import Admit

ATTRIBUTE = {"DRAResourcePoolStatus": True, "DRAPartitionableDevicesType": True}


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        ({"driver": "GPU.example.com"}, []),
        ({"driver": "a" * 253, "poolName": "a/b", "limit": 1000}, []),
        ({}, [(pool_status_request.DRIVER_REQUIRED, "spec.driver")]),
        ({"driver": "a_b"}, [(pool_status_request.DRIVER_FORMAT, "spec.driver")]),
        ({"driver": "a", "poolName": ""}, [(pool_status_request.POOL_NAME, "spec.poolName")]),
        ({"driver": "a", "limit": 0}, [(pool_status_request.LIMIT, "spec.limit")]),
        ({"driver": "a", "limit": 1001}, [(pool_status_request.LIMIT, "spec.limit")]),
        (
            {"driver": "a", "defaultPartitionTypeAttribute": "a"},
            [(pool_status_request.PARTITION_ATTRIBUTE, "spec.defaultPartitionTypeAttribute")],
        ),
    ],
)
def test_declarative_errors_find_their_rows(
    admit_as_new: Admit, spec: dict[str, Any], expected: list[tuple[Any, str]]
) -> None:
    document = {
        "apiVersion": "resource.k8s.io/v1alpha3",
        "kind": "ResourcePoolStatusRequest",
        "metadata": {"name": "a"},
        "spec": spec,
    }
    errors = admit_as_new(document, ATTRIBUTE).errors
    assert [(error.rule, str(error.path)) for error in errors] == [(row.id, path) for row, path in expected]
