"""Notes about known faults of the chosen release where they decide: without them the result would differ."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial

from dractl.api import release
from dractl.cluster.objects import Objects, full_name, key_of
from dractl.records import NamedTuple
from dractl.simulation.allocator.model.allowance import Allowance
from dractl.simulation.allocator.model.known_faults import (
    Decides,
    KnownFault,
    Trait,
    faults_in,
    mended_in,
    without,
)
from dractl.simulation.controllers.lifecycle import without_allocation
from dractl.simulation.engine.scheduler import Scheduler
from dractl.simulation.engine.settings import no_progress
from dractl.simulation.pods.outcome import ERROR, INVALID_POOLS, KNOWN_FAULT, NO_DEVICES, Note
from dractl.simulation.pods.placements import results_of
from dractl.simulation.pods.pods import Pod
from dractl.simulation.scheduler.schedule_one import schedule_one
from dractl.simulation.scheduler.schedule_result import Placed, Refused

MOST_PODS = 20
"""Pods that are tried again without the faults, of those that are Pending and of those that are placed."""

_MOST_NAMES = 5
_STEPS = 50_000
"""Steps of each search that only looks for the effect of a fault."""

_MAY_BE_FAULTS = frozenset({NO_DEVICES, ERROR, INVALID_POOLS})

_KINDS_WITH_TRAITS = ("ResourceSlice", "ResourceClaim", "ResourceClaimTemplate")


class _Effect(NamedTuple):
    """What a fault does to one pod, and to several."""

    of_one: str
    of_several: str


_PENDING = _Effect("stays Pending", "stay Pending")
_DEVICES = _Effect("gets these devices", "get these devices")
_EVICTED = _Effect("will be evicted", "will be evicted")
_AT_THIS_TIME = _Effect("will be evicted at this time", "will be evicted at this time")
_SPARED = _Effect("will not be evicted", "will not be evicted")


def fault_notes(scheduler: Scheduler) -> Iterator[Note]:
    """A note for each known fault that decides: without it, an attempt for a pod ends otherwise.

    Looks at Pending pods, at placed pods where a fault can give them wrong devices, and at evictions.
    """
    faults = faults_in(scheduler.settings.features.quirks)
    if not faults:
        return
    found: dict[tuple[KnownFault, _Effect], list[str]] = {}
    for effect, deciding in ((_PENDING, _keep_pending), (_DEVICES, _give_devices)):
        for pod, named in deciding(scheduler, faults):
            for fault in named:
                found.setdefault((fault, effect), []).append(pod)
    evicting = [fault for fault in faults if fault.decides is Decides.EVICTION]
    for fault in evicting if evicting and _has_taints(scheduler) else ():
        for pod, effect in _evicted_otherwise(scheduler, fault):
            found.setdefault((fault, effect), []).append(pod)
    for (fault, effect), pods in found.items():
        yield _note(scheduler, fault, effect, pods)


def _note(scheduler: Scheduler, fault: KnownFault, effect: _Effect, pods: Sequence[str]) -> Note:
    gates = scheduler.settings.environment.gates
    fixed_in = mended_in(fault, gates)
    more = f" and {len(pods) - _MOST_NAMES} more" if len(pods) > _MOST_NAMES + 1 else ""
    named = ", ".join(pods[:_MOST_NAMES] if more else pods) + more
    said = effect.of_one if len(pods) == 1 else effect.of_several
    mended = f"; fixed in {fixed_in}" if fixed_in else ""
    message = (
        f"{named} {said} because of a known fault of Kubernetes {release.title(gates.minor)}: "
        f"{fault.sentence}{mended} [{fault.id}]"
    )
    return Note(KNOWN_FAULT, message, tuple(pods), fault=fault.id, fixed_in=fixed_in)


# Pending pods.


def _keep_pending(
    scheduler: Scheduler, faults: Sequence[KnownFault]
) -> Iterator[tuple[str, Sequence[KnownFault]]]:
    """The Pending pods that would get a node without some of the faults, with the smallest such set."""
    waiting = [
        (pod, refused)
        for pod in scheduler.pods()
        if (refused := scheduler.decision(pod).refused) is not None and refused.category in _MAY_BE_FAULTS
    ]
    if not waiting:
        return
    keeping = [fault for fault in faults if fault.decides in (Decides.PENDING, Decides.ERROR)]
    possible = _with_traits(scheduler, keeping)
    trials = _Trials(scheduler, scheduler.api_objects)
    for pod, refused in waiting[:MOST_PODS]:
        fails = refused.category == ERROR
        off = [fault for fault in possible if fails or fault.decides is Decides.PENDING]
        places = partial(trials.places, pod)
        # An attempt with the faults is a check: it must end as that of the run has ended.
        if off and places(off) and not places(()):
            yield pod.full_name, _smallest(off, places)


# Placed pods.


def _give_devices(
    scheduler: Scheduler, faults: Sequence[KnownFault]
) -> Iterator[tuple[str, Sequence[KnownFault]]]:
    """The pods placed in this run that would get other devices, or none, without some of the faults."""
    possible = _with_traits(scheduler, [fault for fault in faults if fault.decides is Decides.DEVICES])
    if not possible:
        return
    placed = [(pod, done) for pod in scheduler.pods() if (done := scheduler.decision(pod).placed) is not None]
    for pod, done in [entry for entry in placed if _is_its_own(*entry)][:MOST_PODS]:
        waiting = _unbound(pod)
        trials = _Trials(scheduler, _before(scheduler, waiting, done))
        differs = partial(trials.gives_other_devices, waiting)
        if differs(possible):
            yield pod.full_name, _smallest(possible, differs)


def _is_its_own(pod: Pod, placed: Placed) -> bool:
    """Whether a pod got claims that no other pod uses, and no special claim."""
    return bool(placed.fit.allocations) and placed.fit.special is None and not pod.is_terminating


def _before(scheduler: Scheduler, waiting: Pod, placed: Placed) -> Objects:
    """The objects as they are but for one pod, which waits, and what it got."""
    objects = scheduler.api_objects.copy()
    objects.put(dict(waiting.data))
    for claim, _ in placed.fit.allocations:
        given = objects.find(key_of(claim))
        if given is not None:
            objects.put(without_allocation(given))
    return objects


def _unbound(pod: Pod) -> Pod:
    return Pod({**pod.data, "spec": {key: value for key, value in pod.spec.items() if key != "nodeName"}})


def _devices(outcome: Placed | Refused) -> list[tuple[str, str, str, str]]:
    """What a pod gets: claim, driver, pool and device, in order."""
    if isinstance(outcome, Refused):
        return []
    return [
        (full_name(claim), row.get("driver", ""), row.get("pool", ""), row.get("device", ""))
        for claim, allocation in outcome.fit.allocations
        for row in results_of({"status": {"allocation": allocation}})
    ]


# Evictions.


def _has_taints(scheduler: Scheduler) -> bool:
    """Whether any device may be tainted; a look at all devices is far cheaper than to find evictions."""
    api_objects = scheduler.api_objects
    return bool(api_objects.of_kind("DeviceTaintRule")) or any(
        device.get("taints")
        for item in api_objects.of_kind("ResourceSlice")
        for device in (item.get("spec") or {}).get("devices") or ()
    )


def _evicted_otherwise(scheduler: Scheduler, fault: KnownFault) -> Iterator[tuple[str, _Effect]]:
    """The pods that a controller with the fault evicts, or evicts at a time, as one without it does not."""
    quirks = scheduler.settings.features.quirks
    with_fault = {row.pod: row.after for row in scheduler.evictions()}
    mended = {row.pod: row.after for row in scheduler.evictions(without(quirks, fault))}
    for pod, after in with_fault.items():
        if pod not in mended or mended[pod] != after:
            yield pod, _EVICTED if pod not in mended else _AT_THIS_TIME
    for pod in mended:
        if pod not in with_fault:
            yield pod, _SPARED


# Attempts.


class _Trials:
    """Attempts for pods by schedulers that lack some faults, in one state of a cluster."""

    def __init__(self, scheduler: Scheduler, objects: Objects) -> None:
        self._settings = scheduler.settings
        self._objects = objects
        self._schedulers: dict[tuple[KnownFault, ...], Scheduler] = {}

    def attempt(self, pod: Pod, off: Sequence[KnownFault]) -> Placed | Refused:
        """How an attempt for a pod ends without the faults in ``off``."""
        key = tuple(off)
        found = self._schedulers.get(key)
        if found is None:
            features = self._settings.features
            settings = self._settings._replace(
                features=features._replace(quirks=without(features.quirks, *off)),
                allowance=Allowance(_STEPS),
                progress=no_progress,
            )
            found = self._schedulers[key] = Scheduler(self._objects, settings)
        return schedule_one(pod, found.snapshot(pod))

    def places(self, pod: Pod, off: Sequence[KnownFault]) -> bool:
        """Whether a pod gets a node without the faults in ``off``."""
        return isinstance(self.attempt(pod, off), Placed)

    def gives_other_devices(self, pod: Pod, off: Sequence[KnownFault]) -> bool:
        """Whether a pod gets devices with all faults, and other ones or none without those in ``off``."""
        given = _devices(self.attempt(pod, ()))
        return bool(given) and given != _devices(self.attempt(pod, off))


def _smallest(
    faults: Sequence[KnownFault], decides: Callable[[Sequence[KnownFault]], bool]
) -> list[KnownFault]:
    """A smallest set of faults that decides: without any of its members the rest does not."""
    kept = list(faults)
    for fault in faults:
        fewer = [other for other in kept if other is not fault]
        if fewer and decides(fewer):
            kept = fewer
    return kept


def _with_traits(scheduler: Scheduler, faults: Sequence[KnownFault]) -> list[KnownFault]:
    """The faults that can matter to what the cluster has."""
    traits = {trait for fault in faults for trait in fault.traits}
    present = {trait for trait in traits if _has(scheduler, trait)}
    return [fault for fault in faults if not fault.traits or present.intersection(fault.traits)]


def _has(scheduler: Scheduler, trait: Trait) -> bool:
    if trait is Trait.RULES:
        return bool(scheduler.api_objects.of_kind(trait.value))
    return any(
        _mentions(item.get("spec"), trait)
        for kind in _KINDS_WITH_TRAITS
        for item in scheduler.api_objects.of_kind(kind)
    )


def _mentions(value: object, trait: Trait) -> bool:
    """Whether the field or value of a trait is anywhere in a part of an object."""
    if isinstance(value, dict):
        if trait is Trait.ALL:
            return value.get("allocationMode") == "All" or any(
                _mentions(one, trait) for one in value.values()
            )
        return bool(value.get(trait.value)) or any(_mentions(one, trait) for one in value.values())
    return isinstance(value, list) and any(_mentions(one, trait) for one in value)
