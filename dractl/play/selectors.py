"""The selectors of an input as a table: which devices each of them selects."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from dractl.api import budgets
from dractl.api.gates import GateSet
from dractl.api.json_types import JsonDict
from dractl.cel.compile import CelError
from dractl.diffing.selectors import Place, Written, selectors_of
from dractl.lint.base import placing
from dractl.lint.base.input_set import field_text
from dractl.source.load import Loaded
from dractl.versions.layout import steps_in_version
from dractl.workflows.cel import Answer, Examined, KnownDevice, devices_in, examine
from dractl.workflows.validate import admit_all

__all__ = ["table"]

_MOST_DEVICES = 100
"""Devices that a row lists; it counts all of them."""


def table(loaded: Iterable[Loaded], gates: GateSet) -> JsonDict:
    """A row for each selector of the accepted classes, claims and templates, evaluated as the scheduler does.

    ``devices`` is the number of devices of the accepted slices; ``leftOut`` lists what is not used, and
    ``cut`` says why the last selectors have no row, if they have none.
    """
    everything = list(loaded)
    known = devices_in(everything, gates)
    written = selectors_of(admit_all(everything, gates, None))
    most = budgets.PLAY_EVALUATIONS.value // max(1, len(known.devices))
    rows = [_row(place, one, gates, known.devices) for place, one in list(written.items())[:most]]
    return {
        "devices": len(known.devices),
        "leftOut": list(known.left_out),
        "selectors": rows,
        "cut": budgets.PLAY_EVALUATIONS.message() if len(written) > most else None,
    }


def _row(place: Place, written: Written, gates: GateSet, devices: Sequence[KnownDevice]) -> JsonDict:
    document, examined = written.document, examine(written.expression, gates, ("stored",), devices)
    kind = place.identity.key.kind
    steps = steps_in_version(str(document.value.get("apiVersion")), kind, written.steps)
    where = placing.location(document, steps)
    failed = [answer for answer in examined.answers if isinstance(answer.result, CelError)]
    return {
        "object": f"{kind} {'/'.join(filter(None, (place.identity.key.namespace, place.identity.key.name)))}",
        "field": field_text(steps),
        "file": where.file,
        "line": where.line,
        "expression": written.expression,
        "error": _error(examined),
        "matched": len(examined.matched),
        "selected": ["/".join(device) for device in examined.matched[:_MOST_DEVICES]],
        "failed": len(failed),
        "failures": [_failure(answer) for answer in failed[:_MOST_DEVICES]],
    }


def _error(examined: Examined) -> str | None:
    """Why the scheduler cannot compile the expression."""
    return next((found.error.message for found in examined.verdicts if found.error is not None), None)


def _failure(answer: Answer) -> JsonDict:
    message = answer.result.message if isinstance(answer.result, CelError) else ""
    return {"device": "/".join(answer.device.id), "message": message}
