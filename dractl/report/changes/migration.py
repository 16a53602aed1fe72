"""A migration for people: each change once with its objects, what stays behind, and what is lost."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeVar

from dractl.api import release
from dractl.migrating.model import (
    CLAIMS,
    EXTENDED,
    RULE,
    VERSION,
    Migrated,
    Migration,
    Moved,
    Place,
)
from dractl.report.changes.facts import below, marked, object_at, object_name, some
from dractl.report.listing import capped, hanging
from dractl.report.style import Style, text_of
from dractl.report.text import counted

__all__ = ["render"]

_Entry = TypeVar("_Entry")
_Fact = TypeVar("_Fact")

_TITLES = {
    CLAIMS: "Device plugin requests to claims",
    EXTENDED: "Device plugin requests to extended resources",
    VERSION: "API versions",
    RULE: "Taint rules",
}


def render(migration: Migration, style: Style, *, summary: bool = True) -> str:
    """The sections that have something; with ``summary`` also what is in order, and the counts."""
    lines: list[str] = []
    if summary:
        lines.append(style.paint("bold", _heading(migration)))
    for title, body in _sections(migration, style, summary=summary):
        shown = [*capped(body)]
        if shown:
            lines += [*([""] if lines else []), style.paint("bold", title), *shown]
    if summary:
        lines += ["", *_ending(migration, style)]
    return text_of(lines)


def _heading(migration: Migration) -> str:
    objects = counted(migration.objects, "object")
    return f"Migration for Kubernetes {release.titled(migration.kube_version)}: {objects}"


def _sections(migration: Migration, style: Style, *, summary: bool) -> Iterator[tuple[str, Iterable[str]]]:
    found = migration.found
    if summary:
        for change, title in _TITLES.items():
            yield title, _migrated([entry for entry in found.migrated if entry.change == change], style)
    left = [(entry.reason, entry.action, entry.place) for entry in found.left]
    yield "Not migrated", _to_do(left, style, "error")
    lost = [(entry.message, entry.action, entry.place) for entry in found.lost]
    yield "Lost", _to_do(lost, style, "warning")
    yield f"Rejected by {release.titled(migration.kube_version)}", _rejected(migration, style)
    yield "Pending after the migration", _moved([move for move in migration.moved if move.is_lost], style)
    if summary:
        others = [move for move in migration.moved if not move.is_lost]
        yield "Placed otherwise after the migration", _moved(others, style)


def _migrated(entries: Sequence[Migrated], style: Style) -> Iterator[str]:
    for message, alike in _grouped(entries, lambda entry: entry.message):
        yield from marked(message, style, "mark")
        yield from below(_objects([(entry.place, entry.detail) for entry in alike]), style)


def _to_do(entries: Iterable[tuple[str, str, Place]], style: Style, color: str) -> Iterator[str]:
    """Facts with what to do about them, each with the objects that share it."""
    for (fact, action), alike in _grouped(entries, lambda entry: entry[:2]):
        yield from marked(fact, style, color)
        yield from below(_objects([(place, "") for _, _, place in alike]), style)
        if action:
            yield from below(f"to do: {action}", style)


def _rejected(migration: Migration, style: Style) -> Iterator[str]:
    for finding in migration.rejected:
        field = f"{finding.field}: " if finding.field else ""
        yield from marked(f"{field}{finding.message} [{finding.rule}]", style, "error")
        if finding.object is not None:
            yield from below(object_name(finding.object), style)


def _moved(moves: Sequence[Moved], style: Style) -> Iterator[str]:
    for (before, after, message), alike in _grouped(
        moves, lambda move: (move.before, move.after, move.message)
    ):
        pods = some([move.pod for move in alike])
        where = f"{pods} (before: {before or 'Pending'})"
        yield from marked(f"{where} gets {after}" if after else where, style, "warning" if after else "error")
        if message:
            yield from below(message, style)


def _grouped(
    entries: Iterable[_Entry], fact: Callable[[_Entry], _Fact]
) -> Iterable[tuple[_Fact, list[_Entry]]]:
    found: dict[_Fact, list[_Entry]] = {}
    for entry in entries:
        found.setdefault(fact(entry), []).append(entry)
    return found.items()


def _objects(entries: Iterable[tuple[Place, str]]) -> str:
    """The objects that share a fact, each with its place and its own part of it."""
    named: dict[str, None] = {}
    for where, detail in entries:
        named[object_at(where.object, where.location) + (f": {detail}" if detail else "")] = None
    return some([*named])


def _ending(migration: Migration, style: Style) -> Iterator[str]:
    for note in (*migration.notes, *(note for file in migration.files for note in file.notes)):
        yield from hanging("info: ", note, style)
    found = migration.found
    files = counted(len(migration.files), "file")
    if not migration.files:
        yield style.paint(
            "mark" if migration.ok else "error", "nothing to migrate" if migration.ok else "nothing migrated"
        )
    else:
        yield f"{counted(len(found.migrated), 'change')} in {files}; --diff prints them, --write makes them"
    problems = [
        f"{number:,} {one if number == 1 else many}"
        for number, one, many in (
            (len(found.left), "object not migrated", "objects not migrated"),
            (len(found.lost), "loss", "losses"),
            (len(migration.rejected), "rejection", "rejections"),
            (sum(move.is_lost for move in migration.moved), "Pending pod", "Pending pods"),
        )
        if number
    ]
    if problems:
        yield f"{style.paint('error', 'to do')}: {', '.join(problems)}"
