"""Why something waits under several minors, for people: each answer under the minors that have it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dractl.report import why
from dractl.report.style import Style, brief, sentence, text_of
from dractl.workflows.matrix import in_words
from dractl.workflows.ranges.answers import Answered, WhyMatrix
from dractl.workflows.ranges.groups import grouped

__all__ = ["render"]


def render(matrix: WhyMatrix, style: Style, *, summary: bool = True) -> str:
    """Each answer below a line with its minors; without ``summary`` one line for each that waits."""
    return "\n".join(text_of(lines) for lines in _blocks(matrix, style, summary=summary))


def _blocks(matrix: WhyMatrix, style: Style, *, summary: bool) -> Iterator[Sequence[str]]:
    subjects = matrix.by_subject()
    is_long = len(subjects) == 1
    above = ""
    lines: list[str] = []
    for of_minor in subjects:
        texts = {
            minor: _text(found, style, summary=summary, is_long=is_long) for minor, found in of_minor.items()
        }
        for minors, text in grouped(texts, lambda text: text):
            heading = f"Kubernetes {in_words(minors)}"
            if not text:
                continue
            if heading != above:
                if lines:
                    yield lines
                lines = [style.paint("bold", heading)]
                above = heading
            elif summary:
                lines.append("")
            lines += text.removesuffix("\n").split("\n")
    if lines:
        yield lines


def _text(found: Answered, style: Style, *, summary: bool, is_long: bool) -> str:
    if found.why is not None:
        return why.render([found.why], style, summary=summary, is_long=is_long)
    if not summary:
        return ""
    return f"{style.paint('bold', brief(found.subject))}: {sentence(found.message)}"
