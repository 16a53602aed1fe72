"""The rules about objects compared with their earlier state."""

from __future__ import annotations

from dractl.finding import Severity
from dractl.lint.base.lint_rule import OwnRule, document_rule

__all__ = ["UPDATE_RULES"]


_WARNING, _INFO = Severity.WARNING, Severity.INFO

UPDATE_RULES: tuple[OwnRule, ...] = (
    document_rule(
        "update/new",
        _INFO,
        """An object must exist in the earlier state.

        With `--old` or `--since`, each object is validated as an update of the object of the same kind,
        namespace and name. If that does not exist, the object is validated as a new one.

        Good:
            # before
            apiVersion: resource.k8s.io/v1
            kind: DeviceClass
            metadata: {name: gpu}
            spec: {}
            ---
            # after
            apiVersion: resource.k8s.io/v1
            kind: DeviceClass
            metadata: {name: gpu}
            spec: {extendedResourceName: example.com/gpu}
        Bad:
            # before
            apiVersion: resource.k8s.io/v1
            kind: DeviceClass
            metadata: {name: gpu}
            spec: {}
            ---
            # after
            apiVersion: resource.k8s.io/v1
            kind: DeviceClass
            metadata: {name: gpu}
            spec: {}
            ---
            apiVersion: resource.k8s.io/v1
            kind: DeviceClass
            metadata: {name: nic}
            spec: {}
        """,
    ),
    document_rule(
        "update/unknown",
        _WARNING,
        """The earlier state of an object must be readable.

        `--since` reads regular files from git. It does not follow links or enter submodules, and a file that
        was invalid at the earlier commit has no objects. The update of an object in such a file may be
        invalid, so dractl validates it as a new object and warns.

        Good:
            # class.yaml, a regular file today and at the earlier commit
            apiVersion: resource.k8s.io/v1
            kind: DeviceClass
            metadata: {name: gpu}
            spec: {}
        Bad:
            # class.yaml, at the earlier commit a link to ../shared/class.yaml
            apiVersion: resource.k8s.io/v1
            kind: DeviceClass
            metadata: {name: gpu}
            spec: {}
        """,
    ),
    document_rule(
        "update/generation-back",
        _WARNING,
        """The generation of a pool must not go back.

        Of the slices of a pool only those of the highest generation count. While slices of an earlier, higher
        one are still there, those of a lower one are ignored.

        Good:
            # before
            apiVersion: resource.k8s.io/v1
            kind: ResourceSlice
            metadata: {name: node-a}
            spec:
              driver: gpu.example.com
              nodeName: node-a
              pool: {name: node-a, generation: 5, resourceSliceCount: 1}
              devices: [{name: gpu-0}]
            ---
            # after
            apiVersion: resource.k8s.io/v1
            kind: ResourceSlice
            metadata: {name: node-a}
            spec:
              driver: gpu.example.com
              nodeName: node-a
              pool: {name: node-a, generation: 6, resourceSliceCount: 1}
              devices: [{name: gpu-0}, {name: gpu-1}]
        Bad:
            # before
            apiVersion: resource.k8s.io/v1
            kind: ResourceSlice
            metadata: {name: node-a}
            spec:
              driver: gpu.example.com
              nodeName: node-a
              pool: {name: node-a, generation: 5, resourceSliceCount: 1}
              devices: [{name: gpu-0}]
            ---
            # after
            apiVersion: resource.k8s.io/v1
            kind: ResourceSlice
            metadata: {name: node-a}
            spec:
              driver: gpu.example.com
              nodeName: node-a
              pool: {name: node-a, generation: 4, resourceSliceCount: 1}
              devices: [{name: gpu-0}]
        """,
        "ResourceSlice",
    ),
    document_rule(
        "update/generation-same",
        _WARNING,
        """The devices of a pool must not change within a generation.

        A driver raises the generation in all slices of a pool when a device or a shared counter changes.
        Otherwise consumers cannot tell that what they have seen of the pool is outdated.

        Good:
            # before
            apiVersion: resource.k8s.io/v1
            kind: ResourceSlice
            metadata: {name: node-a}
            spec:
              driver: gpu.example.com
              nodeName: node-a
              pool: {name: node-a, generation: 5, resourceSliceCount: 1}
              devices: [{name: gpu-0}]
            ---
            # after
            apiVersion: resource.k8s.io/v1
            kind: ResourceSlice
            metadata: {name: node-a}
            spec:
              driver: gpu.example.com
              nodeName: node-a
              pool: {name: node-a, generation: 6, resourceSliceCount: 1}
              devices: [{name: gpu-1}]
        Bad:
            # before
            apiVersion: resource.k8s.io/v1
            kind: ResourceSlice
            metadata: {name: node-a}
            spec:
              driver: gpu.example.com
              nodeName: node-a
              pool: {name: node-a, generation: 5, resourceSliceCount: 1}
              devices: [{name: gpu-0}]
            ---
            # after
            apiVersion: resource.k8s.io/v1
            kind: ResourceSlice
            metadata: {name: node-a}
            spec:
              driver: gpu.example.com
              nodeName: node-a
              pool: {name: node-a, generation: 5, resourceSliceCount: 1}
              devices: [{name: gpu-1}]
        """,
        "ResourceSlice",
    ),
    document_rule(
        "update/prototype",
        _INFO,
        """Objects of prototype APIs have no rules about updates.

        With `--old` or `--since`, an object of a prototype that differs from its earlier state is validated
        as a new object: no server of the prototypes ever compared them.

        Good:
            # before
            apiVersion: resource.k8s.io/v1
            kind: DeviceClass
            metadata: {name: gpu}
            spec: {}
            ---
            # after
            apiVersion: resource.k8s.io/v1
            kind: DeviceClass
            metadata: {name: gpu}
            spec: {extendedResourceName: example.com/gpu}
        Bad:
            # before
            apiVersion: devmgmtproto.k8s.io/v1alpha1
            kind: DevicePool
            metadata: {name: node-a}
            spec: {driver: gpu.example.com, nodeName: node-a, count: 2}
            ---
            # after
            apiVersion: devmgmtproto.k8s.io/v1alpha1
            kind: DevicePool
            metadata: {name: node-a}
            spec: {driver: gpu.example.com, nodeName: node-a, count: 3}
        """,
    ),
    document_rule(
        "update/gone",
        _INFO,
        """An object of the earlier state should still exist.

        With `--old` or `--since`, this lists the objects that only the earlier state has. dractl does not
        check whether they can be deleted.

        Good:
            # before
            apiVersion: resource.k8s.io/v1
            kind: DeviceClass
            metadata: {name: gpu}
            spec: {}
            ---
            # after
            apiVersion: resource.k8s.io/v1
            kind: DeviceClass
            metadata: {name: gpu}
            spec: {extendedResourceName: example.com/gpu}
        Bad:
            # before
            apiVersion: resource.k8s.io/v1
            kind: DeviceClass
            metadata: {name: gpu}
            spec: {}
            ---
            apiVersion: resource.k8s.io/v1
            kind: DeviceClass
            metadata: {name: nic}
            spec: {}
            ---
            # after
            apiVersion: resource.k8s.io/v1
            kind: DeviceClass
            metadata: {name: gpu}
            spec: {}
        """,
    ),
    document_rule(
        "update/no-status",
        _INFO,
        """A status update requires a kind with a status.

        With `--subresource status`, each object is validated as a status update. If the kind has no status,
        the object is validated as a new one.

        Good:
            # before
            apiVersion: resource.k8s.io/v1
            kind: ResourceClaim
            metadata: {name: gpu, namespace: default}
            spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: gpu}}]}}
            ---
            # after
            apiVersion: resource.k8s.io/v1
            kind: ResourceClaim
            metadata: {name: gpu, namespace: default}
            spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: gpu}}]}}
            status: {}
        Bad:
            # before
            apiVersion: resource.k8s.io/v1
            kind: DeviceClass
            metadata: {name: gpu}
            spec: {}
            ---
            # after
            apiVersion: resource.k8s.io/v1
            kind: DeviceClass
            metadata: {name: gpu}
            spec: {}
        """,
    ),
)
"""All of them, in the order in which they are listed."""
