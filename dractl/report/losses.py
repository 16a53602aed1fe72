"""A conversion for people: what would be lost, and what changes in the files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from difflib import unified_diff

from dractl.api import budgets, characters
from dractl.conversion.result import Conversion, ConvertedFile, Lost
from dractl.report.style import Style, brief, path, sentence
from dractl.report.text import counted, excerpt_lines

__all__ = ["command_in", "diff", "patch", "render"]


def render(conversion: Conversion, style: Style) -> Iterator[str]:
    """The lines that list the losses of a conversion, each with its place and the reason."""
    most = budgets.FINDINGS.value
    for lost in conversion.lost[:most]:
        severity = "warning" if conversion.lossy and not lost.is_broken else "error"
        yield f"{style.paint('bold', _place(lost))} {style.paint(severity, severity + ':')} {_sentence(lost)}"
        if lost.location.text.strip():
            yield from excerpt_lines(lost.location.text, lost.location.column, style)
    if len(conversion.lost) > most:
        yield budgets.FINDINGS.message(wanted=f"{len(conversion.lost) - most:,} losses")
    broken = sum(lost.is_broken for lost in conversion.lost)
    rest = len(conversion.lost) - broken
    losing = f"{counted(rest, 'item')} would be lost"
    if broken:
        besides = f"; then {losing}" if rest else ""
        yield f"nothing was written: fix {counted(broken, 'error')} first{besides}"
    elif rest and not conversion.lossy:
        yield f"nothing was written: {losing} (--lossy allows this)"


def _sentence(lost: Lost) -> str:
    named = lost.object
    subject = brief(lost.field) if lost.field else f"{named.kind} {named.name}" if named else ""
    return sentence(f"{subject}: {lost.reason}" if subject else lost.reason)


def _place(lost: Lost) -> str:
    place = lost.location
    return f"{path(place.file)}:{place.line}:{place.column}:" if place.line else f"{path(place.file)}:"


def diff(conversion: Conversion) -> str:
    """What changes in each file, in the form that ``patch`` and ``git apply`` read."""
    return patch(conversion.files)


def patch(files: Iterable[ConvertedFile]) -> str:
    """The same for the files themselves."""
    return "".join(
        line for file in files for line in _diff(file.name, file.mark + file.before, file.mark + file.after)
    )


def _diff(name: str, before: str, after: str) -> Iterator[str]:
    inside = name.removeprefix("./")
    old, new = (_quoted(f"{side}/{inside}") for side in "ab")
    for line in unified_diff(_lines(before), _lines(after), old, new):
        ended = line if line.endswith("\n") else f"{line}\n{_NO_BREAK}"
        if line.startswith(" ") and characters.begins_command(line):
            # The blank before a line that stays hides no command; so the line goes, and comes again.
            yield from (f"-{ended[1:]}", f"+{ended[1:]}")
        else:
            yield ended


_NO_BREAK = "\\ No newline at end of file\n"


def _lines(text: str) -> list[str]:
    """The lines as ``patch`` counts them, which ends none at other line breaks of Unicode."""
    *lines, rest = text.split("\n")
    return [*(f"{line}\n" for line in lines), *([rest] if rest else [])]


def _quoted(name: str) -> str:
    """The name of a file as git writes it, in quotes where it holds what could end a line or steer a CI."""
    is_plain = all(map(characters.is_plain, name)) and not characters.has_command(name)
    if is_plain and '"' not in name and "\\" not in name:
        return f"{name}\t" if " " in name else name
    data = name.encode("utf-8", "surrogateescape")
    return '"' + "".join(chr(byte) if chr(byte) in _UNQUOTED else f"\\{byte:03o}" for byte in data) + '"'


_UNQUOTED = frozenset(
    " !$%&'()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[]^_`abcdefghijklmnopqrstuvwxyz{|}~"
)


def command_in(text: str) -> str:
    """The first line of a text that a CI would take for a command; empty if missing."""
    return next((line.strip() for line in text.splitlines() if characters.has_command(line)), "")
