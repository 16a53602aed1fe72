"""What stories and demos share: objects as a server stores them, ties as they fell, states compared."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from dractl.admission.framework.dropping import drop_disabled
from dractl.admission.framework.server import DEFAULT_NAMESPACE
from dractl.api.gates import GateSet
from dractl.simulation.pods.pods import Pod
from dractl.versions.registry import look_up
from tests.conformance.allocations import defaulted
from tests.conformance.difference import Difference
from tests.conformance.verdicts import without_empty

Object = dict[str, Any]

_NUMBER = re.compile(r"#\d+")
_UNCOMPARED = frozenset({"refused", "scores"})


def stored(value: Object, gates: GateSet) -> Object:
    """An object as the server stores it, for the simulation; in a demo a generateName was used as name.

    What dractl has no rules for (a Service, a PriorityClass) stays as it is.
    """
    if look_up(gates.minor, value).kind is None:
        return value
    found = defaulted(gates.minor, value)
    drop_disabled(found["kind"], found, gates)
    if found["kind"] in ("ResourceClaim", "ResourceClaimTemplate", "Pod"):
        found["metadata"].setdefault("namespace", DEFAULT_NAMESPACE)
    found["metadata"].setdefault("name", found["metadata"].get("generateName", "").removesuffix("-"))
    return found


def chooser(chosen: Mapping[str, str]) -> Callable[[Pod, Sequence[str]], str]:
    """Takes, among equally good nodes, the one that the real scheduler took."""

    def choose(pod: Pod, nodes: Sequence[str]) -> str:
        wanted = chosen.get(pod.name, chosen.get(pod.full_name, ""))
        return wanted if wanted in nodes else nodes[0]

    return choose


def compare(expected: Mapping[str, Any], state: Mapping[str, Any]) -> Difference | None:
    """The first pod or claim that differs; what rows need not tell is left out."""
    ours, theirs = _comparable(state), _comparable(expected)
    for part in ("pods", "claims"):
        mine, wanted = ours[part], theirs[part]
        for name in sorted({*mine, *wanted}):
            if mine.get(name) != wanted.get(name):
                return Difference({part: {name: wanted.get(name)}}, {part: {name: mine.get(name)}})
    return None


def _comparable(state: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Pods and claims without what need not be told.

    The pods of a workload are alike, so only their outcomes count, whichever pod has which.
    """
    parts: dict[str, dict[str, Any]] = {}
    for part in ("pods", "claims"):
        found: dict[str, Any] = {}
        for name, entry in (state.get(part) or {}).items():
            facts = without_empty({key: value for key, value in entry.items() if key not in _UNCOMPARED})
            if "#" in name:
                alike = json.loads(_NUMBER.sub("#", json.dumps(facts, sort_keys=True)))
                found.setdefault(_NUMBER.sub("#", name), []).append(alike)
            else:
                found[name] = facts
        for entries in found.values():
            if isinstance(entries, list):
                entries.sort(key=lambda entry: json.dumps(entry, sort_keys=True))
        parts[part] = found
    return parts
