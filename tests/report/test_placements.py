from __future__ import annotations

from typing import Any

import pytest

from dractl.api import budgets
from dractl.finding import Finding, Severity
from dractl.report.placements import notes, render
from dractl.report.style import Style
from dractl.simulation.engine.report import Simulation
from dractl.simulation.pods.outcome import (
    LeftOut,
    LongSearch,
    Outcome,
    Pending,
    Placement,
    PodOutcome,
    Refusal,
)

PIPED = Style(width=None)
ROW = Placement(
    pod="default/train", node="node-a", container="main", pod_claim="gpu", claim="default/train-gpu",
    request="gpu/big", driver="gpu.example.com", pool="node-a", device="gpu-0", share_id=None,
    consumed_capacity={}, admin_access=False,
)  # fmt: skip
PENDING = Pending(
    "default/late", None, "no-devices", "nothing fits",
    {"node-a": Refusal("no-devices", "all are in use"), "node-bb": Refusal("node-taint", "it has a taint")},
)  # fmt: skip


def _simulation(
    *rows: Placement,
    pending: tuple[Pending, ...] = (),
    left_out: tuple[LeftOut, ...] = (),
    pods: tuple[PodOutcome, ...] = (),
    objects: tuple[dict[str, Any], ...] = (),
) -> Simulation:
    outcome = Outcome(("node-a", "node-bb"), rows, pending, left_out, objects, pods)
    return Simulation("1.37", {}, outcome, ())


def _lines(simulation: Simulation, style: Style = PIPED, *, summary: bool = True) -> list[str]:
    return render(simulation, style, summary=summary).splitlines()


def test_a_placement_is_a_row() -> None:
    assert _lines(_simulation(ROW)) == [
        "POD            CONTAINER  CLAIM  REQUEST  NODE    DEVICE",
        "default/train  main       gpu    gpu/big  node-a  gpu.example.com/node-a/gpu-0",
        "",
        "1 pod with devices, 0 pending on 2 nodes (Kubernetes 1.37)",
    ]


def test_a_claim_without_pod_stands_by_its_own_name() -> None:
    row = ROW._replace(pod=None, container=None, pod_claim=None, node=None)
    assert _lines(_simulation(row))[1].split() == [
        "(no", "pod)", "-", "default/train-gpu", "gpu/big", "-", "gpu.example.com/node-a/gpu-0",
    ]  # fmt: skip


def test_claims_without_a_pod_are_counted() -> None:
    row = ROW._replace(pod=None, container=None, pod_claim=None, node=None)
    assert "1 pod with devices, 1 claim without a pod, 0 pending" in _lines(_simulation(row, ROW))[-1]


def test_nothing_to_place_is_reported_as_such() -> None:
    assert _lines(Simulation("1.37", {}, Outcome((), (), (), (), (), ()), ())) == [
        "info: nothing to place: the files hold no Pod and no ResourceClaim",
        "no pods with devices, 0 pending; the files hold no node (Kubernetes 1.37)",
    ]


def test_shares_get_a_column_where_there_are_any() -> None:
    row = ROW._replace(share_id="s", consumed_capacity={"memory": "1Gi", "slots": "2"})
    heading, first, second, *_ = _lines(_simulation(row, ROW))
    assert heading.endswith("SHARE")
    assert first.endswith("gpu.example.com/node-a/gpu-0  memory=1Gi, slots=2")
    assert second.endswith("gpu.example.com/node-a/gpu-0  -")


def test_admin_access_is_reported() -> None:
    assert _lines(_simulation(ROW._replace(admin_access=True)))[1].endswith("/gpu-0 (admin access)")


def test_a_pending_pod_has_a_sentence_and_a_reason_per_node() -> None:
    assert _lines(_simulation(pending=(PENDING,)), summary=False) == [
        "Pending default/late: no-devices",
        "  nothing fits",
        "  node-a   no-devices: all are in use",
        "  node-bb  node-taint: it has a taint",
    ]


def test_what_each_node_says_is_not_said_twice() -> None:
    row = PENDING._replace(message="1 of 2 nodes: all are in use; 1 of 2 nodes: it has a taint")
    assert _lines(_simulation(pending=(row,)), summary=False) == [
        "Pending default/late: no-devices",
        "  node-a   no-devices: all are in use",
        "  node-bb  node-taint: it has a taint",
    ]
    same = row._replace(message="2 of 2 nodes: x", nodes=dict.fromkeys(row.nodes, Refusal("node-taint", "x")))
    assert _lines(_simulation(pending=(same,)), summary=False)[1] == "  2 of 2 nodes: x"


@pytest.mark.parametrize("head", ["node node-a: ", "on node node-a: "])
def test_what_the_only_node_says_is_not_said_twice(head: str) -> None:
    row = PENDING._replace(message=f"{head}no", nodes={"node-a": Refusal("no-devices", "no")})
    lines = ["Pending default/late: no-devices", "  node-a  no-devices: no"]
    assert _lines(_simulation(pending=(row,)), summary=False) == lines
    more = _lines(_simulation(pending=(row._replace(message="claim c is elsewhere"),)), summary=False)
    assert more == [lines[0], "  claim c is elsewhere", lines[1]]


def test_a_pending_claim_is_called_a_claim() -> None:
    claim = Pending(None, "default/alone", "class-missing", "no class", {})
    assert (
        _lines(_simulation(pending=(claim,)), summary=False)[0]
        == "Pending claim default/alone: class-missing"
    )


def test_what_was_left_out_is_named() -> None:
    named = LeftOut({"apiVersion": "v1", "kind": "Pod", "namespace": "a", "name": "b"}, "it is wrong")
    assert _lines(_simulation(left_out=(named, LeftOut({}, "a.yaml:1:1: no YAML"))), summary=False) == [
        "Left out",
        "  Pod a/b: it is wrong",
        "  a.yaml:1:1: no YAML",
    ]


def test_a_tie_is_reported() -> None:
    pod = PodOutcome("default/train", "node-a", {}, None, ("node-a", "node-bb"), {}, ())
    assert _lines(_simulation(ROW, pods=(pod,)))[-2] == (
        "info: default/train: node-a, node-bb are equally good; a real scheduler picks one at random"
    )


def test_what_other_formats_do_not_hold_comes_as_notes() -> None:
    pod = PodOutcome("default/train", "node-a", {}, None, ("node-a", "node-bb"), {}, ())
    simulation = _simulation(ROW, pods=(pod,), pending=(PENDING,), left_out=(LeftOut({}, "no YAML"),))
    assert list(notes(simulation)) == [
        "default/train: node-a, node-bb are equally good; a real scheduler picks one at random",
        "default/late stays Pending: nothing fits (no-devices)",
        "left out: no YAML",
    ]


def test_a_pipe_gets_the_whole_table() -> None:
    row = ROW._replace(pod="default/" + "p" * 200, device="d" * 200)
    line = _lines(_simulation(row))[1]
    assert "p" * 200 in line
    assert "d" * 200 in line


def test_a_narrow_terminal_breaks_cells_and_loses_nothing() -> None:
    for width in (80, 100, 120):
        row = ROW._replace(pod="default/" + "p" * 30, pod_claim="c" * 20)
        lines = _lines(_simulation(row, pending=(PENDING,)), Style(width=width))
        assert max(map(len, lines)) <= width
        assert sum(line.count("p") for line in lines[1:6]) >= 30


def test_names_are_not_markup() -> None:
    assert "[bold]x" in _lines(_simulation(ROW._replace(device="[bold]x")))[1]


def test_colour_on_a_terminal_only() -> None:
    assert "\x1b" not in render(_simulation(ROW, pending=(PENDING,)), PIPED)
    assert "\x1b[1;33mPending\x1b[0m" in render(_simulation(pending=(PENDING,)), Style(width=80, color=True))


def test_long_searches_of_the_scheduler_are_reported() -> None:
    found = LongSearch("default/train", None, "node-a", 21_124_671, True)
    simulation = _simulation(ROW)
    simulation.outcome = simulation.outcome._replace(long_searches=(found,))
    text = (
        "default/train on node node-a: a real scheduler would try about 21,124,671 steps, "
        "but stops after ten seconds"
    )
    assert f"info: {text}" in _lines(simulation)
    assert text in list(notes(simulation))


def test_control_characters_do_not_get_through() -> None:
    row = ROW._replace(pod="default/\x1b[2Jx")
    pending = PENDING._replace(message="a\nb\x1b[2J")
    assert "\x1b" not in render(_simulation(row, pending=(pending,)), Style(width=80))


def test_init_containers_and_sidecars_are_reported_to_be_such() -> None:
    rows = [
        ROW._replace(container=name, container_kind=kind)
        for name, kind in (("warm-up", "init"), ("proxy", "sidecar"), ("main", "container"))
    ]
    cells = [line.split("  ")[1] for line in _lines(_simulation(*rows))[1:4]]
    assert cells == ["warm-up (init)", "proxy (sidecar)", "main"]


def test_of_many_equally_good_nodes_some_are_named() -> None:
    nodes = tuple(f"n{number}" for number in range(1, 9))
    pod = PodOutcome("default/train", "n1", {}, None, nodes, {}, ())
    (line,) = [line for line in _lines(_simulation(ROW, pods=(pod,))) if "equally good" in line]
    assert "n1, n2, n3, n4, n5 and 3 more are equally good" in line


def test_a_warning_says_what_to_do_about_it() -> None:
    finding = Finding(
        "across/request-missing",
        Severity.WARNING,
        None,
        "",
        None,
        "there is no such request",
        "did you mean gpu?",
        (),
        None,
        None,
    )
    simulation = Simulation("1.37", {}, Outcome(("node-a",), (ROW,), (), (), (), ()), (), (finding,))
    assert "warning: there is no such request; did you mean gpu?" in _lines(simulation)


def test_a_part_of_a_report_has_so_many_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(budgets, "LINES", budgets.LINES._replace(value=3))
    left_out = tuple(LeftOut({}, f"reason {number}") for number in range(5))
    rows = [ROW._replace(device=f"gpu-{number}") for number in range(5)]
    pending = [PENDING._replace(pod=f"p{number}", nodes={}) for number in range(3)]
    assert _lines(_simulation(*rows, pending=tuple(pending), left_out=left_out)) == [
        "POD            CONTAINER  CLAIM  REQUEST  NODE    DEVICE",
        *(
            f"default/train  main       gpu    gpu/big  node-a  gpu.example.com/node-a/gpu-{n}"
            for n in range(3)
        ),
        "2 more lines are not shown (limit: 3); --format json has them all",
        "",
        "Pending p0: no-devices",
        "  nothing fits",
        "",
        "2 pending entries and their lines are not shown (limit: 3); --format json has them all",
        "",
        "Left out",
        "  reason 0",
        "  reason 1",
        "3 more lines are not shown (limit: 3); --format json has them all",
        "",
        "1 pod with devices, 3 pending, 5 left out on 2 nodes (Kubernetes 1.37)",
    ]
    assert len(list(notes(_simulation(pending=tuple(pending) * 2, left_out=left_out)))) == 3 + 1 + 3 + 1


def _slice(name: str) -> dict[str, str]:
    return {"apiVersion": "resource.k8s.io/v1", "kind": "ResourceSlice", "namespace": "", "name": name}


@pytest.mark.parametrize(
    ("left_out", "line"),
    [
        ((), "info: the files hold no ResourceSlice; add those that the driver publishes"),
        (("a",), "info: 1 ResourceSlice was left out, so its devices are missing"),
        (("a", "b"), "info: 2 ResourceSlices were left out, so their devices are missing"),
    ],
)
def test_devices_that_are_missing_with_their_slices(left_out: tuple[str, ...], line: str) -> None:
    rows = tuple(LeftOut(_slice(name), "refused") for name in left_out)
    there = ({"kind": "DeviceClass"},)
    waiting = _simulation(pending=(PENDING,), left_out=rows, objects=there)
    assert line in render(waiting, PIPED).splitlines()
    assert line not in render(_simulation(ROW, left_out=rows, objects=there), PIPED).splitlines()
