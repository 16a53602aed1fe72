"""Checks of the nodes that devices select for themselves."""

from __future__ import annotations

from collections.abc import Iterator

from dractl.api import release
from dractl.api.path import Steps
from dractl.finding import Severity
from dractl.lint.base.cross_check import CrossCheck, CrossInput
from dractl.lint.base.input_set import Lint
from dractl.lint.base.lint_rule import own_rule

__all__ = ["CHECKS", "device_selectors_have_one_term"]

DEVICE_NODE_TERMS = own_rule(
    "across/device-node-terms",
    severity=Severity.WARNING,
    kind="ResourceSlice",
    doc="""The node selector of a device must have one term.

    Up to 1.37 the API server accepts several, but the scheduler cannot write such a selector into a claim.
    Once it has chosen the device, it gives up the pod with an error, on all nodes. 1.38 rejects the slice.

    Good:
        apiVersion: resource.k8s.io/v1
        kind: ResourceSlice
        metadata: {name: fabric}
        spec:
          driver: fabric.example.com
          perDeviceNodeSelection: true
          pool: {name: fabric, generation: 1, resourceSliceCount: 1}
          devices:
          - name: port-0
            nodeSelector:
              nodeSelectorTerms:
              - matchExpressions: [{key: rack, operator: In, values: [r1, r2]}]
    Bad:
        apiVersion: resource.k8s.io/v1
        kind: ResourceSlice
        metadata: {name: fabric}
        spec:
          driver: fabric.example.com
          perDeviceNodeSelection: true
          pool: {name: fabric, generation: 1, resourceSliceCount: 1}
          devices:
          - name: port-0
            nodeSelector:
              nodeSelectorTerms:
              - matchExpressions: [{key: rack, operator: In, values: [r1]}]
              - matchExpressions: [{key: rack, operator: In, values: [r2]}]
    """,
)

_ACCEPTED_UNTIL = release.at("1.37")


def device_selectors_have_one_term(found: CrossInput) -> Iterator[Lint]:
    """No device has a node selector with several terms, where the API server lets it."""
    if not found.minor.within(None, _ACCEPTED_UNTIL):
        return
    for given in found.inputs.of("ResourceSlice"):
        for number, device in enumerate(given.spec.get("devices") or ()):
            terms = (device.get("nodeSelector") or {}).get("nodeSelectorTerms") or ()
            if len(terms) > 1:
                place: Steps = ("spec", "devices", number, "nodeSelector", "nodeSelectorTerms")
                message = (
                    f"the node selector has {len(terms)} terms: once the scheduler chooses device "
                    f"{device.get('name', '')} for a pod, it gives up that pod with an error on all nodes"
                )
                hint = "use one term, with several `values` of `In`, or one device per term"
                yield Lint(DEVICE_NODE_TERMS, given, place, message, hint)


CHECKS = (CrossCheck((DEVICE_NODE_TERMS,), device_selectors_have_one_term),)
