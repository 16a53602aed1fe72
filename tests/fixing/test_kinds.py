"""One text for each kind of fix, before and after."""

from __future__ import annotations

import pytest

import dractl
from dractl.finding import Applicability
from tests.rows import each_row

CLAIM = """\
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata:
  name: gpu  # kept
spec:
  devices:
    requests:
"""
SLICE = """\
apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata: {name: node-a}
spec:
  driver: gpu.example.com
  nodeName: node-a
  pool: {name: node-a, generation: 1, resourceSliceCount: 1}
  devices:
"""
POD = """\
apiVersion: v1
kind: Pod
metadata: {name: train}
spec:
  containers:
  - name: main
    image: registry.example/app:1
    resources:
      claims: [{name: gpu}]
  resourceClaims:
"""

JSON = """\
{
  "apiVersion": "resource.k8s.io/v1",
  "kind": "DeviceClass",
  "metadata": {
    "name": "gpu"
  },
  "spec": {}
}
"""
EMPTY = """\
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: a}
spec:
  devices: {}
"""

SAFE = {
    "a request without exactly": (
        CLAIM + "    - name: a  # first\n      # two of them\n      deviceClassName: gpu\n      count: 2\n",
        CLAIM + "    - name: a  # first\n      # two of them\n      exactly:\n"
        "        deviceClassName: gpu\n        count: 2\n",
    ),
    "a field next to exactly": (
        CLAIM + "    - name: a\n      count: 2  # both\n      exactly:\n        deviceClassName: gpu\n",
        CLAIM + "    - name: a\n      exactly:\n        deviceClassName: gpu\n        count: 2  # both\n",
    ),
    "a request in braces": (
        CLAIM + "    - {name: a, deviceClassName: gpu}\n",
        CLAIM + "    - {name: a, exactly: {deviceClassName: gpu}}\n",
    ),
    "a device with basic": (
        SLICE + "  - name: a\n    basic:\n      attributes:\n        x: {int: 1}  # one\n",
        SLICE + "  - name: a\n    attributes:\n      x: {int: 1}  # one\n",
    ),
    "a key in another case": (
        CLAIM + "    - name: a\n      Exactly: {device_class_name: gpu}\n",
        CLAIM + "    - name: a\n      exactly: {deviceClassName: gpu}\n",
    ),
    "a misspelt key": (
        CLAIM + '    - name: a\n      exactly:\n        "deviceClasName": gpu\n',
        CLAIM + '    - name: a\n      exactly:\n        "deviceClassName": gpu\n',
    ),
    "an expression next to cel": (
        CLAIM + "    - name: a\n      exactly:\n        deviceClassName: gpu\n        selectors:\n"
        "        - cel:  # only this driver\n          expression: |\n"
        '            device.driver == "gpu.example.com"\n',
        CLAIM + "    - name: a\n      exactly:\n        deviceClassName: gpu\n        selectors:\n"
        "        - cel:  # only this driver\n            expression: |\n"
        '              device.driver == "gpu.example.com"\n',
    ),
    "a field too deep": (
        SLICE.replace("{name: node-a, generation: 1, resourceSliceCount: 1}", "")
        .replace("  nodeName: node-a\n", "")
        .replace(
            "  devices:\n",
            "    name: node-a\n    nodeName: node-a  # here\n"
            "    generation: 1\n    resourceSliceCount: 1\n  devices: []\n",
        ),
        SLICE.replace("{name: node-a, generation: 1, resourceSliceCount: 1}", "")
        .replace("  nodeName: node-a\n", "")
        .replace(
            "  devices:\n",
            "    name: node-a\n    generation: 1\n    resourceSliceCount: 1\n"
            "  nodeName: node-a  # here\n  devices: []\n",
        ),
    ),
    "a claim's source": (
        POD + "  - name: gpu\n    source:\n      resourceClaimName: gpu  # shared\n",
        POD + "  - name: gpu\n    resourceClaimName: gpu  # shared\n",
    ),
    "a version that YAML reads as a number": (
        SLICE + "  - name: a\n    attributes:\n      model: {string: 1.10}\n",
        SLICE + '  - name: a\n    attributes:\n      model: {string: "1.10"}\n',
    ),
    "a text that YAML reads as a boolean": (
        CLAIM.replace("gpu  # kept", "gpu\n  labels:\n    mig: on  # kept") + "      []\n",
        CLAIM.replace("gpu  # kept", 'gpu\n  labels:\n    mig: "on"  # kept') + "      []\n",
    ),
    "a number in quotes": (
        CLAIM + '    - name: a\n      exactly: {deviceClassName: gpu, count: "2"}\n',
        CLAIM + "    - name: a\n      exactly: {deviceClassName: gpu, count: 2}\n",
    ),
    "a quantity in another case": (
        SLICE + "  - name: a\n    capacity:\n      memory: {value: 80gi}\n",
        SLICE + "  - name: a\n    capacity:\n      memory: {value: 80Gi}\n",
    ),
    "a bare value": (
        SLICE + "  - name: a\n    attributes:\n      model: h100  # what\n",
        SLICE + "  - name: a\n    attributes:\n      model:\n        string: h100  # what\n",
    ),
    "an object around a value": (
        SLICE + "  - name: {string: a}\n",
        SLICE + "  - name: a\n",
    ),
    "one item without its list": (
        CLAIM + "      name: a\n      exactly:\n        deviceClassName: gpu\n",
        CLAIM + "      - name: a\n        exactly:\n          deviceClassName: gpu\n",
    ),
    "a list around an object": (
        CLAIM + "    - name: a\n      exactly:\n      - deviceClassName: gpu\n        count: 2\n",
        CLAIM + "    - name: a\n      exactly:\n        deviceClassName: gpu\n        count: 2\n",
    ),
    "a renamed field": (
        SLICE + "  - name: a\n    attributes:\n      driver: {semver: 1.2.3}\n",
        SLICE + "  - name: a\n    attributes:\n      driver: {version: 1.2.3}\n",
    ),
    "a version that is not served": (
        CLAIM.replace("/v1", "/v1beta1") + "    - name: a\n      deviceClassName: gpu\n",
        CLAIM + "    - name: a\n      exactly:\n        deviceClassName: gpu\n",
    ),
    "the name of an older version": (
        CLAIM.replace("/v1", "/v1beta1") + "    - name: a\n      exactly: {deviceClassName: gpu}\n",
        CLAIM + "    - name: a\n      exactly: {deviceClassName: gpu}\n",
    ),
    "one mistake under another": (
        CLAIM.replace("spec:", "Spec:") + "    - name: a\n      deviceClassName: gpu\n",
        CLAIM + "    - name: a\n      exactly:\n        deviceClassName: gpu\n",
    ),
    "JSON": (
        JSON.replace('"spec"', '"Spec"'),
        JSON,
    ),
}

UNSAFE = {
    "a key twice": (
        CLAIM
        + "    - name: a\n      exactly:\n        count: 1\n        deviceClassName: gpu\n        count: 2\n",
        CLAIM + "    - name: a\n      exactly:\n        deviceClassName: gpu\n        count: 2\n",
    ),
    "a version with two numbers": (
        SLICE + '  - name: a\n    attributes:\n      driver: {version: "1.2"}\n',
        SLICE + '  - name: a\n    attributes:\n      driver: {version: "1.2.0"}\n',
    ),
    "a field that is gone": (
        EMPTY.replace("spec:\n", "spec:\n  allocationMode: Immediate\n"),
        EMPTY,
    ),
    "a claim like a template": (
        EMPTY.replace("spec:\n", "spec:\n  spec:\n  "),
        EMPTY,
    ),
}


@pytest.mark.parametrize("kind", SAFE)
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_safe(kind: str, newline: str) -> None:
    before, after = (text.replace("\n", newline) for text in SAFE[kind])
    fixing = dractl.fix(before)
    assert fixing.text == after
    assert fixing.unfixed == ()
    assert {found.fix.applicability for found in fixing.fixed if found.fix} == {Applicability.SAFE}
    assert dractl.validate(after).ok
    assert dractl.fix(after).changed == ()


@each_row("kind", UNSAFE)
def test_unsafe(kind: str) -> None:
    before, after = UNSAFE[kind]
    assert dractl.fix(before).changed == ()
    assert dractl.fix(before, unsafe=True).text == after
    assert dractl.validate(after).ok


@each_row(
    "text",
    [
        # two quantities may be meant
        SLICE + "  - name: a\n    capacity:\n      memory: {value: 80GB}\n",
        # a part of a longer name
        CLAIM + "    - name: a\n      exactly: {deviceClassName: gpu}\n      available: []\n",
        # the key that is meant is there
        CLAIM + "    - name: a\n      exactly: {deviceClassName: gpu, DeviceClassName: other}\n",
        # a text that cannot be read
        CLAIM + "    - name: [\n",
    ],
)
def test_what_may_mean_several_things_stays(text: str) -> None:
    fixing = dractl.fix(text)
    assert fixing.changed == ()
    assert not dractl.validate(text).ok
