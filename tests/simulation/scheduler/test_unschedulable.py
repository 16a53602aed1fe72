"""What a pod is said to wait for, from what its nodes say."""

from __future__ import annotations

from dractl.simulation.allocator.result_cache import CachedResult, NoDevices, holder_label, label
from dractl.simulation.allocator.search_result import NotFound
from dractl.simulation.pods.outcome import Refusal
from dractl.simulation.scheduler.schedule_result import NodeRefusals
from dractl.simulation.scheduler.unschedulable import summed_up
from tests.rows import each_row


def summary(*refusals: tuple[str, str]) -> tuple[str, str]:
    return summed_up({f"node-{number}": Refusal(*entry) for number, entry in enumerate(refusals)})


def test_one_node_is_named() -> None:
    assert summary(("no-devices", "nothing")) == ("no-devices", "node node-0: nothing")


def test_nodes_that_say_the_same_are_counted() -> None:
    assert summary(("no-devices", "x"), ("no-devices", "x")) == ("no-devices", "2 of 2 nodes: x")


def test_no_message_is_reported_of_a_node_that_says_another() -> None:
    found = summary(("no-devices", "x"), ("no-devices", "y"), ("no-devices", "y"), ("node-taint", "z"))
    assert found == ("no-devices", "2 of 4 nodes: y; 1 of 4 nodes: x")


def test_many_messages_are_cut_short() -> None:
    found = summary(*(("no-devices", text) for text in "abcdea"))
    assert found[1] == ("2 of 6 nodes: a; 1 of 6 nodes: b; 1 of 6 nodes: c; 2 of 6 nodes: other reasons")


@each_row(
    ("first", "further"),
    [
        ("node-unschedulable", "node-taint"),
        ("node-taint", "node-affinity"),
        ("node-affinity", "too-many-pods"),
        ("too-many-pods", "insufficient:cpu"),
        ("insufficient:cpu", "claim-elsewhere"),
        ("claim-elsewhere", "no-devices"),
        ("no-devices", "invalid-pools"),
    ],
)
def test_the_nodes_that_let_the_pod_come_furthest_speak(first: str, further: str) -> None:
    expected = (further, "1 of 2 nodes: y")
    assert summary((first, "x"), (further, "y")) == summary((further, "y"), (first, "x")) == expected


def test_without_nodes_it_is_reported_what_to_give() -> None:
    category, message = summary()
    assert category == "no-devices"
    assert message.startswith("no nodes exist")


def _full(*holders: str) -> NoDevices:
    text = f"claim {label(0)}: {', '.join(holder_label(number) for number in range(len(holders)))}"
    return NoDevices(CachedResult(NotFound((), 1), text, is_plain=True, holders=holders), is_invalid=False)


def test_what_full_nodes_say_gets_the_names_of_the_claims() -> None:
    found = NodeRefusals({"a": _full("x"), "b": _full("y"), "c": _full("x")}, ["default/mine"])
    assert summed_up(found) == (
        "no-devices",
        "2 of 3 nodes: claim default/mine: x; 1 of 3 nodes: claim default/mine: y",
    )
    assert found["b"] == dict(found)["b"] == Refusal("no-devices", "claim default/mine: y")
    assert (list(found), len(found)) == (["a", "b", "c"], 3)
    assert summed_up(NodeRefusals({"a": _full("x")}, ["c"])) == ("no-devices", "node a: claim c: x")


def test_full_nodes_are_counted_with_others_that_say_the_same() -> None:
    said = Refusal("no-devices", "claim c: x")
    found = NodeRefusals({"a": _full("x"), "b": said, "c": Refusal("node-taint", "t")}, ["c"])
    assert summed_up(found) == ("no-devices", "2 of 3 nodes: claim c: x")
    broken = NoDevices(CachedResult(NotFound(("pool",), 1), "wrong pools"), is_invalid=True)
    assert summed_up(NodeRefusals({"a": _full("x"), "b": broken}, ["c"])).category == "invalid-pools"
