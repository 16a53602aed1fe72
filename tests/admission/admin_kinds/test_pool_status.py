import pytest

from tests.admission.statuses import Json, condition, refused
from tests.rows import each_row


def request(status: Json | None = None) -> Json:
    found: Json = {
        "apiVersion": "resource.k8s.io/v1alpha3",
        "kind": "ResourcePoolStatusRequest",
        "metadata": {"name": "what-is-there", "resourceVersion": "1"},
        "spec": {"driver": "gpu.example.com"},
    }
    return found if status is None else found | {"status": status}


POOL = {"driver": "gpu.example.com", "poolName": "node-a", "generation": 1}
STATUS = {"poolCount": 1, "pools": [POOL], "conditions": [condition(type="Complete")]}


@pytest.mark.parametrize("status", [None, STATUS, {"poolCount": 0}])
def test_a_good_first_status_is_taken(status: Json | None) -> None:
    assert refused(request(status), request()) == set()


@each_row(
    ("status", "expected"),
    [
        (
            STATUS | {"conditions": [condition(reason="all of them")]},
            {"rpsr/status-conditions Invalid status.conditions[0].reason"},
        ),
        (
            STATUS | {"conditions": [condition(), condition()]},
            {"rpsr/status-conditions Duplicate status.conditions[1]"},
        ),
        (
            STATUS | {"conditions": [condition(type=f"C{number}") for number in range(11)]},
            {"rpsr/status-size TooMany status.conditions"},
        ),
        ({}, {"rpsr/status-required Required status.poolCount"}),
    ],
)
def test_a_bad_first_status_is_refused(status: Json, expected: set[str]) -> None:
    assert refused(request(status), request()) == expected


def test_a_status_can_be_written_again_as_it_is() -> None:
    assert refused(request(STATUS), request(STATUS)) == set()
    assert refused(request({"poolCount": 1, "pools": []}), request({"poolCount": 1})) == set()


@each_row(
    "status",
    [
        None,
        {"poolCount": 2},
        STATUS | {"poolCount": 2},
        STATUS | {"pools": [POOL | {"totalDevices": 0}]},
        STATUS | {"conditions": [condition(type="Complete", status="False")]},
    ],
)
def test_a_status_that_is_there_does_not_change(status: Json | None) -> None:
    assert refused(request(status), request(STATUS)) == {"rpsr/status-immutable Invalid status"}


def test_conditions_of_a_changed_status_are_not_judged_by_hand() -> None:
    status = STATUS | {"conditions": [condition(reason="all of them")]}
    assert refused(request(status), request(STATUS)) == {"rpsr/status-immutable Invalid status"}
