"""The rules about single documents: read or not, served or not, and what they lack."""

from __future__ import annotations

from dractl.finding import Severity
from dractl.lint.base.lint_rule import OwnRule, document_rule

__all__ = ["DOCUMENT_RULES"]


_ERROR, _WARNING, _INFO = Severity.ERROR, Severity.WARNING, Severity.INFO

DOCUMENT_RULES: tuple[OwnRule, ...] = (
    document_rule(
        "decode/fatal",
        _ERROR,
        """A document must be valid YAML with values of the right types.

        The server reports only this error. dractl also reports the errors that would follow after fixing it.
        `decode/syntax`, `decode/template`, `decode/no-kind` and `decode/type` are its parts.

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
    document_rule(
        "decode/syntax",
        _ERROR,
        """A document must be valid YAML or JSON.

        Part of `decode/fatal`, the id in JSON documents. kubectl and the server read nothing of such a
        document. `dractl` reads the other documents of the file.

        Good:
            apiVersion: resource.k8s.io/v1
            kind: DeviceClass
            metadata: {name: gpu}
            spec: {}
        Bad:
            apiVersion: resource.k8s.io/v1
            kind: DeviceClass
            metadata: {name: gpu
            spec: {}
        """,
    ),
    document_rule(
        "decode/template",
        _ERROR,
        """A template must be rendered first.

        Part of `decode/fatal`, the id in JSON documents. `{{ ... }}` of Helm and others is filled in before
        kubectl reads a manifest: pass the output of `helm template` instead. In folders, dractl skips
        templates and counts them.

        Good:
            apiVersion: resource.k8s.io/v1
            kind: DeviceClass
            metadata: {name: gpu}
            spec: {}
        Bad:
            apiVersion: resource.k8s.io/v1
            kind: DeviceClass
            metadata: {name: {{ .Values.name }}}
            spec: {}
        """,
    ),
    document_rule(
        "decode/no-kind",
        _ERROR,
        """An object must have an apiVersion and a kind.

        Part of `decode/fatal`, the id in JSON documents. A document with neither is not a manifest, see
        `document/unnamed`.

        Good:
            apiVersion: resource.k8s.io/v1
            kind: DeviceClass
            metadata: {name: gpu}
            spec: {}
        Bad:
            apiVersion: resource.k8s.io/v1
            metadata: {name: gpu}
            spec: {}
        """,
    ),
    document_rule(
        "decode/type",
        _ERROR,
        """A value must have the type of its field.

        Part of `decode/fatal`, the id in JSON documents. The server reports only this error. dractl also
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
    document_rule(
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
    document_rule(
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
    document_rule(
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
    document_rule(
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
    document_rule(
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
    document_rule(
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
    document_rule(
        "simulate/skew",
        _WARNING,
        """A scheduler must know all fields of the objects that it reads.

        A scheduler that is older than the API server drops the fields that its minor lacks, and places
        pods without them. `dractl simulate --scheduler-version` does the same, and reports the
        first object with each such field. With a 1.33 scheduler:

        Good:
            apiVersion: resource.k8s.io/v1
            kind: ResourceClaim
            metadata: {name: nics, namespace: default}
            spec:
              devices:
                requests: [{name: nic, exactly: {deviceClassName: nic, count: 2}}]
                constraints: [{matchAttribute: nic.example.com/network}]
        Bad:
            apiVersion: resource.k8s.io/v1
            kind: ResourceClaim
            metadata: {name: nics, namespace: default}
            spec:
              devices:
                requests: [{name: nic, exactly: {deviceClassName: nic, count: 2}}]
                constraints: [{distinctAttribute: nic.example.com/switch}]
        """,
    ),
    document_rule(
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
    document_rule(
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
    document_rule(
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
    document_rule(
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
    document_rule(
        "document/count-zero",
        _WARNING,
        """The count of a request must not be 0.

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
