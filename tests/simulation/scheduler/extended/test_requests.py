"""The requests of the special claim, and which container gets its devices from which."""

from __future__ import annotations

from typing import Any

from dractl.simulation.pods.pods import Pod
from dractl.simulation.scheduler.extended.requests import Requests, separate_requests, shared_requests
from tests.simulation.build import container, pod

GPU, NIC = "example.com/gpu", "example.com/nic"
CLASSES = {GPU: "gpu", NIC: "nic"}

Shown = tuple[list[tuple[str, str, int]], list[tuple[str, str]]]


def shown(found: Requests) -> Shown:
    """Requests as name, class and count; mappings as container and request."""
    entries: list[dict[str, Any]] = [dict(entry) for entry in found.requests]
    requests = [
        (entry["name"], entry["exactly"]["deviceClassName"], entry["exactly"]["count"]) for entry in entries
    ]
    return requests, [(entry.container, entry.request) for entry in found.mappings]


def of(item: dict[str, Any], *served: str) -> Shown:
    return shown(shared_requests(Pod(item).containers, {name: CLASSES[name] for name in served}))


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


def test_in_1_34_every_container_has_requests_of_its_own() -> None:
    item = pod(
        "p",
        container("a", requests={GPU: "1", NIC: "1"}),
        container("idle", requests={"cpu": "1"}),
        initContainers=[container("init", requests={GPU: "2"})],
    )
    assert shown(separate_requests(Pod(item).containers, CLASSES)) == (
        [
            ("container-0-request-0", "gpu", 2),
            ("container-1-request-0", "gpu", 1),
            ("container-1-request-1", "nic", 1),
        ],
        [
            ("init", "container-0-request-0"),
            ("a", "container-1-request-0"),
            ("a", "container-1-request-1"),
        ],
    )
