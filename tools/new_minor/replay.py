"""Asks the oracles of two minors the same questions, and groups what differs."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from tests import oracle
from tests.simulation.oracle_allocator import outcome
from tools.new_minor.questions import Question

Answer = Mapping[str, Any]

REPEAT = 30
"""How often a question with another allocation is asked again: some allocators try pools in random order."""

GROUPS = (
    "new rejections",
    "gone rejections",
    "other errors",
    "other stored objects",
    "CEL",
    "other allocations",
    "message only",
    "asked in one minor only",
)
"""What a difference can be, in the order of a report."""


class Difference(NamedTuple):
    """How two answers to a question differ: the group, and what is alike for differences of one cause."""

    group: str
    what: str
    name: str


class Gates(NamedTuple):
    """The gates of an oracle by name, each with the value that it is locked to, or None."""

    locked: Mapping[str, bool | None]

    def settable(self, wanted: Mapping[str, bool]) -> dict[str, bool] | None:
        """The gates of ``wanted`` that can be set and matter; None if the oracle refuses one.

        A gate that is locked to the wanted value, or that is gone after it was on for good, says nothing.
        """
        kept = {}
        for name, value in wanted.items():
            if name not in self.locked:
                if not value:
                    return None
                continue
            locked = self.locked[name]
            if locked is None:
                kept[name] = value
            elif locked != value:
                return None
        return kept


def gates_of(program: Path) -> Gates:
    """The gates of an oracle."""
    (answer,) = oracle.ask(program, [{"op": "gates", "all": True}])
    rows = answer["gates"]
    return Gates({row["name"]: row["default"] if row["locked"] else None for row in rows})


def replay(old: Path, new: Path, questions: Sequence[Question]) -> tuple[int, list[Difference]]:
    """Ask both programs; returns how many questions both answered, and the differences.

    A question is left out if one of the programs does not have its gates.
    """
    old_gates, new_gates = gates_of(old), gates_of(new)
    asked = []
    for question in questions:
        settings = [each.settable(question.request["gates"]) for each in (old_gates, new_gates)]
        if None not in settings:
            asked.append((question, [{**question.request, "gates": each} for each in settings]))
    olds = oracle.ask(old, [requests[0] for _, requests in asked])
    news = oracle.ask(new, [requests[1] for _, requests in asked])
    found: list[Difference] = []
    again = []
    for (question, requests), before, after in zip(asked, olds, news, strict=True):
        difference = compare(question, before, after)
        if difference is not None and difference.group == "other allocations":
            again.append((difference, [{**request, "repeat": REPEAT} for request in requests]))
        elif difference is not None:
            found.append(difference)
    olds = oracle.ask(old, [requests[0] for _, requests in again]) if again else []
    news = oracle.ask(new, [requests[1] for _, requests in again]) if again else []
    for (difference, _), before, after in zip(again, olds, news, strict=True):
        if not outcomes(before) & outcomes(after):
            found.append(difference)
    return len(asked), found


def compare(question: Question, before: Answer, after: Answer) -> Difference | None:
    """How two answers to a question differ; None if they do not, or if neither is one."""
    if "error" in before and "error" in after:
        return None
    if "error" in before or "error" in after:
        error = before.get("error") or after.get("error")
        return Difference("asked in one minor only", _starred(str(error).splitlines()[0]), question.name)
    group_of = {"validate": _validated, "cel": _evaluated, "allocate": _allocated}
    found = group_of[question.request["op"]](before, after)
    return Difference(*found, question.name) if found else None


def _validated(before: Answer, after: Answer) -> tuple[str, str] | None:
    if before.get("gvk") != after.get("gvk") and not (before.get("gvk") and after.get("gvk")):
        return "asked in one minor only", f"kind {before.get('gvk') or after.get('gvk')}"
    old, new = _reasons(before), _reasons(after)
    if old != new:
        group = "new rejections" if not old else "gone rejections" if not new else "other errors"
        return group, "; ".join([*(f"+ {each}" for each in new - old), *(f"- {each}" for each in old - new)])
    one, other = _without_times(before.get("result")), _without_times(after.get("result"))
    if not old and one != other:
        return "other stored objects", _first_other(one, other, "")
    if _messages(before) != _messages(after):
        return "message only", _starred(min(_messages(before) ^ _messages(after)))
    return None


def _reasons(answer: Answer) -> frozenset[str]:
    """Why an object is refused: types and places of errors, without the positions in lists."""
    found = {f"{each['kind']} {_starred(each['message'])}" for each in answer.get("decode_errors") or ()}
    found |= {f"{each['type']} {_starred(each['field'])}" for each in answer.get("errors") or ()}
    if answer.get("api_error"):
        found.add(f"{answer['api_error']['reason']} of the request")
    return frozenset(found)


def _messages(answer: Answer) -> frozenset[str]:
    return frozenset(
        f"{each['field']}: {each.get('detail', '').partition(chr(10))[0]} {json.dumps(each.get('bad_value'))}"
        for each in answer.get("errors") or ()
    )


def _evaluated(before: Answer, after: Answer) -> tuple[str, str] | None:
    old, new = ((each.get("compile_error") or {}).get("type") for each in (before, after))
    if old != new:
        return "CEL", f"compiles: {old or 'yes'} -> {new or 'yes'}"
    if (before.get("compile_error") or {}) != (after.get("compile_error") or {}):
        return "message only", "compile error"
    for key in ("output_type", "max_cost"):
        if before.get(key) != after.get(key):
            return "CEL", key
    for one, other in zip(before.get("devices") or (), after.get("devices") or (), strict=True):
        for key in ("match", "value", "cost"):
            if one.get(key) != other.get(key):
                return "CEL", key
        if bool(one.get("error")) != bool(other.get("error")):
            return "CEL", "error"
        if one.get("error") != other.get("error"):
            return "message only", "error of an evaluation"
    return None


def _allocated(before: Answer, after: Answer) -> tuple[str, str] | None:
    if before.get("timeout") or after.get("timeout"):
        return None
    old, new = outcomes(before), outcomes(after)
    if old == new:
        return None
    (one,), (other,) = old, new
    return "other allocations", _first_other(json.loads(one), json.loads(other), "")


def outcomes(answer: Answer) -> set[str]:
    """The outcomes of all repetitions of a question about allocations, as texts that compare."""
    return {
        json.dumps([outcome(step) for step in each["steps"]], sort_keys=True)
        for each in answer.get("alternatives") or [answer]
    }


def _without_times(value: object) -> object:
    """A stored object without the times at which taints were added: an oracle takes the current time."""
    if isinstance(value, dict):
        return {key: _without_times(each) for key, each in value.items() if key != "timeAdded"}
    return [_without_times(each) for each in value] if isinstance(value, list) else value


def _first_other(one: object, other: object, path: str) -> str:
    """The first place where two JSON values differ, without positions in lists."""
    if isinstance(one, dict) and isinstance(other, dict):
        for key in {**one, **other}:
            if one.get(key) != other.get(key):
                return _first_other(one.get(key), other.get(key), f"{path}.{key}" if path else key)
    if isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        for each, another in zip(one, other, strict=True):
            if each != another:
                return _first_other(each, another, f"{path}[*]")
    return _starred(path)


def _starred(text: str) -> str:
    """A field path or a sentence without positions, names in brackets and numbers."""
    return re.sub(r"\d+", "N", re.sub(r"\[[^\]]*\]", "[*]", text))


def grouped(differences: Iterable[Difference]) -> dict[str, dict[str, list[str]]]:
    """The differences by group, then by what is alike, most first; each with the names of its questions."""
    found: dict[str, dict[str, list[str]]] = {group: {} for group in GROUPS}
    for difference in differences:
        found[difference.group].setdefault(difference.what, []).append(difference.name)
    return {
        group: dict(sorted(rows.items(), key=lambda row: -len(row[1])))
        for group, rows in found.items()
        if rows
    }
