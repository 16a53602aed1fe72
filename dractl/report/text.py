"""Findings for people: one clickable line each, the line of the file with a mark under it, and the hint."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from dractl.api import budgets, release
from dractl.finding import Applicability, Finding, Location, rule_url
from dractl.lint.capped import SKIPPED
from dractl.lint.report import Report, Summary, has_many_unnamed, is_unnamed
from dractl.report.excerpt import excerpt
from dractl.report.style import PIPED_WIDTH, Style, Word, brief, path, sentence, text_of, wrapped

__all__ = [
    "counted",
    "errors_counted",
    "excerpt_lines",
    "finding_lines",
    "fixable",
    "known",
    "remarks",
    "render",
    "skipped_text",
    "unlisted",
    "verdict",
]

_DECODE = "Decode"
_AFTER_DECODE = "the API server stops here; after fixing the above it would also report"
_PARTLY = "objects outside resource.k8s.io are checked for structure and DRA fields only"
_PROTOTYPES = "validated by the rules of a prototype API, which no API server serves"
_NOTHING = "nothing was validated: dractl validates objects of resource.k8s.io, pods and workloads"
_MARGIN = "    | "
FIXABLE = "[*]"
"""Marks what ``--fix`` fixes, as ruff does."""


def render(report: Report, style: Style, *, summary: bool = True) -> str:
    """The findings of ``report``, then, if wanted, what was skipped and a line that counts.

    Those of one object are in the order of its text. Documents of kinds that are not read are counted at the
    end instead of being named one by one. What merely follows from another finding is not shown, and counted
    apart.
    """
    lines: list[str] = []
    for findings in _in_order_of_text(report.listed):
        stops = any(finding.type == _DECODE for finding in findings)
        for finding in findings:
            if finding.after_decode and stops:
                lines.append(f"  {style.paint('faint', _AFTER_DECODE + ':')}")
                stops = False
            lines += finding_lines(finding, style)
    lines += unlisted(report.summary.unlisted, style)
    if summary:
        lines += _summary(report, style)
    return text_of(lines)


def _in_order_of_text(findings: Iterable[Finding]) -> Iterator[list[Finding]]:
    """The findings of each object, those first that the API server reports at once."""
    group: list[Finding] = []
    for finding in findings:
        if group and _is_of_another(finding, group[-1]):
            yield sorted(group, key=_place_in_file)
            group = []
        group.append(finding)
    yield sorted(group, key=_place_in_file)


def _is_of_another(finding: Finding, before: Finding) -> bool:
    """Whether a finding is about another object than the one before it."""
    files = [entry.location.file if entry.location else "" for entry in (finding, before)]
    starts_again = finding.type == _DECODE and before.after_decode
    return files[0] != files[1] or finding.object != before.object or starts_again


def _place_in_file(finding: Finding) -> tuple[bool, int, int]:
    where = finding.location
    return finding.after_decode, *((where.line, where.column) if where else (0, 0))


def counted(number: int, noun: str) -> str:
    """A number with its noun: ``1 error``, ``no errors``, ``2 errors``."""
    return f"{number or 'no'} {noun}{'' if number == 1 else 's'}"


def errors_counted(number: int, followers: int) -> str:
    """A ``number`` of errors, ``followers`` of which merely follow from others and are counted apart."""
    causes = number - followers
    follow = f" ({followers} more caused by {'this' if causes == 1 else 'these'})" if followers else ""
    return counted(causes, "error") + follow


def finding_lines(finding: Finding, style: Style) -> Iterator[str]:
    """One finding: its place, its message, the marked line of the file, the hint."""
    severity = finding.severity.value
    source = finding.location.source if finding.location else ""
    words = [
        *([f"in {brief(source)}:"] if source else []),
        *([f"{brief(finding.field)}:"] if finding.field else []),
        *sentence(finding.message).split(" "),
    ]
    rule = style.link(f"[{finding.narrowest}]", rule_url(finding.narrowest))
    mark = _mark(finding)
    painted = [
        Word(_place(finding.location), style.paint("bold", _place(finding.location))),
        Word(f"{severity}:", style.paint(severity, f"{severity}:")),
        *(Word(word, word) for word in words),
        Word(f"[{finding.narrowest}]", style.paint("faint", rule)),
        *([Word(mark, mark)] if mark else []),
    ]
    yield from wrapped(painted, style)
    yield from (f"    also: {entry}" for entry in _listed(finding.related))
    if finding.location is not None and finding.location.text.strip():
        yield from excerpt_lines(finding.location.text, finding.location.column, style)
    if finding.hint:
        hint = sentence(finding.hint).split(" ")
        yield from wrapped([Word("    hint:", "    hint:"), *(Word(word, word) for word in hint)], style)


def _mark(finding: Finding) -> str:
    return FIXABLE if finding.fix is not None and finding.fix.applicability is Applicability.SAFE else ""


def fixable(findings: Iterable[Finding], style: Style) -> Iterator[str]:
    """How many findings ``--fix`` can fix, if any."""
    counts = Counter(finding.fix.applicability for finding in findings if finding.fix is not None)
    safe, unsafe = counts[Applicability.SAFE], counts[Applicability.UNSAFE]
    if safe:
        more = f"; {unsafe} more with --unsafe-fixes" if unsafe else ""
        yield f"{style.paint('info', FIXABLE)} {safe} fixable with --fix{more}"
    elif unsafe:
        yield f"{unsafe} fixable with --fix --unsafe-fixes"


def _place(location: Location | None) -> str:
    if location is None:
        return ""
    position = f"{location.line}:{location.column}:" if location.line else ""
    return f"{path(location.file)}:{position}"


def _listed(fields: tuple[str, ...], limit: int = 5) -> Iterator[str]:
    """The first few fields, and the number of the others."""
    yield from map(brief, fields[:limit])
    if len(fields) > limit:
        yield f"{len(fields) - limit} more"


def excerpt_lines(line: str, column: int, style: Style) -> Iterator[str]:
    """A line of a text with a mark under its 1-based ``column``."""
    width = max((style.width or PIPED_WIDTH) - len(_MARGIN), 20)
    shown = excerpt(line, column, width)
    margin = style.paint("faint", _MARGIN.rstrip()) + " "
    yield margin + shown.line
    yield margin + shown.indent + style.paint("mark", "^")


def _summary(report: Report, style: Style) -> Iterator[str]:
    counts = report.summary
    yield from remarks(report.findings, style, prototypes=counts.prototypes, is_partial=report.is_partial)
    if counts.skipped and not counts.objects and not counts.errors:
        yield f"{style.paint('info', 'info:')} {_NOTHING}"
    is_well = counts.objects and not counts.warnings
    heaviest = "error" if counts.errors else "mark" if is_well else "warning"
    is_released = counts.prototypes < counts.objects or not counts.objects
    seen = f" (Kubernetes {release.titled(report.kube_version)})" if is_released else ""
    yield (
        f"{style.paint(heaviest, verdict(report))} in {counted(counts.objects, 'object')} "
        f"of {counted(counts.files, 'file')}{seen}{known(counts)}"
    )
    yield from fixable(report.listed, style)


def verdict(report: Report) -> str:
    """The errors and warnings, counted; what merely follows from other findings apart."""
    followers = sum(1 for finding in report.findings if finding.cause)
    followers += sum(entry.number for entry in report.unlisted if entry.first.cause)
    counts = report.summary
    return f"{errors_counted(counts.errors, followers)}, {counted(counts.warnings, 'warning')}"


def known(counts: Summary) -> str:
    """How many findings are known already, for the end of a line that counts; empty if none are."""
    parts = [(counts.suppressed, "suppressed by comments"), (counts.baseline, "in the baseline")]
    return "".join(f"; {number} {what}" for number, what in parts if number)


def unlisted(number: int, style: Style) -> Iterator[str]:
    """How many findings are counted but not listed, if any."""
    if number:
        text = budgets.FINDINGS.message(wanted=counted(number, "finding"))
        yield f"{style.paint('info', 'info:')} {text}"


def remarks(
    findings: Iterable[Finding], style: Style, *, prototypes: int, is_partial: bool, is_range: bool = False
) -> Iterator[str]:
    """Remarks on skipped documents, objects of ``prototypes``, and objects that are only partly validated."""
    findings = list(findings)
    if has_many_unnamed(findings):
        number = counted(sum(map(is_unnamed, findings)), "document")
        yield f"{style.paint('info', 'info:')} skipped {number} without apiVersion and kind"
    kinds = Counter(
        finding.object.kind if finding.object else "" for finding in findings if finding.rule == SKIPPED
    )
    if kinds:
        yield f"{style.paint('info', 'info:')} {skipped_text(kinds)}"
    if prototypes:
        verb = "is" if prototypes == 1 else "are"
        minors = "; the verdict is the same for all minors" if is_range else ""
        yield f"{style.paint('info', 'info:')} {counted(prototypes, 'object')} {verb} {_PROTOTYPES}{minors}"
    if is_partial:
        yield f"{style.paint('info', 'info:')} {_PARTLY}"


def skipped_text(kinds: Counter[str]) -> str:
    """How many documents of which kinds are skipped."""
    total = sum(kinds.values())
    named = ", ".join(f"{brief(kind)} ({number})" for kind, number in kinds.most_common(8))
    more = f" and {len(kinds) - 8} other kinds" if len(kinds) > 8 else ""
    return f"skipped {counted(total, 'document')} of unsupported kinds: {named}{more}"
