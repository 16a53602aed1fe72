"""What is wrong with a document that does not decode: one finding per mistake, not one per field."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from typing import Any

from dractl.admission.framework.server import Admission
from dractl.api.errors import ErrorType, FieldError
from dractl.api.path import Steps
from dractl.finding import Finding, Fix
from dractl.lint.base import placing
from dractl.lint.decode_errors.field_places import field_at, fields_of
from dractl.lint.decode_errors.rules import CASE, LIST
from dractl.lint.decode_errors.unknown_fields import Explanation, Unknown, mistake_behind
from dractl.lint.decode_errors.wrong_types import mistake_in
from dractl.lint.fixes.decode_fixes import Mistake, duplicate_fix, mistakes_fix
from dractl.lint.fixes.repair import repaired
from dractl.records import NamedTuple
from dractl.source.document import Document
from dractl.versions.decode import DecodeProblem
from dractl.versions.layout import steps_in_version
from dractl.versions.table import Kind, tables

__all__ = ["Judge", "explained"]

Judge = Callable[[object], Admission]
"""What a server makes of other content of the same document."""


class _Explained(NamedTuple):
    """A problem of decoding with the mistake behind it; None without an explanation.

    The server does not see one that ``is_hidden`` under another one.
    """

    problem: DecodeProblem
    explanation: Explanation | None
    is_hidden: bool = False


_MAX_REPAIRS = 1000
"""With more unreadable values than that, the rest is not reported."""

_Key = tuple[str, ErrorType, str]


def _key(error: FieldError) -> _Key:
    """What makes two errors of two readings the same."""
    return error.rule, error.type, str(error.path)


def explained(
    document: Document, admission: Admission, judge: Judge, *, is_lenient: bool = False
) -> list[Finding]:
    """The findings about ``document``, which ``admission`` could not decode.

    Fields that are wrong for one reason are one finding; the others are its ``related``. What a server that
    ignores unknown fields would say next follows, and what merely follows from a mistake names it as its
    ``cause``. Where a value cannot be read at all such a server says nothing; then the findings are those
    about the document without that value, as far as its absence does not touch them.

    ``is_lenient`` is for a server that drops unknown fields and goes on: what follows is refused then, and
    names the dropped field that it follows from.
    """
    problems = [
        _Explained(problem, _mistake(document.value, admission, problem)) for problem in admission.problems
    ]
    problems += _hidden(document.value, problems, judge)
    findings = [_finding(document, group) for group in _grouped(problems)]
    reading = _readable(document.value, admission, problems, judge)
    if reading is None:
        return findings
    unknown = [problem.steps for problem in admission.problems if problem.kind == "unknown"]
    mended = {
        entry.problem.steps for entry in problems if entry.problem.kind == "fatal" and entry.explanation
    }
    followers = dict(_followers(reading, problems, judge))
    goes_on = is_lenient and not mended and not reading.removed
    for error in reading.admission.errors:
        steps = _steps(admission.kind, error)
        if any(_touches(steps, place) for place in reading.removed):
            continue
        cause, dropped = followers.get(_key(error), ("", None))
        if goes_on:
            dropped = dropped or _dropped_beside(steps, error, unknown)
            found = placing.of_error(
                document, admission.kind, error, after_decode=False, unknown=unknown, dropped_field=dropped
            )
            findings.append(found)
            continue
        # What follows from a mistake that is explained is not a newer version's.
        strange = None if cause or any(steps[: len(place)] == place for place in mended) else unknown
        found = placing.of_error(document, admission.kind, error, after_decode=True, unknown=strange)
        findings.append(found._replace(cause=cause))
    return findings


def _hidden(value: object, problems: list[_Explained], judge: Judge) -> list[_Explained]:
    """Keys in another case under keys in another case, which the server does not look into."""
    found: list[_Explained] = []
    places: dict[Steps, Steps] = {}
    new = [entry for entry in problems if _is_spelling(entry.explanation)]
    while new:
        repairs = [
            entry.explanation.repair for entry in new if entry.explanation and entry.explanation.repair
        ]
        value = repaired(value, repairs)
        for repair in repairs:
            if repair.target is not None:
                places[repair.target] = _written(repair.source, places)
        admission = judge(value)
        known = {entry.problem.steps for entry in (*problems, *found)}
        new = []
        for problem in admission.problems:
            written = problem._replace(steps=_written(problem.steps, places))
            explanation = _mistake(value, admission, problem) if written.steps not in known else None
            if written.steps != problem.steps and _is_spelling(explanation):
                new.append(_Explained(written, explanation, is_hidden=True))
        found += new
    return found


def _is_spelling(explanation: Explanation | None) -> bool:
    return explanation is not None and explanation.rule == CASE.id


def _written(steps: Steps, places: dict[Steps, Steps]) -> Steps:
    """Where the file has the value at ``steps`` once keys are mended; ``places`` are those of such keys."""
    for depth in range(len(steps), 0, -1):
        if steps[:depth] in places:
            return (*places[steps[:depth]], *steps[depth:])
    return steps


def _mistake(value: object, admission: Admission, problem: DecodeProblem) -> Explanation | None:
    source, kind, steps = tables(admission.minor), admission.kind, problem.steps
    found = _at(value, steps)
    if problem.kind == "fatal":
        expected = field_at(source, kind, steps)
        return None if expected is None or not steps else mistake_in(source, expected, steps, found)
    holder_type = field_at(source, kind, steps[:-1])
    holder = _at(value, steps[:-1])
    if problem.kind != "unknown" or holder_type is None or not isinstance(holder, dict):
        return None
    companions = frozenset(str(other.steps[-1]) for other in admission.problems if other.kind == "unknown")
    fields = fields_of(source, holder_type)
    return mistake_behind(
        Unknown(source, kind, steps, found, holder, holder_type.ref, fields, companions)
    )  # fmt: skip


def _at(value: Any, steps: Steps) -> object:
    for step in steps:
        value = value[step]
    return value


class _Reading(NamedTuple):
    """The document without what cannot be read at all, with the places that were left out for that."""

    value: object
    admission: Admission
    removed: list[Steps]


def _readable(
    value: object, admission: Admission, problems: list[_Explained], judge: Judge
) -> _Reading | None:
    """The reading whose errors are told; None if missing."""
    fatal = [entry.explanation for entry in problems if entry.problem.kind == "fatal"]
    if not fatal:
        return _Reading(value, admission, [])
    repairs = [
        explanation.repair
        for explanation in fatal
        if explanation is not None and explanation.repair is not None
    ]
    if len(repairs) < len(fatal) or len(repairs) > _MAX_REPAIRS:
        return None
    mended = repaired(value, repairs)
    again = judge(mended)
    if any(problem.kind == "fatal" for problem in again.problems):
        return None
    return _Reading(mended, again, [repair.source for repair in repairs if repair.target is None])


def _touches(steps: Steps, place: Steps) -> bool:
    """Whether an error at ``steps`` may be there only because the value at ``place`` is missing."""
    if steps == place[:-1]:
        return True
    shared = min(len(steps), len(place))
    return len(steps) >= len(place) and steps[:shared] == place[:shared]


def _grouped(problems: list[_Explained]) -> list[list[_Explained]]:
    """Problems with the mistakes behind them, those of one mistake together, in the order of the first."""
    groups: dict[Hashable, list[_Explained]] = {}
    for position, entry in enumerate(problems):
        explanation = entry.explanation
        key: Hashable = (
            position
            if explanation is None or not explanation.message
            else (explanation.rule, explanation.topic)
        )
        groups.setdefault(key, []).append(entry)
    return list(groups.values())


def _finding(document: Document, group: list[_Explained]) -> Finding:
    problem, explanation, _ = group[0]
    found = placing.of_problem(document, problem)._replace(fix=_fix(document, group))
    if explanation is None or not explanation.message:
        return found
    hints = dict.fromkeys(
        entry.explanation.hint for entry in group if entry.explanation and entry.explanation.hint
    )
    shown = [*hints][:4]
    more = f"; and {len(hints) - 4} more like this" if len(hints) > 4 else ""
    message = explanation.message
    if problem.kind == "fatal":
        message = f"{problem.path}: {message}"
        if explanation.rule == LIST.id and _is_in_braces(document, problem.steps):
            shown = [f"put brackets around the braces: `{problem.steps[-1]}: [{{...}}]`"]
    return found._replace(
        rule=explanation.rule,
        detail=found.detail if explanation.rule == found.rule else "",
        message=message,
        hint="; ".join(shown) + more,
        related=tuple(dict.fromkeys(entry.problem.path for entry in group[1:] if not entry.is_hidden)),
    )


def _fix(document: Document, group: list[_Explained]) -> Fix | None:
    problem, explanation, _ = group[0]
    if problem.kind == "duplicate":
        return duplicate_fix(document, problem.steps)
    if explanation is None:
        return None
    mistakes = [
        _as_mistake(entry.problem, entry.explanation) for entry in group if entry.explanation is not None
    ]
    return mistakes_fix(document, explanation.rule, mistakes)


def _as_mistake(problem: DecodeProblem, explanation: Explanation) -> Mistake:
    repair = explanation.repair
    if repair is not None and repair.target is None and not explanation.may_go:
        repair = None
    return Mistake(problem.steps, repair, explanation.meant, explanation.is_sure)


def _is_in_braces(document: Document, steps: Steps) -> bool:
    line, column = document.locate_value(steps) or (0, 1)
    written = document.source_line(line)[column - 1 :]
    return written.startswith("{") and not written.startswith("{}")


def _dropped_beside(steps: Steps, error: FieldError, unknown: list[Steps]) -> Steps | None:
    """The unknown field next to what is missing; without it the object says less than its author wrote."""
    if not _is_lack(error):
        return None
    holders = (steps, steps[:-1])
    return next((place for place in unknown if place[:-1] in holders), None)


def _followers(
    reading: _Reading, problems: list[_Explained], judge: Judge
) -> Iterator[tuple[_Key, tuple[str, Steps]]]:
    """The errors that merely follow from a mistake, by their key, with its rule and its place."""
    if not reading.admission.errors:
        return
    known = [
        (entry.problem, entry.explanation)
        for entry in problems
        if entry.explanation is not None and entry.problem.kind == "unknown"
    ]
    repairs = [explanation.repair for _, explanation in known if explanation.repair is not None]
    mended = {_key(error) for error in judge(repaired(reading.value, repairs)).errors} if repairs else None
    for error in reading.admission.errors:
        is_gone = mended is not None and _key(error) not in mended
        if not is_gone and not _is_lack(error):
            continue
        steps = _steps(reading.admission.kind, error)
        cause = _nearest_cause(steps, known)
        if cause is None:
            continue
        if is_gone or cause[1].is_whole or cause[0].steps[:-1] == steps:
            yield _key(error), (cause[1].rule, cause[0].steps)


def _is_lack(error: FieldError) -> bool:
    """Whether something is missing, and nothing present is wrong."""
    return error.type is ErrorType.REQUIRED or error.rule.endswith("-none") or error.bad_value in ("", 0)


def _nearest_cause(
    steps: Steps, known: list[tuple[DecodeProblem, Explanation]]
) -> tuple[DecodeProblem, Explanation] | None:
    """The mistake that is nearest to an error."""

    def shared(entry: tuple[DecodeProblem, Explanation]) -> int:
        pairs = [ours == theirs for ours, theirs in zip(steps, entry[0].steps, strict=False)]
        return pairs.index(False) if False in pairs else len(pairs)

    return max(known, key=shared, default=None)


def _steps(kind: Kind, error: FieldError) -> Steps:
    return steps_in_version(kind.api_version, kind.kind, (error.place or error.path).steps())
