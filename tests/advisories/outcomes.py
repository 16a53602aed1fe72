"""What becomes of the pods of a reproduction in one release, in a line for each fact."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from dractl.advisories.known import Known
from dractl.advisories.table import Advisory
from dractl.api import release
from dractl.api.gates import GateSet
from dractl.simulation.engine.report import Simulation
from dractl.source.document import Document
from dractl.source.load import load_text
from dractl.upgrading.subjects import in_version, subjects_in
from dractl.workflows.simulate import simulate, take_in


def documents(text: str, gates: GateSet) -> list[Document]:
    """The objects of ``text`` in versions that the minor of ``gates`` has."""
    subjects = subjects_in(load_text(text), {})
    found = [in_version(subject, gates.minor) for subject in subjects]
    assert None not in found
    return [document for document in found if document is not None]


def known(advisory: Advisory, version: str) -> Known:
    """The objects of the reproduction as a server of ``version`` takes them."""
    gates = advisory.gates_in(release.parse(version))
    intake = take_in(documents(advisory.reproduction, gates), gates, None)
    assert not intake.left_out, intake.left_out
    return Known(intake.objects(), gates)


@cache
def outcome(text: str, gates: GateSet) -> tuple[str, ...]:
    """Where each pod ends, and which are evicted."""
    return tuple(sorted(_lines(simulate(documents(text, gates), gates, None))))


def _lines(simulation: Simulation) -> Iterator[str]:
    devices: dict[str, list[str]] = {}
    for row in simulation.placements:
        devices.setdefault(f"{row.pod} on {row.node}", []).append(f"{row.request}={row.device}")
    for pod in simulation.outcome.pods:
        if pod.node is not None and f"{pod.pod} on {pod.node}" not in devices:
            devices[f"{pod.pod} on {pod.node}"] = []
    for where, held in devices.items():
        yield f"{where}: {', '.join(sorted(held)) or 'no device'}"
    for entry in simulation.pending:
        yield f"{entry.pod} is Pending ({entry.category})"
    for eviction in simulation.evictions:
        yield f"{eviction.pod} is evicted"
    for item in simulation.objects:
        if item["kind"] == "ResourceClaim":
            allocation = (item.get("status") or {}).get("allocation") or {}
            for config in (allocation.get("devices") or {}).get("config") or ():
                requests = ", ".join(config.get("requests") or ["every request"])
                yield f"parameters of {item['metadata']['name']} are for {requests}"
