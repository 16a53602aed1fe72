"""Objects of the API group scheduling; written by python -m tests.drift --fix."""

from __future__ import annotations

from typing import TypedDict

from dractl.api.objects import meta


class AllCompositeDisruptionMode(TypedDict, total=False):
    """AllCompositeDisruptionMode of scheduling/v1beta1."""


class AllDisruptionMode(TypedDict, total=False):
    """AllDisruptionMode of scheduling/v1beta1."""


class BasicSchedulingPolicy(TypedDict, total=False):
    """BasicSchedulingPolicy of scheduling/v1beta1."""


class CompositeBasicSchedulingPolicy(TypedDict, total=False):
    """CompositeBasicSchedulingPolicy of scheduling/v1beta1."""


class CompositeDisruptionMode(TypedDict, total=False):
    """CompositeDisruptionMode of scheduling/v1beta1."""

    all: AllCompositeDisruptionMode
    single: SingleCompositeDisruptionMode


class CompositeGangSchedulingPolicy(TypedDict, total=False):
    """CompositeGangSchedulingPolicy of scheduling/v1beta1."""

    minGroupCount: int


class CompositePodGroup(TypedDict, total=False):
    """CompositePodGroup of scheduling/v1beta1."""

    apiVersion: str
    kind: str
    metadata: meta.ObjectMeta
    spec: CompositePodGroupSpec
    status: CompositePodGroupStatus


class CompositePodGroupSchedulingConstraints(TypedDict, total=False):
    """CompositePodGroupSchedulingConstraints of scheduling/v1beta1."""

    topology: list[TopologyConstraint]


class CompositePodGroupSchedulingPolicy(TypedDict, total=False):
    """CompositePodGroupSchedulingPolicy of scheduling/v1beta1."""

    basic: CompositeBasicSchedulingPolicy
    gang: CompositeGangSchedulingPolicy


class CompositePodGroupSpec(TypedDict, total=False):
    """CompositePodGroupSpec of scheduling/v1beta1."""

    disruptionMode: CompositeDisruptionMode
    parentCompositePodGroupName: str
    preemptionPolicy: str
    priority: int
    priorityClassName: str
    schedulingConstraints: CompositePodGroupSchedulingConstraints
    schedulingPolicy: CompositePodGroupSchedulingPolicy
    workloadRef: WorkloadReference


class CompositePodGroupStatus(TypedDict, total=False):
    """CompositePodGroupStatus of scheduling/v1beta1."""

    conditions: list[meta.Condition]


class CompositePodGroupTemplate(TypedDict, total=False):
    """CompositePodGroupTemplate of scheduling/v1beta1."""

    compositePodGroupTemplates: list[CompositePodGroupTemplate]
    disruptionMode: CompositeDisruptionMode
    name: str
    podGroupTemplates: list[PodGroupTemplate]
    preemptionPolicy: str
    priority: int
    priorityClassName: str
    schedulingConstraints: CompositePodGroupSchedulingConstraints
    schedulingPolicy: CompositePodGroupSchedulingPolicy


class DisruptionMode(TypedDict, total=False):
    """DisruptionMode of scheduling/v1beta1."""

    all: AllDisruptionMode
    single: SingleDisruptionMode


class GangSchedulingPolicy(TypedDict, total=False):
    """GangSchedulingPolicy of scheduling/v1beta1."""

    minCount: int


class PodGroup(TypedDict, total=False):
    """PodGroup of scheduling/v1beta1."""

    apiVersion: str
    kind: str
    metadata: meta.ObjectMeta
    spec: PodGroupSpec
    status: PodGroupStatus
    name: str
    policy: PodGroupPolicy


class PodGroupPolicy(TypedDict, total=False):
    """PodGroupPolicy of scheduling/v1alpha1."""

    basic: BasicSchedulingPolicy
    gang: GangSchedulingPolicy


class PodGroupResourceClaim(TypedDict, total=False):
    """PodGroupResourceClaim of scheduling/v1beta1."""

    name: str
    resourceClaimName: str
    resourceClaimTemplateName: str


class PodGroupResourceClaimStatus(TypedDict, total=False):
    """PodGroupResourceClaimStatus of scheduling/v1beta1."""

    name: str
    resourceClaimName: str


class PodGroupSchedulingConstraints(TypedDict, total=False):
    """PodGroupSchedulingConstraints of scheduling/v1beta1."""

    topology: list[TopologyConstraint]


class PodGroupSchedulingPolicy(TypedDict, total=False):
    """PodGroupSchedulingPolicy of scheduling/v1beta1."""

    basic: BasicSchedulingPolicy
    gang: GangSchedulingPolicy


class PodGroupSpec(TypedDict, total=False):
    """PodGroupSpec of scheduling/v1beta1."""

    disruptionMode: DisruptionMode
    parentCompositePodGroupName: str
    preemptionPolicy: str
    priority: int
    priorityClassName: str
    resourceClaims: list[PodGroupResourceClaim]
    schedulingConstraints: PodGroupSchedulingConstraints
    schedulingPolicy: PodGroupSchedulingPolicy
    workloadRef: WorkloadReference
    podGroupTemplateRef: PodGroupTemplateReference


class PodGroupStatus(TypedDict, total=False):
    """PodGroupStatus of scheduling/v1beta1."""

    conditions: list[meta.Condition]
    resourceClaimStatuses: list[PodGroupResourceClaimStatus]


class PodGroupTemplate(TypedDict, total=False):
    """PodGroupTemplate of scheduling/v1beta1."""

    disruptionMode: DisruptionMode
    name: str
    preemptionPolicy: str
    priority: int
    priorityClassName: str
    resourceClaims: list[PodGroupResourceClaim]
    schedulingConstraints: PodGroupSchedulingConstraints
    schedulingPolicy: PodGroupSchedulingPolicy


class PodGroupTemplateReference(TypedDict, total=False):
    """PodGroupTemplateReference of scheduling/v1alpha2."""

    workload: WorkloadPodGroupTemplateReference


class SingleCompositeDisruptionMode(TypedDict, total=False):
    """SingleCompositeDisruptionMode of scheduling/v1beta1."""


class SingleDisruptionMode(TypedDict, total=False):
    """SingleDisruptionMode of scheduling/v1beta1."""


class TopologyConstraint(TypedDict, total=False):
    """TopologyConstraint of scheduling/v1beta1."""

    key: str


class TypedLocalObjectReference(TypedDict, total=False):
    """TypedLocalObjectReference of scheduling/v1beta1."""

    apiGroup: str
    kind: str
    name: str


class Workload(TypedDict, total=False):
    """Workload of scheduling/v1beta1."""

    apiVersion: str
    kind: str
    metadata: meta.ObjectMeta
    spec: WorkloadSpec


class WorkloadPodGroupAllDisruptionMode(TypedDict, total=False):
    """WorkloadPodGroupAllDisruptionMode of scheduling/v1."""


class WorkloadPodGroupBasicSchedulingPolicy(TypedDict, total=False):
    """WorkloadPodGroupBasicSchedulingPolicy of scheduling/v1."""


class WorkloadPodGroupDisruptionMode(TypedDict, total=False):
    """WorkloadPodGroupDisruptionMode of scheduling/v1."""

    all: WorkloadPodGroupAllDisruptionMode
    single: WorkloadPodGroupSingleDisruptionMode


class WorkloadPodGroupGangSchedulingPolicy(TypedDict, total=False):
    """WorkloadPodGroupGangSchedulingPolicy of scheduling/v1."""

    minCount: int


class WorkloadPodGroupResourceClaim(TypedDict, total=False):
    """WorkloadPodGroupResourceClaim of scheduling/v1."""

    name: str
    resourceClaimName: str
    resourceClaimTemplateName: str


class WorkloadPodGroupSchedulingConstraints(TypedDict, total=False):
    """WorkloadPodGroupSchedulingConstraints of scheduling/v1."""

    topology: list[WorkloadTopologyConstraint]


class WorkloadPodGroupSchedulingPolicy(TypedDict, total=False):
    """WorkloadPodGroupSchedulingPolicy of scheduling/v1."""

    basic: WorkloadPodGroupBasicSchedulingPolicy
    gang: WorkloadPodGroupGangSchedulingPolicy


class WorkloadPodGroupSingleDisruptionMode(TypedDict, total=False):
    """WorkloadPodGroupSingleDisruptionMode of scheduling/v1."""


class WorkloadPodGroupTemplateReference(TypedDict, total=False):
    """WorkloadPodGroupTemplateReference of scheduling/v1alpha2."""

    podGroupTemplateName: str
    workloadName: str


class WorkloadReference(TypedDict, total=False):
    """WorkloadReference of scheduling/v1beta1."""

    templateName: str
    workloadName: str


class WorkloadSpec(TypedDict, total=False):
    """WorkloadSpec of scheduling/v1beta1."""

    compositePodGroupTemplates: list[CompositePodGroupTemplate]
    controllerRef: TypedLocalObjectReference
    podGroupTemplates: list[PodGroupTemplate]
    podGroups: list[PodGroup]


class WorkloadTopologyConstraint(TypedDict, total=False):
    """WorkloadTopologyConstraint of scheduling/v1."""

    key: str
