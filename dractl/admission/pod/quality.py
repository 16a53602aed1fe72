"""The rule of 1.31 and before that an update leaves the quality-of-service class of a pod as it is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from dractl.admission.framework.context import Context
from dractl.admission.framework.rule import rule
from dractl.api import quantity
from dractl.api.errors import ErrorType
from dractl.api.path import FieldPath
from dractl.api.quantity import Quantity
from dractl.versions.equality import struct_equal
from dractl.versions.table import tables

if TYPE_CHECKING:
    from dractl.api.objects.core import Pod, PodSpec

_COMPUTED = ("cpu", "memory")
_LISTS: tuple[Literal["containers", "initContainers"], ...] = ("containers", "initContainers")

POD_UPDATE_QOS = rule(
    "pod/update-qos",
    kind="Pod",
    at="metadata",
    type=ErrorType.INVALID,
    since="1.30",
    until="1.31",
    upstream="ValidatePodUpdate",
    doc="""The QoS class of a pod is immutable.

    CPU and memory of containers are immutable anyway. The server additionally reports a changed QoS class, at
    `metadata`.

    Good:
        metadata: {labels: {team: blue}}
        ---
        metadata: {labels: {team: red}}
    Bad:
        spec: {containers: [{name: main, image: registry.example.com/main}]}
        ---
        spec:
          containers: [{name: main, image: registry.example.com/main, resources: {requests: {cpu: "1"}}}]
    """,
)


def check_quality(ctx: Context, pod: Pod, old: Pod) -> None:
    """The class of ``pod`` against that of ``old``; mirrors that part of ``ValidatePodUpdate``.

    It is not looked at where an error before it ends the check, or if nothing in the spec has changed.
    """
    if not ctx.has(POD_UPDATE_QOS) or _ends_before(pod["spec"], old["spec"]):
        return
    if struct_equal(tables(ctx.minor), "core/v1.PodSpec")(pod["spec"], old["spec"]):
        return
    before = (old.get("status") or {}).get("qosClass") or quality_of(old["spec"])
    now = quality_of(pod["spec"])
    if now != before:
        message = f"the QoS class of a pod cannot change from {before} to {now}"
        ctx.refuse(POD_UPDATE_QOS, FieldPath("metadata"), "", message, place=FieldPath("spec"))


def _ends_before(spec: PodSpec, old: PodSpec) -> bool:
    if any(len(spec.get(name) or ()) != len(old.get(name) or ()) for name in _LISTS):
        return True
    deadline, before = spec.get("activeDeadlineSeconds"), old.get("activeDeadlineSeconds")
    if deadline is None:
        return False
    return not 0 <= deadline < 2**31 or (before is not None and before < deadline)


def quality_of(spec: PodSpec) -> str:
    """The QoS class of a pod with ``spec``; mirrors ``ComputePodQOS`` without pod-level resources."""
    requests: dict[str, Quantity] = {}
    limits: dict[str, Quantity] = {}
    is_guaranteed = True
    for container in (item for name in _LISTS for item in spec.get(name) or ()):
        resources = container.get("resources") or {}
        given = resources.get("limits") or {}
        _add(requests, {**given, **(resources.get("requests") or {})})
        is_guaranteed &= len(_add(limits, given)) == len(_COMPUTED)
    if not requests and not limits:
        return "BestEffort"
    return "Guaranteed" if is_guaranteed and requests == limits else "Burstable"


def _add(total: dict[str, Quantity], amounts: dict[str, str]) -> list[str]:
    """Add what is more than zero to ``total``; answers the resources that were."""
    found = []
    for name in _COMPUTED:
        amount = quantity.parse(amounts.get(name, "0"))
        if amount.sign > 0:
            total[name] = amount.add(total[name]) if name in total else amount
            found.append(name)
    return found
