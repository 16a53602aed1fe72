"""Test results as text: the place of each failed expectation, expected and actual values."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby

from dractl.api.release import Minor
from dractl.records import NamedTuple
from dractl.report.listing import hanging
from dractl.report.style import Style, brief, path, sentence, text_of
from dractl.report.text import counted
from dractl.testing.cases import Case
from dractl.testing.compare import ABSENT, Change, Mismatch
from dractl.testing.runner import CaseResult, Failure, Results
from dractl.workflows.matrix import in_words

__all__ = ["change_lines", "mismatch_lines", "render"]

_LEGEND = "- expected, + actual"


def render(results: Results, style: Style, *, summary: bool = True) -> str:
    """Each expectation that does not hold; if wanted also what was updated, and how many cases hold."""
    lines = [f"{path(file)}: updated" for file in results.updated] if summary else []
    for group in _alike(results.tried):
        lines += _failure(group, style)
        lines.append("")
    if summary and results.tried:
        lines += _counts(results, style)
    return text_of(lines)


class _Group(NamedTuple):
    """A failure of a case, with the minors under which it is the same."""

    case: Case
    failure: Failure
    minors: list[Minor]

    @property
    def name(self) -> str:
        several = len(self.case.gates) > 1
        return f"{self.case.name} ({in_words(self.minors)})" if several else self.case.name


def _alike(tried: Iterable[CaseResult]) -> list[_Group]:
    """The failures in order; what is the same under several minors of a case comes once."""
    found: list[_Group] = []
    for _, entries in groupby(tried, key=lambda entry: id(entry.case)):
        start = len(found)
        for entry in entries:
            for failure in entry.failures:
                same = next((group for group in found[start:] if group.failure == failure), None)
                if same:
                    same.minors.append(entry.gates.minor)
                else:
                    found.append(_Group(entry.case, failure, [entry.gates.minor]))
    return found


def change_lines(changes: Iterable[Change], skip: int) -> Iterator[str]:
    """Expected and actual values, line by line, without the first ``skip`` steps of their paths."""
    for change in changes:
        name = " ".join(str(step) for step in change.steps[skip:])
        if change.expected is not ABSENT:
            yield from (f"- {line}" for line in _shown(name, change.expected))
        if change.actual is not ABSENT:
            yield from (f"+ {line}" for line in _shown(name, change.actual))


def _shown(name: str, value: object) -> Iterator[str]:
    """A value under its name, in as many lines as it has parts."""
    head = f"{name}: " if name else ""
    if isinstance(value, dict):
        if not value:
            yield f"{name or 'it'} exists"
        for key, item in value.items():
            yield from _shown(f"{name} {key}".strip(), item)
    elif isinstance(value, list):
        yield f"{head}{', '.join(map(_text, value)) or 'none'}"
    else:
        yield f"{head}{_text(value)}"


def _text(value: object) -> str:
    if isinstance(value, dict):
        return f"{{{', '.join(f'{name}: {_text(item)}' for name, item in value.items())}}}"
    if isinstance(value, list):
        return f"[{', '.join(map(_text, value))}]"
    return ("true" if value else "false") if isinstance(value, bool) else str(value)


def _failure(group: _Group, style: Style) -> Iterator[str]:
    mismatch, place = group.failure.mismatch, group.failure.place
    where = f"{path(place.file)}:{place.line}:{place.column}:"
    case = style.paint("faint", f"[{brief(group.name)}]")
    first, *others = mismatch_lines(mismatch, style)
    yield f"{style.paint('bold', where)} {first} {case}"
    yield from others


def mismatch_lines(mismatch: Mismatch, style: Style) -> Iterator[str]:
    """What is not as expected, then expected and actual values and the reason."""
    yield style.paint("error", f"{brief(mismatch.subject)} is not as expected")
    for line in change_lines(mismatch.changes, len(mismatch.steps)):
        yield f"    {style.paint('error' if line.startswith('-') else 'mark', sentence(line))}"
    if mismatch.note:
        yield from hanging("    because ", mismatch.note, style)


def _counts(results: Results, style: Style) -> Iterator[str]:
    tried = results.tried
    failed = sum(not entry.ok for entry in tried)
    files = counted(results.files, "file")
    faulty = f"; {counted(len(results.faulty), 'file')} cannot be used" if results.faulty else ""
    cases = counted(len(tried), "case")
    if not failed:
        yield style.paint("warning" if faulty else "mark", f"{cases} in {files} passed") + faulty
        return
    yield style.paint("warning", f"{failed} of {cases} in {files} failed") + f"{faulty}; {_LEGEND}"
