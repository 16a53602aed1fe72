"""Why pods and claims wait, or are where they are, for people: the short form, then the details."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from textwrap import wrap

from dractl.explanation.long_form import long_lines
from dractl.explanation.one_device import DeviceStep
from dractl.explanation.remedies.wording import remedy_lines
from dractl.explanation.wording import lines, summary
from dractl.report.listing import hanging
from dractl.report.style import Style, brief, sentence, text_of
from dractl.workflows.questions import Why

__all__ = ["render"]

_INDENT = "  "
_HANGING = "    "


def render(answers: Sequence[Why], style: Style, *, summary: bool = True, is_long: bool | None = None) -> str:
    """Each answer; without ``summary`` one line for each that waits.

    ``is_long``: with all details; if unset, a single answer has them.
    """
    has_details = len(answers) == 1 if is_long is None else is_long
    if not summary:
        return text_of(line for entry in answers for line in _one_line(entry, style))
    return "\n".join(text_of(_answer(entry, style, is_long=has_details)) for entry in answers)


def _one_line(entry: Why, style: Style) -> Iterator[str]:
    if entry.explanation is not None:
        yield f"{_head(entry, style)}: {sentence(summary(entry.explanation))}"


def _head(entry: Why, style: Style) -> str:
    subject = style.paint("bold", brief(entry.subject))
    if entry.explanation is None:
        return f"{subject}"
    like = "" if entry.like is None else f", as {brief(entry.like)}"
    return f"{style.paint('warning', 'Pending')} {subject}: {brief(entry.explanation.category)}{like}"


def _answer(entry: Why, style: Style, *, is_long: bool) -> Iterator[str]:
    yield _head(entry, style)
    if entry.explanation is None:
        yield from _all(entry.lines, style)
        yield from _devices(entry.devices, style)
        return
    if entry.like is not None:
        return
    yield from _all(entry.lines, style)
    yield from _all(lines(entry.explanation), style)
    yield from _all(remedy_lines(entry.explanation, is_long=is_long), style)
    if entry.event is not None:
        yield from hanging("  scheduler: ", entry.event, style)
    yield from _devices(entry.devices, style)
    if is_long and not entry.devices:
        details = long_lines(entry.explanation)
        if details:
            yield ""
        yield from _all(details, style)


def _devices(steps: Sequence[DeviceStep], style: Style) -> Iterator[str]:
    for step in steps:
        fate = "would do alone" if step.step is None else f"falls out at {step.step}: {step.reason}"
        yield from _wrapped(f"{step.device} on node {step.node}, request {step.request}: {fate}", style)


def _all(texts: Sequence[str], style: Style) -> Iterator[str]:
    for text in texts:
        yield from _wrapped(text, style)


def _wrapped(text: str, style: Style) -> list[str]:
    """A line below the head; one that is indented stays so."""
    own = " " * (len(text) - len(text.lstrip()))
    shown = sentence(text.lstrip())
    if style.width is None:
        return [f"{_INDENT}{own}{shown}"]
    return wrap(
        shown,
        style.width,
        initial_indent=f"{_INDENT}{own}",
        subsequent_indent=f"{_HANGING}{own}",
        break_on_hyphens=False,
    )
