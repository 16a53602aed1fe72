from __future__ import annotations

from dractl.simulation.engine.report import Simulation
from dractl.simulation.pods.outcome import Config, LeftOut, Outcome, Pending, Placement, PodOutcome, Refusal

ROW = Placement(
    "default/a",
    "node-a",
    "main",
    "gpu",
    "default/a-gpu",
    "gpu",
    "d",
    "p",
    "g",
    "share",
    {"memory": "1Gi"},
    True,
    "init",
    (Config("FromClass", "d", {"mode": "fast"}),),
)


def _simulation(
    pending: tuple[Pending, ...] = (), left_out: tuple[LeftOut, ...] = (), pods: tuple[PodOutcome, ...] = ()
) -> Simulation:
    outcome = Outcome(("node-a",), (ROW,), pending, left_out, (), pods)
    return Simulation("1.36", {"B": False, "A": True}, outcome, ({"kind": "Pod"},))


def test_the_document() -> None:
    pending = Pending("default/b", None, "no-devices", "full", {"node-a": Refusal("no-devices", "in use")})
    out = LeftOut({"kind": "Pod", "name": "c"}, "wrong")
    assert _simulation((pending,), (out,)).to_dict() == {
        "schema": "dractl.simulate/1",
        "kubeVersion": "1.36",
        "featureGates": {"A": True, "B": False},
        "nodes": ["node-a"],
        "placements": [
            {
                "pod": "default/a",
                "node": "node-a",
                "container": "main",
                "podClaim": "gpu",
                "claim": "default/a-gpu",
                "request": "gpu",
                "driver": "d",
                "pool": "p",
                "device": "g",
                "shareID": "share",
                "consumedCapacity": {"memory": "1Gi"},
                "adminAccess": True,
                "containerKind": "init",
                "config": [
                    {"source": "FromClass", "driver": "d", "parameters": {"mode": "fast"}},
                ],
            }
        ],
        "pending": [
            {
                "pod": "default/b",
                "category": "no-devices",
                "message": "full",
                "nodes": {"node-a": {"category": "no-devices", "message": "in use"}},
            }
        ],
        "evictions": [],
        "longSearches": [],
        "leftOut": [{"object": {"kind": "Pod", "name": "c"}, "reason": "wrong", "rules": []}],
        "ties": [],
        "notes": [],
    }


def test_a_pending_claim_without_pod_is_named() -> None:
    pending = Pending(None, "default/alone", "no-devices", "full", {})
    (entry,) = _simulation((pending,)).to_dict()["pending"]
    assert entry == {
        "pod": None, "claim": "default/alone", "category": "no-devices", "message": "full", "nodes": {},
    }  # fmt: skip


def test_ok_is_nothing_pending_and_nothing_left_out() -> None:
    assert _simulation().ok
    assert not _simulation((Pending("default/b", None, "error", "x", {}),)).ok
    assert not _simulation((), (LeftOut({}, "x"),)).ok


def test_ties_are_those_of_several_nodes() -> None:
    tied = PodOutcome("default/a", "node-a", {}, None, ("node-a", "node-b"), {}, ())
    alone = tied._replace(tied=("node-a",))
    assert _simulation(pods=(tied,)).ties == {"default/a": ("node-a", "node-b")}
    assert _simulation(pods=(alone,)).ties == {}


def test_a_pod_without_devices_has_no_tie_to_speak_of() -> None:
    tied = PodOutcome("default/other", "node-a", {}, None, ("node-a", "node-b"), {}, ())
    assert _simulation(pods=(tied,)).ties == {}


def test_objects_are_those_given() -> None:
    assert _simulation().objects == ({"kind": "Pod"},)
