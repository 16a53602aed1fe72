"""A change that places the pod on the nodes it was tried on, and how large it is among others of its kind."""

from __future__ import annotations

from dractl.cluster.objects import Key
from dractl.explanation.world import Change
from dractl.records import NamedTuple
from dractl.simulation.engine.settings import Settings

__all__ = ["Candidate"]


class Candidate(NamedTuple):
    """A change of the value at ``field`` of an object from ``before`` to ``after`` (None: absent).

    ``size`` is 0 for the smallest change of its kind. ``moved`` are pods that the change makes anew, and that
    must get a node after the waiting pod. ``settings`` hold where the change is one of feature gates.
    """

    owner: Key
    field: str
    before: object
    after: object
    size: int
    change: Change
    moved: tuple[Key, ...] = ()
    settings: Settings | None = None
