"""Problems as users meet them, in ``testdata/cases``: whole findings with their places.

A finding is one line of ``case.yaml``: file and line, severity, rule, field. ``(follows)`` marks what merely
follows from the finding before it, which reports for people leave out.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import dractl
from dractl.finding import Finding
from tests.paths import ROOT as REPOSITORY
from tests.reading import read_yaml

ROOT = REPOSITORY / "testdata" / "cases"


class Run(NamedTuple):
    """Files of one case, validated for one minor, and what is expected of them."""

    folder: Path
    files: list[str]
    kube: str
    findings: list[str]
    gates: dict[str, bool] | None = None


def runs() -> Iterator[Any]:
    for file in sorted(ROOT.glob("*/case.yaml")):
        for run in read_yaml(file.read_text(encoding="utf-8"))["runs"]:
            name = f"{file.parent.name}-{run['kube']}-{run['files'][-1]}"
            yield pytest.param(Run(file.parent, **run), id=name)


def _line(finding: Finding) -> str:
    where = finding.location
    assert where is not None
    place = f"{Path(where.file).name}:{where.line}"
    follows = "(follows)" if finding.cause else ""
    return " ".join(filter(None, (place, finding.severity.value, finding.rule, finding.field, follows)))


@pytest.mark.parametrize("run", list(runs()))
def test_case(run: Run) -> None:
    paths = [run.folder / name for name in run.files]
    report = dractl.validate(paths, kube_version=run.kube, feature_gates=run.gates)
    assert [_line(finding) for finding in report.findings] == run.findings


def test_every_case_says_what_it_is_about() -> None:
    cases = [read_yaml(file.read_text(encoding="utf-8")) for file in ROOT.glob("*/case.yaml")]
    assert len(cases) > 20
    assert all(case["about"] for case in cases)
