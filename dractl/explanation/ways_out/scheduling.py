"""Ways out by what keeps the scheduler from looking at a pod: scheduling gates, or another scheduler."""

from __future__ import annotations

from collections.abc import Iterator

from dractl.api.path import Steps
from dractl.explanation.trials.edits import at, dropped, field
from dractl.explanation.trials.situation import Situation
from dractl.explanation.ways_out.candidate import Candidate

__all__ = ["let_schedule"]

_PLACES: tuple[Steps, ...] = (("spec", "schedulingGates"), ("spec", "schedulerName"))


def let_schedule(situation: Situation) -> Iterator[Candidate]:
    """The pod without its scheduling gates, or with the default scheduler."""
    world = situation.world
    pod = world.objects[world.pod_key]
    for steps in _PLACES:
        before = at(pod, steps)
        change = {world.pod_key: dropped(pod, steps)}
        if before and situation.fits(change) is not None:
            yield Candidate(world.pod_key, field(steps), before, None, 0, change)
