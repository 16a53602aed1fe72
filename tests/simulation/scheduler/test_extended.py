"""Extended resources that DRA serves."""

from __future__ import annotations

from typing import Any

import pytest

from dractl.cluster.objects import Objects
from dractl.simulation.pods.pods import Pod
from dractl.simulation.scheduler.extended import (
    Classes,
    asked_for,
    is_extended,
    served_on,
    special_base,
    special_claim,
)
from dractl.simulation.scheduler.nodes import implied_node, node_of
from dractl.simulation.scheduler.resources import demand_of
from tests.simulation.build import container, device_class, pod, sized_node

GPU, NIC = "example.com/gpu", "example.com/nic"
IMPLICIT = "deviceclass.resource.kubernetes.io/gpu"


def serving(name: str, resource: str | None = None, created: str | None = None) -> dict[str, Any]:
    item = device_class(name, **({} if resource is None else {"extendedResourceName": resource}))
    if created is not None:
        item["metadata"]["creationTimestamp"] = created
    return item


def classes(*items: dict[str, Any]) -> Classes:
    return Classes(Objects(items))


def test_a_class_is_found_by_its_explicit_and_its_implicit_name() -> None:
    found = classes(serving("gpu", GPU))
    assert found.behind(GPU) == "gpu"
    assert found.behind(IMPLICIT) == "gpu"
    assert found.behind("deviceclass.resource.kubernetes.io/other") is None
    assert found.behind(NIC) is None


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        (None, None, "a"),
        ("2026-01-01T00:00:00Z", "2026-01-01T00:00:00Z", "a"),
        ("2026-01-01T00:00:00Z", "2026-01-02T00:00:00Z", "b"),
        ("2026-01-02T00:00:00Z", "2026-01-01T00:00:00Z", "a"),
    ],
)
def test_of_several_classes_the_newest_counts_then_the_smaller_name(
    first: str | None, second: str | None, expected: str
) -> None:
    for order in ((0, 1), (1, 0)):
        items = [serving("a", GPU, first), serving("b", GPU, second)]
        assert classes(*(items[number] for number in order)).behind(GPU) == expected


@pytest.mark.parametrize(
    ("resource", "expected"),
    [
        (GPU, True),
        (IMPLICIT, True),
        ("cpu", False),
        ("kubernetes.io/thing", False),
        ("sub.kubernetes.io/thing", False),
        ("requests.example.com/gpu", False),
    ],
)
def test_what_can_be_an_extended_resource(resource: str, expected: bool) -> None:
    assert is_extended(resource) is expected


def test_only_what_is_asked_for_counts() -> None:
    item = Pod(pod("p", container(requests={"cpu": "1", GPU: "2", NIC: "0"})))
    assert asked_for(demand_of(item)) == {GPU: 2}


def test_a_device_plugin_comes_before_dra_node_by_node() -> None:
    found = classes(serving("gpu", GPU))
    wanted = (GPU, NIC)
    assert served_on(node_of(sized_node("n", extra={GPU: "2"})), wanted, found) == frozenset()
    assert served_on(node_of(sized_node("n", extra={GPU: "0"})), wanted, found) == {GPU}
    assert served_on(node_of(sized_node("n")), wanted, found) == {GPU}
    assert served_on(implied_node("n"), wanted, found) == {GPU}


def of(item: dict[str, Any], *served: str) -> tuple[list[tuple[str, str, int]], list[tuple[str, str]]]:
    """Requests as name, class and count; mappings as container and request."""
    found = special_claim(Pod(item), frozenset(served), classes(serving("gpu", GPU), serving("nic", NIC)))
    requests = [
        (entry["name"], entry["exactly"]["deviceClassName"], entry["exactly"]["count"])
        for entry in found.claim["spec"]["devices"]["requests"]
    ]
    return requests, [(entry.container, entry.request) for entry in found.mappings]


def test_every_container_has_a_request_numbered_among_all_its_resources() -> None:
    item = pod(
        "p",
        container("a", requests={"cpu": "1", GPU: "2", "memory": "1"}),
        container("b", requests={GPU: "1"}),
    )
    assert of(item, GPU) == (
        [("container-0-request-1", "gpu", 2), ("container-1-request-0", "gpu", 1)],
        [("a", "container-0-request-1"), ("b", "container-1-request-0")],
    )


def test_requests_are_sorted_as_text() -> None:
    containers = [container(f"c{number}", requests={GPU: "1"}) for number in range(11)]
    requests, _ = of(pod("p", *containers), GPU)
    assert [name for name, _, _ in requests][:4] == [
        "container-0-request-0",
        "container-1-request-0",
        "container-10-request-0",
        "container-2-request-0",
    ]


def test_only_served_resources_are_requested() -> None:
    item = pod("p", container(requests={GPU: "1", NIC: "1"}))
    assert of(item, NIC)[0] == [("container-0-request-1", "nic", 1)]
    assert of(item) == ([], [])


def test_an_init_container_uses_the_devices_of_later_containers() -> None:
    item = pod(
        "p",
        container("a", requests={GPU: "1"}),
        container("b", requests={GPU: "2"}),
        initContainers=[container("init", requests={GPU: "2"})],
    )
    requests, mappings = of(item, GPU)
    assert requests == [("container-1-request-0", "gpu", 1), ("container-2-request-0", "gpu", 2)]
    assert mappings[2:] == [("init", "container-1-request-0"), ("init", "container-2-request-0")]


def test_init_containers_share_the_largest_request_of_their_own() -> None:
    item = pod(
        "p",
        container("a", requests={GPU: "1"}),
        initContainers=[container(f"i{number}", requests={GPU: str(number + 2)}) for number in range(3)],
    )
    requests, mappings = of(item, GPU)
    assert requests == [("container-2-request-0", "gpu", 3), ("container-3-request-0", "gpu", 1)]
    assert mappings == [
        ("a", "container-3-request-0"),
        *(
            (f"i{number}", request)
            for number in range(3)
            for request in ("container-3-request-0", "container-2-request-0")
        ),
    ]


def test_a_sidecar_keeps_its_devices() -> None:
    sidecar = {**container("side", requests={GPU: "1"}), "restartPolicy": "Always"}
    requests, _ = of(pod("p", container("a", requests={GPU: "1"}), initContainers=[sidecar]), GPU)
    assert requests == [("container-0-request-0", "gpu", 1), ("container-1-request-0", "gpu", 1)]


def test_the_special_claim_belongs_to_the_pod() -> None:
    found = special_claim(Pod(pod("p")), frozenset(), classes())
    metadata = found.claim["metadata"]
    assert metadata["generateName"] == "p-extended-resources-"
    assert metadata["name"] == "p-extended-resources"
    assert metadata["annotations"] == {"resource.kubernetes.io/extended-resource-claim": "true"}
    assert metadata["ownerReferences"][0]["name"] == "p"


def test_a_long_name_is_cut_as_the_server_does() -> None:
    assert special_base("p" * 50) == f"{'p' * 50}-extende"
