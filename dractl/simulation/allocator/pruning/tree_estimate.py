"""Estimates which part of its tree a search has covered; the steps so far then give its size.

That is an estimate: branches are taken to be as large as they would be if nothing but the number of devices
mattered.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import comb

from dractl.cluster.devices import Device
from dractl.simulation.allocator.device.state import Choice
from dractl.simulation.allocator.model.demand import ClaimDemand
from dractl.simulation.allocator.pruning.symmetry import Symmetry


def progress(stack: Sequence[Choice], claims: Sequence[ClaimDemand], symmetry: Symmetry) -> float:
    """The covered part of the tree for a stack of choices, above 0 and at most 1."""
    done, share = 0.0, 1.0
    for number, choice in enumerate(stack):
        slot, request = choice.slot, choice.request
        if slot.number == 0:
            share /= len(claims[slot.claim].asks[slot.ask].alternatives)
            done += share * slot.alternative
        if not request.is_all:
            position = symmetry.position[choice.device]
            open_to = _open_to(choice, stack[:number], claims, symmetry)
            behind = sum(symmetry.position[device] < position for device in open_to)
            after = _followers(choice, open_to, claims, symmetry)
            past, own = _branch(after, behind, request.count - slot.number)
            done += share * past
            share *= own
    # Never 0: the effort is the steps so far divided by this.
    return max(done, share, 1e-300)


def _open_to(
    choice: Choice, before: Sequence[Choice], claims: Sequence[ClaimDemand], symmetry: Symmetry
) -> list[Device]:
    """The candidates for a choice."""
    request, claim = choice.request, choice.slot.claim
    start = 0
    if before and before[-1].request is request:
        start = symmetry.position[before[-1].device] + 1
    taken = {entry.device for entry in before if not entry.is_share}
    found = [
        device
        for device in symmetry.usable[request]
        if symmetry.position[device] >= start and device not in taken
    ]
    for rule in claims[claim].constraints:
        members = [entry for entry in before if entry.slot.claim == claim and rule.concerns(entry.request)]
        if members and rule.concerns(request) and not rule.is_distinct:
            shared = symmetry.values(members[-1].request, members[-1].device, rule.attribute) or frozenset()
            found = [
                device
                for device in found
                if shared & (symmetry.values(request, device, rule.attribute) or shared)
            ]
    return found


def _followers(
    choice: Choice, open_to: Sequence[Device], claims: Sequence[ClaimDemand], symmetry: Symmetry
) -> list[int]:
    """For each device, how many later ones could join it in the same request."""
    request = choice.request
    rules = [
        rule
        for rule in claims[choice.slot.claim].constraints
        if rule.concerns(request) and not rule.is_distinct
    ]
    groups: dict[object, int] = {}
    found = []
    for device in sorted(open_to, key=symmetry.position.__getitem__, reverse=True):
        group = tuple(symmetry.values(request, device, rule.attribute) for rule in rules)
        found.append(groups.get(group, 0))
        groups[group] = found[-1] + 1
    return found[::-1]


def _branch(after: Sequence[int], behind: int, wanted: int) -> tuple[float, float]:
    """The parts of the tree before the device at a position, and below it.

    Where there are too few devices, all sets of them are tried.
    """
    # Sets of the later devices, not their orders: the search goes on behind each device that it takes.
    sizes = [comb(number, wanted - 1) for number in after]
    if not any(sizes):
        sizes = [2 ** min(number, 100) for number in after]
    every = sum(sizes) or 1
    own = sizes[behind] if behind < len(sizes) else 0
    return sum(sizes[:behind]) / every, max(own / every, 1e-300)
