"""The only kinds that are read from a cluster."""

from __future__ import annotations

from collections.abc import Mapping

from dractl.records import NamedTuple

__all__ = ["CORE", "DRA", "KINDS", "OWNERS", "SCHEDULING", "LiveKind", "Owner"]

CORE = ""
DRA = "resource.k8s.io"
SCHEDULING = "scheduling.k8s.io"


class LiveKind(NamedTuple):
    """A kind: its group ("" is core), its name in paths, and whether its objects are in namespaces."""

    kind: str
    group: str
    resource: str
    is_namespaced: bool


KINDS: tuple[LiveKind, ...] = (
    LiveKind("Namespace", CORE, "namespaces", is_namespaced=False),
    LiveKind("Node", CORE, "nodes", is_namespaced=False),
    LiveKind("ResourceSlice", DRA, "resourceslices", is_namespaced=False),
    LiveKind("DeviceClass", DRA, "deviceclasses", is_namespaced=False),
    LiveKind("DeviceTaintRule", DRA, "devicetaintrules", is_namespaced=False),
    LiveKind("ResourceQuota", CORE, "resourcequotas", is_namespaced=True),
    LiveKind("ResourceClaimTemplate", DRA, "resourceclaimtemplates", is_namespaced=True),
    LiveKind("ResourceClaim", DRA, "resourceclaims", is_namespaced=True),
    LiveKind("Workload", SCHEDULING, "workloads", is_namespaced=True),
    LiveKind("PodGroup", SCHEDULING, "podgroups", is_namespaced=True),
    LiveKind("Pod", CORE, "pods", is_namespaced=True),
)
"""In the order in which they are read and written: what others refer to comes first."""


class Owner(NamedTuple):
    """A kind of workload: where it is read by name, and the kind between it and its pods, if any."""

    root: str
    resource: str
    between: str = ""


OWNERS: Mapping[str, Owner] = {
    "Deployment": Owner("/apis/apps/v1", "deployments", "ReplicaSet"),
    "ReplicaSet": Owner("/apis/apps/v1", "replicasets"),
    "StatefulSet": Owner("/apis/apps/v1", "statefulsets"),
    "DaemonSet": Owner("/apis/apps/v1", "daemonsets"),
    "ReplicationController": Owner("/api/v1", "replicationcontrollers"),
    "Job": Owner("/apis/batch/v1", "jobs"),
    "CronJob": Owner("/apis/batch/v1", "cronjobs", "Job"),
}
"""The kinds of workloads. Only the workload that the user names is read."""
