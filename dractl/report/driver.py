"""The check of a driver for people: a section for each theme, a line for each fact."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence

from dractl.api import release
from dractl.drivers.checks import CHECKS, SECTIONS, Check
from dractl.drivers.model import DriverCheck, Fact, Headroom, Reading
from dractl.finding import Severity
from dractl.report.listing import capped, first_of, hanging
from dractl.report.style import Style, path, text_of
from dractl.report.text import counted
from dractl.workflows.matrix import in_words

__all__ = ["render", "render_failing"]

_FEW = 2
"""The number of facts of a check that are shown, unless there is just one more."""

_HALF = 0.5
"""The part of a limit from which on every limit is shown."""

_INDENT = "    "


def render(found: DriverCheck, style: Style, *, verbose: bool = False) -> str:
    """The report; ``verbose`` adds the facts, places and limits that are left out, and hints."""
    return text_of(_lines(found, style, verbose=verbose))


def render_failing(found: DriverCheck, style: Style, *, strict: bool, verbose: bool = False) -> str:
    """The errors alone, and with ``strict`` the warnings."""
    failing = {Severity.ERROR, Severity.WARNING} if strict else {Severity.ERROR}
    facts = [fact for fact in found.facts if fact.severity in failing]
    return text_of(line for fact in facts for line in _fact(fact, style, verbose=verbose))


def _lines(found: DriverCheck, style: Style, *, verbose: bool) -> Iterator[str]:
    yield from hanging("", _head(found), style)
    hidden = False
    for section, title in SECTIONS.items():
        yield ""
        yield style.paint("bold", title)
        checks = [check for check in CHECKS if check.section == section]
        if section == "limits":
            hidden |= yield from _limits(found.headroom, style, verbose=verbose)
        if all(check.id in found.skipped for check in checks):
            yield f"  {style.paint('faint', f'[-] {found.skipped[checks[0].id]}')}"
            continue
        for check in checks:
            facts = [fact for fact in found.facts if fact.check == check.id]
            if check.id not in found.skipped:
                hidden |= yield from _check(check, facts, style, verbose=verbose)
    yield ""
    yield _count(found, style)
    if hidden:
        yield style.paint("faint", "--verbose shows every fact, with places and hints")


def _head(found: DriverCheck) -> str:
    counts = found.counts
    parts = (
        counted(counts.slices, "slice"),
        counted(counts.pools, "pool"),
        counted(counts.devices, "device"),
        f"{counts.classes} class{'' if counts.classes == 1 else 'es'}",
        counted(counts.claims, "claim"),
    )
    minors = in_words(found.minors)
    return f"{', '.join(found.drivers) or 'no driver'}: {', '.join(parts)}; Kubernetes {minors}"


def _check(check: Check, facts: Sequence[Fact], style: Style, *, verbose: bool) -> Generator[str, None, bool]:
    """The lines of a check; returns whether some facts or places are left out."""
    if not facts:
        if check.fine:
            yield from _marked("ok", check.fine, style)
        return False
    shown = facts if verbose else first_of(facts, _FEW)
    yield from capped(line for fact in shown for line in _fact(fact, style, verbose=verbose))
    if len(shown) < len(facts):
        yield f"{_INDENT}{style.paint('faint', f'and {len(facts) - len(shown)} more of {check.id}')}"
    return not verbose


def _fact(fact: Fact, style: Style, *, verbose: bool) -> Iterator[str]:
    minors = f" ({in_words(fact.minors)})" if fact.minors else ""
    more = len(fact.places) - 1
    where = ""
    if fact.places and fact.severity is not Severity.INFO:
        first = fact.places[0]
        more_places = f" and {counted(more, 'more place')}" if more > 0 else ""
        where = f" [{first.file}:{first.line}{more_places}]"
    yield from _marked(fact.severity.value, f"{fact.message}{minors}{where}", style)
    if not verbose:
        return
    name = f"{fact.check}, {fact.rule}" if fact.rule else fact.check
    yield from hanging(f"{_INDENT}  ", f"{name}{f': {fact.hint}' if fact.hint else ''}", style)
    yield from capped(
        f"{_INDENT}  {path(place.file)}:{place.line}:{place.column}" for place in fact.places if place.line
    )
    yield from capped(line for text in fact.details for line in hanging(f"{_INDENT}  ", text, style))


def _marked(mark: str, text: str, style: Style) -> Iterator[str]:
    head = f"  [{mark}] "
    first, *others = hanging(head, text, style)
    color = "mark" if mark == "ok" else mark
    yield f"  {style.paint(color, f'[{mark}]')}{first.removeprefix(head.rstrip())}"
    yield from others


def _limits(rows: Sequence[Headroom], style: Style, *, verbose: bool) -> Generator[str, None, bool]:
    """The limits that matter most, and those that are used by half; returns whether others are left out."""
    shown = [row for row in rows if verbose or row.is_main or _is_half(row)]
    for row in shown:
        first, *others = row.readings
        text = f"{row.noun} {row.owner}: {_reading(first)}"
        if first.where:
            text += f" ({first.where})"
        for reading in others:
            text += f"; {in_words(reading.minors)}: {reading.used:,} of {reading.most:,}"
        yield from hanging("  ", text, style)
    left_out = len(rows) - len(shown)
    if left_out:
        yield f"  {style.paint('faint', f'{left_out} more limits, each used by less than half')}"
    return left_out > 0


def _is_half(row: Headroom) -> bool:
    return any(reading.used > _HALF * reading.most for reading in row.readings)


def _reading(reading: Reading) -> str:
    rest = f"{reading.left:,} more fit" if reading.left >= 0 else f"{-reading.left:,} too many"
    return f"{reading.used:,} of {reading.most:,}; {rest}"


def _count(found: DriverCheck, style: Style) -> str:
    errors, warnings = found.number(Severity.ERROR), found.number(Severity.WARNING)
    text = f"{counted(errors, 'error')}, {counted(warnings, 'warning')}"
    color = "error" if errors else "warning" if warnings else "mark"
    return f"{style.paint(color, text)} (devices as Kubernetes {release.title(found.minor)} sees them)"
