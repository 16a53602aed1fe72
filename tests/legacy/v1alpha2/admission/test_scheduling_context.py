from typing import Any

from dractl.legacy.v1alpha2.admission.scheduling_context import check_scheduling_spec
from tests.admission.minors import created, status_written, updated
from tests.admission.refusals import SPEC, refused
from tests.rows import each_row

KIND = "PodSchedulingContext"
NODES = "spec.potentialNodes"


@each_row(
    ("nodes", "expected"),
    [
        ([], set()),
        (["node-a", "node-b.example.com"], set()),
        (["node_a"], {f"psc/nodes-format Invalid {NODES}[0]"}),
        (["a", "b", "a"], {f"psc/nodes-duplicate Duplicate {NODES}[2]"}),
        ([f"node-{number}" for number in range(128)], set()),
        ([f"node-{number}" for number in range(129)], {f"psc/nodes-size TooLong {NODES}"}),
    ],
)
def test_potential_nodes(nodes: list[str], expected: set[str]) -> None:
    value = {"potentialNodes": nodes, "selectedNode": "any node"}
    for minor in ("1.30", "1.31"):
        assert refused(lambda ctx: check_scheduling_spec(ctx, value, SPEC), minor=minor) == expected
    assert created("1.31", KIND, {"spec": value}) == expected
    assert updated("1.31", KIND, {"spec": value}, {"spec": {"potentialNodes": ["z"]}}) == expected


def test_repeated_nodes_are_looked_at_again_since_1_31() -> None:
    value = {"potentialNodes": ["node_a", "node_a"]}
    found = [refused(lambda ctx: check_scheduling_spec(ctx, value, SPEC), minor=m) for m in ("1.30", "1.31")]
    assert found[1] - found[0] == {f"psc/nodes-format Invalid {NODES}[1]"}


CLAIMS = "status.claims"


@each_row(
    ("claims", "expected"),
    [
        ([{"name": "gpu", "unsuitableNodes": ["node-a"]}, {"name": "nic"}], set()),
        ([{"name": "gpu"}, {"name": "gpu"}], {f"psc/claim-duplicate Duplicate {CLAIMS}[1]"}),
        (
            [{"name": "gpu", "unsuitableNodes": ["A", "a", "a"]}],
            {
                f"psc/unsuitable-format Invalid {CLAIMS}[0].unsuitableNodes[0]",
                f"psc/unsuitable-duplicate Duplicate {CLAIMS}[0].unsuitableNodes[2]",
            },
        ),
        (
            [{}, {"name": "a", "unsuitableNodes": [f"node-{number}" for number in range(129)]}],
            {f"psc/unsuitable-size TooLong {CLAIMS}[1].unsuitableNodes"},
        ),
    ],
)
def test_statuses_of_claims(claims: list[dict[str, Any]], expected: set[str]) -> None:
    value = {"resourceClaims": claims}
    assert status_written("1.31", KIND, value) == expected
    assert status_written("1.30", KIND, value) == expected
