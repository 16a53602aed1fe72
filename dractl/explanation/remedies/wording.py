"""What would help, in lines: what cannot hold together, the joint choice of pods, and each way out."""

from __future__ import annotations

import re
from collections.abc import Mapping

from dractl.explanation.model import Explanation, Member
from dractl.explanation.remedies import gangs
from dractl.explanation.ways_out.wording import KINDS, sentence

__all__ = ["MOST_BRIEF", "conflict_line", "remedy_lines"]

MOST_BRIEF = 3
"""Ways out in the short form."""

_LONGEST = 160
_KEY = re.compile(r"\[([^\]]*)\]$")
_CONSTRAINTS = ("matchAttribute", "distinctAttribute")


def remedy_lines(explanation: Explanation, *, is_long: bool = False) -> list[str]:
    """The lines, the one that helps most first; at most three ways out, or all if ``is_long``."""
    told = [conflict_line(explanation)] if is_long else []
    if explanation.together is not None:
        told.append(f"together: {gangs.sentence(explanation.together)}")
    most = None if is_long else MOST_BRIEF
    ways = explanation.ways_out[:most]
    told += [f"to place it: {sentence(way, is_brief=not is_long)}" for way in ways]
    if not is_long:
        told.append(conflict_line(explanation))
    return [line for line in told if line]


def conflict_line(explanation: Explanation) -> str:
    """What cannot hold together; empty for one request with a part of its own, which the causes tell."""
    requests = sum(_is_request(member) for member in explanation.conflict)
    if requests < 2 and len(explanation.conflict) - requests < 2:
        return ""
    line = "cannot hold together: " + "; ".join(map(_member, explanation.conflict))
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST - 1]}…"


def _is_request(member: Member) -> bool:
    return isinstance(member.value, Mapping) and "name" in member.value


def _member(member: Member) -> str:
    """A part as people call it: what it asks for."""
    value = member.value
    if isinstance(value, Mapping):
        for kind in _CONSTRAINTS:
            if kind in value:
                return f"{kind} {value[kind]}"
        if "cel" in value:
            owner = "selector" if member.object_kind != "DeviceClass" else f"class {member.object}"
            return f"{owner} {' '.join(str(value['cel'].get('expression')).split())}"
        if "name" in value:
            return f"request {_request(value)}"
        return member.field
    key = _KEY.search(member.field)
    if key is None or value is None:
        return f"{member.field} of {KINDS.get(member.object_kind, member.object_kind)} {member.object}"
    if "nodeSelector" in member.field:
        return f"node selector {key[1]}={value}"
    return f"{key[1]} {value}"


def _request(value: Mapping[str, object]) -> str:
    exactly = value.get("exactly")
    body = exactly if isinstance(exactly, Mapping) else {}
    if "firstAvailable" in value:
        return f"{value['name']} with its alternatives"
    if body.get("allocationMode") == "All":
        return f"{value['name']} for all devices"
    count = body.get("count") or 1
    return f"{value['name']} for {count} device{'s' if count != 1 else ''}"
