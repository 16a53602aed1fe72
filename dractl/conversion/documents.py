"""One document in another API version: what changes in it, what is lost, and what is only worth saying."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Sequence

from dractl.api.edits import Drop, Edit, apply
from dractl.api.json_types import JsonDict
from dractl.conversion.pods import pod_changes
from dractl.conversion.target import APART, Target
from dractl.records import NamedTuple
from dractl.source.document import Document
from dractl.versions.convert import Loss, convert, reading_of
from dractl.versions.registry import DRA_GROUP, Standing, look_up, type_meta
from dractl.versions.table import tables

__all__ = ["Change", "change_of"]

_NOW = "2020-01-01T00:00:00Z"
"""The time of a taint that has none is not written, so that any will do."""


class Change(NamedTuple):
    """What becomes of a document: its value then, the edits that lead there, losses, and notes.

    ``value`` is None if the document cannot become one of the version at all; ``is_broken`` if it is none of
    its own version either.
    """

    value: object
    edits: tuple[Edit, ...] = ()
    losses: tuple[Loss, ...] = ()
    note: str = ""
    is_broken: bool = False


def change_of(document: Document, target: Target) -> Change:
    """What becomes of ``document`` on its way to ``target``; kinds of other groups stay what they are."""
    value = document.value
    if not isinstance(value, dict):
        return Change(value)
    unusable = _unusable(value, target)
    if unusable is not None:
        return unusable
    api_version, kind = value.get("apiVersion"), value.get("kind")
    if not isinstance(api_version, str) or not isinstance(kind, str):
        return Change(value)
    if not api_version.startswith(f"{DRA_GROUP}/"):
        return _of_pod(value)
    if document.duplicates:
        twice = tuple(Loss(steps, "given more than once; keep only one") for steps in document.duplicates)
        return Change(None, losses=twice, is_broken=True)
    if api_version == target.api_version:
        return Change(value)
    return _of_dra(document, api_version, kind, target)


def _unusable(value: JsonDict, target: Target) -> Change | None:
    """What becomes of a document whose apiVersion or kind is not a text, or of DRA's without the other one.

    None if it is neither: what a server cannot read either stays as it is, unless it may be an object of DRA.
    """
    found, meta = look_up(target.server, value), type_meta(value)
    is_ours = isinstance(meta.api_version, str) and meta.api_version.startswith(f"{DRA_GROUP}/")
    if found.standing is Standing.MALFORMED:
        is_odd = any(part and not isinstance(part, str) for part in meta)
        steps = (found.field,) if found.field else ()
        return (
            Change(None, losses=(Loss(steps, found.message),), is_broken=True) if is_ours or is_odd else None
        )
    if is_ours and not {"apiVersion", "kind"} <= value.keys():
        message = "the keys must be spelled apiVersion and kind"
        return Change(None, losses=(Loss((), message),), is_broken=True)
    return None


def _of_pod(value: JsonDict) -> Change:
    found = list(pod_changes(value))
    losses = tuple(entry for entry in found if isinstance(entry, Loss))
    edits = (
        *(Drop(loss.steps) for loss in losses),
        *(entry for entry in found if not isinstance(entry, Loss)),
    )
    return Change(_after(value, edits), edits, losses)


def _of_dra(document: Document, api_version: str, kind: str, target: Target) -> Change:
    value = document.value
    source = reading_of(value, now=_NOW)
    there = target.of_kind(kind)
    if source is None:
        return _impossible(f"no supported Kubernetes minor has {kind} in {api_version}")
    if api_version == APART:
        return _impossible(
            f"{kind} of {APART} (Kubernetes 1.30) shares only its name with later versions; no API server "
            "converts it"
        )
    if there is None:
        if (api_version, kind) in tables(target.server).kinds:
            return Change(value, note=f"{kind} stays in {api_version}; {target.api_version} does not have it")
        return _impossible(f"{target.api_version} has no {kind}")
    try:
        found = convert(value, source, there, now=_NOW)
    except RecursionError:
        # Only Python can hand over an object that holds itself; texts have a depth that is read.
        return Change(None, losses=(Loss((), "contains itself or is nested too deeply"),), is_broken=True)
    losses = (*found.losses, *_widened(found.value, found.losses))
    return Change(found.value, found.edits, losses, is_broken=found.value is None)


def _widened(value: JsonDict | None, losses: Sequence[Loss]) -> Iterator[Loss]:
    """A selector that loses all that it had, and so selects every device."""
    place = ("spec", "deviceSelector")
    spec = (value or {}).get("spec")
    is_empty = isinstance(spec, dict) and spec.get("deviceSelector") == {}
    if is_empty and any(loss.steps[:2] == place for loss in losses):
        yield Loss(place, "becomes empty, so the rule taints every device of every driver")


def _impossible(reason: str) -> Change:
    return Change(None, losses=(Loss((), reason),))


def _after(value: object, edits: tuple[Edit, ...]) -> object:
    if not edits:
        return value
    changed = copy.deepcopy(value)
    apply(changed, edits)
    return changed
