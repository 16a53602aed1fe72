"""Warnings about names that become names of pods and hosts."""

from __future__ import annotations

from collections.abc import Mapping

from dractl.admission.framework.context import Context
from dractl.admission.framework.warning import warning
from dractl.admission.warnings.label_texts import dns_label_texts
from dractl.api import names
from dractl.api.path import FieldPath

__all__ = ["warn_about_name"]

POD_HOST_NAME = warning(
    "pod/host-name",
    kind="Pod",
    at="metadata.name",
    upstream="podStrategy.WarningsOnCreate",
    doc="""The name of a pod should be a DNS label.

    The name is also the host name in the containers, which cannot have dots or more than 63 characters. The
    names of pods of a Deployment, ReplicaSet, Job or CronJob begin with its name, so the same holds for that.

    Good:
        metadata: {name: train-v1}
    Bad:
        metadata: {name: train.v1}
    """,
)

_POD_NAMES = "Pod names and hostnames"
_USED_IN: Mapping[str, str] = {
    "CronJob": _POD_NAMES,
    "Deployment": _POD_NAMES,
    "Job": _POD_NAMES,
    "Pod": "the Pod's hostname",
    "ReplicaSet": _POD_NAMES,
    "ReplicationController": _POD_NAMES,
}


def warn_about_name(ctx: Context, kind: str, name: str) -> None:
    """Warn about the name of a new pod or workload, unless servers do not look at it for its ``kind``.

    Servers reject a name that is not a DNS subdomain, and do not warn about it.
    """
    used_in = _USED_IN.get(kind)
    if used_in is None or not name or names.dns_subdomain(name):
        return
    wrong = dns_label_texts(name)
    if wrong:
        advice = f"a DNS label is recommended: [{' '.join(wrong)}]"
        detail = f"this is used in {used_in}, which can result in surprising behavior; {advice}"
        hint = "use lower-case letters, digits and '-', at most 63 characters"
        ctx.warn(POD_HOST_NAME, FieldPath("metadata").child("name"), detail, hint)
