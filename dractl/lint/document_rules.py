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
        """A text, or a value in it, can be read as what the field holds.

        YAML that does not parse, a list where an object belongs, a text where a number belongs: the server
        answers with this one error and looks no further. What dractl says after it is what would come next.

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
        """An object has only fields that its API version knows.

        This is the answer to strict requests, such as those of kubectl. Without strictness the server drops
        the field and goes on, which is hardly ever what was meant.

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
        """A key stands only once in a mapping.

        Strict requests, such as those of kubectl, are refused. Without strictness the last one counts.

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
        """An object is of an API version and kind that the Kubernetes minor has.

        Whether the server also serves it without being told so is another question, see
        `version/not-served-by-default`.

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
        """An object is of an API version that a server serves without being told so.

        Alpha and beta versions have to be switched on with `--runtime-config`. Where that was not done the
        server answers that there is no such kind.

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
        """A kind of DRA stands in the group `resource.k8s.io`.

        A group of another name, however similar, may be that of custom resources, so the server is not said
        to refuse it; but nothing in it is judged or simulated.

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
        """The feature gates of all fields are on.

        A server whose gate is off drops the field without a word, and the object does not do what it says.
        The exception is a change of an object that uses the field already. `dractl gates` lists the gates.

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
        "gate/kept",
        _WARNING,
        """A field whose feature gate is off does not stay in the object.

        An object that uses a feature already keeps it when the gate is switched off, and some minors forget
        to drop a field. Nothing acts on it while the gate is off. In 1.34, where DRADeviceTaints is off:

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
        """Whether the namespace of a claim with admin access allows it is known.

        Admin access needs the label `resource.kubernetes.io/admin-access: "true"` on the namespace. Give its
        Namespace object among the input, or `--namespace-labels`; without either this is not judged.

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
        """Opaque parameters follow the schema that was given for them.

        Only the driver knows what its parameters may be. `--config-schema DRIVER/KIND=FILE` gives dractl a
        JSON Schema for those of one kind; without it nothing is said. With one that wants a
        number of `replicas`:

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
        """An object has an earlier self in the earlier state.

        With `--old` or `--since` each object is judged as a change of the object of the same kind, namespace
        and name. One that has no earlier self is judged as a new one.

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
        """The earlier state of an object can be read.

        `--since` reads regular files from git. It follows no link and enters no submodule, and a text that
        was broken at the earlier commit holds no objects. An object that is only found there today may have
        changed in a way that the API server forbids, so dractl checks it as a new object and warns.

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
        """An object of the earlier state is still there.

        With `--old` or `--since` this names what the earlier state has and the present one has not. Nothing
        is judged: whether an object may be deleted is not asked.

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
        """An object of a kind without a status is not sent to a status.

        With `--subresource status` each object is judged as a change of its status. Where the kind has none
        the object is judged as a new one.

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
        """A document has an apiVersion and a kind.

        One with neither is something else, such as a file of values, and is skipped. One with only one of
        the two is an error.

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
        """A document is of a kind that dractl reads.

        These are the kinds of resource.k8s.io, pods and workloads; nodes and namespaces are looked at where
        they matter. All others are skipped, and counted in the last line.

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
        """A claim has a request.

        One without any is allocated with no device. It may be a placeholder; more often its requests got
        lost on the way.

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
)
"""All of them, in the order in which they are listed."""
