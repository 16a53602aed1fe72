"""The door to simulating prototypes: documents in; rows, reasons and objects out."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from dractl.api import names
from dractl.api.json_types import JsonObject
from dractl.cel.common.work import WORK
from dractl.finding import Finding, Severity
from dractl.legacy.prototypes.allocation.simulate import play
from dractl.legacy.prototypes.allocation.status import objects_of
from dractl.legacy.prototypes.checks.unused import note_model
from dractl.legacy.prototypes.dialects.directory import Directory
from dractl.legacy.prototypes.dialects.reading import Item
from dractl.legacy.prototypes.dialects.rules import PROTOTYPE_RULES
from dractl.legacy.prototypes.kubecon.run import place
from dractl.legacy.prototypes.validate import Checked, check
from dractl.simulation.engine.unreferenced import unreferenced
from dractl.simulation.pods.outcome import LeftOut
from dractl.source.document import Document
from dractl.workflows.extensions import Part

__all__ = ["left_out_of", "refused_in", "simulate"]

_SAID = frozenset(row.id for row in PROTOTYPE_RULES if row.is_mendable or row.id == "prototype/unused")
"""What a simulation says of the objects that take part."""


@WORK.run()
def simulate(
    documents: Iterable[Document],
    dialect: str | None,
    node_order: Sequence[str],
    *,
    allocate_unreferenced: bool = False,
) -> Part:
    """Simulate the objects of prototypes among ``documents``, which are read leniently.

    Objects with an error that no lenient reading mends are left out. ``node_order`` are the nodes to look at
    first. ``allocate_unreferenced`` also allocates claims that no pod refers to.
    """
    checked = check(documents, dialect, lenient=True)
    left = refused_in(checked)
    for item in checked.directory.reading.items:
        note_model(item)
    nodes = _nodes(checked)
    directory = Directory(checked.directory.reading, left)
    played = play(directory, nodes=nodes, node_order=node_order, allocate_unreferenced=allocate_unreferenced)
    first = place((item for item in checked.directory.reading.items if item not in left), node_order)
    findings = [
        finding
        for item in checked.directory.reading.items
        if item not in left
        for finding in checked.findings(item)
        if finding.rule in _SAID
    ]
    return Part(
        frozenset(item.origin for item in checked.directory.reading.items),
        (*first.nodes, *played.nodes),
        (*first.placements, *played.placements),
        (*first.pending, *played.pending),
        (*left_out_of(checked, left), *played.cut),
        tuple(objects_of(directory, played, first.objects)),
        tuple(_summed_up(findings)),
        unreferenced(played.unreferenced, has_pods=played.has_pods),
    )


def refused_in(checked: Checked) -> dict[Item, str]:
    """The objects with an error that no lenient reading mends, each with the reason."""
    refused = {
        item: _reason(checked.findings(item)) or _misnamed(item) for item in checked.directory.reading.items
    }
    return {item: reason for item, reason in refused.items() if reason}


def left_out_of(checked: Checked, left: Mapping[Item, str]) -> Iterator[LeftOut]:
    """The objects that take no part, and those of which something is beyond a limit."""
    for item, reason in left.items():
        yield LeftOut(_identity(item.document.value), reason)
    for item in checked.directory.reading.items:
        for fault in item.faults:
            if fault.rule == "limit" and item not in left:
                yield LeftOut(_identity(item.document.value), fault.message)


def _summed_up(findings: Iterable[Finding]) -> Iterator[Finding]:
    """The first finding of each rule and field in a file, with the number of the others."""
    groups: dict[tuple[str, str, str], list[Finding]] = {}
    for finding in findings:
        file = finding.location.file if finding.location is not None else ""
        last = finding.field.rpartition(".")[2]
        field = _NUMBER.sub("", last) if finding.rule in _BY_FIELD else ""
        groups.setdefault((file, finding.rule, field), []).append(finding)
    for first, *others in groups.values():
        more = f"; {len(others)} more of this kind in the file" if others else ""
        yield first._replace(message=first.message + more)


_BY_FIELD = frozenset({"prototype/dia-5", "prototype/de-older", "prototype/unused"})
"""The rules that are about fields, of which each is named."""
_NUMBER = re.compile(r"\[\d+\]")


def _reason(findings: Iterable[Finding]) -> str:
    """The first error as the reason for leaving an object out; empty if missing."""
    for finding in findings:
        if finding.severity is Severity.ERROR:
            where = finding.location
            place = f"{where.file}:{where.line}:{where.column}: " if where is not None and where.line else ""
            return (
                f"{place}{finding.field}: {finding.message}" if finding.field else f"{place}{finding.message}"
            )
    return ""


def _misnamed(item: Item) -> str:
    """Why an object takes no part whose name nothing could refer to; bare models have no metadata.

    Upper-case letters, which a server rejects, are in files of the prototypes themselves.
    """
    if "metadata" not in item.document.value and "apiVersion" not in item.document.value:
        return ""
    if not item.name:
        return "an object requires a name"
    for text, wrong in ((item.name, names.dns_subdomain), (item.namespace, names.dns_label)):
        if problems := wrong(text.lower()):
            return f"{text!r} is not a valid name: {problems[0]}"
    return ""


def _nodes(checked: Checked) -> dict[str, Mapping[str, str]]:
    """The Node objects of the input with their labels."""
    found: dict[str, Mapping[str, str]] = {}
    for document in checked.directory.reading.others:
        value = document.value
        if value.get("kind") == "Node" and isinstance(value.get("metadata"), dict):
            labels = value["metadata"].get("labels")
            found[str(value["metadata"].get("name"))] = labels if isinstance(labels, dict) else {}
    return found


def _identity(value: JsonObject) -> dict[str, str]:
    metadata = value.get("metadata")
    meta = metadata if isinstance(metadata, dict) else {}
    named = {
        "apiVersion": value.get("apiVersion"),
        "kind": value.get("kind"),
        "namespace": meta.get("namespace"),
        "name": meta.get("name") or value.get("name"),
    }
    return {key: text for key, text in named.items() if isinstance(text, str) and text}
