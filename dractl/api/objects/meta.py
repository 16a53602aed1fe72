"""Objects of the API group meta; written by python -m tests.drift --fix."""

from __future__ import annotations

from typing import TypedDict


class Condition(TypedDict, total=False):
    """Condition of meta/v1."""

    lastTransitionTime: str
    message: str
    observedGeneration: int
    reason: str
    status: str
    type: str


class LabelSelector(TypedDict, total=False):
    """LabelSelector of meta/v1."""

    matchExpressions: list[LabelSelectorRequirement]
    matchLabels: dict[str, str]


class LabelSelectorRequirement(TypedDict, total=False):
    """LabelSelectorRequirement of meta/v1."""

    key: str
    operator: str
    values: list[str]


class ManagedFieldsEntry(TypedDict, total=False):
    """ManagedFieldsEntry of meta/v1."""

    apiVersion: str
    fieldsType: str
    fieldsV1: object
    manager: str
    operation: str
    subresource: str
    time: str


class ObjectMeta(TypedDict, total=False):
    """ObjectMeta of meta/v1."""

    annotations: dict[str, str]
    creationTimestamp: str
    deletionGracePeriodSeconds: int
    deletionTimestamp: str
    finalizers: list[str]
    generateName: str
    generation: int
    labels: dict[str, str]
    managedFields: list[ManagedFieldsEntry]
    name: str
    namespace: str
    ownerReferences: list[OwnerReference]
    resourceVersion: str
    selfLink: str
    uid: str


class OwnerReference(TypedDict, total=False):
    """OwnerReference of meta/v1."""

    apiVersion: str
    blockOwnerDeletion: bool
    controller: bool
    kind: str
    name: str
    uid: str
