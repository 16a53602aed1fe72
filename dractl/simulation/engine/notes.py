"""Notes on results as sentences: what the input lacks, and claims that the scheduler freed for a pod."""

from __future__ import annotations

from collections.abc import Iterator

from dractl.api.json_types import JsonObject
from dractl.cluster.objects import allocation_of, full_name
from dractl.simulation.pods.outcome import FREED, NO_DEVICES, NO_SLICES, NOTHING, UNREFERENCED, Note, Outcome
from dractl.simulation.pods.placements import node_of, results_of

_SLICE = "ResourceSlice"
_MOST_DEVICES = 3
"""Devices of a claim that a note names."""


def is_empty(outcome: Outcome) -> bool:
    """Whether nothing was placed, nothing waits and nothing was left out."""
    return not (outcome.placements or outcome.pending or outcome.left_out)


def notes_on_input(outcome: Outcome) -> Iterator[Note]:
    """What the input lacks, if that explains the result."""
    pods = sum(item["kind"] == "Pod" for item in outcome.objects)
    has_claims = any(note.code == UNREFERENCED for note in outcome.notes) or any(
        item["kind"] == "ResourceClaim" for item in outcome.objects
    )
    is_said = any(note.code == NOTHING for note in outcome.notes)
    if is_empty(outcome) and not is_said and (pods or not has_claims):
        what = (
            f"{_counted(pods, 'pod')}, but none that uses devices" if pods else "no Pod and no ResourceClaim"
        )
        yield Note(NOTHING, f"nothing to place: the files hold {what}")
    if not any(row.category == NO_DEVICES for row in outcome.pending):
        return
    unread = sum(out.object.get("kind") == _SLICE for out in outcome.left_out)
    if unread:
        verb, whose = ("was", "its") if unread == 1 else ("were", "their")
        yield Note(NO_SLICES, f"{_counted(unread, _SLICE)} {verb} left out, so {whose} devices are missing")
    elif outcome.objects and all(item["kind"] != _SLICE for item in outcome.objects):
        yield Note(NO_SLICES, f"the files hold no {_SLICE}; add those that the driver publishes")


def _counted(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'s' * (number != 1)}"


def freed_note(pod: str, before: JsonObject, after: JsonObject | None) -> Note:
    """That a claim was freed for a pod (``namespace/name``): where it was allocated, and where it is now.

    ``before`` is the claim as it was, ``after`` as it is in the end; None if it no longer exists.
    """
    claim = full_name(before)
    if after is not None and allocation_of(after) is not None:
        end = f" and allocates it again {_where(after)}"
    else:
        end = "; it stays unallocated"
    message = (
        f"ResourceClaim {claim} was allocated {_where(before)}, where pod {pod} cannot run; no other pod "
        f"uses it, so the scheduler frees it{end}"
    )
    return Note(FREED, message, (pod,), (claim,))


def _where(claim: JsonObject) -> str:
    """Node and devices of an allocation."""
    names = [
        f"{row.get('driver', '')}/{row.get('pool', '')}/{row.get('device', '')}" for row in results_of(claim)
    ]
    more = f" and {len(names) - _MOST_DEVICES} more" if len(names) > _MOST_DEVICES + 1 else ""
    devices = ", ".join(names[:_MOST_DEVICES] if more else names) + more
    node = node_of(claim)
    if node is None:
        return f"as {devices}" if devices else "without devices"
    return f"on node {node} ({devices})" if devices else f"on node {node}"
