"""What was expected and what came."""

from __future__ import annotations

from typing import Any

import pytest

from dractl.finding import Finding, ObjectRef, Severity
from dractl.simulation.engine.report import Simulation
from dractl.simulation.pods.outcome import Eviction, LeftOut, Outcome, Pending, Placement, PodOutcome, Refusal
from dractl.testing.actual import Observed, expectation_of, refused_key
from dractl.testing.compare import ABSENT, mismatches

DEVICE = "d/n/x"


def placement(pod: str | None, device: str, request: str = "r", container: str | None = "main") -> Placement:
    return Placement(
        pod,
        "n",
        container,
        None if pod is None else "gpu",
        "default/c",
        request,
        "d",
        "n",
        device,
        None,
        {},
        False,
    )


def pod_outcome(name: str, node: str | None = "n") -> PodOutcome:
    return PodOutcome(name, node, {}, None, (), {}, ())


PLACED = pod_outcome("default/p")
WAITING = pod_outcome("default/w", None)
REFUSALS = {"n": Refusal("node-taint", "no"), "m": Refusal("no-devices", "wants 2 devices")}
PENDING = Pending("default/w", None, "no-devices", "wants 2 devices", REFUSALS)
ALONE = Pending(None, "default/alone", "class-missing", "no class", {})
REFUSED = LeftOut(
    {"kind": "ResourceClaim", "name": "bad"}, "a.yaml:1:1: bad", ("request/name", "cel/compile")
)
SPECIAL = Placement(
    "default/x", "n", "main", None, "default/x-er", "container-0-request-0", "d", "n", "y", None, {}, False
)
MAPPED = {
    "kind": "Pod",
    "metadata": {"name": "x", "namespace": "default"},
    "status": {
        "extendedResourceClaimStatus": {
            "requestMappings": [
                {
                    "containerName": "main",
                    "resourceName": "example.com/gpu",
                    "requestName": "container-0-request-0",
                }
            ]
        }
    },
}


def observed(
    *placements: Placement,
    pods: tuple[PodOutcome, ...] = (PLACED, WAITING),
    pending: tuple[Pending, ...] = (PENDING,),
    left_out: tuple[LeftOut, ...] = (),
    objects: tuple[dict[str, Any], ...] = (),
    evictions: tuple[Eviction, ...] = (),
) -> Observed:
    outcome = Outcome(("n", "m"), placements, pending, left_out, objects, pods, evictions)
    return Observed(Simulation("1.37", {}, outcome, objects))


ONE = observed(placement("default/p", "x", "r/big"), placement("default/p", "x", "r/big", "other"))


def changes(expected: dict[str, Any], came: Observed = ONE) -> list[tuple[str, Any, Any]]:
    return [
        (".".join(map(str, change.steps)), change.expected, change.actual)
        for mismatch in mismatches(expected, came)
        for change in mismatch.changes
    ]


@pytest.mark.parametrize(
    "facts",
    [
        {},
        {"node": "n"},
        {"devices": {"gpu/r": DEVICE}},
        {"devices": {"gpu/r/big": [DEVICE]}},
        {"containers": {"main": [DEVICE], "third": []}},
        {"evicted": False},
    ],
)
def test_a_placed_pod_is_as_expected(facts: dict[str, Any]) -> None:
    assert changes({"pods": {"p": facts}}) == []
    assert changes({"pods": {"default/p": facts}}) == []


@pytest.mark.parametrize(
    ("facts", "expected"),
    [
        ({"node": "m"}, [("pods.p.node", "m", "n")]),
        ({"devices": {"gpu/r": "d/n/z"}}, [("pods.p.devices.gpu/r", "d/n/z", DEVICE)]),
        ({"devices": {"gpu/r": [DEVICE, "d/n/z"]}}, [("pods.p.devices.gpu/r", [DEVICE, "d/n/z"], DEVICE)]),
        ({"devices": {"gpu/r/small": DEVICE}}, [("pods.p.devices.gpu/r/small", DEVICE, ABSENT)]),
        ({"devices": {"gpu/big": DEVICE}}, [("pods.p.devices.gpu/big", DEVICE, ABSENT)]),
        ({"containers": {"main": []}}, [("pods.p.containers.main", [], [DEVICE])]),
        ({"evicted": True}, [("pods.p.evicted", True, False)]),
        ({"absent": True}, [("pods.p.absent", True, ABSENT)]),
        (
            {"pending": "no-devices"},
            [
                ("pods.p.pending", "no-devices", ABSENT),
                ("pods.p.node", ABSENT, "n"),
                ("pods.p.devices.gpu/r/big", ABSENT, DEVICE),
            ],
        ),
    ],
)
def test_a_placed_pod_is_not(facts: dict[str, Any], expected: list[Any]) -> None:
    assert changes({"pods": {"p": facts}}) == expected


@pytest.mark.parametrize(
    ("facts", "expected"),
    [
        ({"pending": "no-devices", "because": "wants 2", "nodes": {"n": "node-taint"}}, []),
        ({"because": ["wants", "devices"]}, []),
        ({"pending": "error"}, [("pods.w.pending", "error", "no-devices")]),
        ({"because": ["wants 3"]}, [("pods.w.because", ["wants 3"], "wants 2 devices")]),
        (
            {"nodes": {"n": "error", "z": "error"}},
            [("pods.w.nodes.n", "error", "node-taint"), ("pods.w.nodes.z", "error", ABSENT)],
        ),
        ({"node": "n"}, [("pods.w.node", "n", ABSENT), ("pods.w.pending", ABSENT, "no-devices")]),
        (
            {"devices": {"gpu/r": DEVICE}},
            [("pods.w.pending", ABSENT, "no-devices"), ("pods.w.devices.gpu/r", DEVICE, ABSENT)],
        ),
    ],
)
def test_a_pending_pod(facts: dict[str, Any], expected: list[Any]) -> None:
    assert changes({"pods": {"w": facts}}) == expected


def test_a_pod_that_is_not_there() -> None:
    (found,) = mismatches({"pods": {"team/p": {"node": "n"}}}, ONE)
    assert (found.subject, found.note) == ("pod team/p", "the pod does not exist")
    assert found.changes[0].actual is ABSENT
    assert changes({"pods": {"team/p": {"absent": True}}}) == []


def test_a_pod_that_waits_for_bindings_has_devices_and_no_node_to_expect() -> None:
    waiting = Pending("default/p", None, "waiting", "waits", {})
    came = observed(placement("default/p", "x"), pods=(PLACED,), pending=(waiting,))
    assert changes({"pods": {"p": {"pending": "waiting"}}}, came) == []
    assert changes({"pods": {"p": {"node": "n"}}}, came) == [("pods.p.pending", ABSENT, "waiting")]


def test_where_the_expectation_is_complete_nothing_else_may_come() -> None:
    expected = {"pods": {"p": {"devices": {"gpu/r": DEVICE}}}, "complete": True}
    assert changes(expected) == [("pods.w.pending", ABSENT, "no-devices")]
    assert changes({**expected, "complete": False}) == []
    bare = {"pods": {"p": {}, "w": {"pending": "no-devices"}}, "complete": True}
    assert changes(bare) == [("pods.p.devices.gpu/r/big", ABSENT, DEVICE)]
    unnamed = {"pods": {"w": {"pending": "no-devices"}}, "complete": True}
    assert changes(unnamed) == [
        ("pods.p.node", ABSENT, "n"),
        ("pods.p.devices.gpu/r/big", ABSENT, DEVICE),
    ]


def test_pods_without_any_concern_with_devices_need_not_be_named() -> None:
    came = observed(pods=(pod_outcome("default/plain"),), pending=())
    assert changes({"complete": True}, came) == []


def test_claims_that_no_pod_refers_to() -> None:
    came = observed(placement(None, "x", container=None), pods=(), pending=(ALONE,))
    expected = {"claims": {"c": {"devices": {"r": DEVICE}}, "alone": {"pending": "class-missing"}}}
    assert changes({**expected, "complete": True}, came) == []
    assert changes({"claims": {"c": {"pending": "error"}}}, came)[0] == ("claims.c.pending", "error", ABSENT)


def test_extended_resources_go_by_their_name() -> None:
    came = observed(SPECIAL, pods=(pod_outcome("default/x"),), pending=(), objects=(MAPPED,))
    assert changes({"pods": {"x": {"devices": {"example.com/gpu": "d/n/y"}}}, "complete": True}, came) == []


def test_evictions() -> None:
    eviction = Eviction("default/p", "default/c", "d", "n", "x", {}, None)
    came = observed(placement("default/p", "x"), evictions=(eviction,))
    assert changes({"pods": {"p": {"evicted": True}}}, came) == []


@pytest.mark.parametrize(
    ("refused", "expected"),
    [
        ({"ResourceClaim bad": "request/name"}, []),
        ({"ResourceClaim default/bad": ["cel/compile", "request/name"]}, []),
        (
            {"ResourceClaim bad": "x/y"},
            [("refused.ResourceClaim bad", "x/y", ["request/name", "cel/compile"])],
        ),
        (
            {"ResourceClaim good": "x/y"},
            [
                ("refused.ResourceClaim good", "x/y", ABSENT),
                ("refused.ResourceClaim bad", ABSENT, ["request/name", "cel/compile"]),
            ],
        ),
        ({}, [("refused.ResourceClaim bad", ABSENT, ["request/name", "cel/compile"])]),
    ],
)
def test_what_is_refused_has_to_be_named(refused: dict[str, Any], expected: list[Any]) -> None:
    assert changes({"refused": refused}, observed(left_out=(REFUSED,))) == expected


def test_a_complete_expectation_names_every_rule() -> None:
    came = observed(pods=(), pending=(), left_out=(REFUSED,))
    partly = {"refused": {"ResourceClaim bad": "request/name"}, "complete": True}
    assert len(changes(partly, came)) == 1


def test_what_is_left_out_otherwise_is_always_a_difference() -> None:
    replaced = LeftOut({"kind": "Pod", "namespace": "default", "name": "p"}, "it is there twice")
    unread = LeftOut({}, "a.yaml:1:1: no YAML", ("decode/fatal",))
    found = list(mismatches({}, observed(left_out=(replaced, unread))))
    assert [(entry.subject, entry.changes, entry.note) for entry in found] == [
        ("left out", (), "Pod default/p: it is there twice"),
        ("left out", (), "a.yaml:1:1: no YAML"),
    ]


def test_what_came_can_be_expected() -> None:
    came = observed(
        placement("default/p", "x"), placement("default/p", "y"), placement(None, "z"), left_out=(REFUSED,)
    )
    written = expectation_of(came)
    assert written == {
        "pods": {
            "p": {"node": "n", "devices": {"gpu/r": ["d/n/x", "d/n/y"]}},
            "w": {"pending": "no-devices"},
        },
        "claims": {"c": {"devices": {"r": "d/n/z"}}},
        "refused": {"ResourceClaim bad": ["request/name", "cel/compile"]},
        "complete": True,
    }
    assert changes(written, came) == []


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("Pod default/p", "Pod p"),
        ("Pod p", "Pod p"),
        ("Pod team/p", "Pod team/p"),
        ("DeviceClass default/x", "DeviceClass default/x"),
    ],
)
def test_the_default_namespace_goes_without_saying(text: str, key: str) -> None:
    assert refused_key(text) == key


def test_a_pod_without_the_expected_devices_has_a_reason() -> None:
    expected = {"pods": {"p": {"devices": {"gpu/r": DEVICE}}}}
    dropped = Finding(
        "gate/dropped",
        Severity.WARNING,
        None,
        "spec.resourceClaims",
        None,
        "the server drops this field",
        "",
        (),
        ObjectRef("v1", "Pod", "", "p"),
        None,
    )
    outcome = Outcome(("n",), (), (), (), (), (PLACED,))
    (plain,) = mismatches(expected, Observed(Simulation("1.37", {}, outcome, ())))
    assert plain.note == "the pod requests no devices"
    (warned,) = mismatches(expected, Observed(Simulation("1.37", {}, outcome, (), (dropped,))))
    assert warned.note == "spec.resourceClaims: the server drops this field"
