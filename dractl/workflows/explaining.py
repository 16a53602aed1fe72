"""What a simulation keeps, so that what waits can be explained later: how, and what it started from."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from dractl.api.gates import GateSet
from dractl.api.json_types import JsonDict
from dractl.simulation.engine.report import Explain, Explained, Given
from dractl.simulation.pods.outcome import LeftOut, Outcome
from dractl.source.document import Document
from dractl.workflows.validate import Admitted, Labels

__all__ = ["DROPPED", "Admit", "explainer", "given", "is_changed"]

DROPPED = "gate/dropped"
"""The rule about fields that the server drops because a gate is off."""

Admit = Callable[[Sequence[Document], GateSet, Labels | None], Iterable[JsonDict]]
"""Gives the objects that a server takes of documents."""


def explainer(gates: GateSet, left_out: Sequence[LeftOut], start: Given) -> Explain:
    """Explains what waits once that is asked for; nothing is loaded before, or where nothing waits."""

    def explain(outcome: Outcome) -> Sequence[Explained | None]:
        if not outcome.pending:
            return ()
        from dractl.workflows.why import explain_pending  # only where something waits

        return explain_pending(outcome, gates, left_out, start)

    return explain


def given(objects: Sequence[JsonDict], changed: Sequence[Document], labels: Labels, admit: Admit) -> Given:
    """What a simulation starts from: ``changed`` are the documents that a server may take otherwise."""
    if not changed:
        return Given(objects, None, labels)
    return Given(objects, lambda gates, spaces: admit(changed, gates, spaces or None), labels)


def is_changed(entry: Admitted) -> bool:
    """Whether the server refuses a document, or drops fields because a gate is off."""
    if entry.admission is None:
        return False
    return not entry.admission.accepted or any(found.rule == DROPPED for found in entry.findings)
