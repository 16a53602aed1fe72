"""The rules about whole documents: read or not, served or not, kept or dropped, new or gone."""

from __future__ import annotations

from dractl.finding import Severity
from dractl.lint.base.lint_rule import OwnRule, own_rule

__all__ = ["DOCUMENT_RULES"]


def _document(id: str, severity: Severity, doc: str, *kinds: str) -> OwnRule:  # noqa: A002 - the column's name
    return own_rule(id, severity=severity, kind=kinds, doc=doc)


_ERROR, _WARNING, _INFO = Severity.ERROR, Severity.WARNING, Severity.INFO

DOCUMENT_RULES: tuple[OwnRule, ...] = (
    _document(
        "decode/fatal",
        _ERROR,
        """A document must be valid YAML with values of the right types.

        If the YAML is invalid or a value has the wrong type, the server reports only this error. dractl also
        reports the errors that would follow after fixing it.

        Good:
            apiVersion: resource.k8s.io/v1
            kind: DeviceClass
            metadata: {name: gpu}
            spec: {}
        Bad:
            apiVersion: resource.k8s.io/v1
            kind: DeviceClass
            metadata: {name: gpu}
            spec: none
        """,
    ),
    _document(
        "decode/unknown",
        _ERROR,
        """An object can have only fields of its API version.

        The server rejects unknown fields in strict requests, such as those of kubectl. Otherwise it drops the
        field, which is rarely intended.

        Good:
            apiVersion: resource.k8s.io/v1
            kind: DeviceClass
            metadata: {name: gpu}
            spec: {config: []}
        Bad:
            apiVersion: resource.k8s.io/v1
            kind: DeviceClass
            metadata: {name: gpu}
            spec: {configuration: []}
        """,
    ),
    _document(
        "decode/duplicate",
        _ERROR,
        """Keys must be unique in a mapping.

        The server rejects duplicate keys in strict requests, such as those of kubectl. Otherwise the last one
        wins.

        Good:
            apiVersion: resource.k8s.io/v1
            kind: DeviceClass
            metadata: {name: gpu}
            spec: {}
        Bad:
            apiVersion: resource.k8s.io/v1
            kind: DeviceClass
            metadata: {name: nic, name: gpu}
            spec: {}
        """,
    ),
    _document(
        "version/unserved",
        _ERROR,
        """The API version and kind must exist in the Kubernetes minor.

        The server may still not serve it by default, see `version/not-served-by-default`.

        Good:
            apiVersion: resource.k8s.io/v1
            kind: DeviceClass
            metadata: {name: gpu}
            spec: {}
        Bad:
            apiVersion: resource.k8s.io/v1alpha2
            kind: ResourceClass
            metadata: {name: gpu}
            driverName: gpu.example.com
        """,
    ),
    _document(
        "version/not-served-by-default",
        _WARNING,
        """The API version must be served by default.

        Alpha and beta versions must be enabled with `--runtime-config`. Otherwise the server responds that
        the kind does not exist.

        Good:
            apiVersion: resource.k8s.io/v1
            kind: DeviceClass
            metadata: {name: gpu}
            spec: {}
        Bad:
            apiVersion: resource.k8s.io/v1beta1
            kind: DeviceClass
            metadata: {name: gpu}
            spec: {}
        """,
    ),
    _document(
        "version/other-group",
        _WARNING,
        """DRA kinds must be in the group `resource.k8s.io`.

        Another group, however similar, may belong to custom resources, so this is not an error. Its objects
        are not validated or simulated.

        Good:
            apiVersion: resource.k8s.io/v1
            kind: DeviceClass
            metadata: {name: gpu}
            spec: {}
        Bad:
            apiVersion: resources.k8s.io/v1
            kind: DeviceClass
            metadata: {name: gpu}
            spec: {}
        """,
    ),
    _document(
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
    _document(
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
    _document(
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
    _document(
        "simulate/ignored",
        _INFO,
        """A simulation must know everything that decides about a pod.

        `dractl simulate` ignores pod affinity, spread constraints that forbid nodes, host ports, volumes, and
        the placement of pod groups. It reports the first object with each of them.

        Good:
            apiVersion: v1
            kind: Pod
            metadata: {name: train, namespace: default}
            spec:
              resourceClaims: [{name: gpu, resourceClaimName: gpu}]
              containers: [{name: main, image: train, resources: {claims: [{name: gpu}]}}]
        Bad:
            apiVersion: v1
            kind: Pod
            metadata: {name: train, namespace: default}
            spec:
              resourceClaims: [{name: gpu, resourceClaimName: gpu}]
              containers:
              - name: main
                image: train
                ports: [{containerPort: 80, hostPort: 80}]
                resources: {claims: [{name: gpu}]}
        """,
        "Pod",
    ),
    _document(
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
    _document(
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
    _document(
        "config/schema",
        _WARNING,
        """Opaque parameters must match their schema.

        Only the driver defines its parameters. `--config-schema DRIVER/KIND=FILE` sets a JSON Schema for
        parameters of one kind; without it they are not checked. With a schema in which `replicas` is a
        number:

        Good:
            apiVersion: resource.k8s.io/v1
            kind: ResourceClaim
            metadata: {name: gpu, namespace: default}
            spec:
              devices:
                config:
                - opaque:
                    driver: gpu.example.com
                    parameters: {apiVersion: gpu.example.com/v1, kind: Config, replicas: 4}
        Bad:
            apiVersion: resource.k8s.io/v1
            kind: ResourceClaim
            metadata: {name: gpu, namespace: default}
            spec:
              devices:
                config:
                - opaque:
                    driver: gpu.example.com
                    parameters: {apiVersion: gpu.example.com/v1, kind: Config, replicas: four}
        """,
        "ResourceClaim",
        "ResourceClaimTemplate",
        "DeviceClass",
    ),
    _document(
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
    _document(
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
    _document(
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
    _document(
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
    _document(
        "document/unnamed",
        _INFO,
        """A document must have an apiVersion and a kind.

        A document with neither is not a manifest, such as a values file, and is skipped. A document with only
        one of them is an error.

        Good:
            apiVersion: resource.k8s.io/v1
            kind: DeviceClass
            metadata: {name: gpu}
            spec: {}
        Bad:
            replicas: 2
            image: registry.example.com/main
        """,
    ),
    _document(
        "document/skipped",
        _INFO,
        """A document must have a kind that dractl supports.

        dractl supports the kinds of resource.k8s.io, pods and workloads, and uses nodes and namespaces where
        they matter. All other kinds are skipped and counted in the last line.

        Good:
            apiVersion: resource.k8s.io/v1
            kind: DeviceClass
            metadata: {name: gpu}
            spec: {}
        Bad:
            apiVersion: v1
            kind: ConfigMap
            metadata: {name: settings}
            data: {a: b}
        """,
    ),
    _document(
        "document/nothing-asked",
        _INFO,
        """A claim should have a request.

        A claim without requests is allocated without devices. It may be a placeholder; more often the
        requests were lost by mistake.

        Good:
            apiVersion: resource.k8s.io/v1
            kind: ResourceClaim
            metadata: {name: gpu}
            spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: gpu.example.com}}]}}
        Bad:
            apiVersion: resource.k8s.io/v1
            kind: ResourceClaim
            metadata: {name: gpu}
            spec: {devices: {requests: []}}
        """,
    ),
    _document(
        "document/count-zero",
        _WARNING,
        """A request must not ask for 0 devices.

        The API server cannot distinguish 0 from an unset count, so the request gets the default: one device,
        or all of them with allocationMode `All`.

        Good:
            apiVersion: resource.k8s.io/v1
            kind: ResourceClaim
            metadata: {name: gpu}
            spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: gpu.example.com, count: 1}}]}}
        Bad:
            apiVersion: resource.k8s.io/v1
            kind: ResourceClaim
            metadata: {name: gpu}
            spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: gpu.example.com, count: 0}}]}}
        """,
    ),
)
"""All of them, in the order in which they are listed."""
