"""The rules about selectors that the server takes but that will not do what they seem to say."""

from __future__ import annotations

from dractl.finding import Severity
from dractl.lint.base.lint_rule import OwnRule, own_rule

__all__ = ["CEL_LINT_RULES"]

_KINDS = ("ResourceClaim", "ResourceClaimTemplate", "DeviceClass")


def _lint(id: str, doc: str, severity: Severity = Severity.WARNING) -> OwnRule:  # noqa: A002 - the column's name
    return own_rule(id, severity=severity, kind=_KINDS, doc=doc)


FAILS = _lint(
    "selector/fails",
    """A selector can be evaluated for every device that it is asked about.

    The scheduler does not skip a device for which the evaluation fails: a pod whose search comes to it stays
    Pending. Mostly an attribute is missing on some devices. Class selectors run before those of a request,
    and the first one that is false ends the evaluation, so that they can keep such devices away. The check
    runs the selectors for the devices of the slices that are given. Of an attribute that none of them has it
    speaks only if there are nodes among the input, too, or if one of a similar name is there.

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
    """A selector asks for attributes and capacities by the names that devices have.

    A guard such as `has()` makes a misspelled name or domain silently false. The check compares with the
    devices of slices whose pools are complete, and speaks up only where a name that they have differs by a
    letter, by two letters that changed places, or by upper and lower case, and is not named in the selector
    as well.

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
    """A request selects some of the devices that its class selects.

    The check runs all selectors for the devices of the slices that are given, where the pools of their
    drivers are complete. Without nodes among the input there may be other devices elsewhere; then it speaks
    up only where a value that there is looks like the one that is asked for. A class is looked at if it names
    its driver with `device.driver == "..."`. Of alternatives in `firstAvailable` nothing is said.

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

NEVER_EQUAL = _lint(
    "selector/never-equal",
    """A selector compares an attribute with a value of the attribute's own type.

    The server does not know the types of attributes, so that it takes `index == "1"`, which is never true for
    an index that is a number. The check looks at the devices of slices whose pools are complete.

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
    """A selector orders versions as versions, not as texts.

    As texts `1.10.0` comes before `1.9.0`. A driver publishes a version as `version`, which has isLessThan(),
    isGreaterThan() and compareTo(); a text becomes one with semver(). The check looks at attributes that are
    texts of numbers and dots on all devices given.

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
    """A selector looks at the device.

    One that does not is the same for every device, and says nothing or selects nothing.

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
    """A selector stays well below the server's limits on cost and length.

    The limits are 1000000 for the estimated cost and 10240 bytes for the length. How the cost is estimated
    changes from minor to minor, so that an expression near the limit may be refused by the next one.

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
    """A selector can be evaluated within the limits of dractl.

    Kubernetes charges nothing for some of the work of an expression, such as joining lists. dractl counts
    it, gives up at a limit (docs/limits.md), and then does not know what the selector selects.

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
    FAILS, ATTRIBUTE_UNKNOWN, NOTHING, NEVER_EQUAL, VERSION_TEXT, CONSTANT, NEAR_LIMIT, NOT_EVALUATED,
)  # fmt: skip
"""All of them, in the order in which they are listed."""
