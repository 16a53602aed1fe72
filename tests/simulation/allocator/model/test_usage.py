"""What allocated claims hold, by the names that devices may give their capacities."""

from __future__ import annotations

from typing import Any

import pytest

from dractl.cluster.devices import DeviceID
from dractl.simulation.allocator.model.usage import Usage
from tests.simulation.build import features

DEVICE = DeviceID("d.io", "p", "gpu")
SHARE = "0d5b7a3c-0000-4000-8000-000000000001"


def usage(kube: str, *amounts: dict[str, str], **fields: Any) -> Usage:
    results = [
        {
            "driver": "d.io",
            "pool": "p",
            "device": "gpu",
            "shareID": SHARE,
            "consumedCapacity": taken,
            **fields,
        }
        for taken in amounts
    ]
    claim = {"metadata": {"name": "c"}, "status": {"allocation": {"devices": {"results": results}}}}
    return Usage([claim], features(kube))


def consumed(kube: str, *amounts: dict[str, str]) -> dict[str, str]:
    return {name: str(amount) for name, amount in usage(kube, *amounts).consumed[DEVICE].items()}


def test_up_to_1_37_a_name_is_what_is_written() -> None:
    assert consumed("1.37", {"d.io/mem": "1"}, {"mem": "2"}) == {"d.io/mem": "1", "mem": "2"}


def test_since_1_38_both_spellings_are_one_name() -> None:
    assert consumed("1.38", {"d.io/mem": "1"}, {"mem": "2"}) == {"d.io/mem": "3", "mem": "3"}
    assert consumed("1.38", {"e.io/mem": "1"}) == {"e.io/mem": "1"}


def test_of_one_result_the_name_with_the_domain_counts() -> None:
    assert consumed("1.38", {"d.io/mem": "1", "mem": "5"}) == {"d.io/mem": "1", "mem": "1"}
    assert consumed("1.38", {"mem": "5", "d.io/mem": "1"}) == {"d.io/mem": "1", "mem": "1"}


@pytest.mark.parametrize("fields", [{}, {"adminAccess": True}])
def test_since_1_38_a_negative_amount_stops_everybody(fields: dict[str, Any]) -> None:
    assert usage("1.37", {"mem": "-4Gi"}, **fields).problem is None
    problem = usage("1.38", {"mem": "-4Gi"}, **fields).problem
    assert problem is not None
    assert "consumed capacity 'mem' must not be negative, got -4Gi" in problem.message
