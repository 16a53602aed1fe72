"""What the simulation reads of a pod."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from dractl.api.json_types import Object
from dractl.cluster.objects import metadata_of, name_of, namespace_of
from dractl.cluster.uids import uid_of
from dractl.records import NamedTuple

if TYPE_CHECKING:
    from dractl.api.objects import core
    from dractl.api.objects.core import PodSpec, PodStatus, Toleration

DEFAULT_SCHEDULER = "default-scheduler"

FINISHED_PHASES: frozenset[str] = frozenset({"Succeeded", "Failed"})


class ClaimEntry(NamedTuple):
    """One entry of ``spec.resourceClaims``: a name, and a claim or a template."""

    name: str
    claim: str | None
    template: str | None


class ContainerClaim(NamedTuple):
    """One entry of a container's ``resources.claims``; without a request it means the whole claim."""

    entry: str
    request: str | None


class Container(NamedTuple):
    """A container of a pod. Long-lived ones are the normal containers and the sidecars."""

    name: str
    is_init: bool
    is_long_lived: bool
    requests: Mapping[str, str]
    claims: tuple[ContainerClaim, ...]


class Pod:
    """A pod as the scheduler sees it. Compared by identity."""

    __slots__ = ("claims", "containers", "data", "name", "namespace", "node", "spec", "status", "uid")

    def __init__(self, data: Object) -> None:
        """Read a v1 Pod."""
        self.data = data
        self.namespace = namespace_of(data)
        self.name = name_of(data)
        self.uid = uid_of(data)
        spec: PodSpec | None = data.get("spec")
        status: PodStatus | None = data.get("status")
        self.spec: PodSpec = spec or {}
        self.status: PodStatus = status or {}
        self.node: str | None = self.spec.get("nodeName") or None
        self.claims = tuple(
            ClaimEntry(
                entry.get("name", ""), entry.get("resourceClaimName"), entry.get("resourceClaimTemplateName")
            )
            for entry in self.spec.get("resourceClaims") or ()
        )
        self.containers = (
            *(_container(entry, is_init=True) for entry in self.spec.get("initContainers") or ()),
            *(_container(entry, is_init=False) for entry in self.spec.get("containers") or ()),
        )

    @property
    def full_name(self) -> str:
        """``namespace/name``."""
        return f"{self.namespace}/{self.name}"

    @property
    def is_finished(self) -> bool:
        """Whether it ran to its end: it holds nothing any more."""
        return self.status.get("phase") in FINISHED_PHASES

    @property
    def is_terminating(self) -> bool:
        """Whether it was asked to end; with a node it keeps what it has until it has ended."""
        return metadata_of(self.data).get("deletionTimestamp") is not None

    @property
    def group(self) -> str | None:
        """The PodGroup that it belongs to."""
        return (self.spec.get("schedulingGroup") or {}).get("podGroupName") or None

    @property
    def scheduling_gates(self) -> tuple[str, ...]:
        """What keeps it from being scheduled until somebody takes it away."""
        return tuple(entry.get("name", "") for entry in self.spec.get("schedulingGates") or ())

    @property
    def other_scheduler(self) -> str | None:
        """The scheduler that it names, unless that is the default one."""
        name = self.spec.get("schedulerName") or DEFAULT_SCHEDULER
        return None if name == DEFAULT_SCHEDULER else name

    @property
    def labels(self) -> Mapping[str, str]:
        """Its labels."""
        return metadata_of(self.data).get("labels") or {}

    @property
    def tolerations(self) -> Sequence[Toleration]:
        """Its tolerations of node taints."""
        return self.spec.get("tolerations") or ()

    @property
    def node_affinity(self) -> core.NodeAffinity:
        """Its node affinity."""
        return (self.spec.get("affinity") or {}).get("nodeAffinity") or {}

    @property
    def claim_statuses(self) -> Mapping[str, str | None]:
        """The claims that the status names per entry; None: no claim is needed."""
        return {
            entry.get("name", ""): entry.get("resourceClaimName") or None
            for entry in self.status.get("resourceClaimStatuses") or ()
        }


def _container(data: core.Container, *, is_init: bool) -> Container:
    resources = data.get("resources") or {}
    claims = tuple(
        ContainerClaim(entry.get("name", ""), entry.get("request") or None)
        for entry in resources.get("claims") or ()
    )
    # The API server fills missing requests from limits.
    requests = {**(resources.get("limits") or {}), **(resources.get("requests") or {})}
    return Container(
        name=data.get("name", ""),
        is_init=is_init,
        is_long_lived=not is_init or data.get("restartPolicy") == "Always",
        requests={name: str(amount) for name, amount in requests.items()},
        claims=claims,
    )
