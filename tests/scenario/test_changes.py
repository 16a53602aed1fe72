"""What is different between two states."""

from __future__ import annotations

from typing import Any

from dractl.scenario.changes import changes_between
from dractl.simulation.pods.outcome import Outcome, Pending, Placement, PodOutcome
from tests.rows import each_row


def outcome(
    node: str | None = None, *, pending: str = "", devices: tuple[str, ...] = (), phase: str = ""
) -> Outcome:
    rows = tuple(
        Placement("default/p", node, "main", "gpu", "default/c", "r", "d", "pool", name, None, {}, False)
        for name in devices
    )
    waiting = (Pending("default/p", None, pending, "why", {}),) if pending else ()
    item: dict[str, Any] = {"kind": "Pod", "metadata": {"namespace": "default", "name": "p"}}
    if phase:
        item["status"] = {"phase": phase}
    pod = PodOutcome("default/p", node, {}, None, (), {}, ())
    return Outcome((), rows, waiting, (), (item,), (pod,))


NOBODY = Outcome((), (), (), (), (), ())
PLACED = outcome("n", devices=("x", "y"))
WAITS = outcome("n", pending="waiting", devices=("x",))


@each_row(
    ("before", "after", "removals", "expected"),
    [
        (NOBODY, PLACED, {}, "default/p is placed on n with d/pool/x, d/pool/y"),
        (NOBODY, outcome("n"), {}, "default/p is placed on n"),
        (NOBODY, outcome(), {}, "default/p is created without a node"),
        (NOBODY, outcome(pending="no-devices"), {}, "default/p is created and stays Pending (no-devices)"),
        (NOBODY, outcome("n", phase="Failed"), {}, "default/p is created and has ended (Failed)"),
        (PLACED, NOBODY, {}, "default/p is removed and frees d/pool/x, d/pool/y"),
        (NOBODY, NOBODY, {"default/p": "it was time"}, "default/p is created and removed: it was time"),
        (outcome("n"), NOBODY, {"default/p": "it was time"}, "default/p is removed: it was time"),
        (
            outcome("n"),
            outcome("n", phase="Succeeded"),
            {},
            "default/p has ended (Succeeded)",
        ),
        (outcome("n", phase="Failed"), outcome("n", phase="Failed"), {}, None),
        (
            outcome(pending="waiting"),
            outcome("n", devices=("x",)),
            {},
            "default/p is placed on n with d/pool/x",
        ),
        (
            outcome(pending="error"),
            outcome(pending="no-devices"),
            {},
            "default/p stays Pending, now because of no-devices",
        ),
        (PLACED, PLACED, {}, None),
        (NOBODY, WAITS, {}, "default/p is assigned to n with d/pool/x and waits for binding conditions"),
        (
            outcome(pending="no-devices"),
            WAITS,
            {},
            "default/p is assigned to n with d/pool/x and waits for binding conditions",
        ),
        (WAITS, WAITS, {}, None),
        (
            WAITS,
            outcome("n", devices=("x",)),
            {},
            "default/p is bound to n with d/pool/x: its binding conditions are met",
        ),
        (WAITS, outcome(pending="timeout"), {}, "default/p stays Pending, now because of timeout"),
        (PLACED, outcome("n"), {}, "default/p loses d/pool/x, d/pool/y but stays on n"),
        (PLACED, outcome("n", pending="error"), {}, "default/p loses d/pool/x, d/pool/y but stays on n"),
        (outcome("n"), PLACED, {}, "default/p is placed on n with d/pool/x, d/pool/y"),
        (
            outcome("n"),
            outcome("n", pending="error"),
            {},
            "default/p stays on n, now Pending because of error",
        ),
        (outcome("n", pending="error"), outcome("n"), {}, "default/p is placed on n"),
        (outcome("n"), outcome("m"), {}, "default/p is placed on m"),
    ],
)
def test_a_pod_has_a_sentence_if_it_changed(
    before: Outcome, after: Outcome, removals: dict[str, str], expected: str | None
) -> None:
    assert list(changes_between(before, after, removals)) == ([expected] if expected else [])


def test_a_pod_that_was_made_again_has_two() -> None:
    assert list(changes_between(PLACED, outcome("m"), {"default/p": "its node fails"})) == [
        "default/p is removed and frees d/pool/x, d/pool/y: its node fails; it is recreated",
        "default/p is placed on m",
    ]
