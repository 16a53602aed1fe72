"""The rules about selectors that the server takes but that will not do what they seem to say."""

from __future__ import annotations

from dractl.finding import Severity
from dractl.lint.base.lint_rule import OwnRule, own_rule

__all__ = ["CEL_LINT_RULES"]

_KINDS = ("ResourceClaim", "ResourceClaimTemplate", "DeviceClass")


def _lint(
    id: str,  # noqa: A002 - the column's name
    doc: str,
    severity: Severity = Severity.WARNING,
    kinds: tuple[str, ...] = _KINDS,
) -> OwnRule:
    return own_rule(id, severity=severity, kind=kinds, doc=doc)


FAILS = _lint(
    "selector/fails",
    """A selector must evaluate without an error for every device that it is applied to.

    The scheduler does not skip a device for which the evaluation fails: a pod whose search reaches it stays
    Pending. Usually some devices lack an attribute. Class selectors run before request selectors, and the
    first that is false ends the evaluation, so they can exclude such devices. The check runs the selectors
    for the devices of the slices in the input. It reports an attribute that no device has only if the input
    also has nodes, or if a device has a similar name. It always reports a constant that cannot be converted,
    such as `quantity("40GB")`.

    Good:
        apiVersion: resource.k8s.io/v1
        kind: DeviceClass
        metadata: {name: first}
        spec:
          selectors:
          - cel:
              expression: |
                has(device.attributes["gpu.example.com"].index) &&
                device.attributes["gpu.example.com"].index == 0
        ---
        apiVersion: resource.k8s.io/v1
        kind: ResourceSlice
        metadata: {name: node-a}
        spec:
          driver: gpu.example.com
          nodeName: node-a
          pool: {name: node-a, generation: 1, resourceSliceCount: 1}
          devices: [{name: gpu-0, attributes: {index: {int: 0}}}, {name: gpu-1}]
    Bad:
        apiVersion: resource.k8s.io/v1
        kind: DeviceClass
        metadata: {name: first}
        spec:
          selectors:
          - cel: {expression: 'device.attributes["gpu.example.com"].index == 0'}
        ---
        apiVersion: resource.k8s.io/v1
        kind: ResourceSlice
        metadata: {name: node-a}
        spec:
          driver: gpu.example.com
          nodeName: node-a
          pool: {name: node-a, generation: 1, resourceSliceCount: 1}
          devices: [{name: gpu-0, attributes: {index: {int: 0}}}, {name: gpu-1}]
    """,
)

ATTRIBUTE_UNKNOWN = _lint(
    "selector/attribute-unknown",
    """A selector must use attribute and capacity names that devices have.

    A guard such as `has()` silently turns a misspelled name or domain into false. The check compares names
    with those of devices in complete pools. It reports a name only if a device name differs from it by one
    letter, by two swapped letters or by case, and the selector does not use that name as well.

    Good:
        apiVersion: resource.k8s.io/v1
        kind: DeviceClass
        metadata: {name: healthy}
        spec:
          selectors:
          - cel: {expression: 'device.attributes["gpu.example.com"].?healthy.orValue(false)'}
        ---
        apiVersion: resource.k8s.io/v1
        kind: ResourceSlice
        metadata: {name: node-a}
        spec:
          driver: gpu.example.com
          nodeName: node-a
          pool: {name: node-a, generation: 1, resourceSliceCount: 1}
          devices: [{name: gpu-0, attributes: {healthy: {bool: true}}}]
    Bad:
        apiVersion: resource.k8s.io/v1
        kind: DeviceClass
        metadata: {name: healthy}
        spec:
          selectors:
          - cel: {expression: 'device.attributes["gpu.example.com"].?helathy.orValue(false)'}
        ---
        apiVersion: resource.k8s.io/v1
        kind: ResourceSlice
        metadata: {name: node-a}
        spec:
          driver: gpu.example.com
          nodeName: node-a
          pool: {name: node-a, generation: 1, resourceSliceCount: 1}
          devices: [{name: gpu-0, attributes: {healthy: {bool: true}}}]
    """,
)

NOTHING = _lint(
    "selector/nothing",
    """A request must select at least one device of its class.

    The check runs all selectors for the devices of the slices in the input, if the pools of their drivers are
    complete. If the input has no nodes, other devices may exist elsewhere; then the check reports only values
    that are similar to an existing one. It considers a class if it names its driver with `device.driver ==
    "..."`. It ignores alternatives in `firstAvailable`.

    Good:
        apiVersion: resource.k8s.io/v1
        kind: DeviceClass
        metadata: {name: large}
        spec:
          selectors:
          - cel: {expression: device.driver == "gpu.example.com"}
          - cel: {expression: 'device.attributes["gpu.example.com"].model == "x2"'}
        ---
        apiVersion: resource.k8s.io/v1
        kind: ResourceSlice
        metadata: {name: node-a}
        spec:
          driver: gpu.example.com
          nodeName: node-a
          pool: {name: node-a, generation: 1, resourceSliceCount: 1}
          devices: [{name: gpu-0, attributes: {model: {string: x2}}}]
    Bad:
        apiVersion: resource.k8s.io/v1
        kind: DeviceClass
        metadata: {name: large}
        spec:
          selectors:
          - cel: {expression: device.driver == "gpu.example.com"}
          - cel: {expression: 'device.attributes["gpu.example.com"].model == "X2"'}
        ---
        apiVersion: resource.k8s.io/v1
        kind: ResourceSlice
        metadata: {name: node-a}
        spec:
          driver: gpu.example.com
          nodeName: node-a
          pool: {name: node-a, generation: 1, resourceSliceCount: 1}
          devices: [{name: gpu-0, attributes: {model: {string: x2}}}]
    """,
)

_SLICE = """\
        ---
        apiVersion: resource.k8s.io/v1
        kind: ResourceSlice
        metadata: {name: node-a}
        spec:
          driver: gpu.example.com
          nodeName: node-a
          pool: {name: node-a, generation: 1, resourceSliceCount: 1}
          devices: [{name: gpu-0}, {name: gpu-1}]"""

_NODE = """\
        ---
        apiVersion: v1
        kind: Node
        metadata: {name: node-a}"""

DRIVER_UNKNOWN = _lint(
    "selector/driver-unknown",
    f"""A selector must demand a driver that has slices.

    The check reports `device.driver == "..."` only if the driver of a slice in the input has nearly the same
    name.

    Good:
        apiVersion: resource.k8s.io/v1
        kind: DeviceClass
        metadata: {{name: gpu}}
        spec: {{selectors: [{{cel: {{expression: device.driver == "gpu.example.com"}}}}]}}
{_SLICE}
    Bad:
        apiVersion: resource.k8s.io/v1
        kind: DeviceClass
        metadata: {{name: gpu}}
        spec: {{selectors: [{{cel: {{expression: device.driver == "gpu.exmaple.com"}}}}]}}
{_SLICE}
    """,
)

TOO_FEW = _lint(
    "selector/too-few",
    f"""A request must not need more devices than its selectors select.

    The check runs the selectors for the devices on all nodes. It considers requests whose class has
    `device.driver == "..."`, if the input has nodes and all slices of those drivers. It skips devices
    that can be allocated several times.

    Good:
        apiVersion: resource.k8s.io/v1
        kind: DeviceClass
        metadata: {{name: gpu}}
        spec: {{selectors: [{{cel: {{expression: device.driver == "gpu.example.com"}}}}]}}
{_SLICE}
{_NODE}
        ---
        apiVersion: resource.k8s.io/v1
        kind: ResourceClaim
        metadata: {{name: pair}}
        spec: {{devices: {{requests: [{{name: gpu, exactly: {{deviceClassName: gpu, count: 2}}}}]}}}}
    Bad:
        apiVersion: resource.k8s.io/v1
        kind: DeviceClass
        metadata: {{name: gpu}}
        spec: {{selectors: [{{cel: {{expression: device.driver == "gpu.example.com"}}}}]}}
{_SLICE}
{_NODE}
        ---
        apiVersion: resource.k8s.io/v1
        kind: ResourceClaim
        metadata: {{name: pair}}
        spec: {{devices: {{requests: [{{name: gpu, exactly: {{deviceClassName: gpu, count: 3}}}}]}}}}
    """,
    kinds=("ResourceClaim", "ResourceClaimTemplate"),
)

NEVER_EQUAL = _lint(
    "selector/never-equal",
    """A selector must compare an attribute with a value of its type.

    The server does not know the types of attributes, so it accepts `index == "1"`, which is never true for a
    numeric index. The check considers devices in complete pools.

    Good:
        apiVersion: resource.k8s.io/v1
        kind: DeviceClass
        metadata: {name: other}
        spec: {selectors: [{cel: {expression: 'device.attributes["gpu.example.com"].index != 0'}}]}
        ---
        apiVersion: resource.k8s.io/v1
        kind: ResourceSlice
        metadata: {name: node-a}
        spec:
          driver: gpu.example.com
          nodeName: node-a
          pool: {name: node-a, generation: 1, resourceSliceCount: 1}
          devices: [{name: gpu-0, attributes: {index: {int: 1}}}]
    Bad:
        apiVersion: resource.k8s.io/v1
        kind: DeviceClass
        metadata: {name: other}
        spec: {selectors: [{cel: {expression: 'device.attributes["gpu.example.com"].index != "0"'}}]}
        ---
        apiVersion: resource.k8s.io/v1
        kind: ResourceSlice
        metadata: {name: node-a}
        spec:
          driver: gpu.example.com
          nodeName: node-a
          pool: {name: node-a, generation: 1, resourceSliceCount: 1}
          devices: [{name: gpu-0, attributes: {index: {int: 1}}}]
    """,
)

VERSION_TEXT = _lint(
    "selector/version-text",
    """A selector must compare versions as versions, not as strings.

    As a string, `1.10.0` sorts before `1.9.0`. Attributes of type `version` have isLessThan(),
    isGreaterThan() and compareTo(); semver() converts a string. The check considers attributes that are
    strings of digits and dots on all devices in the input.

    Good:
        apiVersion: resource.k8s.io/v1
        kind: DeviceClass
        metadata: {name: recent}
        spec:
          selectors:
          - cel: {expression: '!semver(device.attributes["gpu.example.com"].rev).isLessThan(semver("1.9.0"))'}
        ---
        apiVersion: resource.k8s.io/v1
        kind: ResourceSlice
        metadata: {name: node-a}
        spec:
          driver: gpu.example.com
          nodeName: node-a
          pool: {name: node-a, generation: 1, resourceSliceCount: 1}
          devices: [{name: gpu-0, attributes: {rev: {string: 1.9.3}}}]
    Bad:
        apiVersion: resource.k8s.io/v1
        kind: DeviceClass
        metadata: {name: recent}
        spec: {selectors: [{cel: {expression: 'device.attributes["gpu.example.com"].rev >= "1.9.0"'}}]}
        ---
        apiVersion: resource.k8s.io/v1
        kind: ResourceSlice
        metadata: {name: node-a}
        spec:
          driver: gpu.example.com
          nodeName: node-a
          pool: {name: node-a, generation: 1, resourceSliceCount: 1}
          devices: [{name: gpu-0, attributes: {rev: {string: 1.9.3}}}]
    """,
)

CONSTANT = _lint(
    "selector/constant",
    """A selector must reference `device`.

    Otherwise its result is the same for every device: it selects all or none.

    Good:
        apiVersion: resource.k8s.io/v1
        kind: DeviceClass
        metadata: {name: gpu}
        spec: {selectors: [{cel: {expression: device.driver == "gpu.example.com"}}]}
    Bad:
        apiVersion: resource.k8s.io/v1
        kind: DeviceClass
        metadata: {name: gpu}
        spec: {selectors: [{cel: {expression: '"device.driver" == "gpu.example.com"'}}]}
    """,
)

NEAR_LIMIT = _lint(
    "selector/near-limit",
    """A selector should stay well under the server's limits on cost and length.

    The limits are an estimated cost of 1000000 and a length of 10240 bytes. The cost estimate changes from
    minor to minor, so the next one may reject an expression near the limit.

    Good:
        apiVersion: resource.k8s.io/v1
        kind: DeviceClass
        metadata: {name: gpu}
        spec: {selectors: [{cel: {expression: device.driver != "<8000 times x>"}}]}
    Bad:
        apiVersion: resource.k8s.io/v1
        kind: DeviceClass
        metadata: {name: gpu}
        spec: {selectors: [{cel: {expression: device.driver != "<9000 times x>"}}]}
    """,
    Severity.INFO,
)

NOT_EVALUATED = _lint(
    "selector/not-evaluated",
    """A selector must evaluate within the limits of dractl.

    Kubernetes does not count some work of an expression, such as joining lists. dractl counts it and stops at
    a limit (docs/limits.md); then it is unknown what the selector selects.

    Good:
        apiVersion: resource.k8s.io/v1
        kind: DeviceClass
        metadata: {name: first}
        spec:
          selectors:
          - cel: {expression: 'cel.bind(l, lists.range(90000), (l + l).size() > 1) && device.driver != ""'}
        ---
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
        kind: DeviceClass
        metadata: {name: first}
        spec:
          selectors:
          - cel:
              expression: >-
                cel.bind(l, lists.range(90000), (l + l + l + l + l + l + l + l + l + l + l + l).size() > 1)
                && device.driver != ""
        ---
        apiVersion: resource.k8s.io/v1
        kind: ResourceSlice
        metadata: {name: node-a}
        spec:
          driver: gpu.example.com
          nodeName: node-a
          pool: {name: node-a, generation: 1, resourceSliceCount: 1}
          devices: [{name: gpu-0}]
    """,
    Severity.INFO,
)

CEL_LINT_RULES: tuple[OwnRule, ...] = (
    FAILS, ATTRIBUTE_UNKNOWN, NOTHING, DRIVER_UNKNOWN, TOO_FEW, NEVER_EQUAL, VERSION_TEXT, CONSTANT,
    NEAR_LIMIT, NOT_EVALUATED,
)  # fmt: skip
"""All of them, in the order in which they are listed."""
