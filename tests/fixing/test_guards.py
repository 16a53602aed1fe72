"""A guard in a selector that fails for some devices."""

from __future__ import annotations

import pytest

import dractl

CLUSTER = """\
apiVersion: resource.k8s.io/v1
kind: DeviceClass
metadata: {name: gpu}
spec: {}
---
apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata: {name: node-a}
spec:
  driver: gpu.example.com
  nodeName: node-a
  pool: {name: node-a, generation: 1, resourceSliceCount: 1}
  devices:
  - name: old
    attributes: {ready: {bool: true}}
  - name: new
    attributes: {index: {int: 1}, ready: {bool: true}}
---
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: claim}
spec:
  devices:
    requests:
    - name: a
      exactly:
        deviceClassName: gpu
        selectors:
        - cel:
"""
INDEX = 'device.attributes["gpu.example.com"].index'
READY = 'device.attributes["gpu.example.com"].ready'


def _line(expression: str) -> str:
    return f"{CLUSTER}            expression: {expression}\n"


def test_a_plain_selector_gets_quotes() -> None:
    fixing = dractl.fix(_line(f"{INDEX} == 1"))
    assert fixing.text == _line(f"'has({INDEX}) && {INDEX} == 1'")
    assert [finding.rule for finding in fixing.fixed] == ["selector/fails"]
    assert "selector/fails" not in [finding.rule for finding in dractl.validate(fixing.text).findings]


@pytest.mark.parametrize("start", ["|\n              ", "|-\n              ", ">-\n              "])
def test_a_block_keeps_its_lines(start: str) -> None:
    text = _line(f"{start}{INDEX} == 1 &&\n              {READY}")
    assert dractl.fix(text).text == _line(f"{start}has({INDEX}) && {INDEX} == 1 &&\n              {READY}")


@pytest.mark.parametrize(
    "expression",
    [
        f"{READY} || {INDEX} == 1",
        f"!{READY} ? {INDEX} == 1 : {INDEX} == 2",
        f"[1].exists(x, {INDEX} == x)",
    ],
)
def test_a_selector_that_may_be_true_without_the_attribute_stays(expression: str) -> None:
    text = _line(f"'{expression}'")
    assert dractl.fix(text, unsafe=True).changed == ()
