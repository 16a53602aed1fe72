"""The size of a cluster: its pods are placed first, then copies are added, and nodes for what waits."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType

from dractl.api.gates import GateSet
from dractl.api.json_types import Object
from dractl.api.wording import did_you_mean
from dractl.cel.common.environment import Environment
from dractl.cel.common.work import WORK
from dractl.cluster.objects import Key, Objects, full_name, key_of
from dractl.simulation.allocator.model.allowance import Allowance
from dractl.simulation.allocator.model.features import features_of
from dractl.simulation.engine.bulk import bulk
from dractl.simulation.engine.run import with_workload_pods
from dractl.simulation.engine.scheduler import Scheduler
from dractl.simulation.engine.settings import Settings
from dractl.simulation.pods.pods import Pod
from dractl.sizing.adding import add, cheapest_first
from dractl.sizing.cloning import NodeTemplate
from dractl.sizing.filling import Filled, fill
from dractl.sizing.limits import limits_by_node, overall
from dractl.sizing.model import OTHER, Limit, NodeSize, Shortage, Size
from dractl.sizing.partitions import stranded
from dractl.sizing.question import Question
from dractl.sizing.quota import units
from dractl.sizing.subjects import SizeError, Subject, subjects

__all__ = ["size"]


@WORK.run()
def size(
    objects: Iterable[Object],
    gates: GateSet,
    question: Question,
    allowance: Allowance | None = None,
    left_out: Mapping[Key, str] = MappingProxyType({}),
) -> Size:
    """Answer a question about ``objects`` (decoded, v1 shape, defaulted) for a scheduler with ``gates``.

    Pods of the input get their nodes first, as in a simulation; those that stay Pending are the queue for
    which nodes are added, and hold nothing while copies are counted. ``left_out`` are objects that were given
    and are not among these, with the reason. Raises SizeError for unknown pods and nodes.
    """
    given = Objects(objects)
    if allowance is None:
        allowance = Allowance()
        allowance.begin((key_of(item), bulk(item)) for item in given)
    environment = Environment(gates.minor, gates, stored=True)
    settings = Settings(features_of(gates), environment, left_out=left_out, allowance=allowance)
    nodes = Scheduler(given, settings).nodes
    templates = _templates(question, given, [node.name for node in nodes])
    for template in templates if question.from_zero else ():
        for item in template.parts():
            given.remove(key_of(item))
    expanded = with_workload_pods(
        given,
        Scheduler(given, settings).nodes,
        allowance.room,
        counts_claims=settings.features.quota_of_extended,
    )
    cluster = Scheduler(expanded.objects, settings)
    cluster.settle()
    placed = cluster.api_objects.copy()
    copied = subjects(question.pods, cluster.api_objects)
    queue = [pod.data for pod in cluster.pods() if _waits(pod, cluster)]
    filled = _fill(cluster, copied, queue, settings) if copied else None
    per_node, shortages = _by_node(filled) if filled is not None else ({}, ())
    if not question.from_zero:  # pods of DaemonSets are known now
        templates = [NodeTemplate.of(entry.name, cluster.api_objects) or entry for entry in templates]
    choices = [
        add(cluster.api_objects, queue, template, settings, copied, question.prices.get(template.name))
        for template in templates
    ]
    notes = [f"{item['kind']} {full_name(item)}: {reason}" for item, reason in expanded.left_out]
    if filled is not None and filled.cut is not None:
        notes.append(filled.cut.message())
    notes += dict.fromkeys(note for choice in choices for note in choice.notes)
    notes += (entry.reason for entry in allowance.reached())
    return Size(
        kube_version=gates.minor.version,
        feature_gates=gates.overrides,
        pod=_named(copied) or None,
        fits=None if filled is None else filled.sets,
        is_complete=filled is None or filled.is_complete,
        per_node=per_node,
        limited_by=shortages,
        units=units(copied, cluster.api_objects),
        stranded=stranded(cluster),
        queue=tuple(map(full_name, queue)),
        add=cheapest_first(choices),
        notes=tuple(notes),
        objects=placed,
    )


def _templates(question: Question, given: Objects, nodes: Sequence[str]) -> list[NodeTemplate]:
    """The nodes that could be added; raises SizeError for one that does not exist, or is only priced."""
    found = []
    for name in question.like:
        template = NodeTemplate.of(name, given)
        if template is None:
            advice = did_you_mean(
                name, nodes, otherwise=f"the input has {', '.join(nodes[:5]) or 'no nodes'}"
            )
            raise SizeError("--like", f"unknown node {name}; {advice}")
        found.append(template)
    for name in question.prices:
        if name not in question.like:
            raise SizeError("--price", f"node {name} is not one of --like")
    return found


def _waits(pod: Pod, cluster: Scheduler) -> bool:
    """Whether a pod has no node and is not to end."""
    has_node = pod.node is not None or cluster.decision(pod).node is not None
    return not (has_node or pod.is_finished or pod.is_terminating)


def _fill(
    cluster: Scheduler, copied: Sequence[Subject], queue: Iterable[Object], settings: Settings
) -> Filled:
    """Count copies in the cluster without the pods that wait, but for those of the copies' own groups."""
    groups = {(Pod(subject.pod).namespace, Pod(subject.pod).group) for subject in copied}
    gone = {
        key_of(item)
        for item in queue
        if Pod(item).group is None or (Pod(item).namespace, Pod(item).group) not in groups
    }
    base = [item for item in cluster.api_objects if key_of(item) not in gone]
    return fill(base, Scheduler(base, settings), copied)


def _by_node(filled: Filled) -> tuple[dict[str, NodeSize], tuple[Shortage, ...]]:
    """What each node takes, and what keeps the next copy off it."""
    limits: Mapping[str, tuple[Limit, ...]] = {}
    if filled.refused is not None:
        subject, pod = filled.refused
        limits = limits_by_node(filled.scheduler, pod, subject.name)
    # An error on one node keeps a copy off nodes that have room for it, too.
    reason = tuple(_reason(filled))
    per_node = {
        node.name: NodeSize(filled.copies.get(node.name, {}), limits.get(node.name) or reason)
        for node in filled.scheduler.nodes
    }
    shortages = overall((name, node.limits) for name, node in per_node.items())
    return per_node, shortages or tuple(Shortage(limit, ()) for limit in reason)


def _reason(filled: Filled) -> Iterator[Limit]:
    """Why the scheduler gives the last copy no node at all."""
    if filled.refused is not None:
        subject, pod = filled.refused
        refused = filled.scheduler.decision(pod).refused
        if refused is not None:
            yield Limit(OTHER, refused.category, subject.name, message=refused.message)


def _named(copied: Sequence[Subject]) -> str:
    """The pods that are copied, each with its weight where it is not 1."""
    return ", ".join(
        subject.name if subject.weight == 1 else f"{subject.name}={subject.weight}" for subject in copied
    )
