"""Device taints and tolerations."""

from __future__ import annotations

from typing import Any

from dractl.simulation.allocator.checks.taints import tolerates, untolerated
from dractl.simulation.allocator.model.reasons import Tainted
from tests.rows import each_row

TAINT: Any = {"key": "example.com/t", "value": "x", "effect": "NoSchedule"}


@each_row(
    ("toleration", "expected"),
    [
        ({"operator": "Exists"}, True),
        ({"key": "example.com/t", "operator": "Exists"}, True),
        ({"key": "other", "operator": "Exists"}, False),
        ({"key": "example.com/t", "operator": "Equal", "value": "x"}, True),
        ({"key": "example.com/t", "value": "x"}, True),
        ({"key": "example.com/t", "operator": "Equal", "value": "y"}, False),
        ({"key": "example.com/t", "operator": "Exists", "effect": "NoSchedule"}, True),
        ({"key": "example.com/t", "operator": "Exists", "effect": "NoExecute"}, False),
        ({"operator": "Equal", "value": "x"}, True),
        ({"key": "example.com/t", "operator": "Near"}, False),
    ],
)
def test_a_toleration_covers_a_taint(toleration: dict[str, Any], expected: bool) -> None:
    assert tolerates(toleration, TAINT) is expected


@each_row(
    ("effect", "expected"),
    [
        ("NoSchedule", Tainted("example.com/t", "x", "NoSchedule")),
        ("NoExecute", Tainted("example.com/t", "x", "NoExecute")),
        ("None", None),
        ("Later", None),
    ],
)
def test_only_known_effects_keep_a_device_out(effect: str, expected: Tainted | None) -> None:
    taint: Any = {**TAINT, "effect": effect}
    assert untolerated([taint], []) == expected


def test_every_taint_must_be_tolerated() -> None:
    other: Any = {**TAINT, "value": "y"}
    tolerations: Any = [{"key": "example.com/t", "value": "x"}]
    assert untolerated([TAINT], tolerations) is None
    assert untolerated([TAINT, other], tolerations) == Tainted("example.com/t", "y", "NoSchedule")


def test_older_minors_block_on_every_effect() -> None:
    taint: Any = {**TAINT, "effect": "None"}
    assert untolerated([taint], []) is None
    assert untolerated([taint], [], every_effect=True) == Tainted("example.com/t", "x", "None")
    assert untolerated([taint], [{"operator": "Exists"}], every_effect=True) is None
