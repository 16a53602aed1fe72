"""From documents to a simulation: what the API server accepts goes in, and comes back in its API version."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from dractl.admission.admit import DEFAULT_NAMESPACE, Admission
from dractl.api.gates import GateSet
from dractl.api.release import Minor
from dractl.cel.environment import Environment
from dractl.cluster.objects import Key, identity, key_of
from dractl.finding import Finding, Severity
from dractl.simulation.features import features_of
from dractl.simulation.outcome import LeftOut
from dractl.simulation.report import Simulation
from dractl.simulation.run import run
from dractl.source.document import Document
from dractl.source.load import Loaded
from dractl.source.text import SourceError
from dractl.validation.placing import object_ref
from dractl.validation.run import Admitted, Labels, admit_all
from dractl.versions.encode import encode
from dractl.versions.moves import to_version
from dractl.versions.registry import DRA_GROUP
from dractl.versions.table import tables

__all__ = ["simulate"]

_DECISIVE = frozenset({"gate/dropped", "admin/unknown-namespace"})
"""The warnings about an object that say why it may behave otherwise than its text says."""

_ASTRAY = "version/other-group"
"""The warning about an object that is not read, although it looks as if it should be."""


def simulate(
    loaded: Iterable[Loaded], gates: GateSet, namespace_labels: Labels | None, node_order: Sequence[str] = ()
) -> Simulation:
    """What a scheduler with ``gates`` makes of ``loaded``.

    Documents that cannot be read, and objects that a server with ``gates`` refuses, are left out and named;
    kinds that dractl does not read are left out without a word, unless they look like kinds of DRA. Paths
    that could not be opened are the caller's matter.
    """
    everything = list(loaded)
    sources: dict[Key, _Source] = {}
    findings: list[Finding] = []
    left_out = [_unreadable(item) for item in everything if isinstance(item, SourceError)]
    for entry in admit_all(everything, gates, namespace_labels):
        if entry.admission is not None and entry.admission.accepted:
            item = _in_cluster(entry.admission)
            if item["kind"] == "ResourceClaim" and _DRA not in gates:
                left_out.append(LeftOut(_identity(entry.document), _WITHOUT_DRA))
                continue
            earlier = sources.get(key_of(item))
            if earlier is not None and earlier.item != item:
                left_out.append(LeftOut(identity(earlier.item), _replaced(entry.document)))
            sources[key_of(item)] = _Source(entry.document.value, item)
            findings += [found for found in entry.findings if found.rule in _DECISIVE]
        else:
            left_out += _refused(entry)
    outcome = run(
        [source.item for source in sources.values()],
        features=features_of(gates),
        environment=Environment(gates.minor, gates, stored=True),
        node_order=node_order,
        left_out=left_out,
    )
    shown = tuple(_shown(gates.minor, item, sources.get(key_of(item))) for item in outcome.objects)
    return Simulation(str(gates.minor), gates.overrides, outcome, shown, tuple(findings))


_DRA = "DynamicResourceAllocation"
_WITHOUT_DRA = f"no scheduler allocates claims while the feature gate {_DRA} is off"


def _replaced(by: Document) -> str:
    """Why an earlier object took no part."""
    place = by.locate(())
    where = by.file if place is None else f"{by.file}:{place[0]}:{place[1]}"
    return f"{where} has another of this kind and name, which takes its place"


class _Source(NamedTuple):
    """An object as it was written, and as it went into the simulation."""

    written: dict[str, Any]
    item: dict[str, Any]


def _in_cluster(admission: Admission) -> dict[str, Any]:
    """The object as a running cluster has it, in the internal shape."""
    kind, metadata = admission.kind, admission.observed["metadata"]
    if kind.namespaced:
        metadata = {**metadata, "namespace": metadata.get("namespace") or DEFAULT_NAMESPACE}
    return {"apiVersion": kind.api_version, "kind": kind.kind, **admission.observed, "metadata": metadata}


def _unreadable(error: SourceError) -> LeftOut:
    return LeftOut({}, f"{error.file}:{error.line}:{error.column}: {error.message}")


def _refused(entry: Admitted) -> Iterable[LeftOut]:
    """The first error of a document as the reason; nothing where there is none, because nobody reads it."""
    decisive = (
        found for found in entry.findings if found.severity is Severity.ERROR or found.rule == _ASTRAY
    )
    first = next(decisive, None)
    return [] if first is None else [LeftOut(_identity(entry.document), _reason(first))]


def _identity(document: Document) -> Mapping[str, str]:
    ref = object_ref(document)
    if ref is None:
        return {}
    named = {"apiVersion": ref.api_version, "kind": ref.kind, "namespace": ref.namespace, "name": ref.name}
    return {key: text for key, text in named.items() if text}


def _reason(finding: Finding) -> str:
    where = finding.location
    place = f"{where.file}:{where.line}:{where.column}: " if where is not None and where.line else ""
    subject = f"{finding.field}: " if finding.field else ""
    return f"{place}{subject}{finding.message}"


def _shown(minor: Minor, item: dict[str, Any], source: _Source | None) -> dict[str, Any]:
    """An object that came out of the simulation, in its version, and unchanged in its own words."""
    if source is not None and item is source.item:
        return source.written
    if not item["apiVersion"].startswith(f"{DRA_GROUP}/"):
        return item if source is None else _overlaid(source.written, source.item, item)
    known = tables(minor)
    kind = known.kinds.get((item["apiVersion"], item["kind"]))
    if kind is None:
        # A generated claim names v1, which older minors do not have.
        kind = known.kinds[known.api_versions(item["kind"])[0], item["kind"]]
    item = {**item, "apiVersion": kind.api_version}
    return encode(minor, kind, to_version(kind.api_version, kind.kind, item))


def _overlaid(written: dict[str, Any], before: dict[str, Any], after: dict[str, Any]) -> dict[str, Any]:
    """``written`` with what makes the difference between ``before`` and ``after``, and nothing else."""
    shown = {key: value for key, value in written.items() if key in after or key not in before}
    for key, value in after.items():
        old = before.get(key)
        if old == value:
            continue
        inner = written.get(key)
        if isinstance(value, dict) and isinstance(old, dict):
            shown[key] = _overlaid(inner if isinstance(inner, dict) else {}, old, value)
        else:
            shown[key] = value
    return shown
