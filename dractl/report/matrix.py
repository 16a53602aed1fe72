"""The verdicts of several Kubernetes minors for people: the findings with their minors, then what changes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from dractl.api.release import Minor
from dractl.report.listing import Cell, Painted, listing
from dractl.report.style import Style, path, text_of
from dractl.report.text import counted, errors_counted, finding_lines, fixable, remarks, unlisted
from dractl.workflows.matrix import Matrix, Verdicts, in_words

__all__ = ["render"]


def render(matrix: Matrix, style: Style, *, summary: bool = True) -> str:
    """The findings in order, each with the minors that have it; then, if wanted, which verdicts change."""
    parts: list[Iterable[str]] = [tuple(_findings(matrix, style))]
    if summary:
        changing = [verdicts for verdicts in matrix.objects if verdicts.changes]
        if changing:
            parts.append(_table(matrix.minors, changing, style))
        parts.append(_counts(matrix, len(changing), style))
    return "\n".join(text_of(lines) for lines in parts if lines)


def _findings(matrix: Matrix, style: Style) -> Iterator[str]:
    for row in matrix.listed:
        yield from finding_lines(row.finding, style)
        yield f"    minors: {spans(row.minors, matrix.minors)}"


def spans(having: Sequence[Minor], all_minors: Sequence[Minor]) -> str:
    """The minors in words: ``1.33 to 1.35 and 1.37``, or that it is all of them."""
    if len(having) == len(all_minors):
        return "all"
    return in_words(having)


def _table(minors: Sequence[Minor], changing: Sequence[Verdicts], style: Style) -> list[str]:
    rows = [[*map(_cell, verdicts.accepted.values()), _named(verdicts)] for verdicts in changing]
    return listing((*(minor.version for minor in minors), "OBJECT"), rows, style)


def _cell(accepted: bool) -> Cell:
    return Painted("ok", "mark") if accepted else Painted("rejected", "error")


def _named(verdicts: Verdicts) -> str:
    about, where = verdicts.object, verdicts.location
    name = "/".join(part for part in (about.namespace, about.name) if part) if about else ""
    subject = " ".join(part for part in (about.kind if about else "", name) if part)
    place = f"{path(where.file)}:{where.line}" if where.line else path(where.file)
    return f"{subject}, {place}" if subject else place


def _counts(matrix: Matrix, changing: int, style: Style) -> Iterator[str]:
    refused: Counter[Minor] = Counter()
    for verdicts in matrix.objects:
        refused.update(minor for minor, accepted in verdicts.accepted.items() if not accepted)
    hidden = Counter(minor for row in matrix.findings if row.finding.cause for minor in row.minors)
    yield from remarks(
        (row.finding for row in matrix.findings),
        style,
        prototypes=matrix.summaries[matrix.minors[-1]].prototypes,
        is_partial=matrix.is_partial,
    )
    yield from unlisted(max(counts.unlisted for counts in matrix.summaries.values()), style)
    for minor in matrix.minors:
        counts = matrix.summaries[minor]
        heaviest = "error" if counts.errors else "warning" if counts.warnings else "mark"
        errors = errors_counted(counts.errors, hidden[minor])
        verdict = style.paint(heaviest, f"{errors}, {counted(counts.warnings, 'warning')}")
        yield f"{minor.version}: {verdict}, {counted(refused[minor], 'object')} rejected"
    first, last = matrix.minors[0], matrix.minors[-1]
    files = counted(matrix.summaries[last].files, "file")
    objects = counted(matrix.summaries[last].objects, "object")
    changed = f"the verdict changes for {changing} of {objects} in {files}"
    unchanged = f"no verdict changes ({objects} in {files})"
    yield f"from {first} to {last} {changed if changing else unchanged}"
    yield from fixable((row.finding for row in matrix.listed), style)
