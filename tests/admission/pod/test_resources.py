from tests.admission.statuses import Json, pod, refused
from tests.rows import each_row

ENTRY = "status.nodeAllocatableResourceClaimStatuses[0]"
GATES = {"DRANodeAllocatableResources": True}
MADE = {"resourceClaimStatuses": [{"name": "nic", "resourceClaimName": "pod-nic-4zk8x"}]}


def status(*entries: Json) -> Json:
    return MADE | {"nodeAllocatableResourceClaimStatuses": list(entries)}


def found(**fields: object) -> set[str]:
    return refused(pod(status({"resourceClaimName": "shared-gpu"} | fields)), pod(), GATES)


@each_row(
    ("name", "is_known"),
    [
        ("shared-gpu", True),
        ("pod-nic-4zk8x", True),
        ("gpu", False),
        ("one-nic", False),
    ],
)
def test_which_claims_take_from_the_node(name: str, is_known: bool) -> None:
    expected = set() if is_known else {f"pstat/node-claim Invalid {ENTRY}.resourceClaimName"}
    assert found(resourceClaimName=name) == expected


@each_row(
    ("mapping", "expected"),
    [
        ({"name": "cpu", "quantity": "4"}, set()),
        ({"name": "hugepages-", "quantity": "0"}, set()),
        (
            {"name": "ephemeral-storage", "quantity": "1"},
            {f"pstat/node-resource Invalid {ENTRY}.mapping[0].name"},
        ),
        ({"name": "memory", "quantity": "-1m"}, {f"pstat/node-negative Invalid {ENTRY}.mapping[0].quantity"}),
    ],
)
def test_what_is_mapped(mapping: Json, expected: set[str]) -> None:
    assert found(mapping=[mapping]) == expected


@each_row(
    ("overhead", "expected"),
    [
        ({"name": "memory", "perPod": "1Mi"}, set()),
        ({"name": "memory", "perContainer": "0"}, set()),
        ({"name": "memory"}, {f"pstat/node-overhead-empty Invalid {ENTRY}.overhead[0]"}),
        ({"name": "gpu", "perPod": "1"}, {f"pstat/node-resource Invalid {ENTRY}.overhead[0].name"}),
        (
            {"name": "cpu", "perPod": "-1", "perContainer": "-1u"},
            {
                f"pstat/node-negative Invalid {ENTRY}.overhead[0].perPod",
                f"pstat/node-negative Invalid {ENTRY}.overhead[0].perContainer",
            },
        ),
    ],
)
def test_overheads(overhead: Json, expected: set[str]) -> None:
    assert found(overhead=[overhead]) == expected


def test_an_entry_without_a_claim_is_not_looked_into() -> None:
    assert found(resourceClaimName="", mapping=[{"name": "gpu", "quantity": "-1"}]) == {
        f"pstat/node-required Required {ENTRY}.resourceClaimName"
    }


def test_without_the_gate_there_are_no_entries() -> None:
    document = pod(status({"resourceClaimName": "gpu", "mapping": [{"name": "gpu"}]}))
    assert refused(document, pod()) == set()
    assert refused(document, document | {"status": status({"resourceClaimName": "shared-gpu"})}) == {
        f"pstat/node-claim Invalid {ENTRY}.resourceClaimName",
        f"pstat/node-resource Invalid {ENTRY}.mapping[0].name",
        f"pstat/node-required Required {ENTRY}.mapping[0].quantity",
    }
