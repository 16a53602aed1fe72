"""From documents to an audit of the allocations among them."""

from __future__ import annotations

from collections.abc import Iterable

from dractl.api.gates import GateSet
from dractl.auditing.model import Audit
from dractl.auditing.run import audit as run
from dractl.lint.base.placing import object_ref
from dractl.simulation.pods.outcome import LeftOut
from dractl.source.document import Document
from dractl.source.load import Loaded
from dractl.workflows.mixed_input import findings_of_prototypes
from dractl.workflows.simulate import take_in
from dractl.workflows.validate import Labels

__all__ = ["audit"]


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
        *((_subject(*_names(item)), _OF_A_PROTOTYPE) for item in apart),
        *((_named(entry), entry.reason) for entry in intake.left_out),
    ]
    return run(intake.objects(), gates).with_unchecked(unchecked)


_OF_A_PROTOTYPE = "it is of a prototype API, which no API server serves"


def _named(entry: LeftOut) -> str:
    """Kind and name of an object that was left out, as far as they are known."""
    item = entry.object
    return _subject(item.get("kind"), item.get("namespace"), item.get("name"))


def _names(document: Document) -> tuple[str | None, str | None, str | None]:
    ref = object_ref(document)
    return (None, None, None) if ref is None else (ref.kind, ref.namespace, ref.name)


def _subject(kind: str | None, namespace: str | None, name: str | None) -> str:
    full = "/".join(part for part in (namespace, name) if part)
    return " ".join(part for part in (kind, full) if part)
