"""Objects of the API group batch; written by python -m tests.drift --fix."""

from __future__ import annotations

from typing import TypedDict

from dractl.api.objects import core, meta, scheduling


class CronJob(TypedDict, total=False):
    """CronJob of batch/v1."""

    apiVersion: str
    kind: str
    metadata: meta.ObjectMeta
    spec: CronJobSpec
    status: CronJobStatus


class CronJobSpec(TypedDict, total=False):
    """CronJobSpec of batch/v1."""

    concurrencyPolicy: str
    failedJobsHistoryLimit: int
    jobTemplate: JobTemplateSpec
    schedule: str
    startingDeadlineSeconds: int
    successfulJobsHistoryLimit: int
    suspend: bool
    timeZone: str


class CronJobStatus(TypedDict, total=False):
    """CronJobStatus of batch/v1."""

    active: list[core.ObjectReference]
    lastScheduleTime: str
    lastSuccessfulTime: str


class Job(TypedDict, total=False):
    """Job of batch/v1."""

    apiVersion: str
    kind: str
    metadata: meta.ObjectMeta
    spec: JobSpec
    status: JobStatus


class JobCondition(TypedDict, total=False):
    """JobCondition of batch/v1."""

    lastProbeTime: str
    lastTransitionTime: str
    message: str
    reason: str
    status: str
    type: str


class JobSchedulingConfiguration(TypedDict, total=False):
    """JobSchedulingConfiguration of batch/v1."""

    disruptionMode: scheduling.WorkloadPodGroupDisruptionMode
    resourceClaims: list[scheduling.WorkloadPodGroupResourceClaim]
    schedulingConstraints: scheduling.WorkloadPodGroupSchedulingConstraints
    schedulingPolicy: scheduling.WorkloadPodGroupSchedulingPolicy


class JobSpec(TypedDict, total=False):
    """JobSpec of batch/v1."""

    activeDeadlineSeconds: int
    backoffLimit: int
    backoffLimitPerIndex: int
    completionMode: str
    completions: int
    managedBy: str
    manualSelector: bool
    maxFailedIndexes: int
    parallelism: int
    podFailurePolicy: PodFailurePolicy
    podReplacementPolicy: str
    scheduling: JobSchedulingConfiguration
    selector: meta.LabelSelector
    successPolicy: SuccessPolicy
    suspend: bool
    template: core.PodTemplateSpec
    ttlSecondsAfterFinished: int


class JobStatus(TypedDict, total=False):
    """JobStatus of batch/v1."""

    active: int
    completedIndexes: str
    completionTime: str
    conditions: list[JobCondition]
    failed: int
    failedIndexes: str
    ready: int
    startTime: str
    succeeded: int
    terminating: int
    uncountedTerminatedPods: UncountedTerminatedPods


class JobTemplateSpec(TypedDict, total=False):
    """JobTemplateSpec of batch/v1."""

    metadata: meta.ObjectMeta
    spec: JobSpec


class PodFailurePolicy(TypedDict, total=False):
    """PodFailurePolicy of batch/v1."""

    rules: list[PodFailurePolicyRule]


class PodFailurePolicyOnExitCodesRequirement(TypedDict, total=False):
    """PodFailurePolicyOnExitCodesRequirement of batch/v1."""

    containerName: str
    operator: str
    values: list[int]


class PodFailurePolicyOnPodConditionsPattern(TypedDict, total=False):
    """PodFailurePolicyOnPodConditionsPattern of batch/v1."""

    status: str
    type: str


class PodFailurePolicyRule(TypedDict, total=False):
    """PodFailurePolicyRule of batch/v1."""

    action: str
    onExitCodes: PodFailurePolicyOnExitCodesRequirement
    onPodConditions: list[PodFailurePolicyOnPodConditionsPattern]


class SuccessPolicy(TypedDict, total=False):
    """SuccessPolicy of batch/v1."""

    rules: list[SuccessPolicyRule]


class SuccessPolicyRule(TypedDict, total=False):
    """SuccessPolicyRule of batch/v1."""

    succeededCount: int
    succeededIndexes: str


class UncountedTerminatedPods(TypedDict, total=False):
    """UncountedTerminatedPods of batch/v1."""

    failed: list[str]
    succeeded: list[str]
