"""Faults that a simulation notes and advisories with the same id are about the same releases."""

from __future__ import annotations

from dractl.advisories.table import advisories
from dractl.api import release
from dractl.simulation.allocator.model.features import implementation_of
from dractl.simulation.allocator.model.known_faults import FAULTS, faults_in, mended_in
from dractl.simulation.allocator.model.quirks import quirks_of

NOTED = {fault.id: fault for fault in FAULTS}
BOTH = [entry for entry in advisories() if entry.id in NOTED]


def test_faults_with_one_id_have_one_cause() -> None:
    # A fault of an alpha implementation may be part of the noted one only.
    assert [entry.id for entry in BOTH if not set(entry.quirks) <= set(NOTED[entry.id].quirks)] == []


def test_faults_with_one_id_are_in_the_same_releases() -> None:
    """Where an advisory affects a scheduler, the fault is noted, and mended in the same release."""
    for entry in BOTH:
        fault = NOTED[entry.id]
        for known in release.KNOWN:
            for patch in release.patches_of(known):
                gates = entry.gates_in(known._replace(patch=patch))
                if not entry.affects(gates):
                    continue
                assert fault in faults_in(quirks_of(gates.minor, implementation_of(gates))), gates.minor
                mended = mended_in(fault, gates)
                if fault.quirks == entry.quirks:
                    assert mended == (entry.ends(gates.minor) or None), (entry.id, gates.minor)


def test_faults_without_an_advisory_are_known() -> None:
    """Faults with an id of their own; an advisory of one of them takes it from this list."""
    missing = NOTED.keys() - {entry.id for entry in BOTH}
    assert missing <= {
        "all-ends-search",
        "capacity-other-device",
        "eviction-published-only",
        "pools-counted-per-node",
        "shares-every-share-draws",
        "taints-every-effect",
    }
