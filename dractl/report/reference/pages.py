"""The pages of rules, and the list of them, for people."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from dractl.admission.framework.rule import Example, Rule
from dractl.api import gates, release
from dractl.lint.pages import Page, paragraphs
from dractl.report.listing import Painted, beside, listing, prose
from dractl.report.style import Style, printable

__all__ = ["render", "render_list"]

_HEADINGS = ("RULE", "SEVERITY", "KIND", "SUMMARY")
_DROPPED = "; if it is off, the server drops the field unless it is already in use"
_SHORT = "`<3 times x>` means x repeated three times; # is the index of each, starting at 0."
_COVERED = "; if a rule generated from the API types rejects the same value, only its error is reported"


def render_list(pages: Sequence[Page], style: Style) -> str:
    """One row a rule: id, severity, kinds, summary."""
    if not pages:
        return "no rules\n"
    rows = [
        (page.id, Painted(page.severity.value, page.severity.value), _kinds_in_short(page), page.summary)
        for page in pages
    ]
    return _text(listing(_HEADINGS, rows, style))


def _kinds_in_short(page: Page) -> str:
    if not page.kinds:
        return "all"
    first, *others = page.kinds
    return f"{first} +{len(others)}" if others else first


def render(page: Page, style: Style) -> str:
    """The page of a rule, the row that counts in the newest minor first."""
    return _text(_page(page, style))


def _text(lines: Iterable[str]) -> str:
    """The lines as they are: all are dractl's own, and ``text_of`` would change ``---`` in the examples."""
    return "".join(f"{line}\n" for line in lines)


def _page(page: Page, style: Style) -> Iterator[str]:
    yield f"{style.paint('bold', page.id)}  {style.paint(page.severity.value, page.severity.value)}"
    first, *earlier = page.rows
    yield from _explained(first, style)
    yield ""
    yield from beside("kinds", ", ".join(page.kinds) or "all", style)
    yield from _facts(first, style)
    yield from _shown(first, style)
    shown = set(first.examples())
    for row in earlier:
        yield ""
        yield style.paint("bold", f"In {minors_of(row)}")
        yield from _explained(row, style)
        yield ""
        yield from _facts(row, style)
        if not shown.issuperset(row.examples()):
            yield from _shown(row, style)
    if page.related:
        yield ""
        yield from beside("see also", ", ".join(page.related), style)


def _explained(row: Rule, style: Style) -> Iterator[str]:
    for paragraph in (row.summary, *paragraphs(row)):
        yield ""
        yield from prose(paragraph, style)


def minors_of(row: Rule) -> str:
    """The Kubernetes minors that have a row, in words."""
    if row.until is not None:
        since = row.since or release.KNOWN[0]
        return str(since) if since == row.until else f"{since} to {row.until}"
    return "all" if row.since is None else f"{row.since} and newer"


def _facts(row: Rule, style: Style) -> Iterator[str]:
    for number, place in enumerate(row.at):
        yield from beside("" if number else "places", place, style)
    if row.types:
        yield from beside("types", ", ".join(kind.value for kind in row.types), style)
    yield from beside("minors", minors_of(row), style)
    if row.gate:
        yield from beside("gate", _gate(row.gate) + _DROPPED, style)
    if row.only_with:
        yield from beside("only with", _gate(row.only_with), style)
    if row.only_without:
        yield from beside("unless", _gate(row.only_without), style)
    if row.upstream:
        yield from beside("upstream", row.upstream + (_COVERED if row.covered else ""), style)


def _gate(name: str) -> str:
    """The gate with the stage and default that it has in the newest released minor that has it."""
    minor = next(minor for minor in release.NEWEST_FIRST if name in gates.gates_of(minor))
    gate = gates.gates_of(minor)[name]
    return f"{name} ({gate.stage} in {minor}, {'on' if gate.default else 'off'} by default)"


def _shown(row: Rule, style: Style) -> Iterator[str]:
    for example in row.examples():
        yield ""
        yield style.paint("mark" if example.good else "error", f"{_title(row, example)}:")
        for line in example.text.splitlines():
            yield f"    {printable(line)}".rstrip()
    if any(example.is_short for example in row.examples()):
        yield ""
        yield from prose(_SHORT, style)


def _title(row: Rule, example: Example) -> str:
    """A row of the server's shows what matters of an object, one of dractl's own whole documents."""
    quality = "Good" if example.good else "Bad"
    if not row.upstream:
        return quality
    thing = f"a {row.kinds[0]}" if len(row.kinds) == 1 else "an object"
    return f"{quality} change of {thing}" if example.is_update else f"{quality}, as part of {thing}"
