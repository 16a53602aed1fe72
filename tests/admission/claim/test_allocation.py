import pytest

from tests.admission.statuses import Json, allocation, claim, refused, result
from tests.rows import each_row

DEVICES = "status.allocation.devices"
RESULT = f"{DEVICES}.results[0]"
CONFIG = f"{DEVICES}.config[0]"
SHARE = "2b7a1a5e-94c4-4f5e-9f0d-3f3f8f0d7c11"
SKIPS = {"DRAOptionalNodeOperations": True, "NodeDeclaredFeatures": True}


def found(new: Json, gates: dict[str, bool] | None = None) -> set[str]:
    return refused(claim({"allocation": new}), claim(), gates)


@each_row(
    "new",
    [
        {},
        {"devices": {}},
        allocation(result()),
        allocation(result(), result()),
        allocation(*[result()] * 32),
        allocation(result(request="acc"), result(request="acc/big")),
        allocation(result(driver="GPU.example.com", pool="rack-1/node.a")),
        allocation(result(bindingConditions=["a"], bindingFailureConditions=["b"])),
        allocation(result(tolerations=[{"operator": "Exists"}], shareID=SHARE)),
        allocation(result(consumedCapacity={"what/ever/this/is": "-1"})),
        allocation(result(), nodeSelector={"nodeSelectorTerms": [{}]}),
    ],
)
def test_a_good_allocation_is_taken(new: Json) -> None:
    assert found(new) == set()


@each_row(
    ("fields", "expected"),
    [
        ({"request": ""}, {f"alloc/request Invalid {RESULT}.request"}),
        ({"request": "gpus"}, {f"alloc/request Invalid {RESULT}.request"}),
        ({"request": "gpu/big"}, {f"alloc/request Invalid {RESULT}.request"}),
        ({"request": "acc/small"}, {f"alloc/request Invalid {RESULT}.request"}),
        ({"request": "acc/big/x"}, {f"alloc/request Invalid {RESULT}.request"}),
        ({"driver": ""}, {f"alloc/driver Required {RESULT}.driver"}),
        ({"driver": "gpu_example"}, {f"alloc/driver Invalid {RESULT}.driver"}),
        ({"driver": "a" * 64}, {f"alloc/driver TooLong {RESULT}.driver"}),
        ({"pool": ""}, {f"alloc/pool Required {RESULT}.pool"}),
        ({"pool": "node-a/"}, {f"alloc/pool Invalid {RESULT}.pool"}),
        (
            {"pool": "a." * 127 + "a"},
            {f"alloc/pool TooLong {RESULT}.pool", f"alloc/pool Invalid {RESULT}.pool"},
        ),
        ({"device": ""}, {f"alloc/device Invalid {RESULT}.device"}),
        ({"device": "gpu.0"}, {f"alloc/device Invalid {RESULT}.device"}),
        ({"shareID": ""}, {f"alloc/share-id Invalid {RESULT}.shareID"}),
        ({"shareID": SHARE.upper()}, {f"alloc/share-id Invalid {RESULT}.shareID"}),
        ({"shareID": SHARE.replace("-", "")}, {f"alloc/share-id Invalid {RESULT}.shareID"}),
        (
            {"bindingConditions": ["a"]},
            {f"binding/failure-missing Invalid {RESULT}.bindingFailureConditions"},
        ),
        (
            {"bindingConditions": list("abcde"), "bindingFailureConditions": ["f"]},
            {f"binding/size TooMany {RESULT}.bindingConditions"},
        ),
        (
            {"tolerations": [{"operator": "In"}]},
            {f"request/tol-operator NotSupported {RESULT}.tolerations[0].operator"},
        ),
        ({"tolerations": [{"key": "a b"}]}, {f"request/tol-key Invalid {RESULT}.tolerations[0].key"}),
    ],
)
def test_a_bad_result_is_refused(fields: Json, expected: set[str]) -> None:
    assert found(allocation(result(**fields))) == expected


def test_results_are_not_looked_at_when_there_are_too_many() -> None:
    assert found(allocation(*[result(device="")] * 33)) == {f"alloc/results-size TooMany {DEVICES}.results"}


@each_row(
    ("operations", "expected"),
    [
        (["*"], set()),
        (["NodePrepareResources", "NodeUnprepareResources"], set()),
        (["NodePrepareResources"], {f"alloc/skip-ops Invalid {RESULT}.skipNodeOperations"}),
        (["Other"], {f"alloc/skip-ops NotSupported {RESULT}.skipNodeOperations[0]"}),
        (["*", "*"], {f"alloc/skip-ops Duplicate {RESULT}.skipNodeOperations[1]"}),
    ],
)
def test_operations_that_a_device_skips(operations: list[str], expected: set[str]) -> None:
    assert found(allocation(result(skipNodeOperations=operations)), SKIPS) == expected


OPAQUE = {"driver": "gpu.example.com", "parameters": {}}


@each_row(
    ("config", "expected"),
    [
        ({"source": "FromClass", "opaque": OPAQUE}, set()),
        ({"source": "FromClaim", "requests": ["gpu", "acc/big"], "opaque": OPAQUE}, set()),
        ({"opaque": OPAQUE}, {f"alloc/config-source-required Required {CONFIG}.source"}),
        (
            {"source": "FromTemplate", "opaque": OPAQUE},
            {f"alloc/config-source NotSupported {CONFIG}.source"},
        ),
        (
            {"source": "FromClass", "requests": ["gpu", "nic", "gpu"], "opaque": OPAQUE},
            {
                f"config/requests-ref Invalid {CONFIG}.requests[1]",
                f"config/requests-duplicate Duplicate {CONFIG}.requests[2]",
            },
        ),
        ({"source": "FromClass"}, {f"config/opaque-required Required {CONFIG}.opaque"}),
        (
            {"source": "FromClass", "opaque": OPAQUE | {"driver": "a_b"}},
            {f"config/driver Invalid {CONFIG}.opaque.driver"},
        ),
        (
            {"source": "FromClass", "opaque": OPAQUE | {"parameters": {"a": "x" * 10240}}},
            {f"config/params-size TooLong {CONFIG}.opaque.parameters"},
        ),
    ],
)
def test_configurations(config: Json, expected: set[str]) -> None:
    assert found({"devices": {"config": [config]}}) == expected


@pytest.mark.parametrize(("count", "is_refused"), [(64, False), (65, True)])
def test_there_are_at_most_64_configurations(count: int, is_refused: bool) -> None:
    entry = {"source": "FromClass", "opaque": OPAQUE} if count == 64 else {}
    expected = {f"alloc/config-size TooMany {DEVICES}.config"} if is_refused else set()
    assert found({"devices": {"config": [entry] * count}}) == expected


NODES = "status.allocation.nodeSelector.nodeSelectorTerms"


@each_row(
    ("terms", "expected"),
    [
        ([], {f"alloc/node-selector Required {NODES}"}),
        ([{"matchFields": [{"key": "metadata.name", "operator": "In", "values": ["a"]}]}], set()),
        (
            [{}, {"matchFields": [{"key": "metadata.name", "operator": "Exists"}]}],
            {f"alloc/node-selector Invalid {NODES}[1].matchFields[0].operator"},
        ),
        (
            [{"matchExpressions": [{"key": "a", "operator": "Exists", "values": ["b"]}]}],
            {f"alloc/node-selector Forbidden {NODES}[0].matchExpressions[0].values"},
        ),
    ],
)
def test_the_nodes_of_an_allocation(terms: list[Json], expected: set[str]) -> None:
    assert found({"nodeSelector": {"nodeSelectorTerms": terms}}) == expected
