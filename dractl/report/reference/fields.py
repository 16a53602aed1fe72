"""The pages of fields, and the list of fields with one name, for people."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dractl.api import release
from dractl.lint.field_pages import FieldPage, GateNote
from dractl.report.listing import beside, listing
from dractl.report.style import Style, printable, text_of
from dractl.versions.fields import Child, Span

__all__ = ["render"]

_INDENT = 2


def render(found: Sequence[FieldPage], style: Style) -> str:
    """The page of a field; of several, a row each."""
    if len(found) == 1:
        return text_of(_page(found[0], style))
    rows = [(f"{page.place.kind.kind}.{page.place.path}", page.place.type) for page in found]
    return text_of(listing(("FIELD", "TYPE"), rows, style))


def _page(page: FieldPage, style: Style) -> Iterator[str]:
    place = page.place
    title = f"{place.kind.kind}{'.' if place.path else ''}{place.path}"
    required = ", required" if place.field and place.field.required else ""
    yield f"{style.paint('bold', title)}  {place.type}{required}"
    yield ""
    for number, span in enumerate(page.spans):
        yield from beside("" if number else "versions", _span(span, place.path), style)
    if place.field and place.field.enum:
        yield from beside("values", ", ".join(place.field.enum), style)
    if page.default:
        yield from beside("default", page.default, style)
    for gate in page.gates:
        yield from beside("gate", _gate(gate, page), style)
    for limit in page.limits:
        yield from beside("limit", limit, style)
    for number, rule in enumerate(page.rules):
        yield from beside("" if number else "rules", f"{rule.id}: {rule.summary}", style)
    if page.children:
        yield ""
        yield style.paint("bold", "Fields")
        yield from _children(page.children, style)
    if page.example:
        yield ""
        yield style.paint("mark", "Example:")
        yield from (f"    {printable(line)}".rstrip() for line in page.example.splitlines())


def _span(span: Span, path: str) -> str:
    if span.until == release.KNOWN[-1]:
        minors = f"{span.since} and newer"
    else:
        minors = str(span.since) if span.since == span.until else f"{span.since} to {span.until}"
    served = "" if span.is_served else ", not served by default"
    spelled = "" if span.path == path else f", as {span.path}"
    return f"{span.api_version} in {minors}{served}{spelled}"


def _gate(gate: GateNote, page: FieldPage) -> str:
    state = "on" if gate.is_on else "off"
    stages = "; ".join(gate.stages)
    return f"{gate.name}, {state} by default in {page.minor} ({stages}); while it is off, {gate.effect}"


def _children(children: Sequence[Child], style: Style) -> Iterator[str]:
    width = max(len(child.name) + _INDENT * child.depth for child in children)
    for child in children:
        name = f"{' ' * (_INDENT * child.depth)}{child.name}".ljust(width)
        yield f"  {name}  {style.paint('faint', child.type + (', required' if child.is_required else ''))}"
