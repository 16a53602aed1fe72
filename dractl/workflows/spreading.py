"""Admission by several processes, each of which admits some of the documents."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from dractl.admission.admit import Admission
from dractl.api.quantity import Rewritten
from dractl.api.release import Minor
from dractl.cel.common.work import WORK, Spent
from dractl.finding import Finding
from dractl.records import NamedTuple
from dractl.source.document import Document
from dractl.versions.table import Kind, tables
from dractl.workers import WORKERS, Reduced

__all__ = ["Verdict", "verdicts"]

Verdict = tuple[Admission | None, list[Finding]]

_UNWRITTEN = 500
"""Characters that an object without a text counts as."""


class _Share(NamedTuple):
    """The verdicts on some documents, and the work of evaluations that they took."""

    verdicts: list[Verdict]
    work: Spent


def verdicts(
    minor: Minor, documents: Sequence[Document], admit: Callable[[Document], Verdict]
) -> list[Verdict]:
    """What ``admit`` makes of each document, in order, for a server of ``minor``.

    Evaluations of all processes have the budget of one run: where it might not last, one process does it all.
    Raises WorkerError.
    """
    texts = Counter(id(document.text) for document in documents)

    def weight(document: Document) -> int:
        text = document.text
        return _UNWRITTEN if text is None else len(text) // texts[id(text)] + 1

    if WORKERS.number(sum(map(weight, documents))) < 2:
        return list(map(admit, documents))

    def share(some: Sequence[Document]) -> list[_Share]:
        before = WORK.spent
        return [_Share(list(map(admit, some)), WORK.since(before))]

    before = WORK.spent
    shares = list(WORKERS.spread(documents, weight, share, _reducers(minor)))
    WORK.reset(before)
    for one in shares:
        WORK.take(one.work)
    if WORK.is_spent:
        WORK.reset(before)
        return list(map(admit, documents))
    return [verdict for one in shares for verdict in one.verdicts]


def _reducers(minor: Minor) -> dict[type, Callable[[object], Reduced]]:
    """How to send what a process has only one of, and what ``pickle`` does not know how to make."""

    def kind(value: object) -> Reduced:
        assert isinstance(value, Kind)  # noqa: S101 - by its key in the table
        return _kind, (minor, value.api_version, value.kind)

    def quantity(value: object) -> Reduced:
        assert isinstance(value, Rewritten)  # noqa: S101 - as above
        return Rewritten, (str(value), value.written)

    return {Kind: kind, Rewritten: quantity}


def _kind(minor: Minor, api_version: str, kind: str) -> Kind:
    return tables(minor).kinds[api_version, kind]
