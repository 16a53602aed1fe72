"""Objects of a dumped cluster: it holds them, whatever a server would make of a new write of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from dractl.admission.admit import Admission, read_stored
from dractl.cluster.workloads import WORKLOADS
from dractl.finding import Finding, Severity
from dractl.workflows.refusals import reason, refusal
from dractl.workflows.validate import Admitted

__all__ = ["about_refused_writes", "is_stored", "taken_as_stored", "why_unused"]

_MAKES = {"ResourceClaimTemplate": "claims", **dict.fromkeys(WORKLOADS, "pods")}
"""The kinds of which others make new objects, and what these are."""


def is_stored(entry: Admitted) -> bool:
    """Whether a document comes out of a cluster: only the API server gives objects a uid."""
    value = entry.document.value
    metadata = value.get("metadata") if isinstance(value, dict) else None
    uid = metadata.get("uid") if isinstance(metadata, dict) else None
    return isinstance(uid, str) and bool(uid)


def taken_as_stored(entry: Admitted) -> Admission | None:
    """A stored object as a running cluster has it, if that differs from a new write of it.

    What a server would drop from a new write because a gate is off stays in its storage, and it reads what it
    would reject to write. None for objects that a write leaves as they are, for objects without a uid, for
    what no server can read, and for templates: what is made of them is a new write.
    """
    written = entry.admission
    if written is None or not is_stored(entry) or (written.accepted and not written.dropped):
        return None
    return None if written.kind.kind in _MAKES else read_stored(written, entry.document.value)


def why_unused(entry: Admitted) -> str:
    """Why nothing is made of a stored template or workload, since the server rejects it; empty for others."""
    first = refusal(entry)
    made = _MAKES.get("" if entry.admission is None else entry.admission.kind.kind)
    if first is None or made is None or not is_stored(entry):
        return ""
    return f"the API server would reject {made} made from it: {reason(first)}"


def about_refused_writes(entries: Iterable[Admitted]) -> Iterator[Finding]:
    """Warnings that the server would reject to write stored objects, one per kind and rules."""
    groups: dict[tuple[str, tuple[str, ...]], list[Finding]] = {}
    for entry in entries:
        first = refusal(entry)
        if first is not None and entry.admission is not None:
            errors = (found.rule for found in entry.findings if found.severity is Severity.ERROR)
            rules = tuple(dict.fromkeys(errors))
            groups.setdefault((entry.admission.kind.kind, rules), []).append(first)
    for (kind, rules), (first, *others) in groups.items():
        made = _MAKES.get(kind)
        refused = f"{made} made from it" if made else "a new write of it"
        stands = "is stored" if made else "is stored and takes part"
        more = f" (and {len(others)} more)" if others else ""
        message = (
            f"{kind} {_name(first)}{more} {stands}, but the API server would reject {refused}: "
            f"{first.message} [{', '.join(rules)}]"
        )
        yield first._replace(severity=Severity.WARNING, message=message)


def _name(found: Finding) -> str:
    ref = found.object
    return "" if ref is None else "/".join(part for part in (ref.namespace, ref.name) if part)
