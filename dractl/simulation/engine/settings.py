"""The settings of a simulation."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

from dractl.cel.common.environment import Environment
from dractl.cluster.objects import Key
from dractl.records import NamedTuple
from dractl.simulation.allocator.model.allowance import Allowance
from dractl.simulation.allocator.model.features import Features
from dractl.simulation.pods.pods import Pod

Choose = Callable[[Pod, Sequence[str]], str]
Progress = Callable[[int, int], None]
"""Receives the numbers of tried pods and of all pods."""


def first_in_order(pod: Pod, nodes: Sequence[str]) -> str:  # noqa: ARG001
    """Choose the first of equally good nodes; the real scheduler chooses at random."""
    return nodes[0]


def no_progress(done: int, total: int) -> None:
    """Ignore progress updates."""


class Settings(NamedTuple):
    """The settings of a simulation, in addition to its objects.

    ``node_order`` lists nodes to prefer if several are equally good; the others follow by name.
    ``knows_all_pods``: a pod that is not among the objects is gone. ``evicts``: pods that use a device with a
    taint of effect NoExecute are evicted. ``left_out`` has objects that the caller left out, with the reason.
    ``allocates_unreferenced``: claims that no pod refers to are allocated too.
    """

    features: Features
    environment: Environment
    node_order: tuple[str, ...] = ()
    knows_all_pods: bool = False
    evicts: bool = False
    allowance: Allowance | None = None
    choose: Choose = first_in_order
    left_out: Mapping[Key, str] = MappingProxyType({})
    progress: Progress = no_progress
    allocates_unreferenced: bool = False
