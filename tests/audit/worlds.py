"""Clusters after steps of allocation, as a recorded row or the real allocator has them, for audits."""

from __future__ import annotations

import copy
from collections.abc import Iterable, Iterator
from typing import Any

from dractl.api import gates, release
from dractl.auditing.model import Audit, Violation
from dractl.auditing.run import audit
from tests.conformance.allocations import defaulted

Object = dict[str, Any]


def settled(row: Object, steps: Iterable[Object]) -> tuple[list[Object], set[str]]:
    """The objects of a world after its ``steps`` came out, and the claims that were allocated in them.

    Every step has ``node`` and ``allocations``, as rows about allocations have them.
    """
    objects = {_key(item): item for item in row["objects"]}
    fresh: set[str] = set()
    for step, outcome in zip(row["steps"], steps, strict=True):
        for name in step.get("deallocate") or ():
            gone = _bare(name)
            fresh.discard(f"default/{gone}")
            objects = {
                key: item for key, item in objects.items() if (key[0], key[2]) != ("ResourceClaim", gone)
            }
        claims = {_bare(item["metadata"]["name"]): item for item in step.get("claims") or ()}
        for made in outcome.get("allocations") or ():
            claim = copy.deepcopy(claims[_bare(made["claim"])])
            claim["status"] = {"allocation": _with_share_ids(made["allocation"])}
            objects[_key(claim)] = claim
            fresh.add(f"default/{_bare(made['claim'])}")
    return list(objects.values()), fresh


def audited(kube: str, chosen: dict[str, bool] | None, objects: Iterable[Object]) -> Audit:
    """The audit of written objects by the allocator of a minor."""
    minor = release.parse(kube)
    return audit([defaulted(minor, item) for item in objects], gates.resolve(minor, chosen))


def alarms(before: Audit, after: Audit, fresh: set[str]) -> Iterator[Violation]:
    """The violations that an allocator brought about, but for its known faults.

    ``before`` is the audit of the world as it was given: what was overdrawn then may have got a new user.
    """
    known = {(one.rule, one.device, one.message) for one in before.violations}
    return (
        one
        for one in after.violations
        if not one.is_known_fault
        and fresh.intersection(one.claims)
        and (one.rule, one.device, one.message) not in known
    )


def _key(item: Object) -> tuple[str, str, str]:
    metadata = item["metadata"]
    return item["kind"], metadata.get("namespace") or "default", metadata["name"]


def _bare(name: str) -> str:
    return name.rpartition("/")[2]


def _with_share_ids(allocation: Object) -> Object:
    """With an ID where rows have a star: it is random."""
    found = copy.deepcopy(allocation)
    for result in found["devices"].get("results") or ():
        if result.get("shareID") == "*":
            result["shareID"] = "7ed6e1c0-0000-4000-8000-000000000000"
    return found
