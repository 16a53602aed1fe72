"""Taints of devices and nodes: does a request or a pod tolerate them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from dractl.api.json_types import JsonObject
from dractl.simulation.allocator.model.reasons import Tainted

if TYPE_CHECKING:
    from dractl.api.objects import core, resource

BLOCKING_EFFECTS: frozenset[str] = frozenset({"NoSchedule", "NoExecute"})
"""Effects that keep a device from being chosen; all others, also unknown ones, are ignored (1.35)."""


def untolerated(
    taints: Iterable[resource.DeviceTaint | core.Taint],
    tolerations: Sequence[resource.DeviceToleration | core.Toleration],
    *,
    every_effect: bool = False,
) -> Tainted | None:
    """The first taint that keeps a device from a request, as ``taintPreventsAllocation``.

    ``every_effect``: no effect is ignored (1.33, 1.34).
    """
    for taint in taints:
        if (every_effect or taint.get("effect") in BLOCKING_EFFECTS) and not any(
            tolerates(toleration, taint) for toleration in tolerations
        ):
            return Tainted(taint.get("key", ""), taint.get("value", ""), taint.get("effect", ""))
    return None


def tolerates(toleration: JsonObject, taint: JsonObject) -> bool:
    """Whether a toleration covers a taint.

    Of devices as ``resourceclaim.ToleratesTaint``; of nodes ``Toleration.ToleratesTaint`` is the same.
    """
    if toleration.get("effect") and toleration["effect"] != taint.get("effect"):
        return False
    if toleration.get("key") and toleration["key"] != taint.get("key"):
        return False
    operator = toleration.get("operator") or "Equal"
    if operator == "Exists":
        return True
    return bool(operator == "Equal" and (toleration.get("value") or "") == (taint.get("value") or ""))
