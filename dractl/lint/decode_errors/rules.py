"""The rules about bodies in a wrong shape: why fields are unknown, where one mistake explains them."""

from __future__ import annotations

from dractl.finding import Severity
from dractl.lint.base.lint_rule import OwnRule, own_rule

__all__ = ["SHAPE_RULES"]

_CLAIMS = ("ResourceClaim", "ResourceClaimTemplate")
_ALL = (*_CLAIMS, "ResourceSlice", "DeviceClass", "DeviceTaintRule", "Pod")


def _shape(id: str, kind: str | tuple[str, ...], doc: str) -> OwnRule:  # noqa: A002 - the column's name
    return own_rule(id, severity=Severity.ERROR, kind=kind, doc=doc)


REQUEST_FLAT = _shape(
    "shape/request-flat",
    _CLAIMS,
    """In v1 and v1beta2 the fields of a request must be under `exactly`.

    In v1beta1 and v1alpha3 they are directly in the request. A server without strict decoding drops them, and
    the request becomes empty.

    Good:
        apiVersion: resource.k8s.io/v1
        kind: ResourceClaim
        metadata: {name: gpu}
        spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: gpu.example.com}}]}}
    Bad:
        apiVersion: resource.k8s.io/v1
        kind: ResourceClaim
        metadata: {name: gpu}
        spec: {devices: {requests: [{name: gpu, deviceClassName: gpu.example.com}]}}
    """,
)

REQUEST_EXACTLY = _shape(
    "shape/request-exactly",
    _CLAIMS,
    """In v1beta1 a request must not have `exactly`.

    The fields under `exactly` in v1 and v1beta2 are directly in the request in v1beta1 and v1alpha3.

    Good:
        apiVersion: resource.k8s.io/v1beta1
        kind: ResourceClaim
        metadata: {name: gpu}
        spec: {devices: {requests: [{name: gpu, deviceClassName: gpu.example.com}]}}
    Bad:
        apiVersion: resource.k8s.io/v1beta1
        kind: ResourceClaim
        metadata: {name: gpu}
        spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: gpu.example.com}}]}}
    """,
)

DEVICE_FLAT = _shape(
    "shape/device-flat",
    "ResourceSlice",
    """In v1beta1 the fields of a device must be under `basic`.

    In v1 and v1beta2 they are directly in the device. A server without strict decoding stores only the name
    of the device, and selectors that use attributes fail later.

    Good:
        apiVersion: resource.k8s.io/v1beta1
        kind: ResourceSlice
        metadata: {name: node-a}
        spec:
          driver: gpu.example.com
          nodeName: node-a
          pool: {name: node-a, generation: 1, resourceSliceCount: 1}
          devices: [{name: gpu-0, basic: {attributes: {model: {string: x1}}}}]
    Bad:
        apiVersion: resource.k8s.io/v1beta1
        kind: ResourceSlice
        metadata: {name: node-a}
        spec:
          driver: gpu.example.com
          nodeName: node-a
          pool: {name: node-a, generation: 1, resourceSliceCount: 1}
          devices: [{name: gpu-0, attributes: {model: {string: x1}}}]
    """,
)

DEVICE_BASIC = _shape(
    "shape/device-basic",
    "ResourceSlice",
    """In v1 and v1beta2 a device must not have `basic`.

    The fields under `basic` in v1beta1 and v1alpha3 are directly in the device.

    Good:
        apiVersion: resource.k8s.io/v1
        kind: ResourceSlice
        metadata: {name: node-a}
        spec:
          driver: gpu.example.com
          nodeName: node-a
          pool: {name: node-a, generation: 1, resourceSliceCount: 1}
          devices: [{name: gpu-0, attributes: {model: {string: x1}}}]
    Bad:
        apiVersion: resource.k8s.io/v1
        kind: ResourceSlice
        metadata: {name: node-a}
        spec:
          driver: gpu.example.com
          nodeName: node-a
          pool: {name: node-a, generation: 1, resourceSliceCount: 1}
          devices: [{name: gpu-0, basic: {attributes: {model: {string: x1}}}}]
    """,
)

INDENTATION = _shape(
    "shape/indentation",
    _ALL,
    """Nested fields must be indented further than their key.

    With the same indentation, a field becomes a sibling of the key, and the key is empty.

    Good:
        apiVersion: resource.k8s.io/v1
        kind: DeviceClass
        metadata: {name: gpu.example.com}
        spec:
          selectors:
          - cel:
              expression: device.driver == "gpu.example.com"
    Bad:
        apiVersion: resource.k8s.io/v1
        kind: DeviceClass
        metadata: {name: gpu.example.com}
        spec:
          selectors:
          - cel:
            expression: device.driver == "gpu.example.com"
    """,
)

CASE = _shape(
    "shape/case",
    _ALL,
    """Keys must be spelled exactly as in the API, such as `deviceClassName`.

    Keys are case-sensitive and contain no underscores or hyphens.

    Good:
        apiVersion: resource.k8s.io/v1
        kind: ResourceClaim
        metadata: {name: gpu}
        spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: gpu.example.com}}]}}
    Bad:
        apiVersion: resource.k8s.io/v1
        kind: ResourceClaim
        metadata: {name: gpu}
        spec: {devices: {requests: [{name: gpu, exactly: {device_class_name: gpu.example.com}}]}}
    """,
)

LEVEL = _shape(
    "shape/level",
    _ALL,
    """A field must be at its own level of the object.

    The field exists, but at a deeper or higher level.

    Good:
        apiVersion: resource.k8s.io/v1
        kind: ResourceClaim
        metadata: {name: gpu}
        spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: gpu.example.com}}]}}
    Bad:
        apiVersion: resource.k8s.io/v1
        kind: ResourceClaim
        metadata: {name: gpu}
        spec: {requests: [{name: gpu, exactly: {deviceClassName: gpu.example.com}}]}
    """,
)

CLAIM_OR_TEMPLATE = _shape(
    "shape/claim-or-template",
    _CLAIMS,
    """The claim spec must be in `spec.spec` of a ResourceClaimTemplate, and in `spec` of a ResourceClaim.

    The `spec` of a template has two fields: `metadata`, with labels and annotations for the claims, and
    `spec`.

    Good:
        apiVersion: resource.k8s.io/v1
        kind: ResourceClaimTemplate
        metadata: {name: gpu}
        spec: {spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: gpu.example.com}}]}}}
    Bad:
        apiVersion: resource.k8s.io/v1
        kind: ResourceClaimTemplate
        metadata: {name: gpu}
        spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: gpu.example.com}}]}}
    """,
)

BARE_VALUE = _shape(
    "shape/bare-value",
    _ALL,
    """Capacities, counters, attributes and selectors must be objects.

    Write `memory: {value: 16Gi}`, `model: {string: x1}`, `cel: {expression: ...}`. Only v1alpha3 has
    capacities that are plain quantities.

    Good:
        apiVersion: resource.k8s.io/v1
        kind: ResourceSlice
        metadata: {name: node-a}
        spec:
          driver: gpu.example.com
          nodeName: node-a
          pool: {name: node-a, generation: 1, resourceSliceCount: 1}
          devices: [{name: gpu-0, capacity: {memory: {value: 16Gi}}}]
    Bad:
        apiVersion: resource.k8s.io/v1
        kind: ResourceSlice
        metadata: {name: node-a}
        spec:
          driver: gpu.example.com
          nodeName: node-a
          pool: {name: node-a, generation: 1, resourceSliceCount: 1}
          devices: [{name: gpu-0, capacity: {memory: 16Gi}}]
    """,
)

WRAPPED_VALUE = _shape(
    "shape/wrapped-value",
    _ALL,
    """Capacity amounts in a request must be plain quantities, without `value`.

    Objects with a `value` describe the capacity of a device.

    Good:
        apiVersion: resource.k8s.io/v1
        kind: ResourceClaim
        metadata: {name: gpu}
        spec:
          devices:
            requests:
            - name: gpu
              exactly: {deviceClassName: gpu.example.com, capacity: {requests: {memory: 16Gi}}}
    Bad:
        apiVersion: resource.k8s.io/v1
        kind: ResourceClaim
        metadata: {name: gpu}
        spec:
          devices:
            requests:
            - name: gpu
              exactly: {deviceClassName: gpu.example.com, capacity: {requests: {memory: {value: 16Gi}}}}
    """,
)

LIST = _shape(
    "shape/list",
    _ALL,
    """Lists must have items with hyphens, and objects must not.

    Good:
        apiVersion: resource.k8s.io/v1
        kind: DeviceClass
        metadata: {name: gpu.example.com}
        spec:
          selectors:
          - cel: {expression: device.driver == "gpu.example.com"}
    Bad:
        apiVersion: resource.k8s.io/v1
        kind: DeviceClass
        metadata: {name: gpu.example.com}
        spec:
          selectors:
            cel: {expression: device.driver == "gpu.example.com"}
    """,
)

POD_SOURCE = _shape(
    "shape/pod-source",
    "Pod",
    """A claim of a pod must name its ResourceClaim or template directly.

    Up to 1.30 the names were under `source`. A server without strict decoding ignores the old form and
    reports that both names are missing.

    Good:
        apiVersion: v1
        kind: Pod
        metadata: {name: train}
        spec:
          containers:
          - {name: main, image: registry.example.com/main, resources: {claims: [{name: gpu}]}}
          resourceClaims: [{name: gpu, resourceClaimTemplateName: one-gpu}]
    Bad:
        apiVersion: v1
        kind: Pod
        metadata: {name: train}
        spec:
          containers:
          - {name: main, image: registry.example.com/main, resources: {claims: [{name: gpu}]}}
          resourceClaims: [{name: gpu, source: {resourceClaimTemplateName: one-gpu}}]
    """,
)

NEWER_FIELD = _shape(
    "shape/newer-field",
    _ALL,
    """Fields must exist in the Kubernetes minor.

    An older server rejects a newer field or, without strict decoding, drops it. Choose the minor with
    `--kube-version`, or remove the field. In 1.33:

    Good:
        apiVersion: resource.k8s.io/v1beta2
        kind: DeviceClass
        metadata: {name: gpu}
        spec: {selectors: [{cel: {expression: device.driver == "gpu.example.com"}}]}
    Bad:
        apiVersion: resource.k8s.io/v1beta2
        kind: DeviceClass
        metadata: {name: gpu}
        spec: {extendedResourceName: example.com/gpu}
    """,
)

FORMER_FIELD = _shape(
    "shape/former-field",
    _ALL,
    """Removed fields of earlier minors and API versions must not be used.

    Earlier APIs had parameters references, resource classes and control plane controllers of drivers.

    Good:
        apiVersion: resource.k8s.io/v1
        kind: ResourceClaim
        metadata: {name: gpu}
        spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: gpu.example.com}}]}}
    Bad:
        apiVersion: resource.k8s.io/v1
        kind: ResourceClaim
        metadata: {name: gpu}
        spec: {resourceClassName: gpu.example.com}
    """,
)

SHAPE_RULES: tuple[OwnRule, ...] = (
    REQUEST_FLAT, REQUEST_EXACTLY, DEVICE_FLAT, DEVICE_BASIC, INDENTATION, CASE, LEVEL, CLAIM_OR_TEMPLATE,
    BARE_VALUE, WRAPPED_VALUE, LIST, POD_SOURCE, NEWER_FIELD, FORMER_FIELD,
)  # fmt: skip
"""All of them, in the order in which they are listed."""
