"""What a server warns about in a new pod, or in a new workload with a pod template."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dractl.admission.admit import name_of
from dractl.admission.framework.context import Context
from dractl.admission.framework.server import Admission
from dractl.admission.warnings.amounts import warn_about_amounts, warn_about_overhead
from dractl.admission.warnings.pod_names import warn_about_name
from dractl.admission.warnings.scheduling import warn_about_pod_affinity, warn_about_scheduling
from dractl.api.path import FieldPath
from dractl.versions.workloads import pod_in, pod_steps

if TYPE_CHECKING:
    from dractl.api.objects.meta import ObjectMeta

__all__ = ["warn_about_pod"]


def warn_about_pod(ctx: Context, admission: Admission) -> None:
    """Warn about the name, the scheduling and the amounts of a pod or workload, in the order of the server.

    Mirrors these parts of ``warningsForPodSpecAndMeta``. Other kinds have no warnings.
    """
    kind, value = admission.kind, admission.value
    steps, pod = pod_steps(kind), pod_in(kind, value)
    if steps is None or pod is None:
        return
    meta: ObjectMeta = value["metadata"]
    warn_about_name(ctx, kind.kind, name_of(meta))
    first, *rest = (*steps, "spec")
    path, spec = FieldPath(first).at(*rest), pod.get("spec") or {}
    warn_about_scheduling(ctx, spec, path)
    warn_about_overhead(ctx, spec, path)
    warn_about_amounts(ctx, spec, path, is_template=bool(steps))
    warn_about_pod_affinity(ctx, spec, path)
