"""Problems as users meet them, in ``testdata/cases``: who gets which devices, and why not.

``simulations`` of a ``case.yaml``: for each pod the node and ``REQUEST=DEVICE`` for every device of its
claims, or its category; for a claim without pods the same, as ``claim NAMESPACE/NAME``. ``told`` are parts of
the messages of pending pods, ``findings`` the warnings beside the result, ``hints`` parts of what they
advise, ``tied`` the pods whose node is a matter of chance.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import dractl
from dractl.simulation.engine.report import Simulation
from tests.paths import ROOT as REPOSITORY
from tests.reading import read_yaml

ROOT = REPOSITORY / "testdata" / "cases"


class Run(NamedTuple):
    """Files of one case, simulated for one minor, and what is expected of them."""

    folder: Path
    files: list[str]
    kube: str
    pods: dict[str, str]
    gates: dict[str, bool] | None = None
    told: dict[str, list[str]] | None = None
    findings: list[str] | None = None
    tied: list[str] | None = None
    hints: list[str] | None = None


def runs() -> Iterator[Any]:
    for file in sorted(ROOT.glob("*/case.yaml")):
        for run in read_yaml(file.read_text(encoding="utf-8")).get("simulations") or ():
            name = f"{file.parent.name}-{run['kube']}-{run['files'][-1]}"
            yield pytest.param(Run(file.parent, **run), id=name)


def results(simulation: Simulation) -> dict[str, str]:
    """Where everything went, or the category of what is pending."""
    found: dict[str, list[str]] = {}
    for row in simulation.placements:
        told = found.setdefault(row.pod or f"claim {row.claim}", [row.node or "anywhere"])
        device = f"{row.request}={row.device}" + (" (admin)" if row.admin_access else "")
        if device not in told:
            told.append(device)
    pending = {row.pod or f"claim {row.claim}": row.category for row in simulation.pending}
    return {name: " ".join(told) for name, told in found.items()} | pending


def simulated(run: Run) -> Simulation:
    paths = [run.folder / name for name in run.files]
    return dractl.simulate(paths, kube_version=run.kube, feature_gates=run.gates, allocate_unreferenced=True)


@pytest.mark.parametrize("run", list(runs()))
def test_everything_goes_where_it_should(run: Run) -> None:
    simulation = simulated(run)
    assert results(simulation) == run.pods
    assert sorted(simulation.ties) == (run.tied or [])
    assert [finding.rule for finding in simulation.findings] == (run.findings or [])


@pytest.mark.parametrize("run", [run for run in runs() if run.values[0].told])
def test_pending_pods_say_why(run: Run) -> None:
    messages = {row.pod or row.claim: row.message for row in simulated(run).pending}
    for name, parts in (run.told or {}).items():
        assert [part for part in parts if part not in messages[name]] == []


@pytest.mark.parametrize("run", [run for run in runs() if run.values[0].hints])
def test_warnings_say_what_may_be_meant(run: Run) -> None:
    hints = " ".join(finding.hint for finding in simulated(run).findings)
    assert [part for part in run.hints or () if part not in hints] == []


def test_there_are_enough_cases() -> None:
    assert len(list(runs())) > 25
