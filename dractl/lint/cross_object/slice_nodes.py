"""Whether the nodes that slices name are in the input."""

from __future__ import annotations

from collections.abc import Iterator

from dractl.finding import Severity
from dractl.lint.base.cross_check import CrossCheck, CrossInput
from dractl.lint.base.input_pools import InputSlice
from dractl.lint.base.input_set import Lint
from dractl.lint.base.lint_rule import own_rule
from dractl.lint.base.suggestions import Suggestions

__all__ = ["CHECKS"]

NODE_MISSING = own_rule(
    "across/slice-node-missing",
    severity=Severity.WARNING,
    kind="ResourceSlice",
    explains_placement=True,
    doc="""The node of a slice must exist.

    Only pods on its node get the devices of a slice with `nodeName`. The check is skipped if the input has no
    Node. It is an info if no Node has a similar name: the node may just not be in the files.

    Good:
        apiVersion: v1
        kind: Node
        metadata: {name: node-a}
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
        apiVersion: v1
        kind: Node
        metadata: {name: node-a}
        ---
        apiVersion: resource.k8s.io/v1
        kind: ResourceSlice
        metadata: {name: node-a}
        spec:
          driver: gpu.example.com
          nodeName: node_a
          pool: {name: node-a, generation: 1, resourceSliceCount: 1}
          devices: [{name: gpu-0}]
    """,
)


def _nodes_exist(found: CrossInput) -> Iterator[Lint]:
    nodes = {given.name for given in found.inputs.of("Node")}
    if not nodes:
        return
    missing: dict[str, list[InputSlice]] = {}
    for pool in found.pools:
        for entry in pool.newest:
            name = entry.node_name
            if name and name not in nodes and not found.inputs.is_external("Node", name):
                missing.setdefault(name, []).append(entry)
    suggestions = Suggestions()
    for name, (first, *others) in missing.items():
        meant = suggestions.surely_meant(name, nodes)
        hint = f"did you mean {meant}?" if meant else ""
        place = ("spec", "nodeName")
        message = f"Node {name} is not in the input, so no pod gets the devices of this slice"
        related = tuple(entry.given.where(place) for entry in others)
        severity = None if hint else Severity.INFO
        yield Lint(NODE_MISSING, first.given, place, message, hint, related, severity=severity)


CHECKS = (CrossCheck((NODE_MISSING,), _nodes_exist),)
"""The checks of this module; whatever is here is run and listed."""
