"""Which warnings a server adds to its answer about an accepted object, by kind."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from dractl.admission.admit import name_of
from dractl.admission.framework.context import Context
from dractl.admission.framework.server import Admission, Server
from dractl.admission.framework.warning import FieldWarning
from dractl.admission.warnings.amounts import warn_about_amounts, warn_about_overhead
from dractl.admission.warnings.dra_objects import warn_about_slice, warn_about_taint_rule
from dractl.admission.warnings.pod_names import warn_about_name
from dractl.admission.warnings.scheduling import warn_about_pod_affinity, warn_about_scheduling
from dractl.api.path import FieldPath
from dractl.versions.registry import DRA_GROUP
from dractl.versions.workloads import pod_in, pod_steps

if TYPE_CHECKING:
    from dractl.api.objects.meta import ObjectMeta

_DRA = {"DeviceTaintRule": warn_about_taint_rule, "ResourceSlice": warn_about_slice}


def warnings_of(server: Server, admission: Admission) -> list[FieldWarning]:
    """What ``server`` warns about in the object of ``admission``; nothing if it refuses the object.

    Mirrors ``WarningsOnCreate`` and ``WarningsOnUpdate`` of the strategies, as far as they concern names,
    scheduling and amounts of resources. Updates of pods and all updates of a status have no warnings;
    updates of workloads are not looked at.
    """
    if not admission.accepted or admission.operation == "updateStatus":
        return []
    ctx = Context(server.minor, server.gates)
    if admission.kind.group == DRA_GROUP:
        check, spec = _DRA.get(admission.kind.kind), admission.value.get("spec")
        if check is not None and spec is not None:  # slices of v1alpha2 have no spec
            check(ctx, spec)
    elif admission.operation == "create":
        _warn_about_pod(ctx, admission)
    return ctx.warnings


def _warn_about_pod(ctx: Context, admission: Admission) -> None:
    kind, value = admission.kind, admission.value
    steps, pod = pod_steps(kind), pod_in(kind, value)
    if steps is None or pod is None:
        return
    meta = cast("ObjectMeta", {**value["metadata"], "name": name_of(value["metadata"])})
    warn_about_name(ctx, kind.kind, meta)
    first, *rest = (*steps, "spec")
    path, spec = FieldPath(first).at(*rest), pod.get("spec") or {}
    warn_about_scheduling(ctx, spec, path)
    warn_about_overhead(ctx, spec, path)
    warn_about_amounts(ctx, spec, path, is_template=bool(steps))
    warn_about_pod_affinity(ctx, spec, path)
