"""From one version of ``resource.k8s.io`` to another: what changes in a document, and what would be lost.

An API server converts by way of its internal type. So does this: the document and what would become of it
are both read into the internal shape, and what only the first of the two says is what would be lost.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator
from math import inf
from typing import Any, cast

from dractl.api import release
from dractl.api.edits import Box, Drop, Edit, Enclose, Replace, Unbox, Unfold, apply, copied
from dractl.api.json_types import JsonDict
from dractl.api.path import Steps
from dractl.api.release import Minor
from dractl.records import NamedTuple
from dractl.versions.decode import Decoded, decode
from dractl.versions.layout import (
    BARE,
    Move,
    misplaced_in,
    moves_of,
    steps_in_internal,
    steps_in_version,
    to_internal,
    wraps_of,
)
from dractl.versions.table import Kind, tables

__all__ = ["Conversion", "Loss", "Versioned", "convert", "known_part", "newest", "reading_of"]


class Versioned(NamedTuple):
    """A kind in one API version, as one minor has it."""

    minor: Minor
    kind: Kind

    def __str__(self) -> str:
        return f"{self.kind.api_version} of Kubernetes {self.minor}"


class Loss(NamedTuple):
    """What the other version cannot say: where it is in the document, and why."""

    steps: Steps
    reason: str


class Conversion(NamedTuple):
    """What becomes of a document: its new value, the changes that lead there, and what they lose.

    ``value`` is None if the document cannot be read; the losses say why then.
    """

    value: dict[str, Any] | None
    edits: tuple[Edit, ...]
    losses: tuple[Loss, ...]


def newest(api_version: str, kind: str) -> Versioned | None:
    """The kind as the newest minor that has it in ``api_version`` knows it; None if no minor does."""
    return next(_homes(api_version, kind), None)


def _homes(api_version: str, kind: str) -> Iterator[Versioned]:
    for minor in release.NEWEST_FIRST:
        found = tables(minor).kinds.get((api_version, kind))
        if found is not None:
            yield Versioned(minor, found)


def reading_of(document: JsonDict, *, now: str) -> Versioned | None:
    """The minor whose reading of ``document`` knows the most of its fields, the newest of several.

    None if no minor has its kind. A version may have lost fields on its way, as v1alpha3 did after 1.31.
    """
    best: tuple[int, Versioned] | None = None
    for home in _homes(str(document.get("apiVersion")), str(document.get("kind"))):
        problems = len(decode(home.minor, home.kind, document, now=now).problems)
        if not problems:
            return home
        if best is None or problems < best[0]:
            best = problems, home
    return None if best is None else best[1]


def known_part(document: JsonDict) -> Conversion:
    """What the minors that have the kind of ``document`` know of it; the losses are fields that none has.

    The value is None if they cannot read it, or if there is no such minor.
    """
    home = reading_of(document, now="")
    if home is None:
        return Conversion(None, (), (Loss((), "no Kubernetes minor has this kind in this version"),))
    problems = decode(home.minor, home.kind, document, now="", most_problems=inf).problems
    fatal = tuple(Loss(found.steps, found.message) for found in problems if found.kind == "fatal")
    if fatal:
        return Conversion(None, (), fatal)
    edits = tuple(Drop(found.steps) for found in problems if found.kind == "unknown")
    value = copy.deepcopy(document)
    apply(value, edits)
    return Conversion(value, edits, tuple(Loss(drop.steps, _unknown(home, drop.steps)) for drop in edits))


def convert(document: JsonDict, source: Versioned, target: Versioned, *, now: str) -> Conversion:
    """``document``, read as ``source``, in the shape of ``target``; the document itself is left as it is.

    Both must be versions of one kind that share the internal shape. The value is what was written: defaults
    are not filled in, and a field keeps its form. ``now`` is the time that a taint without one has.
    """
    decoded = decode(source.minor, source.kind, document, now=now, most_problems=inf)
    if decoded.is_fatal:
        fatal = [problem for problem in decoded.problems if problem.kind == "fatal"]
        return Conversion(None, (), tuple(Loss(problem.steps, problem.message) for problem in fatal))
    task = _Task(document, source, target, now, _internal(source, decoded))
    losses = [Loss(problem.steps, _unknown(source, problem.steps)) for problem in decoded.problems]
    drops: list[Edit] = [Drop(problem.steps) for problem in decoded.problems if problem.kind == "unknown"]
    unread = {drop.steps for drop in drops}
    trial = task.trial(drops)
    for steps in task.without_place(trial):
        losses.append(Loss(steps, f"{target} has no such field"))
        drops.append(Drop(steps))
    after = task.trial(drops) if len(drops) > len(unread) else trial
    extra = [steps for steps in task.appearing(after) if steps not in unread]
    if extra:
        drops += [Drop(steps) for steps in extra]
        after = task.trial(drops)
    losses += [Loss(problem.steps, problem.message) for problem in after.decoded.problems]
    losses += task.without_wrapper(after)
    known = [loss.steps for loss in losses]
    for steps, was in _only_in_first(task.internal, after.internal, ()):
        place = steps_in_version(source.kind.api_version, source.kind.kind, steps)
        is_reported = any(place[: len(reported)] == reported for reported in known)
        if not is_reported and _is_written(document, place):
            losses.append(Loss(place, _nowhere(target, was)))
    return Conversion(after.value, after.edits, tuple(losses))


class _Trial(NamedTuple):
    """A document after some changes, and how the target reads it."""

    value: JsonDict
    edits: tuple[Edit, ...]
    decoded: Decoded
    internal: JsonDict


class _Task(NamedTuple):
    """One conversion."""

    document: JsonDict
    source: Versioned
    target: Versioned
    now: str
    internal: JsonDict

    def trial(self, drops: list[Edit]) -> _Trial:
        """Drop what ``drops`` name, and move the rest to where the target has it."""
        gone = {drop.steps for drop in drops}
        edits = (*drops, *_edits(self, gone))
        value = copied(self.document)
        apply(value, edits)
        decoded = decode(self.target.minor, self.target.kind, value, now=self.now, most_problems=inf)
        return _Trial(value, edits, decoded, _internal(self.target, decoded))

    def without_place(self, trial: _Trial) -> Iterator[Steps]:
        """Where fields are in the document that the target does not know."""
        for problem in trial.decoded.problems:
            if problem.kind == "unknown":
                yield self._in_source(problem.steps)

    def appearing(self, trial: _Trial) -> Iterator[Steps]:
        """Where the document has something that means nothing in it, and would mean something then.

        An empty text is not a node name in v1beta1, and an invalid one in v1.
        """
        for steps, _ in _only_in_first(trial.internal, self.internal, ()):
            place = steps_in_version(self.source.kind.api_version, self.source.kind.kind, steps)
            if _is_written(self.document, place, null=True):
                yield place

    def without_wrapper(self, trial: _Trial) -> Iterator[Loss]:
        """Objects in which nothing is set, where the target has only their fields."""
        kind = self.target.kind
        for move in moves_of(kind.api_version, kind.kind):
            for position, item in enumerate(_items(self.internal, move.items)):
                if not move.in_version and move.wrapper in item:
                    twin = _items(trial.internal, move.items)[position]
                    steps: Steps = (*move.items, position, move.wrapper)
                    if move.wrapper not in twin and _is_written(self.document, steps):
                        yield Loss(
                            steps,
                            f"{self.target} cannot distinguish it from an unset value while it is empty",
                        )

    def _in_source(self, steps: Steps) -> Steps:
        kind = self.target.kind
        internal = steps_in_internal(kind.api_version, kind.kind, steps)
        return steps_in_version(self.source.kind.api_version, self.source.kind.kind, internal)


def _internal(version: Versioned, decoded: Decoded) -> JsonDict:
    kind = version.kind
    value = to_internal(kind.api_version, kind.kind, decoded.value)
    for name in ("apiVersion", "kind"):
        value.pop(name, None)
    for move in moves_of(kind.api_version, kind.kind):
        for item in _items(value, move.items):
            item.pop(BARE, None)
    return value


def _items(value: object, names: tuple[str, ...]) -> list[dict[str, Any]]:
    for name in names:
        value = value.get(name) if isinstance(value, dict) else None
    return value if isinstance(value, list) else []


def _edits(task: _Task, gone: set[Steps]) -> Iterator[Edit]:
    """What moves: first what the source has elsewhere than the internal shape, then what the target has."""
    document, source, target = task.document, task.source.kind, task.target.kind
    if document.get("apiVersion") != target.api_version:
        yield Replace(("apiVersion",), target.api_version)
    here, there = (moves_of(kind.api_version, kind.kind) for kind in (source, target))
    yield from _boxes(document, source, target)
    for move in here:
        if move not in there:
            for position, item in enumerate(_items(document, move.items)):
                steps: Steps = (*move.items, position)
                inner = _items(task.internal, move.items)[position]
                if item is not None:
                    yield from (_unfold if move.in_version else _enclose)(item, steps, move, inner, gone)
    for move in there:
        if move not in here:
            for position, item in enumerate(_items(document, move.items)):
                steps = (*move.items, position)
                if item is not None:
                    yield from _into_version(item, steps, move, gone)


def _enclose(item: JsonDict, steps: Steps, move: Move, inner: JsonDict, gone: set[Steps]) -> Iterator[Edit]:
    """Fields next to each other go under the wrapper of the internal shape, if they mean anything."""
    fields = tuple(name for name in item if name not in move.outside and (*steps, name) not in gone)
    if move.wrapper not in inner:
        yield from (Drop((*steps, name)) for name in fields)
        return
    empty = tuple(name for name in fields if name in move.emptied and not item[name])
    yield from (Drop((*steps, name)) for name in empty)
    yield Enclose(steps, move.wrapper, tuple(name for name in fields if name not in empty))


def _unfold(item: JsonDict, steps: Steps, move: Move, _inner: JsonDict, gone: set[Steps]) -> Iterator[Edit]:
    """The wrapper of the version goes; what is empty in it means nothing."""
    if move.wrapper not in item:
        return
    inside = cast("JsonDict", item[move.wrapper] or {})
    for name in move.emptied:
        place = (*steps, move.wrapper, name)
        if name in inside and not inside[name] and place not in gone:
            yield Drop(place)
    yield Unfold(steps, move.wrapper)


def _into_version(item: JsonDict, steps: Steps, move: Move, gone: set[Steps]) -> Iterator[Edit]:
    if not move.in_version:
        if move.wrapper in item:
            yield Unfold(steps, move.wrapper)
        return
    fields = tuple(name for name in item if name not in move.outside and (*steps, name) not in gone)
    yield Enclose(steps, move.wrapper, fields)


def _boxes(document: JsonDict, source: Kind, target: Kind) -> Iterator[Edit]:
    """Values that stand alone in one of the two versions, and in an object in the other."""
    here, there = (wraps_of(kind.api_version, kind.kind) for kind in (source, target))
    for wrap in {*here} ^ {*there}:
        for position, item in enumerate(_items(document, wrap.items)):
            for steps, entries in _maps(item or {}, (*wrap.items, position), wrap.name, source):
                for key, entry in (entries or {}).items():
                    # Null is the zero value of either.
                    if entry is not None:
                        yield (Box if wrap in here else Unbox)((*steps, key), wrap.field)


def _maps(item: JsonDict, steps: Steps, name: str, source: Kind) -> Iterator[tuple[Steps, JsonDict | None]]:
    """The map ``name`` of an item, in the wrapper that the source may have around it."""
    place = steps_in_version(source.api_version, source.kind, (*steps, name))
    value: object = item
    for step in place[len(steps) :]:
        value = value.get(step) if isinstance(value, dict) else None
    if isinstance(value, dict):
        yield place, value


def _only_in_first(one: object, other: object, steps: Steps) -> Iterator[tuple[Steps, object]]:
    """Places where ``one`` has something that ``other`` has not, or has otherwise; empty counts as absent."""
    if isinstance(one, dict) and isinstance(other, dict | None):
        for key, value in one.items():
            if key not in (other or {}) and not isinstance(value, list | dict):
                yield (*steps, key), value
            else:
                yield from _only_in_first(value, (other or {}).get(key), (*steps, key))
    elif isinstance(one, list) and isinstance(other, list | None):
        items = other or []
        for position, value in enumerate(one):
            if position < len(items):
                yield from _only_in_first(value, items[position], (*steps, position))
            else:
                yield (*steps, position), value
    elif one != other or isinstance(one, bool) is not isinstance(other, bool):
        yield steps, one


def _is_written(document: Any, steps: Steps, *, null: bool = False) -> bool:
    for step in steps:
        is_there = (
            step in document
            if isinstance(document, dict)
            else isinstance(document, list) and isinstance(step, int) and step < len(document)
        )
        if not is_there:
            return False
        document = document[step]
    return null or document is not None


def _unknown(source: Versioned, steps: Steps) -> str:
    """Why a field is unknown, and where it belongs if another version has it directly in the item, or not."""
    api_version, kind = source.kind.api_version, source.kind.kind
    misplaced = misplaced_in(api_version, kind, steps)
    if misplaced is None:
        return f"{source} has no such field; a newer version may have it, so its meaning is unknown"
    version, wrapper = source.kind.version, misplaced.wrapper
    if misplaced.has_wrapper:
        return f"in {version} `{steps[-1]}` belongs under `{wrapper}`: move it there"
    return f"{version} has no `{wrapper}`: move its fields one level up"


def _nowhere(target: Versioned, was: object) -> str:
    if was in ("", False, 0):
        return f"{target} cannot distinguish {was!r} from an unset value"
    return f"{target} does not support it"
