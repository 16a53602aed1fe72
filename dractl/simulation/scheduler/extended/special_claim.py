"""The special claim of a pod: one for all its extended resources that DRA serves on a node."""

from __future__ import annotations

from dractl.api.json_types import JsonObject, Object
from dractl.cluster.objects import metadata_of
from dractl.records import NamedTuple
from dractl.simulation.pods.claims import owner_reference
from dractl.simulation.pods.pods import Pod
from dractl.simulation.scheduler.extended.requests import Mapped, Requests

ANNOTATION = "resource.kubernetes.io/extended-resource-claim"

_MAX_BASE = 58
"""What is left of a generated name before its random characters."""


class SpecialClaim(NamedTuple):
    """The special claim as one node needs it; ``served`` are the resources that it asks for."""

    claim: Object
    mappings: tuple[Mapped, ...]
    served: frozenset[str]


def special_claim(pod: Pod, served: frozenset[str], wanted: Requests) -> SpecialClaim:
    """The claim of a pod with the requests for ``served``."""
    claim: Object = {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "ResourceClaim",
        "metadata": {
            "generateName": f"{pod.name}-extended-resources-",
            "name": special_base(pod.name).removesuffix("-"),
            "namespace": pod.namespace,
            "annotations": {ANNOTATION: "true"},
            "ownerReferences": [owner_reference(pod)],
        },
        "spec": {"devices": {"requests": list(wanted.requests)}},
    }
    return SpecialClaim(claim, tuple(wanted.mappings), served)


def special_base(pod_name: str) -> str:
    """The name of the special claim before its random characters; the API server cuts a long one."""
    return f"{pod_name}-extended-resources-"[:_MAX_BASE]


def is_special(claim: JsonObject) -> bool:
    """Whether a claim is the special claim of a pod."""
    return (metadata_of(claim).get("annotations") or {}).get(ANNOTATION) == "true"
