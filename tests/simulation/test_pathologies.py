"""Small worlds on which a plain search runs for minutes or for ever: the answer comes after few steps."""

from __future__ import annotations

import pytest

from dractl.simulation.allocator.search_result import Found, NotFound
from dractl.simulation.scheduler.timeouts import SCHEDULER_STEPS
from tests import oracle
from tests.rows import each_row
from tests.simulation.allocator.test_search import SearchCase
from tests.simulation.pathologies import Pathology, endless, issue, small
from tests.simulation.test_differential import NEWEST, difference

STEPS = 5_000
"""Far below the budget of a search; a step takes some microseconds."""

ALL = (*issue(), *endless())


@each_row("api_objects", ALL)
def test_few_steps_are_enough(api_objects: Pathology) -> None:
    found = SearchCase(api_objects.slices, *api_objects.claims, **api_objects.gates).run(budget=STEPS)
    assert isinstance(found, Found if api_objects.fits else NotFound), found


@each_row("api_objects", endless())
def test_the_effort_tells_that_the_scheduler_would_not_end(api_objects: Pathology) -> None:
    found = SearchCase(api_objects.slices, *api_objects.claims, **api_objects.gates).run()
    assert isinstance(found, NotFound)
    assert found.effort > SCHEDULER_STEPS


@pytest.mark.skipif(oracle.binary(NEWEST) is None, reason="$DRACTL_ORACLE names no folder with oracle-1.37")
def test_the_real_allocator_comes_to_the_same_result() -> None:
    program = oracle.binary(NEWEST)
    assert program is not None
    asked = [api_objects.question() for api_objects in small()]
    answers = oracle.ask(
        program, ({"op": "allocate", "timeout_s": 60, **api_objects} for api_objects in asked)
    )
    assert not any(answer.get("timeout") for answer in answers)
    assert [difference(NEWEST, *pair) for pair in zip(asked, answers, strict=True)] == [None] * len(asked)
