"""Notes about a whole simulation: that its input holds nothing to place, or no devices."""

from __future__ import annotations

from collections.abc import Iterator

from dractl.simulation.pods.outcome import NO_DEVICES, NO_SLICES, NOTHING, UNREFERENCED, Note, Outcome

_SLICE = "ResourceSlice"


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
