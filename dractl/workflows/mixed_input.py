"""Inputs that may hold objects of prototype APIs: these go their own way, all else goes the main path.

Without such objects nothing of their wing is loaded.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING

from dractl.api.gates import GateSet
from dractl.cluster.objects import title_of
from dractl.lint.base.placing import identity_of
from dractl.source.document import Document
from dractl.source.load import Loaded
from dractl.versions.prototypes import any_prototype
from dractl.workflows.extensions import JUDGE, PROTOTYPES, SIMULATE, known_dialect
from dractl.workflows.validate import Labels, PrototypeFindings

if TYPE_CHECKING:
    from dractl.simulation.allocator.model.allowance import Allowance
    from dractl.simulation.engine.report import Explained, Simulation
    from dractl.simulation.engine.settings import Progress
    from dractl.simulation.pods.outcome import Outcome, Pending
    from dractl.workflows.extensions import Part

__all__ = [
    "OF_A_PROTOTYPE",
    "findings_of_prototypes",
    "simulate",
    "title_of_document",
    "titles_of_prototypes",
    "with_part",
]

OF_A_PROTOTYPE = "of a prototype API, which no API server serves"
"""Why a command that follows releases leaves an object out."""


def findings_of_prototypes(
    loaded: Iterable[Loaded], dialect: str | None = None, *, lenient: bool = False
) -> PrototypeFindings | None:
    """The documents of prototypes with their findings; None without such documents.

    ``dialect`` selects the dialect if shapes are ambiguous, and treats pods as those of a prototype.
    ``lenient`` downgrades to warnings what lenient decoding accepts. Raises ValueError for an unknown
    dialect.
    """
    documents = _documents(loaded)
    if dialect is None and not any_prototype(document.value for document in documents):
        return None
    judge = JUDGE.get(PROTOTYPES)
    return None if judge is None else judge(documents, known_dialect(dialect), lenient=lenient)


def titles_of_prototypes(loaded: Iterable[Loaded]) -> list[str]:
    """The objects of prototypes among ``loaded``, by kind and name; those without by their file."""
    return list(map(title_of_document, findings_of_prototypes(loaded) or ()))


def title_of_document(document: Document) -> str:
    """An object by kind and name; one without by its file."""
    return title_of(identity_of(document)) or f"document {document.index + 1} of {document.file}"


def simulate(  # noqa: PLR0913 - what describes a cluster
    loaded: Iterable[Loaded],
    gates: GateSet,
    namespace_labels: Labels | None,
    node_order: Sequence[str] = (),
    replicas: Mapping[str, int] = MappingProxyType({}),
    *,
    dialect: str | None = None,
    progress: Progress | None = None,
    allocate_unreferenced: bool = False,
    scheduler: GateSet | None = None,
    allowance: Allowance | None = None,
) -> Simulation:
    """Simulate ``loaded``: prototypes by their own rules, everything else as ``workflows.simulate`` does.

    Objects of prototypes and others share no devices. ``progress`` gets the number of tried pods and of all
    pods. ``allocate_unreferenced`` also allocates claims that no pod refers to. ``scheduler`` has the gates
    of the scheduler, if they are not those of the server.

    Raises ValueError for an unknown dialect, and scaling.ScaleError.
    """
    from dractl.simulation.engine.settings import no_progress
    from dractl.workflows.simulate import simulate as simulate_released  # validation needs none of it

    def released(items: Sequence[Loaded]) -> Simulation:
        return simulate_released(
            items,
            gates,
            namespace_labels,
            node_order,
            replicas,
            progress or no_progress,
            allowance,
            allocate_unreferenced=allocate_unreferenced,
            scheduler=scheduler,
        )

    everything = list(loaded)
    documents = _documents(everything)
    is_mixed = dialect is not None or any_prototype(document.value for document in documents)
    simulate_prototypes = SIMULATE.get(PROTOTYPES) if is_mixed else None
    if simulate_prototypes is None:
        return released(everything)
    part = simulate_prototypes(
        documents, known_dialect(dialect), node_order, allocate_unreferenced=allocate_unreferenced
    )
    rest = [item for item in everything if not (isinstance(item, Document) and item in part.documents)]
    found = released(rest)
    return with_part(found, part)


def with_part(found: Simulation, part: Part) -> Simulation:
    """A simulation of released APIs together with that of the objects of prototypes."""
    from dractl.simulation.engine.report import Simulation
    from dractl.simulation.pods.outcome import PodOutcome

    outcome = found.outcome
    nodes = {row.pod: row.node for row in part.placements if row.pod is not None}
    waiting = dict.fromkeys(row.pod for row in part.pending if row.pod is not None)
    pods = (PodOutcome(pod, node, {}, None, (), {}, ()) for pod, node in {**waiting, **nodes}.items())

    def explain(about: Outcome) -> list[Explained | None]:
        known = dict(zip(map(_subject, outcome.pending), found.explanations, strict=True))
        of_prototypes = set(map(_subject, part.pending))
        subjects = map(_subject, about.pending)
        return [None if subject in of_prototypes else known.get(subject) for subject in subjects]

    return Simulation(
        found.kube_version,
        found.feature_gates,
        outcome._replace(
            nodes=tuple(dict.fromkeys((*part.nodes, *outcome.nodes))),
            placements=(*part.placements, *outcome.placements),
            pending=(*part.pending, *outcome.pending),
            left_out=(*part.left_out, *outcome.left_out),
            notes=(*part.notes, *outcome.notes),
            pods=(*pods, *outcome.pods),
            is_of_prototypes=not outcome.left_out
            and all(item.get("kind") in _SURROUNDING for item in outcome.objects),
        ),
        (*part.objects, *found.objects),
        (*part.findings, *found.findings),
        found.scheduler,
        explain,
        found.given,
    )


_SURROUNDING = frozenset({"Node", "Namespace", "ConfigMap", "ResourceQuota"})
"""The kinds that are used with every API."""


def _subject(row: Pending) -> tuple[str | None, str | None]:
    return row.pod, row.claim


def _documents(loaded: Iterable[Loaded]) -> list[Document]:
    return [item for item in loaded if isinstance(item, Document)]
