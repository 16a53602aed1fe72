"""The generation of a pool: it must rise with each change, and never fall."""

from __future__ import annotations

from typing import Any

import dractl
from tests.rows import each_row


def _slice(name_: str, generation: int, device: str, **pool: Any) -> dict[str, Any]:
    return {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "ResourceSlice",
        "metadata": {"name": name_},
        "spec": {
            "driver": "gpu.example.com",
            "nodeName": "node-a",
            "pool": {"name": "p", "generation": generation, "resourceSliceCount": 1, **pool},
            "devices": [{"name": device}],
        },
    }


OLD = _slice("a", 5, "d0")


@each_row(
    ("new", "rules"),
    [
        (_slice("a", 5, "d0"), []),
        (_slice("a", 6, "d1"), []),
        (_slice("a", 4, "d0"), ["update/generation-back"]),
        (_slice("a", 5, "d1"), ["update/generation-same"]),
        (_slice("a", 5, "d0", resourceSliceCount=2), []),
        (_slice("b", 4, "d0"), ["update/generation-back"]),
        (_slice("b", 5, "d1"), []),
        (_slice("b", 4, "d0", name="other"), []),
    ],
)
def test_generations_are_compared_with_those_before(new: dict[str, Any], rules: list[str]) -> None:
    report = dractl.validate([new], old=[OLD])
    found = [finding for finding in report.findings if finding.rule.startswith("update/generation")]
    assert [finding.rule for finding in found] == rules
    assert all(finding.field == "spec.pool.generation" for finding in found)


def test_two_generations_of_one_input_are_named() -> None:
    report = dractl.validate([_slice("a", 5, "d0"), _slice("b", 4, "d1")])
    assert [finding.rule for finding in report.findings] == ["across/pool-obsolete"]
