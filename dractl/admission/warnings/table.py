"""Which warnings a server adds to its answer about an accepted object, by kind."""

from __future__ import annotations

from dractl.admission.framework.context import Context
from dractl.admission.framework.server import Admission, Server
from dractl.admission.framework.warning import FieldWarning
from dractl.admission.warnings.dra_objects import warn_about_slice, warn_about_taint_rule
from dractl.versions.registry import DRA_GROUP

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
        from dractl.admission.warnings.pods import warn_about_pod  # many inputs have only other objects

        warn_about_pod(ctx, admission)
    return ctx.warnings
