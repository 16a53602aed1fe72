"""A conversion for people: what would be lost, and what changes in the files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from difflib import unified_diff

from dractl.conversion.result import Conversion, Lost
from dractl.report.style import Style, printable, sentence
from dractl.report.text import counted, excerpt_lines

__all__ = ["diff", "render"]


def render(conversion: Conversion, style: Style) -> Iterator[str]:
    """The lines that list the losses of a conversion, each with its place and the reason."""
    for lost in conversion.lost:
        severity = "warning" if conversion.lossy and not lost.is_broken else "error"
        yield f"{style.paint('bold', _place(lost))} {style.paint(severity, severity + ':')} {_sentence(lost)}"
        if lost.location.text.strip():
            yield from excerpt_lines(lost.location.text, lost.location.column, style)
    broken = sum(lost.is_broken for lost in conversion.lost)
    rest = len(conversion.lost) - broken
    losing = f"{counted(rest, 'thing')} would be lost"
    if broken:
        besides = f"; then {losing}" if rest else ""
        yield f"nothing is written: {counted(broken, 'mistake')} to mend first{besides}"
    elif rest and not conversion.lossy:
        yield f"nothing is written: {losing} (--lossy goes on)"


def _sentence(lost: Lost) -> str:
    named = lost.object
    subject = printable(lost.field) if lost.field else f"{named.kind} {named.name}" if named else ""
    return sentence(f"{subject}: {lost.reason}" if subject else lost.reason)


def _place(lost: Lost) -> str:
    place = lost.location
    return (
        f"{printable(place.file)}:{place.line}:{place.column}:" if place.line else f"{printable(place.file)}:"
    )


def diff(conversion: Conversion) -> str:
    """What changes in each file, in the form that ``patch`` and ``git apply`` read."""
    return "".join(
        line
        for file in conversion.files
        for line in _diff(file.name, file.mark + file.before, file.mark + file.after)
    )


def _diff(name: str, before: str, after: str) -> Iterable[str]:
    path = name.removeprefix("./")
    for line in unified_diff(
        before.splitlines(keepends=True), after.splitlines(keepends=True), f"a/{path}", f"b/{path}"
    ):
        yield line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"
