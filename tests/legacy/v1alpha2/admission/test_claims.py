from typing import Any

from tests.admission.minors import Json, created, status_written, updated
from tests.rows import each_row

HANDLE = "status.allocation.resourceHandles"
USER = {"resource": "pods", "name": "a", "uid": "1"}


@each_row(
    ("spec", "expected"),
    [
        ({}, set()),
        ({"allocationMode": "Immediate"}, set()),
        ({"allocationMode": "immediate"}, {"oldclaim/mode NotSupported .allocationMode"}),
        ({"resourceClassName": ""}, {"oldclaim/class Invalid .resourceClassName"}),
        ({"resourceClassName": "gpu_a"}, {"oldclaim/class Invalid .resourceClassName"}),
        ({"parametersRef": {"kind": "ConfigMap", "name": "a"}}, set()),
        (
            {"parametersRef": {}},
            {
                "oldparams/ref-kind Required .parametersRef.kind",
                "oldparams/ref-name Required .parametersRef.name",
            },
        ),
    ],
)
def test_specs_of_claims_and_of_templates(spec: Json, expected: set[str]) -> None:
    whole = {line.replace(" .", " spec.") for line in expected}
    below = {line.replace(" .", " spec.spec.") for line in expected}
    assert created("1.30", "ResourceClaim", {"spec": spec}) == whole
    assert created("1.30", "ResourceClaimTemplate", {"spec": {"metadata": {}, "spec": spec}}) == below


def test_updates_are_checked_in_full() -> None:
    new, old = {"spec": {"allocationMode": "Never"}}, {"spec": {"allocationMode": "Immediate"}}
    assert updated("1.30", "ResourceClaim", old, old) == set()
    assert updated("1.30", "ResourceClaim", new, old) == {
        "oldclaim/mode NotSupported spec.allocationMode",
        "claim/update-spec Invalid spec",
    }


def handle(**fields: Any) -> Json:
    return {"driverName": "gpu.example.com", **fields}


def allocated(*handles: Json, **fields: Any) -> Json:
    return {"driverName": "gpu.example.com", "allocation": {"resourceHandles": list(handles), **fields}}


def structured(*results: Json, **fields: Any) -> Json:
    return handle(structuredData={"results": list(results), **fields})


@each_row(
    ("status", "expected"),
    [
        ({}, set()),
        (allocated(handle(data="a" * 16384)), set()),
        (allocated(structured({"namedResources": {"name": "gpu-0"}}, nodeName="node-a")), set()),
        ({"driverName": "a_b"}, {"oldclaim/status-driver Invalid status.driverName"}),
        ({"allocation": {}}, {"oldclaim/status-driver-required Required status.driverName"}),
        (allocated(*[handle()] * 33), {f"oldclaim/handles-size TooLong {HANDLE}"}),
        (allocated(handle(driverName="A_b")), {f"oldclaim/handle-driver Invalid {HANDLE}[0].driverName"}),
        (allocated(handle(data="a" * 16385)), {f"oldclaim/handle-data TooLong {HANDLE}[0].data"}),
        (
            allocated(handle(data="a", structuredData={"results": []})),
            {f"oldclaim/handle-both Invalid {HANDLE}[0]"},
        ),
        (
            allocated(structured(nodeName="a_b")),
            {f"oldclaim/handle-node Invalid {HANDLE}[0].structuredData.nodeName"},
        ),
        (
            allocated(structured({}, {"namedResources": {"name": "A"}})),
            {
                f"oldclaim/handle-model Required {HANDLE}[0].structuredData.results[0]",
                f"oldclaim/handle-instance Invalid {HANDLE}[0].structuredData.results[1].namedResources.name",
            },
        ),
        (
            allocated(availableOnNodes={}),
            {"oldclaim/available-nodes Required status.allocation.availableOnNodes.nodeSelectorTerms"},
        ),
        (allocated(shareable=True) | {"reservedFor": [USER, USER | {"uid": "2"}]}, set()),
        (
            allocated() | {"reservedFor": [USER, USER | {"uid": "2"}]},
            {"oldclaim/reserved-shareable Forbidden status.reservedFor"},
        ),
    ],
)
def test_statuses_of_claims(status: Json, expected: set[str]) -> None:
    assert status_written("1.30", "ResourceClaim", status) == expected


def test_an_allocation_cannot_be_changed() -> None:
    old = allocated(handle(data="a"))
    new = allocated(handle(data="b"))
    assert status_written("1.30", "ResourceClaim", old, old) == set()
    (line,) = status_written("1.30", "ResourceClaim", new, old)
    assert line.split()[1:] == ["Invalid", "status.allocation"]
