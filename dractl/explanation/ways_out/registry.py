"""All ways out, the smallest change first: a row each."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from dractl.explanation.trials.situation import Situation
from dractl.explanation.ways_out import (
    admission,
    amount,
    constraint,
    count,
    free,
    label,
    missing,
    node,
    scheduling,
    selector,
    toleration,
)
from dractl.explanation.ways_out.candidate import Candidate
from dractl.records import NamedTuple

__all__ = ["WAYS", "Way"]


class Way(NamedTuple):
    """One way out: its documented kind, its name, what finds it, its rank by size, and its most trials.

    ``is_for_bound``: it is for pods that name their node, which are not scheduled.
    """

    kind: str
    name: str
    find: Callable[[Situation], Iterator[Candidate]]
    rank: int
    trials: int
    is_for_bound: bool = False


WAYS: tuple[Way, ...] = (
    Way("object", "rename", missing.rename_reference, 0, 20),
    Way("object", "other-kind", missing.name_other_kind, 1, 10),
    Way("object", "let-schedule", scheduling.let_schedule, 5, 5),
    Way("object", "copy", missing.copy_object, 10, 10),
    Way("object", "create-class", missing.create_class, 15, 10),
    Way("object", "create-claim", missing.create_claim, 18, 10),
    Way("label", "node-selector", label.change_node_selector, 20, 20),
    Way("label", "label-namespace", admission.label_namespace, 18, 5),
    Way("label", "label-node", label.label_node, 25, 10),
    Way("label", "node-affinity", label.change_node_affinity, 28, 15),
    Way("node", "node-name", node.change_node_name, 20, 5, is_for_bound=True),
    Way("node", "uncordon", node.uncordon, 22, 10),
    Way("node", "remove-taint", node.remove_taint, 26, 10),
    Way("selector", "selector", selector.change_selector, 30, 60),
    Way("toleration", "tolerate-node", toleration.tolerate_node_taint, 33, 15),
    Way("free", "free", free.free, 35, 160),
    Way("count", "count", count.lower_count, 40, 25),
    Way("count", "capacity", amount.lower_capacity, 42, 20),
    Way("count", "resource", amount.lower_resource, 42, 20),
    # A taint of a device tells of a fault more often than not.
    Way("toleration", "tolerate-device", toleration.tolerate_device_taint, 44, 30),
    Way("constraint", "constraint", constraint.change_constraint, 45, 20),
    Way("constraint", "drop-constraint", constraint.drop_constraint, 60, 10),
    Way("count", "alternative", count.add_smaller_alternative, 62, 10),
    Way("selector", "drop-selector", selector.drop_selector, 70, 15),
    Way("gate", "gate", admission.switch_gate, 72, 25),
    Way("node", "add-node", node.add_node, 75, 5),
)
"""In the order in which they are tried and ranked; ``kind`` is one of those of the documents."""
