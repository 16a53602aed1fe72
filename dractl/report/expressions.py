"""CEL expressions as text: verdicts, cost, and the result for each device."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import takewhile

from dractl.cel.common.format_value import shown
from dractl.cel.compile import MAX_COST, CelError, Selector
from dractl.cel.interpreter.explain import Part
from dractl.report.listing import Cell, Painted, listing
from dractl.report.style import Style, sentence, text_of
from dractl.report.text import counted, excerpt_lines
from dractl.workflows.cel import Answer, Examined

__all__ = ["render"]

_WHO = {"new": "API server (new)", "stored": "scheduler (stored)", "prototype": "prototype"}
_BOTH = "API server and scheduler: "
_ARROW = " → "
_SHORTEST = 30
"""The minimum width of a shown sub-expression."""

_WIDEST = len(_WHO["stored"]) + 1


def render(examined: Examined, style: Style, *, named: bool = False, quiet: bool = False) -> str:
    """The verdicts, then a row a device and a line that counts; with ``named`` below the expression itself.

    With ``quiet`` only the verdicts that refuse.
    """
    verdicts = list(_verdicts(examined, style, quiet=quiet))
    parts: list[Sequence[str]] = []
    if verdicts:
        parts.append([*([style.paint("bold", sentence(examined.expression))] if named else ()), *verdicts])
    if examined.answers and not quiet:
        parts.append(list(_answers(examined.answers, style)))
        parts.append(list(_failures(examined, style)))
        parts.append(list(_counts(examined.answers, style)))
    return "\n".join(text_of(lines) for lines in parts if lines)


def _verdicts(examined: Examined, style: Style, *, quiet: bool) -> Iterator[str]:
    first, *others = examined.verdicts
    if others and first.error is not None and others[0].error == first.error:
        yield from _refusal(_BOTH, examined.expression, first.error, style)
        return
    for verdict in examined.verdicts:
        who = f"{_WHO[verdict.environment]}:"
        who = f"{who} " if verdict.dialect else who.ljust(_WIDEST + 1)
        if verdict.error is not None:
            yield from _refusal(who, examined.expression, verdict.error, style)
        elif verdict.dialect and not quiet:
            yield f"{who}{style.paint('mark', 'accepted')} in {verdict.dialect}"
        elif verdict.selector is not None and not quiet:
            yield who + _taken(verdict.environment, verdict.selector, style)


def _refusal(who: str, expression: str, error: CelError, style: Style) -> Iterator[str]:
    yield f"{who}{style.paint('error', 'error:')} {sentence(error.message)}"
    if error.offset is not None:
        yield from _marked(expression, error.offset, style)


def _taken(environment: str, selector: Selector, style: Style) -> str:
    accepted = style.paint("mark", "accepted" if environment == "new" else "compiles")
    cost = selector.max_cost or 0
    above = "; evaluation stops at the limit" if cost > MAX_COST else ""
    return f"{accepted}; type {selector.output_type}, cost at most {cost:,} of {MAX_COST:,}{above}"


def _marked(expression: str, offset: int, style: Style) -> Iterator[str]:
    """The line of the expression with a mark under the character at ``offset``."""
    before = expression[:offset]
    start = before.rfind("\n") + 1
    line = expression[start:].partition("\n")[0]
    yield from excerpt_lines(line, offset - start + 1, style)


def _answers(answers: Sequence[Answer], style: Style) -> Iterator[str]:
    is_compared = any(answer.opinion is not None for answer in answers)
    headings = ["DEVICE", "RESULT", *(["CELPY"] if is_compared else ()), ""]
    head, *rows = listing(headings, [_row(answer, is_compared=is_compared) for answer in answers], style)
    yield head
    for answer, row in zip(answers, rows, strict=True):
        yield row
        if answer.cost is not None:
            yield from _explained(answer, style)


def _row(answer: Answer, *, is_compared: bool) -> list[Cell]:
    cells: list[Cell] = [str(answer.device.id), _result(answer.result)]
    if is_compared:
        word = _opinion(answer.opinion)
        cells.append(Painted(word, "warning") if answer.is_disputed else word)
    return [*cells, ""]


def _result(result: bool | CelError) -> Cell:
    if isinstance(result, CelError):
        return Painted(_word(result), "error")
    return Painted("true", "mark") if result else "false"


def _word(error: CelError) -> str:
    """``fails`` as in the scheduler; ``unknown`` if dractl reached a limit of its own."""
    return "unknown" if error.kind == "budget" else "fails"


def _opinion(opinion: bool | str | None) -> str:
    return "fails" if isinstance(opinion, str) else str(opinion).lower()


def _explained(answer: Answer, style: Style) -> Iterator[str]:
    for number, part in enumerate(answer.parts):
        indent = "  " * (part.depth + 1)
        values = _values(part, _failures_below(answer.parts, number))
        text = _cut(sentence(part.text), len(indent) + len(values) + len(_ARROW), style)
        yield f"{indent}{style.paint('faint', text)}{_ARROW}{values}"
    yield f"  cost: {answer.cost:,}"


def _cut(text: str, taken: int, style: Style) -> str:
    """``text``, cut to fit on a line of which ``taken`` columns are taken."""
    room = len(text) if style.width is None else max(style.width - taken, _SHORTEST)
    return text if len(text) <= room else text[: room - 1] + "…"


def _failures_below(parts: Sequence[Part], number: int) -> set[CelError]:
    """The failures that parts of a part tell already."""
    below = takewhile(lambda part: part.depth > parts[number].depth, parts[number + 1 :])
    return {value for part in below for value in part.values if isinstance(value, CelError)}


def _values(part: Part, told_below: set[CelError]) -> str:
    if not part.times:
        return "not evaluated"
    shown = ", ".join(_value(value, told_below) for value in part.values)
    more = f", … ({part.times} times)" if part.times > len(part.values) else ""
    return shown + more


def _value(value: object, told_below: set[CelError]) -> str:
    if not isinstance(value, CelError):
        return sentence(shown(value))
    return "fails" if value in told_below else f"fails: {sentence(value.message)}"


def _failures(examined: Examined, style: Style) -> Iterator[str]:
    """Each distinct failure once, with its place in the expression; then the result of the other engine."""
    failures = Counter(answer.result for answer in examined.answers if isinstance(answer.result, CelError))
    for error, number in failures.items():
        word = style.paint("error", _word(error))
        yield f"{word} for {counted(number, 'device')}: {sentence(error.message)}"
        if error.offset is not None:
            yield from _marked(examined.expression, error.offset, style)
    said = Counter(answer.opinion for answer in examined.answers if isinstance(answer.opinion, str))
    for opinion, number in said.items():
        yield f"{style.paint('warning', 'celpy')} for {counted(number, 'device')}: {sentence(opinion)}"


def _counts(answers: Sequence[Answer], style: Style) -> Iterator[str]:
    matching = sum(1 for answer in answers if answer.result is True)
    words = Counter(_word(answer.result) for answer in answers if isinstance(answer.result, CelError))
    failing, unknown = words["fails"], words["unknown"]
    selected = style.paint(
        "mark" if matching else "warning", f"{matching} of {counted(len(answers), 'device')}"
    )
    stops = f"; fails for {counted(failing, 'device')}, which keeps the pod Pending" if failing else ""
    unknowns = f"; unknown for {counted(unknown, 'device')}" if unknown else ""
    yield f"selects {selected}{stops}{unknowns}"
    if any(answer.opinion is not None for answer in answers):
        disputed = sum(1 for answer in answers if answer.is_disputed)
        yield f"celpy disagrees for {counted(disputed, 'device')}"
