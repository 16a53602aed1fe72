"""An explanation with what would help: a conflict, ways out, and a joint choice of pods that wait."""

from __future__ import annotations

from dractl.api import budgets
from dractl.explanation.model import BUSY, Explanation, Together
from dractl.explanation.remedies.find import find_ways_out
from dractl.explanation.remedies.gangs import joint_choice
from dractl.explanation.world import World
from dractl.simulation.allocator.model.allowance import Allowance
from dractl.simulation.engine.report import Given
from dractl.simulation.pods import outcome
from dractl.simulation.pods.outcome import Pending

__all__ = ["with_remedies"]

_HOPELESS = frozenset(
    {
        outcome.OTHER_SCHEDULER,
        outcome.CLAIM_IN_FLIGHT,
        outcome.CLAIM_DELETING,
        outcome.NOT_OWNER,
        outcome.PARAMETERS_MISSING,
        outcome.DRIVER_ALLOCATES,
    }
)
"""Categories of pods that no change places: they are not tried, or end by themselves."""


def with_remedies(explanation: Explanation, world: World, row: Pending, start: Given | None) -> Explanation:
    """The explanation of the pod of ``world`` with what would help it.

    Without ``start`` no other order of the pods is tried, and neither a gate nor a label for which the API
    server has to validate again.
    """
    if row.category in _HOPELESS or row.pod is None:
        return explanation
    given = start or Given(())
    found = find_ways_out(
        world,
        explanation.when,
        row.nodes,
        readmit=given.readmit,
        labels=given.labels,
        nearest=[group.nodes[0] for group in explanation.groups],
    )
    return explanation._replace(
        conflict=found.conflict,
        ways_out=found.ways_out,
        is_cut=found.is_cut,
        together=_together(given, world, explanation),
    )


def _together(start: Given, world: World, explanation: Explanation) -> Together | None:
    """The joint choice for pods that would fit were they alone: of a group, or of this input."""
    if explanation.when != BUSY and explanation.category != outcome.GANG:
        return None
    allowance = Allowance(search=budgets.REMEDY_SEARCH.value)
    allowance.steps = budgets.REMEDY_STEPS.value
    choice = joint_choice(start.objects, world.settings._replace(allowance=allowance), world.pod_key)
    return None if choice is None else Together(choice.order, choice.kept_to)
