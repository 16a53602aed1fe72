"""Known faults for people: what each does, in which releases, and what to do."""

from __future__ import annotations

from collections.abc import Iterator

from dractl.advisories.conditions import CONDITIONS
from dractl.advisories.listing import Listed, Listing
from dractl.api import release
from dractl.report.changes.facts import object_name, some
from dractl.report.listing import hanging
from dractl.report.style import Style, text_of
from dractl.report.text import counted

__all__ = ["render"]


def render(listing: Listing, style: Style) -> str:
    """Each fault with its releases, and a line that counts."""
    lines: list[str] = []
    for entry in listing.entries:
        lines += [*_entry(entry, style), ""]
    where = f" (Kubernetes {release.titled(listing.kube_version)})" if listing.kube_version else ""
    return text_of([*lines, f"{counted(len(listing.entries), 'known fault')}{where}"])


def _entry(entry: Listed, style: Style) -> Iterator[str]:
    advisory = entry.advisory
    yield style.paint("bold", advisory.id)
    spans = ", ".join(map(str, advisory.affected))
    fixed = f"; fixed in {', '.join(advisory.fixed_in)}" if advisory.fixed_in else ""
    yield from hanging("  ", advisory.title, style)
    yield from hanging("  affected: ", f"{spans}{fixed}", style)
    if advisory.gates:
        gates = ", ".join(f"{name}={str(state).lower()}" for name, state in advisory.gates.items())
        yield from hanging("  only with: ", gates, style)
    if entry.objects is None:
        yield from hanging("  reached by: ", CONDITIONS[advisory.condition].text, style)
    else:
        names = [object_name(item) for item in entry.objects]
        yield from hanging("  reached by: ", some(names), style)
    yield from hanging("  effect: ", advisory.effect, style)
    yield from hanging("  to do: ", advisory.fix, style)
    for link in advisory.links:
        yield f"  {link}"
