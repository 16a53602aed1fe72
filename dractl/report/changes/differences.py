"""A difference as facts: what happens, and to whom, so that many objects with one fact are one entry."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from dractl.api import release
from dractl.diffing.model import (
    ADDED,
    CHANGED,
    GONE,
    MOVED,
    PENDING,
    PLACED,
    REASON,
    REMOVED,
    AttributeChange,
    ClaimChange,
    Diff,
    Move,
    ObjectChange,
    Placed,
    SelectorChange,
)
from dractl.finding import Finding, Location, ObjectRef, Severity
from dractl.records import NamedTuple
from dractl.report.changes.facts import object_name
from dractl.report.text import counted

__all__ = ["BAD", "GOOD", "OTHER", "Fact", "Section", "heading", "headline", "sections"]

BAD, GOOD, OTHER = "error", "mark", "warning"
"""How a fact weighs; the names of colours."""


class Fact(NamedTuple):
    """What happens, to which objects, and further lines about it."""

    weight: str
    what: str
    whom: tuple[str, ...]
    more: tuple[str, ...] = ()


class Section(NamedTuple):
    """Facts of one kind; ``is_detail``: less important ones."""

    title: str
    facts: Sequence[Fact]
    is_detail: bool = False


def sections(diff: Diff) -> Iterator[Section]:
    """The sections that have facts, the worst first."""
    for section in _sections(diff):
        if section.facts:
            yield section


def _sections(diff: Diff) -> Iterator[Section]:
    by_change: dict[str, list[Move]] = {}
    for move in diff.placements:
        by_change.setdefault(move.change, []).append(move)
    errors = [found for found in diff.findings_begin if found.severity is Severity.ERROR]
    others = [found for found in diff.findings_begin if found.severity is not Severity.ERROR]
    yield Section("Errors that begin", _findings(errors, BAD))
    yield Section(
        "Allocations that become illegal", _claims([entry for entry in diff.claims if entry.begins], BAD)
    )
    yield Section("Pods that become Pending", _moves(by_change.get(PENDING, ()), BAD))
    yield Section("Selectors that select other devices", _selectors(diff.selectors))
    yield Section("Pods that stay Pending for another reason", _moves(by_change.get(REASON, ()), OTHER))
    yield Section("Pods with other nodes or devices", _moves(by_change.get(MOVED, ()), OTHER))
    yield Section("Warnings that begin", _findings(others, OTHER))
    yield Section("Pods that get their devices", _moves(by_change.get(PLACED, ()), GOOD), is_detail=True)
    yield Section("Pods that are gone", _moves(by_change.get(GONE, ()), OTHER), is_detail=True)
    legal = [entry for entry in diff.claims if not entry.begins]
    yield Section("Allocations that are legal again", _claims(legal, GOOD), is_detail=True)
    yield Section("Findings that end", _findings(diff.findings_end, GOOD), is_detail=True)
    yield Section("Objects", _objects(diff.objects), is_detail=True)


def _facts(weight: str, rows: Iterable[tuple[str, tuple[str, ...], str]]) -> list[Fact]:
    """Rows of what, further lines and whom, as one fact for those that agree in the first two."""
    grouped: dict[tuple[str, tuple[str, ...]], dict[str, None]] = {}
    for what, more, whom in rows:
        grouped.setdefault((what, more), {})[whom] = None
    return [Fact(weight, what, tuple(whom), more) for (what, more), whom in grouped.items()]


# Findings


_POSITION = re.compile(r"\[\d+\]")


def _findings(findings: Iterable[Finding], weight: str) -> list[Fact]:
    """Findings by rule and message, those with the same message for the same field together."""
    return _facts(weight, map(_finding, findings))


def _finding(found: Finding) -> tuple[str, tuple[str, ...], str]:
    field = f"{_general(found)}: " if found.field else ""
    hint = (f"hint: {found.hint}",) if found.hint else ()
    what = f"{found.severity.value}: {field}{found.message} [{found.rule}]"
    return what, hint, _with_place(_name(found.object), found.location)


def _general(found: Finding) -> str:
    """The field without positions; a template has those of its claims one level deeper."""
    field = _POSITION.sub("[*]", found.field)
    is_template = found.object is not None and found.object.kind == "ResourceClaimTemplate"
    return field.removeprefix("spec.") if is_template else field


def _name(item: ObjectRef | None) -> str:
    return "" if item is None else object_name(item)


def _with_place(name: str, location: Location | None) -> str:
    place = f"{location.file}:{location.line}" if location is not None and location.line else ""
    if not place:
        return name or (location.file if location is not None else "")
    return f"{name} ({place})" if name else place


# Allocations


def _claims(changes: Sequence[ClaimChange], weight: str) -> list[Fact]:
    return _facts(weight, map(_claim, changes))


def _claim(entry: ClaimChange) -> tuple[str, tuple[str, ...], str]:
    claims = ", ".join(entry.claims)
    whom = f"{claims} ({entry.device})" if claims and entry.device else claims or entry.device
    what = f"{entry.message} [{entry.rule}]"
    return what, tuple(map(_attribute, (_without_count(one) for one in entry.attributes))), whom


def _without_count(entry: AttributeChange) -> AttributeChange:
    return entry._replace(devices=0)


def _attribute(entry: AttributeChange) -> str:
    number = f" of {counted(entry.devices, 'device')}" if entry.devices else ""
    return f"{entry.attribute}{number}: {_values(entry.before)} → {_values(entry.after)}"


def _values(values: Iterable[str]) -> str:
    return ", ".join(value or "unset" for value in values)


# Pods


def _moves(moves: Iterable[Move], weight: str) -> list[Fact]:
    return _facts(weight, ((move.reason, (), _moved(move)) for move in moves))


def _moved(move: Move) -> str:
    subject = move.subject if move.is_pod else f"claim {move.subject}"
    if move.change == MOVED:
        return f"{subject}: {_where(move.before)} → {_where(move.after)}"
    placed = move.after if move.change == PLACED else move.before
    if move.change == REASON or placed is None or placed.category:
        return subject
    where = _where(placed)
    return f"{subject} on {where}" if move.change == PLACED else f"{subject} (was on {where})"


def _where(placed: Placed | None) -> str:
    if placed is None:
        return "nothing"
    devices = ", ".join(entry.rpartition("/")[2] for entry in placed.devices) or "no device"
    return f"{placed.node}: {devices}" if placed.node else devices


# Selectors


def _selectors(changes: Sequence[SelectorChange]) -> list[Fact]:
    """The selectors by what they selected and select, and by the values that decide."""
    rows: dict[str, list[tuple[str, tuple[str, ...], str]]] = {BAD: [], OTHER: [], GOOD: []}
    for entry in filter(_is_shown, changes):
        rows[_weight(entry)].append(_selector(entry))
    return [fact for weight, listed in rows.items() for fact in _facts(weight, listed)]


def _is_shown(entry: SelectorChange) -> bool:
    """Leave out selectors that were added or removed with their object, unless they select nothing."""
    if entry.after is None:
        return False
    return entry.before is not None or (entry.after.devices > 0 and not entry.after.selected)


def _weight(entry: SelectorChange) -> str:
    if entry.before is None or entry.after is None:
        return BAD
    if entry.before.selected and not entry.after.selected:
        return BAD
    return GOOD if not entry.lost else OTHER


def _selector(entry: SelectorChange) -> tuple[str, tuple[str, ...], str]:
    return _counts(entry), tuple(_details(entry)), _with_place(_selector_name(entry), entry.location)


def _selector_name(entry: SelectorChange) -> str:
    request = f"request {entry.request} of " if entry.request else ""
    return f"selector #{entry.number} of {request}{_name(entry.object)}"


def _counts(entry: SelectorChange) -> str:
    before, after = entry.before, entry.after
    if before is None or after is None:
        return "new, and selects none"
    if before.selected == after.selected:
        return f"selects {after.selected} as before, but {entry.gained} others"
    return f"selected {before.selected}, now {after.selected}"


def _details(entry: SelectorChange) -> Iterator[str]:
    if entry.before is None or entry.after is None:
        return
    if entry.expression != entry.old_expression:
        yield f"was: {entry.old_expression}"
        yield f"now: {entry.expression}"
    elif entry.attributes:
        yield entry.expression
    yield from map(_attribute, entry.attributes)
    if entry.vanished:
        yield f"{counted(entry.vanished, 'device')} not published anymore"
    failed = entry.after.failed - entry.before.failed
    if failed > 0:
        yield f"fails for {counted(failed, 'more device')}"


# Objects


_CHANGES = {ADDED: "added", REMOVED: "removed", CHANGED: "changed"}


def _objects(changes: Iterable[ObjectChange]) -> list[Fact]:
    return _facts(OTHER, map(_object, changes))


def _object(entry: ObjectChange) -> tuple[str, tuple[str, ...], str]:
    fields = ", ".join(field.field for field in entry.fields)
    what = f"{_CHANGES[entry.change]}: {fields}" if fields else _CHANGES[entry.change]
    return what, (), _with_place(_name(entry.object), entry.location)


# The headline


def heading(diff: Diff) -> str:
    """The inputs, the release, and how many objects there are."""
    objects = f"{diff.old_objects:,} → {_plural(diff.new_objects, 'object', 'objects')}"
    return f"{diff.old} → {diff.new}: {objects} (Kubernetes {release.titled(diff.kube_version)})"


def headline(diff: Diff, most: int | None = None) -> str:
    """What differs, counted, the worst first and of many kinds only ``most``; or that nothing differs."""
    parts = [_plural(number, *nouns) for number, nouns in _numbers(diff) if number]
    if most is not None and len(parts) > most:
        return f"{', '.join(parts[:most])} and more"
    return ", ".join(parts) or "nothing differs"


_Nouns = tuple[str, str]


def _numbers(diff: Diff) -> Iterator[tuple[int, _Nouns]]:
    """How many of each kind of change there are, with what they are called."""
    moved = Counter(move.change for move in diff.placements)
    errors = sum(found.severity is Severity.ERROR for found in diff.findings_begin)
    yield errors, ("new error", "new errors")
    illegal = {claim for entry in diff.claims if entry.begins for claim in entry.claims}
    yield len(illegal), ("claim with an illegal allocation", "claims with illegal allocations")
    yield moved[PENDING], ("pod becomes Pending", "pods become Pending")
    shown = sum(map(_is_shown, diff.selectors))
    yield shown, ("selector selects other devices", "selectors select other devices")
    yield moved[MOVED], ("pod moves", "pods move")
    yield len(diff.findings_begin) - errors, ("new warning", "new warnings")
    yield moved[PLACED], ("pod gets its devices", "pods get their devices")
    yield moved[GONE], ("pod is gone", "pods are gone")
    yield len(diff.findings_end), ("finding ends", "findings end")
    yield len(diff.objects), ("object differs", "objects differ")


def _plural(number: int, one: str, many: str) -> str:
    return f"{number:,} {one if number == 1 else many}"
