"""From documents to an audit of the allocations among them."""

from __future__ import annotations

from collections.abc import Iterable

from dractl.api.gates import GateSet
from dractl.auditing.model import Audit
from dractl.auditing.run import audit as run
from dractl.simulation.pods.outcome import LeftOut
from dractl.source.load import Loaded
from dractl.workflows.simulate import take_in
from dractl.workflows.validate import Labels

__all__ = ["audit"]


def audit(loaded: Iterable[Loaded], gates: GateSet, namespace_labels: Labels | None) -> Audit:
    """Hold the allocations in ``loaded`` against their devices, as the allocator with ``gates`` reads them.

    Objects that a server with ``gates`` refuses are left out and listed as unchecked.
    """
    intake = take_in(loaded, gates, namespace_labels)
    return run(intake.objects(), gates).with_unchecked(
        (_named(entry), entry.reason) for entry in intake.left_out
    )


def _named(entry: LeftOut) -> str:
    """Kind and name of an object that was left out, as far as they are known."""
    item = entry.object
    name = "/".join(part for part in (item.get("namespace"), item.get("name")) if part)
    return " ".join(part for part in (item.get("kind"), name) if part)
