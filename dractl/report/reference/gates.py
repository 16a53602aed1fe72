"""The feature gates of a Kubernetes minor, for people and for programs."""

from __future__ import annotations

from typing import Any

from dractl.api import release
from dractl.api.gates import Gate, GateSet, gates_of
from dractl.report.listing import Cell, Painted, listing
from dractl.report.style import Style, text_of

__all__ = ["SCHEMA", "document", "render"]

SCHEMA = "dractl.gates/1"


def document(gates: GateSet) -> dict[str, Any]:
    """The JSON document of ``dractl gates --format json``."""
    return {
        "schema": SCHEMA,
        "kubeVersion": gates.minor.version,
        "featureGates": dict(sorted(gates.overrides.items())),
        "gates": [
            {
                "name": gate.name,
                "purpose": gate.purpose,
                "stage": gate.stage,
                "default": gate.default,
                "locked": gate.locked,
                "dependsOn": list(gate.depends_on),
                "on": gate.name in gates,
            }
            for gate in gates_of(gates.minor).values()
        ],
    }


def render(gates: GateSet, style: Style) -> str:
    """One row a gate; where gates were set, also with what they are then, and a line that counts."""
    known = gates_of(gates.minor)
    is_changed = bool(gates.overrides)
    headings = ("GATE", "STAGE", "DEFAULT", *(("NOW",) if is_changed else ()), "FOR")
    rows = [_row(gate, gates, is_changed=is_changed) for gate in known.values()]
    on = sum(1 for name in known if name in gates)
    defaults = sum(1 for gate in known.values() if gate.default)
    before = f" ({defaults} by default)" if is_changed else ""
    count = f"{len(known)} gates affect DRA in Kubernetes {release.title(gates.minor)}; on: {on}{before}"
    return text_of((*listing(headings, rows, style), "", count))


def _row(gate: Gate, gates: GateSet, *, is_changed: bool) -> list[Cell]:
    cells: list[Cell] = [gate.name, gate.stage, _word(on=gate.default) + (", locked" if gate.locked else "")]
    if is_changed:
        now = gate.name in gates
        cells.append(_word(on=now) if now == gate.default else Painted(_word(on=now), "warning"))
    needs = f"; requires {', '.join(gate.depends_on)}" if gate.depends_on else ""
    return [*cells, gate.purpose + needs]


def _word(*, on: bool) -> str:
    return "on" if on else "off"
