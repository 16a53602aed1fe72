from tests.admission.statuses import Json, judged, pod, refused
from tests.rows import each_row

CLAIM = "status.resourceClaimStatuses[0]"
NIC = {"name": "nic", "resourceClaimName": "pod-nic-4zk8x"}


@each_row(
    ("claims", "expected"),
    [
        ([], set()),
        ([NIC, {"name": "gpu"}], set()),
        ([NIC | {"resourceClaimName": "a.b"}], set()),
        ([{}], {f"pstat/claim-unknown Invalid {CLAIM}.name"}),
        ([NIC | {"name": "fpga"}], {f"pstat/claim-unknown Invalid {CLAIM}.name"}),
        ([NIC, NIC], {"pstat/claim-duplicate Duplicate status.resourceClaimStatuses[1].name"}),
        ([NIC | {"resourceClaimName": ""}], {f"pstat/claim-ref Invalid {CLAIM}.resourceClaimName"}),
        ([NIC | {"resourceClaimName": "a_b"}], {f"pstat/claim-ref Invalid {CLAIM}.resourceClaimName"}),
        (
            [{"name": "a"}, {"name": "a", "resourceClaimName": "A"}],
            {
                f"pstat/claim-unknown Invalid {CLAIM}.name",
                "pstat/claim-unknown Invalid status.resourceClaimStatuses[1].name",
                "pstat/claim-duplicate Duplicate status.resourceClaimStatuses[1].name",
                "pstat/claim-ref Invalid status.resourceClaimStatuses[1].resourceClaimName",
            },
        ),
    ],
)
def test_claims_that_were_made_for_the_pod(claims: list[Json], expected: set[str]) -> None:
    assert refused(pod({"resourceClaimStatuses": claims})) == expected


def test_the_claims_of_the_stored_pod_count() -> None:
    document = pod({"resourceClaimStatuses": [NIC]})
    document["spec"] = {"containers": []}
    assert refused(document, pod()) == set()


def test_an_unknown_claim_is_reported_what_there_is() -> None:
    (error,) = judged(pod({"resourceClaimStatuses": [{"name": "fpga"}]})).errors
    assert error.hint == "the pod has gpu, nic"


def test_all_parts_of_a_status_are_looked_at() -> None:
    status = {
        "resourceClaimStatuses": [{"name": "fpga"}],
        "extendedResourceClaimStatus": {"resourceClaimName": "pod-extended"},
        "containerStatuses": [{"name": "side", "allocatedResourcesStatus": [{"name": "cpu"}]}],
        "nodeAllocatableResourceClaimStatuses": [{"resourceClaimName": "x", "mapping": [{"name": "cpu"}]}],
    }
    found = refused(pod(status), pod(), {"DRANodeAllocatableResources": True})
    assert {line.split(" ", maxsplit=1)[0] for line in found} == {
        "pstat/claim-unknown",
        "pstat/ext-mappings-required",
        "pstat/health-name",
        "pstat/node-claim",
        "pstat/node-required",
    }
