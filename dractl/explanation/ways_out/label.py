"""Ways out by labels: what the pod selects nodes by, and what nodes have."""

from __future__ import annotations

from collections.abc import Iterator

from dractl.api.wording import nearest
from dractl.cluster.objects import Key
from dractl.explanation.trials.edits import at, dropped, field, replaced
from dractl.explanation.trials.situation import Situation
from dractl.explanation.ways_out.candidate import Candidate
from dractl.simulation.scheduler.nodes import REQUIRED

__all__ = ["change_node_affinity", "change_node_selector", "label_node"]

_MOST_TRIED = 4
_SELECTOR = ("spec", "nodeSelector")
_TERMS = ("spec", "affinity", "nodeAffinity", REQUIRED, "nodeSelectorTerms")


def change_node_selector(situation: Situation) -> Iterator[Candidate]:
    """Another value of a label in the node selector, the nearest that a node has, or none."""
    world = situation.world
    pod = world.objects[world.pod_key]
    for name, value in (at(pod, _SELECTOR) or {}).items():
        without = {world.pod_key: dropped(pod, (*_SELECTOR, name))}
        if situation.fits(without) is None:
            continue
        where = field(_SELECTOR, name)
        for size, other in enumerate(_values(situation, name, str(value))):
            change = {world.pod_key: replaced(pod, (*_SELECTOR, name), other)}
            if situation.fits(change) is not None:
                yield Candidate(world.pod_key, where, value, other, size, change)
                break
        yield Candidate(world.pod_key, where, value, None, _MOST_TRIED, without)


def change_node_affinity(situation: Situation) -> Iterator[Candidate]:
    """One requirement less in the terms of the required node affinity, or no affinity."""
    world = situation.world
    pod = world.objects[world.pod_key]
    for number, term in enumerate(at(pod, _TERMS) or ()):
        for part in ("matchExpressions", "matchFields"):
            for position, requirement in enumerate(term.get(part) or ()):
                steps = (*_TERMS, number, part, position)
                change = {world.pod_key: dropped(pod, steps)}
                if situation.fits(change) is not None:
                    yield Candidate(world.pod_key, field(steps), requirement, None, 0, change)


def label_node(situation: Situation) -> Iterator[Candidate]:
    """The labels that a node lacks for the node selector of the pod, or of a slice."""
    world = situation.world
    asked = [at(world.objects[world.pod_key], _SELECTOR) or {}, *_asked_by_slices(situation)]
    for labels_asked in asked[:_MOST_TRIED]:
        for name in situation.near:
            key = Key("Node", "", name)
            node = world.objects.get(key)
            if node is None:
                continue
            labels = at(node, ("metadata", "labels")) or {}
            lacking = {label: value for label, value in labels_asked.items() if labels.get(label) != value}
            if not lacking or any(label.endswith("/hostname") for label in lacking):
                continue
            change = {key: replaced(node, ("metadata", "labels"), {**labels, **lacking})}
            if situation.fits(change) is not None:
                before = {label: labels[label] for label in lacking if label in labels} or None
                yield Candidate(key, "metadata.labels", before, lacking, len(lacking) - 1, change)
                return


def _asked_by_slices(situation: Situation) -> list[dict[str, str]]:
    """The labels by which slices select nodes, as far as a value is named; each set once."""
    found: list[dict[str, str]] = []
    for key, item in situation.world.objects.items():
        terms = at(item, ("spec", "nodeSelector", "nodeSelectorTerms")) if key.kind == "ResourceSlice" else ()
        for term in terms or ():
            labels = {
                entry["key"]: entry["values"][0]
                for entry in term.get("matchExpressions") or ()
                if entry.get("operator") == "In" and entry.get("values")
            }
            if labels and labels not in found:
                found.append(labels)
    return found


def _values(situation: Situation, label: str, value: str) -> list[str]:
    """The values that nodes have for a label, the most alike first."""
    nodes = situation.cut.scheduler.nodes
    found = list(dict.fromkeys(node.ref.labels[label] for node in nodes if label in node.ref.labels))
    near = nearest(value, found)
    return [*([near] if near else []), *(other for other in found if other != near)][:_MOST_TRIED]
