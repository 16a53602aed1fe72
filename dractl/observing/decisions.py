"""When the scheduler decided about each pod of a recording, and what became of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from dractl.api.json_types import JsonDict, JsonObject
from dractl.live.trimming import entries, mapping
from dractl.observing.recorded import Key, Part, apply
from dractl.records import NamedTuple

__all__ = ["Decision", "claims_of_pod", "decisions_in", "results_of"]

_SPECIAL = "resource.kubernetes.io/extended-resource-claim"


class Decision(NamedTuple):
    """A pod that got a node, or devices only (``node`` is empty): it was deleted before it was bound.

    ``before`` is the number of events that had happened when the scheduler decided; ``bound`` that of the
    event with the node. ``claims`` are the pod's claims as they were then, and ``devices`` the real ones as
    request and driver/pool/device.
    """

    pod: Key
    uid: str
    node: str
    time: str
    before: int
    bound: int
    claims: Mapping[Key, JsonDict]
    devices: tuple[tuple[str, str], ...]


def decisions_in(part: Part) -> list[Decision]:
    """The pods that were decided about while this part was recorded, in the order of the decisions."""
    state: dict[Key, JsonDict] = {}
    started: dict[str, int] = {}
    chosen: dict[str, dict[Key, JsonDict]] = {}
    found: list[Decision] = []
    for number, event in enumerate(part.events):
        before = state.get(event.key)
        if number >= part.initial and not event.is_deleted:
            if event.key[0] == "ResourceClaim":
                for uid in _freed_from(before, event.item):
                    started.pop(uid, None)
                for uid in _chosen_for(before, event.item):
                    started.setdefault(uid, number)
                    chosen.setdefault(uid, {})[event.key] = event.item
            if event.key[0] == "Pod" and before is not None and _node(event.item) and not _node(before):
                found.append(_decision(event.item, event.time, number, started, state))
        apply(state, event)
    bound = {decision.uid for decision in found}
    end = len(part.events)
    for uid, number in started.items():
        if uid not in bound:
            found.append(Decision(("Pod", "", uid), uid, "", "", number, end, chosen[uid], ()))
    return sorted(found, key=lambda decision: (decision.before, decision.bound))


def _decision(
    pod: JsonDict, time: str, number: int, started: Mapping[str, int], state: Mapping[Key, JsonDict]
) -> Decision:
    uid = str(_metadata(pod).get("uid"))
    namespace = str(_metadata(pod).get("namespace"))
    claims = {}
    for name in claims_of_pod(pod):
        key = ("ResourceClaim", namespace, name)
        if key in state:
            claims[key] = state[key]
    devices = sorted(entry for claim in claims.values() for entry in results_of(claim))
    return Decision(
        ("Pod", namespace, str(_metadata(pod).get("name"))),
        uid,
        _node(pod),
        time,
        started.get(uid, number),
        number,
        claims,
        tuple(devices),
    )


def _freed_from(before: JsonObject | None, claim: JsonObject) -> Iterator[str]:
    """The pods that a claim had devices for, if it has none any more."""
    status = mapping((before or {}).get("status"))
    if status.get("allocation") and not mapping(claim.get("status")).get("allocation"):
        yield from (str(user.get("uid")) for user in entries(status.get("reservedFor")))


def _chosen_for(before: JsonObject | None, claim: JsonObject) -> Iterator[str]:
    """The pods for which the scheduler just chose the devices of a claim, or makes one of its own."""
    annotations = mapping(_metadata(claim).get("annotations"))
    if before is None and annotations.get(_SPECIAL) == "true":
        yield from (str(owner.get("uid")) for owner in entries(_metadata(claim).get("ownerReferences")))
    was_free = before is None or not mapping(before.get("status")).get("allocation")
    status = mapping(claim.get("status"))
    if was_free and status.get("allocation"):
        yield from (str(user.get("uid")) for user in entries(status.get("reservedFor")))


def claims_of_pod(pod: JsonObject) -> list[str]:
    """The names of the claims of a pod, as far as they are known."""
    spec, status = mapping(pod.get("spec")), mapping(pod.get("status"))
    listed = [*entries(spec.get("resourceClaims")), *entries(status.get("resourceClaimStatuses"))]
    special = mapping(status.get("extendedResourceClaimStatus"))
    names = [entry.get("resourceClaimName") for entry in (*listed, special)]
    return list(dict.fromkeys(name for name in names if isinstance(name, str) and name))


def results_of(claim: JsonObject) -> Iterator[tuple[str, str]]:
    """The allocated devices of a claim as request and driver/pool/device."""
    allocation = mapping(mapping(claim.get("status")).get("allocation"))
    for result in entries(mapping(allocation.get("devices")).get("results")):
        device = "/".join(str(result.get(name)) for name in ("driver", "pool", "device"))
        yield str(result.get("request")), device


def _node(pod: JsonObject) -> str:
    node = mapping(pod.get("spec")).get("nodeName")
    return node if isinstance(node, str) else ""


def _metadata(item: JsonObject) -> JsonDict:
    return mapping(item.get("metadata"))
