"""The rules about what a feature gate, or a label, hides from the server."""

from __future__ import annotations

from dractl.finding import Severity
from dractl.lint.base.lint_rule import OwnRule, document_rule

__all__ = ["GATE_RULES"]


_WARNING = Severity.WARNING

GATE_RULES: tuple[OwnRule, ...] = (
    document_rule(
        "gate/dropped",
        _WARNING,
        """The feature gates of all fields must be on.

        If the gate is off, the server silently drops the field. The exception is an update of an object that
        already uses the field. `dractl gates` lists the gates.

        Good:
            apiVersion: resource.k8s.io/v1
            kind: ResourceSlice
            metadata: {name: node-a}
            spec:
              driver: gpu.example.com
              nodeName: node-a
              pool: {name: node-a, generation: 1, resourceSliceCount: 1}
              devices: [{name: gpu-0}]
        Bad:
            apiVersion: resource.k8s.io/v1
            kind: ResourceSlice
            metadata: {name: node-a}
            spec:
              driver: gpu.example.com
              nodeName: node-a
              pool: {name: node-a, generation: 1, resourceSliceCount: 1}
              partitionTypeAttribute: gpu.example.com/type
              devices: [{name: gpu-0}]
        """,
    ),
    document_rule(
        "gate/unserved",
        _WARNING,
        """The feature gates of all kinds must be on.

        While the gate is off, the server does not serve the kind, even if the API version is enabled.

        Good:
            apiVersion: resource.k8s.io/v1
            kind: ResourceClaimTemplate
            metadata: {name: gpu, namespace: default}
            spec: {spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: gpu}}]}}}
        Bad:
            apiVersion: scheduling.k8s.io/v1beta1
            kind: PodGroup
            metadata: {name: workers, namespace: default}
            spec: {schedulingPolicy: {gang: {minCount: 2}}}
        """,
    ),
    document_rule(
        "pod/implicit-resource",
        _WARNING,
        """In 1.34 a pod gets no device for the implicit resource name of a class.

        `deviceclass.resource.kubernetes.io/<class>` works since 1.35. With the gate DRAExtendedResource a
        scheduler of 1.34 places the pod as if it did not request anything. In 1.34:

        Good:
            apiVersion: v1
            kind: Pod
            metadata: {name: train, namespace: default}
            spec:
              containers:
              - name: main
                image: train
                resources: {limits: {example.com/gpu: 1}}
        Bad:
            apiVersion: v1
            kind: Pod
            metadata: {name: train, namespace: default}
            spec:
              containers:
              - name: main
                image: train
                resources: {limits: {deviceclass.resource.kubernetes.io/gpu: 1}}
        """,
        "Pod",
    ),
    document_rule(
        "gate/kept",
        _WARNING,
        """A field whose feature gate is off has no effect.

        An object that already uses a feature keeps the field when the gate is turned off, and some minors do
        not drop the field. It has no effect while the gate is off. In 1.34, where DRADeviceTaints is off:

        Good:
            apiVersion: resource.k8s.io/v1
            kind: ResourceClaim
            metadata: {name: gpu, namespace: default}
            spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: gpu}}]}}
        Bad:
            apiVersion: resource.k8s.io/v1
            kind: ResourceClaim
            metadata: {name: gpu, namespace: default}
            spec:
              devices:
                requests:
                - name: gpu
                  exactly:
                    deviceClassName: gpu
                    tolerations: [{key: example.com/broken, operator: Exists}]
        """,
    ),
    document_rule(
        "admin/unknown-namespace",
        _WARNING,
        """The namespace labels of a claim with admin access must be known.

        Admin access requires the label `resource.kubernetes.io/admin-access: "true"` on the namespace.
        Include its Namespace object in the input, or pass `--namespace-labels`; otherwise the label is not
        checked.

        Good:
            apiVersion: v1
            kind: Namespace
            metadata: {name: monitoring, labels: {resource.kubernetes.io/admin-access: "true"}}
            ---
            apiVersion: resource.k8s.io/v1
            kind: ResourceClaim
            metadata: {name: all, namespace: monitoring}
            spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: gpu, adminAccess: true}}]}}
        Bad:
            apiVersion: resource.k8s.io/v1
            kind: ResourceClaim
            metadata: {name: all, namespace: monitoring}
            spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: gpu, adminAccess: true}}]}}
        """,
        "ResourceClaim",
        "ResourceClaimTemplate",
    ),
)
"""All of them, in the order in which they are listed."""
