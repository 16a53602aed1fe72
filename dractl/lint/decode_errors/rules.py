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
    """A request of v1 and v1beta2 says below `exactly` what it asks for.

    In v1beta1 (and v1alpha3) the same fields stand directly in the request. A server that does not decode
    strictly drops them, and then finds a request that asks for nothing.

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
    """A request of v1beta1 has no `exactly`.

    What stands below `exactly` in v1 and v1beta2 stands directly in the request in v1beta1 and v1alpha3.

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
    """A device of v1beta1 has its attributes, capacity and the rest below `basic`.

    In v1 and v1beta2 they stand directly in the device. A server that does not decode strictly stores the
    device with nothing but its name, and selectors that look for an attribute fail later.

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
    """A device of v1 and v1beta2 has no `basic`.

    What stands below `basic` in v1beta1 and v1alpha3 stands directly in the device.

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
    """What belongs below a key is indented further than the key.

    Written at the same depth it becomes a neighbour of the key, and the key itself is empty.

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
    """Keys are written exactly as the API spells them, `deviceClassName` for example.

    Upper and lower case count, and there are no underscores or hyphens in them.

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
    """A field stands at its own level of the object.

    The field exists, but further down or further up than it was written.

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
    """A ResourceClaimTemplate holds the spec of its claims in `spec.spec`, a ResourceClaim is one.

    A template's `spec` has two fields: `metadata`, with labels and annotations for the claims, and `spec`.

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
    """Capacity, counters, attributes and selectors are objects with the value in a field of them.

    `memory: {value: 16Gi}`, `model: {string: x1}`, `cel: {expression: ...}`. Only v1alpha3 has capacities
    that are bare quantities.

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
    """Amounts in a request are bare quantities, without `value`.

    Objects with a `value` are for what a device has; a request only says how much it wants.

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
    """Where a list is expected each item begins with a hyphen; where an object is expected there is none.

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
    """The claim of a pod names its claim or template directly.

    Up to 1.30 the two names stood below `source`. A server that does not decode strictly ignores the old
    form, and then says that neither name is given.

    Good:
        apiVersion: v1
        kind: Pod
        metadata: {name: train}
        spec:
          containers: [{name: main, image: registry.example.com/main}]
          resourceClaims: [{name: gpu, resourceClaimTemplateName: one-gpu}]
    Bad:
        apiVersion: v1
        kind: Pod
        metadata: {name: train}
        spec:
          containers: [{name: main, image: registry.example.com/main}]
          resourceClaims: [{name: gpu, source: {resourceClaimTemplateName: one-gpu}}]
    """,
)

NEWER_FIELD = _shape(
    "shape/newer-field",
    _ALL,
    """A field exists only in later minors than the one that is asked.

    An older server refuses it or, without strict decoding, drops it. Choose the minor with `--kube-version`,
    or leave the field out. In 1.33:

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
    """A field existed in earlier minors or API versions and is gone.

    Parameters references, resource classes and drivers' control planes were parts of earlier APIs.

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
