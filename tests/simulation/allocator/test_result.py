"""The allocation that is written for the devices of a search."""

from __future__ import annotations

from typing import Any

import pytest

from dractl.simulation.allocator import result
from dractl.simulation.allocator.model.reasons import Fatal
from dractl.simulation.allocator.search_result import Found
from tests.simulation.allocator.test_search import CLASSES, SearchCase
from tests.simulation.build import (
    DRIVER,
    body,
    claim,
    device,
    device_class,
    exactly,
    first_of,
    resource_slice,
    sharing,
)

LOCAL = [resource_slice("s", "d0", "d1", "d2")]
ON_NODE = {
    "nodeSelectorTerms": [{"matchFields": [{"key": "metadata.name", "operator": "In", "values": ["node-a"]}]}]
}


def allocate(slices: list[dict[str, Any]], *claims: dict[str, Any], **gates: bool) -> Any:
    case = SearchCase(slices, *claims, **gates)
    found = case.run()
    assert isinstance(found, Found), found
    problem = result.problem(case.demands, found, case.features)
    if problem is not None:
        return problem
    return result.allocations(
        case.demands, found, "node-a", case.features, lambda choice: f"share-{choice.slot.ask}"
    )


def allocation(slices: list[dict[str, Any]], item: dict[str, Any], **gates: bool) -> Any:
    made = allocate(slices, item, **gates)
    assert isinstance(made, list), made
    return made[0]


def test_results_name_request_and_device_in_the_order_of_choice() -> None:
    made = allocation(LOCAL, claim("c", exactly("b"), first_of("a", two=body(count=2))))
    assert made == {
        "devices": {
            "results": [
                {"request": "b", "driver": DRIVER, "pool": "node-a", "device": "d0"},
                {"request": "a/two", "driver": DRIVER, "pool": "node-a", "device": "d1"},
                {"request": "a/two", "driver": DRIVER, "pool": "node-a", "device": "d2"},
            ]
        },
        "nodeSelector": ON_NODE,
    }


def test_every_claim_has_its_own_allocation() -> None:
    made = allocate(LOCAL, claim("c"), claim("d"))
    assert isinstance(made, list)
    assert [entry["devices"]["results"][0]["device"] for entry in made] == ["d0", "d1"]


def test_results_carry_what_the_request_asked_for() -> None:
    tolerations = [{"key": "k", "operator": "Exists"}]
    made = allocation(LOCAL, claim("c", exactly("gpu", adminAccess=True, tolerations=tolerations)))
    (entry,) = made["devices"]["results"]
    assert entry["adminAccess"] is True
    assert entry["tolerations"] == tolerations


def test_results_carry_binding_conditions_of_the_device() -> None:
    waiting = device("d0", bindingConditions=["attached"], bindingFailureConditions=["failed"])
    (entry,) = allocation([resource_slice("s", waiting)], claim("c"))["devices"]["results"]
    assert entry["bindingConditions"] == ["attached"]
    assert entry["bindingFailureConditions"] == ["failed"]


def test_a_share_has_an_id_and_what_it_consumes() -> None:
    is_n = '!("mem" in device.capacity[device.driver])'
    slices = [resource_slice("s", sharing("m", "10Gi"), device("n", allowMultipleAllocations=True))]
    item = claim("c", exactly("one", capacity={"requests": {"mem": "2048Mi"}}), exactly("two", is_n))
    first, second = allocation(slices, item)["devices"]["results"]
    assert first["shareID"] == "share-0"
    assert first["consumedCapacity"] == {"mem": "2Gi"}
    assert second["shareID"] == "share-1"
    assert "consumedCapacity" not in second


def test_amounts_keep_the_way_in_which_they_are_written() -> None:
    slices = [resource_slice("s", sharing("m", "10Gi"))]
    texts = ("1Gi", "1073741824")
    requests = [exactly(f"r{n}", capacity={"requests": {"mem": text}}) for n, text in enumerate(texts)]
    results = allocation(slices, claim("c", *requests))["devices"]["results"]
    assert [entry["consumedCapacity"]["mem"] for entry in results] == list(texts)


def test_skipped_node_operations_are_reported_where_they_are_known() -> None:
    slices = [resource_slice("s", "d", nodeName="node-a", skipNodeOperations=["NodePrepareResources"])]
    (entry,) = allocation(slices, claim("c"))["devices"]["results"]
    assert "skipNodeOperations" not in entry


def opaque(value: str) -> dict[str, Any]:
    return {"opaque": {"driver": DRIVER, "parameters": {"v": value}}}


@pytest.fixture
def configured(monkeypatch: pytest.MonkeyPatch) -> None:
    """Classes with configuration: gpu has two entries, a has one."""
    classes = [
        device_class("gpu", config=[opaque("g1"), opaque("g2")]),
        device_class("a", config=[opaque("a1")]),
    ]
    monkeypatch.setattr("tests.simulation.allocator.test_search.CLASSES", [*CLASSES, *classes])


def config(*requests: dict[str, Any], own: list[dict[str, Any]] | None = None) -> list[tuple[Any, ...]]:
    """Source, requests and value of each entry."""
    made = allocation(LOCAL, claim("c", *requests, config=own or []))
    return [
        (entry["source"], entry.get("requests"), entry["opaque"]["parameters"]["v"])
        for entry in made["devices"].get("config", ())
    ]


@pytest.mark.usefixtures("configured")
class TestConfig:
    def test_a_class_comes_once_with_the_requests_that_use_it(self) -> None:
        found = config(exactly("x"), exactly("y", of="a"), exactly("z"))
        assert found == [
            ("FromClass", ["x", "z"], "g1"),
            ("FromClass", ["x", "z"], "g2"),
            ("FromClass", ["y"], "a1"),
        ]

    def test_an_entry_for_all_requests_names_none(self) -> None:
        assert config(exactly("x"), exactly("y")) == [
            ("FromClass", None, "g1"),
            ("FromClass", None, "g2"),
        ]

    def test_only_the_selected_subrequest_counts(self) -> None:
        found = config(first_of("x", many=body(count=9), one=body(of="a")), exactly("y"))
        assert found == [
            ("FromClass", ["x/one"], "a1"),
            ("FromClass", ["y"], "g1"),
            ("FromClass", ["y"], "g2"),
        ]

    def test_entries_of_the_claim_follow_and_keep_their_requests(self) -> None:
        own = [
            opaque("all"),
            {"requests": ["x"], **opaque("x")},
            {"requests": ["z/big"], **opaque("not selected")},
            {"requests": ["z/small"], **opaque("selected")},
            {"requests": ["x", "y", "z"], **opaque("everything")},
        ]
        found = config(
            exactly("x", of="a"),
            exactly("y", of="a"),
            first_of("z", big=body(count=9), small=body(of="a")),
            own=own,
        )
        assert found[1:] == [
            ("FromClaim", None, "all"),
            ("FromClaim", ["x"], "x"),
            ("FromClaim", ["z/small"], "selected"),
            ("FromClaim", None, "everything"),
        ]


def rack(*values: str) -> dict[str, Any]:
    return {"key": "rack", "operator": "NotIn", "values": list(values)}


def shared(name: str, *requirements: dict[str, Any], **device_fields: Any) -> dict[str, Any]:
    selector = {"nodeSelectorTerms": [{"matchExpressions": list(requirements)}]}
    return resource_slice(name, device(f"{name}-0", **device_fields), pool=name, nodeSelector=selector)


def selector_of(slices: list[dict[str, Any]], count: int = 1) -> Any:
    return allocation(slices, claim("c", exactly("gpu", count=count))).get("nodeSelector")


def test_a_device_for_all_nodes_binds_the_claim_to_none() -> None:
    assert selector_of([resource_slice("s", "d", allNodes=True)]) is None


def test_the_requirements_of_several_slices_are_joined_in_one_term() -> None:
    gen = {"key": "gen", "operator": "DoesNotExist"}
    slices = [shared("p", rack("r1", "r2")), shared("q", rack("r2", "r1"), gen), shared("r", rack("r3"))]
    assert selector_of(slices, 3) == {
        "nodeSelectorTerms": [{"matchExpressions": [rack("r1", "r2"), gen, rack("r3")]}]
    }


def test_one_local_device_binds_the_claim_to_its_node() -> None:
    assert selector_of(
        [shared("p", rack("r1")), resource_slice("s", "d", pool="z", nodeName="node-a")], 2
    ) == (ON_NODE)


def test_a_device_may_bind_its_claim_to_the_node() -> None:
    slices = [resource_slice("s", device("d", bindsToNode=True), allNodes=True)]
    assert selector_of(slices) == ON_NODE
    stable = {"DRAConsumableCapacity": False, "DRADeviceBindingConditions": False}
    assert allocation(slices, claim("c"), **stable).get("nodeSelector") is None


def test_node_selection_per_device_is_read_from_the_device() -> None:
    selector = {"nodeSelectorTerms": [{"matchExpressions": [rack("r1")]}]}
    slices = [resource_slice("s", device("d", nodeSelector=selector), perDeviceNodeSelection=True)]
    assert selector_of(slices) == selector


def test_a_node_selector_with_several_terms_is_an_error() -> None:
    terms = [{"matchExpressions": [rack("r1")]}] * 2
    slices = [resource_slice("s", "d", nodeSelector={"nodeSelectorTerms": terms})]
    made = allocate(slices, claim("c"))
    assert isinstance(made, Fatal)
    assert "claim default/c: device gpu.example.com/node-a/d: a node selector with 2 terms" in made.message
    # A local device before it decides alone.
    local = resource_slice("l", "l0", pool="a", nodeName="node-a")
    assert selector_of([local, *slices], 2) == ON_NODE
    last = resource_slice("l", "l0", pool="z", nodeName="node-a")
    assert isinstance(allocate([last, *slices], claim("c", exactly("gpu", count=2))), Fatal)
