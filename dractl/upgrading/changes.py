"""Verdicts about each object compared: what the later server refuses, drops or warns about, since when."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from dractl.api.gates import GateSet
from dractl.finding import Finding, Location
from dractl.lint.base import placing
from dractl.records import NamedTuple
from dractl.upgrading.model import Change
from dractl.upgrading.releases import shown
from dractl.upgrading.subjects import Subject, best_version, losses_of
from dractl.upgrading.verdicts import CREATE, RECREATE, SWITCHED_ON, Answer, Verdict
from dractl.versions.registry import DRA_GROUP, look_up

__all__ = ["Changes", "Step", "changes_of"]


class Step(NamedTuple):
    """A server on the way, with its verdict on each object in their order."""

    gates: GateSet
    verdicts: Sequence[Verdict]


class Changes(NamedTuple):
    """What changes between the first and the last step of an upgrade.

    ``recreate`` is about stored objects that are accepted as they are, and rejected as new ones. ``outdated``
    are the numbers of the objects in ``unserved``. Objects that the first server refuses are
    only counted: ``refused_before`` if the last one takes them, else ``refused_always``.
    """

    refused: tuple[Change, ...]
    unserved: tuple[Change, ...]
    dropped: tuple[Change, ...]
    warned: tuple[Change, ...]
    recreate: tuple[Change, ...]
    outdated: tuple[int, ...]
    refused_before: int
    refused_always: int


def changes_of(subjects: Sequence[Subject], steps: Sequence[Step]) -> Changes:
    """The changes between the first and the last of ``steps``, each with its first step."""
    first, last = steps[0], steps[-1]
    refused: list[Change] = []
    unserved: list[Change] = []
    dropped: list[Change] = []
    warned: list[Change] = []
    recreate: list[Change] = []
    outdated: list[int] = []
    before_only = always = 0
    for number, subject in enumerate(subjects):
        before, after = first.verdicts[number], last.verdicts[number]
        change = _unserved(subject, number, steps)
        if change is not None:
            unserved.append(change)
            outdated.append(number)
        if not before.accepted:
            always += not after.accepted
            before_only += after.accepted
            continue
        for answer in after.answers or ():
            earlier = before.answer(answer.operation)
            if answer.operation == RECREATE:
                fresh = _fresh(answer.errors, earlier.errors) if after.accepted else []
                recreate += _changes(number, steps, answer, fresh, _errors)
                continue
            if answer.errors:
                refused += _changes(number, steps, answer, answer.errors, _errors)
                continue
            known = _fields(earlier.dropped)
            fresh = [found for found in answer.dropped if not _fields([found]) <= known]
            dropped += _changes(number, steps, answer, fresh, _dropped)
            warned += _changes(number, steps, answer, _fresh(answer.warned, earlier.warned), _warned)
    moved_on = {change.location for change in unserved}
    kept = (change for change in warned if change.field != "apiVersion" or change.location not in moved_on)
    return Changes(
        tuple(_once(refused)),
        tuple(unserved),
        tuple(_once(dropped)),
        tuple(kept),
        tuple(recreate),
        tuple(outdated),
        before_only,
        always,
    )


def _errors(answer: Answer) -> Sequence[Finding]:
    return answer.errors


def _dropped(answer: Answer) -> Sequence[Finding]:
    return answer.dropped


def _warned(answer: Answer) -> Sequence[Finding]:
    return answer.warned


def _fields(findings: Iterable[Finding]) -> set[str]:
    return {field for found in findings for field in (found.field, *found.related)}


def _fresh(findings: Sequence[Finding], known: Sequence[Finding]) -> list[Finding]:
    """Those that are not among the ``known`` ones; a field may be written otherwise in another version."""
    seen = [found.rule for found in known]
    fresh = []
    for found in findings:
        if found.rule in seen:
            seen.remove(found.rule)
        else:
            fresh.append(found)
    return fresh


Part = Callable[[Answer], Sequence[Finding]]


def _changes(
    number: int, steps: Sequence[Step], answer: Answer, findings: Iterable[Finding], part: Part
) -> Iterator[Change]:
    for found in findings:

        def has_it(verdict: Verdict, found: Finding = found) -> bool:
            return any(other.rule == found.rule for other in part(verdict.answer(answer.operation)))

        yield _change(found, answer.operation, _since(number, steps, has_it))


def _change(found: Finding, operation: str, since: str) -> Change:
    return Change(
        found.object,
        found.field,
        found.location or Location("", 0, 0, ""),
        found.rule,
        found.message,
        since,
        found.hint,
        operation,
        found.related,
    )


def _since(number: int, steps: Sequence[Step], holds: Callable[[Verdict], bool]) -> str:
    """The first step from which on something holds of the verdict on an object."""
    return _first(steps, lambda step: holds(step.verdicts[number]))


def _first(steps: Sequence[Step], holds: Callable[[Step], bool]) -> str:
    """The first step from which on something holds up to the last one."""
    since = steps[-1]
    for step in reversed(steps[1:-1]):
        if not holds(step):
            break
        since = step
    return shown(since.gates.minor)


def _once(changes: Iterable[Change]) -> Iterator[Change]:
    """Each change once, although an update and a status update both make it."""
    seen = set()
    for change in changes:
        key = change._replace(operation="")
        if key not in seen:
            seen.add(key)
            yield change


def _unserved(subject: Subject, number: int, steps: Sequence[Step]) -> Change | None:
    """That the object has to be written in another version, which it had not before."""
    first, last = steps[0], steps[-1]
    before, after = first.verdicts[number].unserved, last.verdicts[number].unserved
    if before is not None or not first.verdicts[number].answers:
        return None
    if after is not None:
        change = _change(after, CREATE, _since(number, steps, lambda verdict: verdict.unserved is not None))
        return change._replace(action=_to_do(subject, last.gates, change.action))
    if _must_switch_on(subject, first.gates) or not _must_switch_on(subject, last.gates):
        return None
    since = _first(steps, lambda step: _must_switch_on(subject, step.gates))
    return _switched_on(subject, last.gates, since)


def _must_switch_on(subject: Subject, gates: GateSet) -> bool:
    """Whether a server serves the object only when enabled, because another version is the default."""
    kind = look_up(gates.minor, subject.document.value).kind
    there = best_version(gates.minor, subject.kind)
    is_ours = kind is not None and kind.group == DRA_GROUP
    return bool(is_ours and there and there.served_by_default and kind and not kind.served_by_default)


def _switched_on(subject: Subject, gates: GateSet, since: str) -> Change:
    document = subject.document
    there = best_version(gates.minor, subject.kind)
    api_version = document.value["apiVersion"]
    return Change(
        placing.object_ref(document),
        "apiVersion",
        placing.location(document, ("apiVersion",)),
        SWITCHED_ON,
        f"a {gates.minor} server serves {api_version} only if it is switched on with --runtime-config",
        since,
        _to_do(subject, gates, f"use apiVersion: {there.api_version}" if there else ""),
        CREATE,
    )


def _to_do(subject: Subject, gates: GateSet, advice: str) -> str:
    """The advice, with the fields that the other version does not have."""
    lost = losses_of(subject, gates.minor)
    return f"{advice}, which has no {' or '.join(lost)}" if lost and advice else advice
