"""Whether the objects of a cluster reach a known fault, and which of them."""

from __future__ import annotations

from dractl.advisories.conditions import CONDITIONS
from dractl.advisories.known import Known
from dractl.advisories.table import Advisory
from dractl.finding import ObjectRef

__all__ = ["Known", "reached"]


def reached(advisory: Advisory, known: Known) -> tuple[ObjectRef, ...]:
    """The objects with which a cluster reaches the fault, each once; empty if none do.

    Only what objects ask for and publish counts, not what is free: the fault may come with the next pod.
    """
    found = (
        ObjectRef(
            str(item.get("apiVersion", "")),
            str(item.get("kind", "")),
            str(item["metadata"].get("namespace", "")),
            str(item["metadata"].get("name", "")),
        )
        for item in CONDITIONS[advisory.condition].find(known)
    )
    return tuple(dict.fromkeys(found))
