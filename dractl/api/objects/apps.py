"""Objects of the API group apps; written by python -m tests.drift --fix."""

from __future__ import annotations

from typing import TypedDict

from dractl.api.objects import core, meta


class DaemonSet(TypedDict, total=False):
    """DaemonSet of apps/v1."""

    apiVersion: str
    kind: str
    metadata: meta.ObjectMeta
    spec: DaemonSetSpec
    status: DaemonSetStatus


class DaemonSetCondition(TypedDict, total=False):
    """DaemonSetCondition of apps/v1."""

    lastTransitionTime: str
    message: str
    reason: str
    status: str
    type: str


class DaemonSetSpec(TypedDict, total=False):
    """DaemonSetSpec of apps/v1."""

    minReadySeconds: int
    revisionHistoryLimit: int
    selector: meta.LabelSelector
    template: core.PodTemplateSpec
    updateStrategy: DaemonSetUpdateStrategy


class DaemonSetStatus(TypedDict, total=False):
    """DaemonSetStatus of apps/v1."""

    collisionCount: int
    conditions: list[DaemonSetCondition]
    currentNumberScheduled: int
    desiredNumberScheduled: int
    numberAvailable: int
    numberMisscheduled: int
    numberReady: int
    numberUnavailable: int
    observedGeneration: int
    updatedNumberScheduled: int


class DaemonSetUpdateStrategy(TypedDict, total=False):
    """DaemonSetUpdateStrategy of apps/v1."""

    rollingUpdate: RollingUpdateDaemonSet
    type: str


class Deployment(TypedDict, total=False):
    """Deployment of apps/v1."""

    apiVersion: str
    kind: str
    metadata: meta.ObjectMeta
    spec: DeploymentSpec
    status: DeploymentStatus


class DeploymentCondition(TypedDict, total=False):
    """DeploymentCondition of apps/v1."""

    lastTransitionTime: str
    lastUpdateTime: str
    message: str
    reason: str
    status: str
    type: str


class DeploymentSpec(TypedDict, total=False):
    """DeploymentSpec of apps/v1."""

    minReadySeconds: int
    paused: bool
    progressDeadlineSeconds: int
    replicas: int
    revisionHistoryLimit: int
    selector: meta.LabelSelector
    strategy: DeploymentStrategy
    template: core.PodTemplateSpec


class DeploymentStatus(TypedDict, total=False):
    """DeploymentStatus of apps/v1."""

    availableReplicas: int
    collisionCount: int
    conditions: list[DeploymentCondition]
    observedGeneration: int
    readyReplicas: int
    replicas: int
    terminatingReplicas: int
    unavailableReplicas: int
    updatedReplicas: int


class DeploymentStrategy(TypedDict, total=False):
    """DeploymentStrategy of apps/v1."""

    rollingUpdate: RollingUpdateDeployment
    type: str


class ReplicaSet(TypedDict, total=False):
    """ReplicaSet of apps/v1."""

    apiVersion: str
    kind: str
    metadata: meta.ObjectMeta
    spec: ReplicaSetSpec
    status: ReplicaSetStatus


class ReplicaSetCondition(TypedDict, total=False):
    """ReplicaSetCondition of apps/v1."""

    lastTransitionTime: str
    message: str
    reason: str
    status: str
    type: str


class ReplicaSetSpec(TypedDict, total=False):
    """ReplicaSetSpec of apps/v1."""

    minReadySeconds: int
    replicas: int
    selector: meta.LabelSelector
    template: core.PodTemplateSpec


class ReplicaSetStatus(TypedDict, total=False):
    """ReplicaSetStatus of apps/v1."""

    availableReplicas: int
    conditions: list[ReplicaSetCondition]
    fullyLabeledReplicas: int
    observedGeneration: int
    readyReplicas: int
    replicas: int
    terminatingReplicas: int


class RollingUpdateDaemonSet(TypedDict, total=False):
    """RollingUpdateDaemonSet of apps/v1."""

    maxSurge: int | str
    maxUnavailable: int | str


class RollingUpdateDeployment(TypedDict, total=False):
    """RollingUpdateDeployment of apps/v1."""

    maxSurge: int | str
    maxUnavailable: int | str


class RollingUpdateStatefulSetStrategy(TypedDict, total=False):
    """RollingUpdateStatefulSetStrategy of apps/v1."""

    maxUnavailable: int | str
    partition: int


class StatefulSet(TypedDict, total=False):
    """StatefulSet of apps/v1."""

    apiVersion: str
    kind: str
    metadata: meta.ObjectMeta
    spec: StatefulSetSpec
    status: StatefulSetStatus


class StatefulSetCondition(TypedDict, total=False):
    """StatefulSetCondition of apps/v1."""

    lastTransitionTime: str
    message: str
    reason: str
    status: str
    type: str


class StatefulSetOrdinals(TypedDict, total=False):
    """StatefulSetOrdinals of apps/v1."""

    start: int


class StatefulSetPersistentVolumeClaimRetentionPolicy(TypedDict, total=False):
    """StatefulSetPersistentVolumeClaimRetentionPolicy of apps/v1."""

    whenDeleted: str
    whenScaled: str


class StatefulSetSpec(TypedDict, total=False):
    """StatefulSetSpec of apps/v1."""

    minReadySeconds: int
    ordinals: StatefulSetOrdinals
    persistentVolumeClaimRetentionPolicy: StatefulSetPersistentVolumeClaimRetentionPolicy
    podManagementPolicy: str
    replicas: int
    revisionHistoryLimit: int
    selector: meta.LabelSelector
    serviceName: str
    template: core.PodTemplateSpec
    updateStrategy: StatefulSetUpdateStrategy
    volumeClaimTemplates: list[core.PersistentVolumeClaim]


class StatefulSetStatus(TypedDict, total=False):
    """StatefulSetStatus of apps/v1."""

    availableReplicas: int
    collisionCount: int
    conditions: list[StatefulSetCondition]
    currentReplicas: int
    currentRevision: str
    observedGeneration: int
    readyReplicas: int
    replicas: int
    updateRevision: str
    updatedReplicas: int


class StatefulSetUpdateStrategy(TypedDict, total=False):
    """StatefulSetUpdateStrategy of apps/v1."""

    rollingUpdate: RollingUpdateStatefulSetStrategy
    type: str
