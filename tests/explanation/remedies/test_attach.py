"""An explanation with what would help."""

from __future__ import annotations

import pytest

from dractl.explanation.diagnosis import explain
from dractl.explanation.model import Together
from dractl.explanation.remedies.attach import with_remedies
from dractl.simulation.engine.report import Given
from dractl.simulation.pods.outcome import CLAIM_IN_FLIGHT, OTHER_SCHEDULER
from tests.explanation.explained import waiting
from tests.explanation.small_worlds import device_class, node, pod, slice_of, template

CLUSTER = [node(), slice_of(count=2), node("b"), slice_of("b", count=1), device_class()]
SMALL = [template("early"), pod("early")]
LARGE = [template("late", {"count": 2}), pod()]


def test_ways_out_and_a_joint_choice_are_found() -> None:
    objects = [*CLUSTER, *SMALL, *LARGE]
    world, row = waiting(objects)
    found = with_remedies(explain(world, row), world, row, Given(objects))
    assert [way.way for way in found.ways_out][:1] == ["free"]
    assert found.together == Together(("default/late", "default/early"))


def test_without_a_start_no_order_is_tried() -> None:
    world, row = waiting([*CLUSTER, *SMALL, *LARGE])
    found = with_remedies(explain(world, row), world, row, None)
    assert found.ways_out
    assert found.together is None


@pytest.mark.parametrize("category", [OTHER_SCHEDULER, CLAIM_IN_FLIGHT])
def test_nothing_helps_a_pod_that_is_not_tried(category: str) -> None:
    world, row = waiting([*CLUSTER, *SMALL, *LARGE])
    explanation = explain(world, row)
    assert with_remedies(explanation, world, row._replace(category=category), None) == explanation
