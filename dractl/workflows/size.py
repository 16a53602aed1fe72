"""From documents to the size of the cluster that they describe."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType

from dractl.api.gates import GateSet
from dractl.api.wording import first_few
from dractl.cluster.objects import key_of_identity, title_of
from dractl.cluster.scaling import scaled
from dractl.finding import Finding
from dractl.lint.base.placing import identity_of
from dractl.simulation.allocator.model.allowance import Allowance
from dractl.simulation.pods.outcome import LeftOut
from dractl.sizing.model import Size
from dractl.sizing.question import Question
from dractl.sizing.run import size as run
from dractl.sizing.subjects import SizeError
from dractl.source.document import Document
from dractl.source.load import Loaded
from dractl.workflows.extensions import SCHEDULERS
from dractl.workflows.intake.take_in import origin, take_in
from dractl.workflows.mixed_input import OF_A_PROTOTYPE, findings_of_prototypes, title_of_document
from dractl.workflows.validate import Labels

__all__ = ["size"]


def size(
    loaded: Iterable[Loaded],
    gates: GateSet,
    namespace_labels: Labels | None,
    question: Question,
    replicas: Mapping[str, int] = MappingProxyType({}),
) -> Size:
    """Answer a question about the cluster in ``loaded``, for a scheduler with ``gates``.

    Objects that a server with ``gates`` refuses are left out and noted, as are those of prototypes.
    ``replicas`` overrides the number of pods of workloads.

    Raises SizeError for unknown pods and nodes, and for a minor with a scheduler of its own;
    scaling.ScaleError for replicas of anything that cannot be scaled.
    """
    if SCHEDULERS.get(str(gates.minor)) is not None:
        raise SizeError("--kube-version", f"dractl size supports {_FIRST} and newer, not {gates.minor}")
    everything = list(loaded)
    allowance = Allowance()
    allowance.begin(map(origin, everything))
    apart = findings_of_prototypes(everything) or {}
    released = (item for item in everything if not isinstance(item, Document) or item not in apart)
    intake = take_in(released, gates, namespace_labels)
    missing = {key_of_identity(entry.object): entry.reason for entry in intake.left_out}
    missing |= {key_of_identity(identity_of(item)): OF_A_PROTOTYPE for item in apart}
    found = run(scaled(intake.objects(), replicas), gates, question, allowance, missing)
    notes = [*map(_left_out, intake.left_out), *map(_noted, intake.findings)]
    if apart:
        verb = "is" if len(apart) == 1 else "are"
        notes.append(f"{first_few(map(title_of_document, apart))} {verb} left out: {OF_A_PROTOTYPE}")
    return found.with_notes(notes)


_FIRST = "1.31"
"""Up to 1.30 the scheduler knows no devices with an allocator of their own."""


def _left_out(entry: LeftOut) -> str:
    title = title_of(entry.object)
    return f"{title} is left out: {entry.reason}" if title else entry.reason


def _noted(found: Finding) -> str:
    item = found.object
    name = "" if item is None else "/".join(part for part in (item.namespace, item.name) if part)
    return f"{item.kind} {name}: {found.message}" if item is not None else found.message
