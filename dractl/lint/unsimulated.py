"""What a simulation leaves out of the objects that take part in it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from dractl.admission.admit import Admission
from dractl.api.path import Steps, path_text
from dractl.cluster.quota import is_counted
from dractl.finding import Finding, Severity
from dractl.lint.base.placing import note
from dractl.records import NamedTuple
from dractl.source.document import Document
from dractl.versions.workloads import pod_steps

__all__ = ["unsimulated", "unsimulated_quota"]

_RULE = "simulate/ignored"

Value = Mapping[str, Any]


class _Ignored(NamedTuple):
    """A part of a pod or PodGroup that a simulation ignores: where it is in the spec, and what it is."""

    what: str
    steps: Callable[[Value], Steps | None]


def _field(*steps: str) -> Callable[[Value], Steps | None]:
    def find(spec: Value) -> Steps | None:
        value: Any = spec
        for step in steps:
            value = value.get(step) if isinstance(value, dict) else None
        return steps if value else None

    return find


def _hard_spread(spec: Value) -> Steps | None:
    for number, entry in enumerate(spec.get("topologySpreadConstraints") or ()):
        if entry.get("whenUnsatisfiable", "DoNotSchedule") == "DoNotSchedule":
            return ("topologySpreadConstraints", number, "whenUnsatisfiable")
    return None


def _host_port(spec: Value) -> Steps | None:
    for number, container in enumerate(spec.get("containers") or ()):
        for place, port in enumerate(container.get("ports") or ()):
            if port.get("hostPort"):
                return ("containers", number, "ports", place, "hostPort")
    return None


def _claimed_volume(spec: Value) -> Steps | None:
    for number, volume in enumerate(spec.get("volumes") or ()):
        for source in ("persistentVolumeClaim", "ephemeral"):
            if volume.get(source):
                return ("volumes", number, source)
    return None


_OF_PODS: tuple[_Ignored, ...] = (
    _Ignored("pod affinity", _field("affinity", "podAffinity")),
    _Ignored("pod anti-affinity", _field("affinity", "podAntiAffinity")),
    _Ignored("a spread constraint that forbids nodes", _hard_spread),
    _Ignored("a host port", _host_port),
    _Ignored("a volume that may be bound to nodes", _claimed_volume),
    _Ignored("the gang of its Workload", _field("workloadRef")),
)
_OF_GROUPS: tuple[_Ignored, ...] = (
    _Ignored("the placement of the group", _field("schedulingConstraints")),
    _Ignored("the composite group", _field("parentCompositePodGroupName")),
)


def unsimulated(entries: Iterable[tuple[Document, Admission]]) -> list[Finding]:
    """One note for each kind of part that a simulation of these objects ignores, at the first of them.

    Only pods with claims or extended resources count.
    """
    first: dict[str, tuple[Document, Steps]] = {}
    others: dict[str, int] = {}
    for document, admission in entries:
        for what, steps in _parts(admission):
            if what in first:
                others[what] = others.get(what, 0) + 1
            else:
                first[what] = (document, steps)
    return [_note(what, *place, others.get(what, 0)) for what, place in first.items()]


def _parts(admission: Admission) -> Iterator[tuple[str, Steps]]:
    kind, value = admission.kind, admission.observed
    steps: Steps = ("spec",)
    if kind.kind == "PodGroup":
        rows = _OF_GROUPS
    else:
        to_pod = pod_steps(kind)
        if to_pod is None:
            return
        rows, steps = _OF_PODS, (*to_pod, "spec")
    spec: Any = value
    for step in steps:
        spec = (spec or {}).get(step)
    if not spec or (rows is _OF_PODS and not _asks_for_devices(spec)):
        return
    for row in rows:
        found = row.steps(spec)
        if found is not None:
            yield row.what, (*steps, *found)


def unsimulated_quota(document: Document) -> list[Finding]:
    """A note for a ResourceQuota with scopes, or that limits what a simulation does not count."""
    spec = document.value.get("spec")
    found = spec if isinstance(spec, dict) else {}
    if found.get("scopes") or found.get("scopeSelector"):
        field = "scopes" if found.get("scopes") else "scopeSelector"
        message = "a quota with scopes limits no claims; a simulation ignores it"
        return [note(document, Severity.INFO, _RULE, message, field=f"spec.{field}", steps=("spec", field))]
    hard = found.get("hard")
    others = [name for name in (hard if isinstance(hard, dict) else ()) if not is_counted(name)]
    if not others:
        return []
    message = (
        f"a simulation ignores what a quota limits besides claims and extended resources: {', '.join(others)}"
    )
    return [note(document, Severity.INFO, _RULE, message, field="spec.hard", steps=("spec", "hard"))]


def _asks_for_devices(spec: Value) -> bool:
    """Whether a pod has claims, or requests that may be extended resources."""
    return bool(spec.get("resourceClaims")) or any(
        "/" in name
        for container in (*(spec.get("initContainers") or ()), *(spec.get("containers") or ()))
        for name in (container.get("resources") or {}).get("limits") or ()
    )


def _note(what: str, document: Document, steps: Steps, others: int) -> Finding:
    more = f"; {others} more object{'s' * (others != 1)} with this" if others else ""
    message = f"a simulation ignores {what}{more}"
    return note(document, Severity.INFO, _RULE, message, field=path_text(steps), steps=steps)
