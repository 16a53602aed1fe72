"""Which container sees which device."""

from __future__ import annotations

from typing import Any

from dractl.cluster.objects import Objects
from dractl.simulation.pods import placements
from dractl.simulation.pods.pods import Pod
from tests.simulation.build import allocated, claim, container, pod, result


def users(*names: str) -> list[dict[str, str]]:
    return [{"resource": "pods", "name": name, "uid": Pod(pod(name)).uid} for name in names]


SHARED = allocated(
    claim("shared"),
    result("d0", request="a"),
    result("d1", request="b/big"),
    reservedFor=users("p"),
)


def rows(item: dict[str, Any], *objects: dict[str, Any]) -> list[tuple[Any, ...]]:
    return [
        (row.container, row.pod_claim, row.request, row.device)
        for row in placements.of_pod(Pod(item), "node-a", Objects(objects))
    ]


def test_a_container_sees_the_whole_claim_or_one_request() -> None:
    item = pod(
        "p",
        container("all", "gpu"),
        container("one", "gpu/a"),
        container("sub", "gpu/b"),
        container("none"),
        claims={"gpu": "shared"},
    )
    assert rows(item, SHARED) == [
        ("all", "gpu", "a", "d0"),
        ("all", "gpu", "b/big", "d1"),
        ("one", "gpu", "a", "d0"),
        ("sub", "gpu", "b/big", "d1"),
    ]


def test_a_request_that_the_claim_does_not_have_gives_nothing() -> None:
    item = pod("p", container("main", "gpu/a", "gpu/typo"), claims={"gpu": "shared"})
    assert rows(item, SHARED) == [("main", "gpu", "a", "d0"), (None, "gpu", "b/big", "d1")]


def test_devices_that_no_container_sees_are_listed_nevertheless() -> None:
    assert rows(pod("p", claims={"gpu": "shared"}), SHARED) == [
        (None, "gpu", "a", "d0"),
        (None, "gpu", "b/big", "d1"),
    ]


def test_init_containers_come_first() -> None:
    init = [container("init", "gpu/a")]
    item = pod("p", container("main", "gpu"), claims={"gpu": "shared"}, initContainers=init)
    assert [row[0] for row in rows(item, SHARED)] == ["init", "main", "main"]


def test_a_claim_that_is_not_reserved_for_the_pod_is_not_shown() -> None:
    item = pod("q", container("main", "gpu"), claims={"gpu": "shared"})
    assert rows(item, SHARED) == []
    assert rows(pod("p", claims={"gpu": "gone"}), SHARED) == []


def test_a_row_tells_share_capacity_and_access() -> None:
    item = allocated(
        claim("shared"),
        result("d0", shareID="s", consumedCapacity={"mem": "1Gi"}),
        result("d1", adminAccess=True),
        reservedFor=users("p"),
    )
    first, second = placements.of_pod(Pod(pod("p", claims={"gpu": "shared"})), "node-a", Objects([item]))
    assert (first.share_id, first.consumed_capacity, first.admin_access) == ("s", {"mem": "1Gi"}, False)
    assert (second.share_id, second.consumed_capacity, second.admin_access) == (None, {}, True)
    assert (first.pod, first.node, first.claim) == ("default/p", "node-a", "default/shared")


def test_extended_resources_are_seen_through_their_mappings() -> None:
    special = allocated(
        claim("p-extended-resources"), result("d0", request="container-0-request-0"), reservedFor=users("p")
    )
    mapping = {"containerName": "main", "resourceName": "r", "requestName": "container-0-request-0"}
    status = {
        "extendedResourceClaimStatus": {
            "resourceClaimName": "p-extended-resources",
            "requestMappings": [mapping],
        }
    }
    item = pod("p", container("main"), container("other"), status=status)
    assert rows(item, special) == [("main", None, "container-0-request-0", "d0")]
    assert placements.special_claim_name(Pod(item)) == "p-extended-resources"


def test_a_claim_without_pods_has_rows_too() -> None:
    (row,) = placements.of_claim(allocated(claim("lone"), result("d0")), "node-a")
    assert (row.pod, row.container, row.pod_claim, row.claim) == (None, None, None, "default/lone")
    assert placements.of_claim(claim("lone"), "node-a") == []


def test_the_node_of_an_allocation_is_known_if_it_is_one() -> None:
    assert placements.node_of(allocated(claim("c"), result("d"), node_name="node-b")) == "node-b"
    assert placements.node_of(allocated(claim("c"), result("d"))) is None
    item = allocated(claim("c"), result("d"), node_name="node-b")
    (term,) = item["status"]["allocation"]["nodeSelector"]["nodeSelectorTerms"]
    term["matchFields"][0]["values"].append("node-c")
    assert placements.node_of(item) is None


def test_names_of_claims_come_by_entry() -> None:
    status = {"resourceClaimStatuses": [{"name": "a", "resourceClaimName": "p-a"}]}
    item = Pod(pod("p", claims={"s": "shared"}, templates={"a": "t", "b": "t"}, status=status))
    assert placements.claim_names(item) == {"s": "shared", "a": "p-a", "b": None}


def test_rows_tell_what_kind_of_container_sees_a_device() -> None:
    item = pod(
        "p",
        container("main", "gpu"),
        initContainers=[container("warm-up", "gpu"), container("proxy", "gpu", restartPolicy="Always")],
        claims={"gpu": "shared"},
    )
    shared = allocated(claim("shared"), result("d0"), result("d1"), reservedFor=users("p"))
    api_objects = Objects([item, shared])
    found = [
        (row.container, row.container_kind) for row in placements.of_pod(Pod(item), "node-a", api_objects)
    ]
    assert found == [
        *[("warm-up", "init")] * 2,
        *[("proxy", "sidecar")] * 2,
        *[("main", "container")] * 2,
    ]
    (unseen, _) = placements.of_pod(
        Pod(pod("p", container("main"), claims={"gpu": "shared"})), "node-a", api_objects
    )
    assert (unseen.container, unseen.container_kind) == (None, None)


def test_a_device_has_the_configuration_for_its_driver_and_request_in_order() -> None:
    def config(source: str, parameters: str, *requests: str, driver: str = "gpu.example.com") -> Any:
        return {
            "source": source,
            "requests": list(requests),
            "opaque": {"driver": driver, "parameters": {"mode": parameters}},
        }

    item = allocated(
        claim("lone"), result("d0", request="gpu/big"), result("d1", request="other"), result("d2")
    )
    item["status"]["allocation"]["devices"]["config"] = [
        config("FromClass", "class", "gpu/big"),
        config("FromClaim", "all"),
        config("FromClaim", "request", "gpu", "unknown"),
        config("FromClaim", "other", "other"),
        config("FromClaim", "foreign", driver="nic.example.com"),
    ]
    first, second, third = placements.of_claim(item, None)
    assert first.config == (
        ("FromClass", "gpu.example.com", {"mode": "class"}),
        ("FromClaim", "gpu.example.com", {"mode": "all"}),
        ("FromClaim", "gpu.example.com", {"mode": "request"}),
    )
    assert [entry.parameters["mode"] for entry in second.config] == ["all", "other"]
    assert [entry.parameters["mode"] for entry in third.config] == ["all", "request"]
