"""From documents to a simulation: what the API server accepts goes in, and comes back in its API version."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType

from dractl.api.gates import GateSet
from dractl.cel.common.environment import Environment
from dractl.cluster.scaling import scaled
from dractl.simulation.allocator.model.allowance import Allowance
from dractl.simulation.allocator.model.features import features_of
from dractl.simulation.engine.report import Explain, Given, Simulation
from dractl.simulation.engine.run import run
from dractl.simulation.engine.settings import Progress, no_progress
from dractl.source.load import Loaded
from dractl.workflows.explaining import explainer, given
from dractl.workflows.extensions import SCHEDULERS
from dractl.workflows.intake.take_in import Intake, origin, take_in
from dractl.workflows.intake.written import Source
from dractl.workflows.validate import Labels, Namespaces

__all__ = ["Intake", "Source", "origin", "simulate", "take_in"]


def simulate(  # noqa: PLR0913 - what describes a cluster
    loaded: Iterable[Loaded],
    gates: GateSet,
    namespace_labels: Labels | None,
    node_order: Sequence[str] = (),
    replicas: Mapping[str, int] = MappingProxyType({}),
    progress: Progress = no_progress,
    allowance: Allowance | None = None,
    *,
    allocate_unreferenced: bool = False,
    scheduler: GateSet | None = None,
) -> Simulation:
    """Simulate a scheduler with ``gates`` for ``loaded``, or one with the gates ``scheduler``.

    Unreadable documents, and objects that a server with ``gates`` refuses, are left out and reported; other
    kinds are left out silently, unless they resemble DRA kinds. The caller handles paths that could not be
    opened. ``replicas`` overrides the number of pods of workloads. ``progress`` gets the number of tried
    pods and of all pods. Simulations of one run share an ``allowance``. ``allocate_unreferenced`` also
    allocates claims that no pod refers to.

    Raises scaling.ScaleError for replicas of anything that cannot be scaled.
    """
    everything = list(loaded)
    allowance = allowance or Allowance()
    allowance.begin(map(origin, everything))
    intake = take_in(everything, gates, namespace_labels, scheduler)
    objects = intake.within_quotas(scaled(intake.objects(), replicas))
    deciding = intake.scheduler
    environment = Environment(deciding.minor, deciding, stored=True)
    left_out = [*intake.left_out, *intake.unused]
    own_scheduler = SCHEDULERS.get(str(deciding.minor))
    if own_scheduler is not None:
        outcome = own_scheduler(
            objects,
            environment=environment,
            node_order=node_order,
            left_out=left_out,
            allowance=allowance,
            allocate_unreferenced=allocate_unreferenced,
        )
        explain: Explain | None = None
        start: Given | None = None
    else:
        outcome = run(
            objects,
            features=features_of(deciding),
            environment=environment,
            node_order=node_order,
            left_out=left_out,
            allowance=allowance,
            progress=progress,
            allocate_unreferenced=allocate_unreferenced,
        )
        # The scheduler of another minor has gates of its own, so one gate cannot describe both.
        changed = intake.changed if scheduler is None else ()
        labels = Namespaces(namespace_labels, everything).labels
        start = given(objects, changed, labels, lambda *of: take_in(*of).objects())
        explain = explainer(deciding, left_out, start)
    listed = tuple(out for out in outcome.left_out if out not in intake.unused)
    return intake.simulation(outcome._replace(left_out=listed), explain, start)
