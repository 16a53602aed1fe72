"""What keeps the scheduler from a pod."""

from __future__ import annotations

import pytest

from tests.explanation.small_worlds import Object, device_class, node, pod, slice_of, template, ways


@pytest.mark.parametrize(
    ("spec", "text"),
    [
        (
            {"schedulerName": "other"},
            "remove schedulerName (pod default/late, spec.schedulerName): fits on a",
        ),
        (
            {"schedulingGates": [{"name": "example.com/hold"}]},
            "remove schedulingGates (pod default/late, spec.schedulingGates): fits on a",
        ),
    ],
)
def test_the_default_scheduler_gets_the_pod(spec: Object, text: str) -> None:
    assert ways(node(), slice_of(), device_class(), template("late"), pod(**spec)) == [text]
