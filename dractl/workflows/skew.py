"""An API server and a scheduler of different minors: which pairs work, and what the scheduler sees."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import cast

from dractl.api.gates import CORE_GATE, GateSet, allocates_claims, gates_of, resolve
from dractl.api.json_types import JsonDict
from dractl.api.path import Steps, path_text
from dractl.api.release import Minor, at, parse
from dractl.finding import Finding, Severity
from dractl.lint.base.placing import note
from dractl.records import NamedTuple
from dractl.source.document import Document
from dractl.versions.layout import steps_in_internal, steps_in_version, to_internal, to_version
from dractl.versions.older_reader import known_fields
from dractl.versions.registry import DRA_GROUP
from dractl.versions.table import Kind, tables
from dractl.versions.workloads import pod_in, pod_steps

__all__ = [
    "ChosenScheduler",
    "SchedulerView",
    "SkewError",
    "Unseen",
    "chosen_scheduler",
    "notes_about",
    "scheduler_gates",
    "skew_warnings",
]

RULE = "simulate/skew"


class SkewError(ValueError):
    """An API server and a scheduler without a common API version; the message names the missing one."""


class _Reads(NamedTuple):
    """The API version in which schedulers from ``since`` on read a kind."""

    kind: str
    version: str
    since: str


_MAIN = ("ResourceClaim", "ResourceSlice", "DeviceClass", "ResourceClaimTemplate")
_READS: tuple[_Reads, ...] = (
    *(_Reads(kind, "v1", "1.34") for kind in _MAIN),
    *(_Reads(kind, "v1beta1", "1.32") for kind in _MAIN),
    *(_Reads(kind, "v1alpha3", "1.31") for kind in _MAIN),
    *(_Reads(kind, "v1alpha2", "1.30") for kind in _MAIN),
    _Reads("DeviceTaintRule", "v1", "1.37"),
    _Reads("DeviceTaintRule", "v1beta2", "1.36"),
    _Reads("DeviceTaintRule", "v1alpha3", "1.33"),
)
"""Newest first. Schedulers read no templates: these stand for the claims that are generated from them."""


def _read_version(kind: str, scheduler: Minor) -> str | None:
    """The API version in which a scheduler reads ``kind`` of resource.k8s.io; None if it does not."""
    for row in _READS:
        if row.kind == kind and scheduler.within(at(row.since), None):
            return f"{DRA_GROUP}/{row.version}"
    return None


def scheduler_gates(scheduler: Minor, shared: GateSet, overrides: Mapping[str, bool]) -> GateSet:
    """The gates of a scheduler of that minor: those of the server that it has, then its own ``overrides``.

    Raises gates.GateError as :func:`dractl.api.gates.resolve` does.
    """
    known = gates_of(scheduler)
    inherited = {
        name: value
        for name, value in shared.overrides.items()
        if name in ("AllAlpha", "AllBeta") or name in known
    }
    return resolve(scheduler, {**inherited, **overrides})


def skew_warnings(server: Minor, scheduler: Minor) -> Iterator[str]:
    """What a user should know about such a pair.

    Kubernetes supports a scheduler that is as old as the API server, or one minor older. Raises SkewError if
    the scheduler reads an API version that the server does not have: it would never schedule a pod.
    """
    ours, theirs = server.at_newest_patch(), scheduler.at_newest_patch()
    if ours == theirs:
        return
    version = _read_version("ResourceClaim", scheduler)
    kind = tables(server).kinds.get((version or "", "ResourceClaim"))
    if kind is None:
        raise SkewError(f"a {theirs} scheduler reads {version}, which a {ours} API server does not have")
    if theirs != ours.previous():
        yield (
            f"a {theirs} scheduler with a {ours} API server is not a supported version skew; it must "
            "be as old as the API server, or one minor older"
        )
    if not kind.served_by_default:
        yield (
            f"a {theirs} scheduler reads {version}, which a {ours} API server serves only with "
            f"--runtime-config={version}=true"
        )


class ChosenScheduler(NamedTuple):
    """The gates of a scheduler that was chosen apart, and what a user should know about it."""

    gates: GateSet
    warnings: tuple[str, ...]


def chosen_scheduler(
    server: GateSet, version: str | None, overrides: Mapping[str, bool]
) -> ChosenScheduler | None:
    """The scheduler of ``version`` with ``overrides``; None if it is like the API server.

    Raises release.UnknownMinorError, SkewError and gates.GateError.
    """
    if version is None and not overrides:
        return None
    minor = server.minor if version is None else parse(version)
    warnings = tuple(skew_warnings(server.minor, minor))
    return ChosenScheduler(scheduler_gates(minor, server, overrides), warnings)


class Unseen(NamedTuple):
    """A field of a document that the scheduler does not know, or the whole object (no steps)."""

    document: Document
    kind: str
    steps: Steps


class SchedulerView:
    """The objects as a scheduler of another minor, or with the core gate of DRA off, sees them."""

    __slots__ = ("_allocates", "_scheduler", "_server", "unseen")

    def __init__(self, server: GateSet, scheduler: GateSet) -> None:
        """See objects of a ``server`` as a ``scheduler`` does; ``unseen`` collects what it does not."""
        self._server = server.minor
        self._scheduler = scheduler.minor
        self._allocates = allocates_claims(scheduler)
        self.unseen: list[Unseen] = []

    @staticmethod
    def is_needed(server: GateSet, scheduler: GateSet) -> bool:
        """Whether the two see different objects."""
        same = server.minor.at_newest_patch() == scheduler.minor.at_newest_patch()
        return not same or not allocates_claims(scheduler)

    def read(self, document: Document, kind: Kind, item: JsonDict) -> JsonDict | None:
        """``item``, an object in the internal shape that came as ``document``; None if it is not read."""
        known = tables(self._scheduler)
        version = kind.api_version
        if kind.group == DRA_GROUP:
            version = _read_version(kind.kind, self._scheduler) or version
        theirs = known.kinds.get((version, kind.kind))
        if theirs is None or (version, kind.kind) not in tables(self._server).kinds:
            self.unseen.append(Unseen(document, kind.kind, ()))
            return None
        shaped = to_version(version, kind.kind, item)
        seen, dropped = known_fields(known, theirs, shaped)
        if not self._allocates and (claims := _claims_of_pods(kind, seen)):
            seen = _without(seen, claims)
            dropped.append(claims)
        for steps in dropped:
            internal = steps_in_internal(version, kind.kind, steps)
            place = steps_in_version(kind.api_version, kind.kind, internal)
            self.unseen.append(Unseen(document, kind.kind, place))
        if not dropped:
            return item
        return {**to_internal(version, kind.kind, seen), "apiVersion": item["apiVersion"]}


def _claims_of_pods(kind: Kind, value: JsonDict) -> tuple[str, ...] | None:
    """Where a pod or workload refers to claims; None if it does not."""
    to_pod = pod_steps(kind)
    pod = None if to_pod is None else pod_in(kind, value)
    has_claims = pod is not None and bool(pod["spec"].get("resourceClaims"))
    return (*(to_pod or ()), "spec", "resourceClaims") if has_claims else None


def _without(value: JsonDict, steps: tuple[str, ...]) -> JsonDict:
    first, *rest = steps
    if rest:
        return {**value, first: _without(cast("JsonDict", value[first]), tuple(rest))}
    return {name: item for name, item in value.items() if name != first}


def notes_about(unseen: Iterable[Unseen], scheduler: GateSet) -> list[Finding]:
    """A warning for each field, or kind, that the scheduler does not know, at the first object with it."""
    first: dict[tuple[object, ...], Unseen] = {}
    others: dict[tuple[object, ...], int] = {}
    for entry in unseen:
        key = (entry.kind, *(step for step in entry.steps if isinstance(step, str)))
        others[key] = others[key] + 1 if key in first else 0
        first.setdefault(key, entry)
    return [_note(entry, others[key], scheduler) for key, entry in first.items()]


def _note(entry: Unseen, others: int, scheduler: GateSet) -> Finding:
    what = f"`{entry.steps[-1]}`" if entry.steps else f"this {entry.kind}"
    more = f" ({others} more like this)" if others else ""
    message = f"a {scheduler.minor} scheduler does not know {what} and ignores it{more}"
    if entry.steps[-1:] == ("resourceClaims",):
        message = f"the scheduler ignores {what}, because its feature gate {CORE_GATE} is off{more}"
    field = path_text(entry.steps)
    return note(entry.document, Severity.WARNING, RULE, message, field=field, steps=entry.steps)
