"""The claims that a waiting pod still needs devices for, each as its author wrote it, and that changed."""

from __future__ import annotations

from collections.abc import Iterator

from dractl.api.json_types import JsonDict, JsonObject
from dractl.api.path import Steps
from dractl.cluster.objects import Key, allocation_of
from dractl.explanation.trials.edits import at, dropped, field, replaced
from dractl.explanation.world import Change, World
from dractl.records import NamedTuple
from dractl.simulation.pods import pod_groups
from dractl.simulation.pods.pods import ClaimEntry

__all__ = ["Body", "Source", "sources_of"]


class Body(NamedTuple):
    """A request, or one subrequest of it: where it is in the spec of its claim, and what it says."""

    request: int
    steps: Steps
    data: JsonObject
    is_subrequest: bool


class Source(NamedTuple):
    """The template or claim that somebody wrote for entries of a pod.

    ``place`` leads to the spec of the claim. ``entries`` are numbers of ``spec.resourceClaims``;
    ``generated`` are the claims that were made of a template for this pod, and have no devices.
    """

    key: Key
    place: Steps
    spec: JsonDict
    entries: tuple[int, ...]
    generated: tuple[Key, ...]

    @property
    def bodies(self) -> Iterator[Body]:
        """All requests and subrequests."""
        for number, request in enumerate(at(self.spec, ("devices", "requests")) or ()):
            if request.get("exactly") is not None:
                steps: Steps = ("devices", "requests", number, "exactly")
                yield Body(number, steps, request["exactly"], is_subrequest=False)
            for position, data in enumerate(request.get("firstAvailable") or ()):
                steps = ("devices", "requests", number, "firstAvailable", position)
                yield Body(number, steps, data, is_subrequest=True)

    @property
    def requests(self) -> list[JsonDict]:
        """The requests, as written."""
        return list(at(self.spec, ("devices", "requests")) or ())

    @property
    def constraints(self) -> list[JsonDict]:
        """The constraints, as written."""
        return list(at(self.spec, ("devices", "constraints")) or ())

    def field(self, steps: Steps, *keys: str) -> str:
        """The API path of a place in the spec of the claim, as its author has to look for it."""
        return field((*self.place, *steps), *keys)

    def replaced(self, world: World, steps: Steps, new: object) -> Change:
        """The change that puts ``new`` at a place in the spec of the claim."""
        return self.rewritten(world, replaced(self.spec, steps, new))

    def dropped(self, world: World, steps: Steps) -> Change:
        """The change that takes a place out of the spec of the claim."""
        return self.rewritten(world, dropped(self.spec, steps))

    def rewritten(self, world: World, spec: JsonDict) -> Change:
        """The change that gives the claim another spec.

        A spec never changes once a claim is made: what was generated goes, and is generated anew.
        """
        change: dict[Key, JsonDict | None] = {self.key: replaced(world.objects[self.key], self.place, spec)}
        change.update((key, None) for key in self.generated)
        if self.generated:
            change.update(
                _without_statuses(world, {world.pod.claims[number].name for number in self.entries})
            )
        return change


def sources_of(world: World) -> tuple[Source, ...]:
    """The claims of the pod that have no devices yet, each template once."""
    pod = world.pod
    statuses = pod.claim_statuses
    found: dict[Key, Source] = {}
    for number, entry in enumerate(pod.claims):
        claim = Key("ResourceClaim", pod.namespace, entry.claim or statuses.get(entry.name) or "")
        if allocation_of(world.objects.get(claim) or {}) is not None:
            continue
        key = _author(world, entry, claim)
        item = world.objects.get(key)
        if item is None:
            continue
        is_template = key.kind == "ResourceClaimTemplate"
        place: Steps = ("spec", "spec") if is_template else ("spec",)
        generated = (claim,) if is_template and claim in world.objects else ()
        known = found.get(key)
        if known is not None:
            found[key] = known._replace(
                entries=(*known.entries, number), generated=(*known.generated, *generated)
            )
        else:
            found[key] = Source(key, place, at(item, place) or {}, (number,), generated)
    return tuple(found.values())


def _author(world: World, entry: ClaimEntry, claim: Key) -> Key:
    """The object that somebody edits: the template, where there still is one."""
    template = Key("ResourceClaimTemplate", claim.namespace, entry.template or "")
    return template if template in world.objects else claim


def _without_statuses(world: World, names: set[str]) -> Iterator[tuple[Key, JsonDict]]:
    """The pod, and its group, without the claims that were generated for these entries."""
    pod = world.pod
    keys = [world.pod_key]
    if pod.group is not None:
        keys.append(Key(pod_groups.KIND, pod.namespace, pod.group))
    for key in keys:
        item = world.objects.get(key)
        entries = at(item, ("status", "resourceClaimStatuses"))
        if item is not None and entries:
            kept = [entry for entry in entries if entry.get("name") not in names]
            yield key, replaced(item, ("status", "resourceClaimStatuses"), kept)
