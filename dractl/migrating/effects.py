"""What a migration does to a cluster: what the API server rejects or drops of it, and where pods go."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence

from dractl.api.gates import GateSet
from dractl.api.json_types import JsonDict
from dractl.finding import Finding, Severity
from dractl.migrating.model import Loss, Moved, Place
from dractl.migrating.reading import mapping_at, text_at
from dractl.records import NamedTuple
from dractl.source.document import Document
from dractl.upgrading.subjects import in_version, subjects_in
from dractl.workflows.simulate import simulate
from dractl.workflows.validate import Labels, admit_all

__all__ = ["Verdict", "moves", "verdict"]

_DROPS = ("gate/dropped", "gate/unserved")


class Verdict(NamedTuple):
    """What a server rejects of changed documents, and what it drops of them."""

    rejected: tuple[Finding, ...]
    dropped: tuple[Loss, ...]


def verdict(
    before: Iterable[Document], after: Iterable[Document], gates: GateSet, labels: Labels | None
) -> Verdict:
    """What a server with ``gates`` finds in ``after`` and not in ``before``, which are in any version."""
    known = set(map(_key, _findings(before, gates, labels)))
    new = [found for found in _findings(after, gates, labels) if _key(found) not in known]
    return Verdict(
        tuple(found for found in new if found.severity is Severity.ERROR),
        tuple(
            Loss(Place(found.object, found.location, found.field), found.message, found.hint)
            for found in new
            if found.rule in _DROPS and found.location is not None
        ),
    )


def _findings(documents: Iterable[Document], gates: GateSet, labels: Labels | None) -> Iterator[Finding]:
    for entry in admit_all(documents, gates, labels):
        yield from entry.findings


def _key(finding: Finding) -> tuple[str, str, str]:
    about = finding.object
    return finding.rule, f"{about.kind}/{about.namespace}/{about.name}" if about else "", finding.message


def moves(
    before: Sequence[Document],
    after: Sequence[Document],
    gates: GateSet,
    labels: Labels | None,
    resources: Collection[str],
) -> tuple[Moved, ...]:
    """The pods that a scheduler with ``gates`` places on another node after the migration.

    Afterwards nodes offer ``resources`` no longer: the device plugins are gone.
    """
    first = _states(before, gates, labels)
    last = _states([_without_plugin(document, resources) for document in after], gates, labels)
    return tuple(
        Moved(pod, first[pod][0], node, message)
        for pod, (node, message) in last.items()
        if pod in first and first[pod][0] != node
    )


def _states(
    documents: Sequence[Document], gates: GateSet, labels: Labels | None
) -> dict[str, tuple[str | None, str]]:
    """Each pod with its node, or with the reason why it is Pending."""
    subjects = subjects_in(documents, {})
    readable = [item for subject in subjects if (item := in_version(subject, gates.minor))]
    simulation = simulate(readable, gates, labels)
    found: dict[str, tuple[str | None, str]] = {
        pod.pod: (pod.node, "") for pod in simulation.outcome.pods if pod.node is not None
    }
    for entry in simulation.pending:
        if entry.pod:
            found[entry.pod] = (None, entry.message)
    return found


def _without_plugin(document: Document, resources: Collection[str]) -> Document:
    """A node without some resources; anything else as it is."""
    value = document.value
    if text_at(value, "kind") != "Node" or not resources:
        return document
    status: JsonDict = dict(mapping_at(value, "status"))
    for amounts in ("capacity", "allocatable"):
        known = mapping_at(status, amounts)
        if known:
            status[amounts] = {name: amount for name, amount in known.items() if name not in resources}
    return Document({**value, "status": status}, file=document.file, index=document.index)
