"""What options ask of a simulation: some pods, an order of nodes, or why something waits."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from dractl.api.wording import did_you_mean
from dractl.cli.cluster_options import WhyOptions
from dractl.cli.server import UsageError, pieces

if TYPE_CHECKING:
    from dractl.simulation.engine.report import Simulation
    from dractl.workflows.questions import Question

__all__ = ["about", "check_nodes", "node_names", "question_of"]


def node_names(node_order: Sequence[str]) -> list[str]:
    """The nodes to prefer; raises UsageError for one without a name, or named twice."""
    found = pieces(node_order)
    if any(not piece.strip() for value in node_order for piece in value.split(",")):
        raise UsageError("--node-order", "empty node name (extra comma, or unset shell variable?)")
    twice = [name for name in dict.fromkeys(found) if found.count(name) > 1]
    if twice:
        raise UsageError("--node-order", f"duplicate node: {', '.join(twice)}")
    return found


def check_nodes(preferred: Sequence[str], known: Iterable[str]) -> None:
    """Raise UsageError for a node that is to be preferred and is not known."""
    nodes = frozenset(known)
    unknown = [name for name in preferred if name not in nodes]
    if unknown:
        raise UsageError("--node-order", f"unknown node: {', '.join(unknown)}")


def about(simulations: Sequence[Simulation], names: Sequence[str]) -> list[Simulation]:
    """The simulations as they concern some pods, or all of them.

    Raises UsageError for a pod that none of them knows.
    """
    if not names:
        return list(simulations)
    from dractl.simulation.engine import selection  # few runs choose pods

    known = list(dict.fromkeys(pod for each in simulations for pod in selection.pods_in(each)))
    pods = [selection.full_pod_name(name) for name in names]
    for name, pod in zip(names, pods, strict=True):
        if not name.strip():
            raise UsageError("--pod", "empty pod name (unset shell variable?)")
        if pod in known:
            continue
        elsewhere = next((other for other in known if other.partition("/")[2] == name), "")
        advice = f"did you mean {elsewhere}?" if elsewhere else did_you_mean(pod, known)
        raise UsageError("--pod", f"unknown pod: {pod}" + (f"; {advice}" if advice else ""))
    return [selection.about_pods(each, pods) for each in simulations]


def question_of(options: WhyOptions) -> tuple[Question, list[str]]:
    """What is asked, and the paths; raises UsageError for options that contradict each other."""
    from dractl.workflows.questions import Question  # simulations have none
    from dractl.workflows.subjects import kind_called

    if options.all_pending:
        if not options.name:
            raise UsageError("PATH", "expected a file, a folder, or - for standard input")
        for name, value in (("--node", options.node), ("--device", options.device)):
            if value is not None:
                raise UsageError(name, "requires the name of a pod; omit --all")
        word, slash, _ = options.name.partition("/")
        if slash and kind_called(word) is not None and not os.path.lexists(options.name):
            raise UsageError("--all", f"cannot be combined with the name {options.name}; omit one of them")
        return Question(None), [options.name, *options.paths]
    if not options.name:
        raise UsageError("NAME", "expected a pod or a claim and a PATH, or --all and a PATH")
    if not options.paths:
        raise UsageError("PATH", "expected a file, a folder, or - for standard input after the name")
    return Question(options.name, options.node, options.device), [*options.paths]
