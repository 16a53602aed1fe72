"""From documents to an audit of the allocations among them."""

from __future__ import annotations

from collections.abc import Iterable

from dractl.api.gates import GateSet
from dractl.auditing.model import Audit, Unchecked
from dractl.auditing.run import audit as run
from dractl.cluster.objects import title_of
from dractl.source.document import Document
from dractl.source.load import Loaded
from dractl.workflows.intake.take_in import take_in
from dractl.workflows.mixed_input import OF_A_PROTOTYPE, findings_of_prototypes, title_of_document
from dractl.workflows.validate import Labels

__all__ = ["audit"]

_CLAIM = "ResourceClaim"
"""What may have an allocation; a text that cannot be read may be one."""


def audit(loaded: Iterable[Loaded], gates: GateSet, namespace_labels: Labels | None) -> Audit:
    """Hold the allocations in ``loaded`` against their devices, as the allocator with ``gates`` reads them.

    Objects that a server with ``gates`` refuses are left out and listed as unchecked, as are those of
    prototypes.
    """
    everything = list(loaded)
    apart = findings_of_prototypes(everything) or {}
    released = (item for item in everything if not isinstance(item, Document) or item not in apart)
    intake = take_in(released, gates, namespace_labels)
    unchecked = [
        *(Unchecked(title_of_document(item), OF_A_PROTOTYPE) for item in apart),
        *(
            Unchecked(title_of(entry.object), entry.reason, entry.object.get("kind", _CLAIM) == _CLAIM)
            for entry in intake.left_out
        ),
    ]
    return run(intake.objects(), gates).with_unchecked(unchecked)
