"""Expectation files as pytest collects them: an item for each case and minor."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from dractl.api import characters, release
from dractl.api import gates as gate_table
from dractl.api.gates import GateSet
from dractl.report.style import PIPED_WIDTH, Style, text_of
from dractl.report.text import finding_lines
from dractl.report.verdicts import render
from dractl.scenario.reading import Faulty
from dractl.source.bounds import Bounds
from dractl.testing.cases import Case, Overrides, cases_in
from dractl.testing.runner import CaseResult, Results, try_case

if TYPE_CHECKING:
    from _pytest._code.code import TerminalRepr, TracebackStyle

__all__ = ["ExpectationFile", "ExpectationItem", "gates_of"]

_UNNAMED = "expect"


def gates_of(text: str) -> dict[str, bool]:
    """The gates of ``A=true,B=false``; raises pytest.UsageError for anything else."""
    try:
        return dict(gate_table.parse_overrides(text)) if text else {}
    except gate_table.GateError as error:
        raise pytest.UsageError(f"dractl_feature_gates: {error}") from None


class ExpectationFile(pytest.File):
    """An expectation file."""

    def collect(self) -> Iterator[pytest.Item]:
        """An item for each case and minor; raises CollectError for a file that cannot be used."""
        file = _shown(self.path)
        bounds = Bounds.of_files([file, str(self.config.rootpath)])
        cases = cases_in(file, self._overrides(), bounds)
        if isinstance(cases, Faulty):
            raise self.CollectError(_wrong(cases))
        for case in cases:
            for gates in case.gates:
                yield ExpectationItem.from_parent(self, name=_name(case, gates), case=case, gates=gates)

    def _overrides(self) -> Overrides:
        minors: str | None = self.config.getoption("dractl_kube_version")
        gates: str | None = self.config.getoption("dractl_feature_gates")
        try:
            if minors is not None:
                release.parse_range(minors)
        except release.UnknownMinorError as error:
            raise pytest.UsageError(f"--dractl-kube-version: {error}") from None
        return Overrides(minors, gates_of(gates) if gates else None)


class ExpectationError(Exception):
    """A case is not as expected."""

    def __init__(self, result: CaseResult) -> None:
        """Keep the result, which :meth:`ExpectationItem.repr_failure` prints."""
        super().__init__(result.name)
        self.result = result


class ExpectationItem(pytest.Item):
    """A case of an expectation file under one minor."""

    def __init__(self, *, case: Case, gates: GateSet, name: str, parent: ExpectationFile) -> None:
        """Keep the case; it is simulated when the test runs."""
        super().__init__(name, parent)
        self.case = case
        self.gates = gates
        self.add_marker("dractl")

    def runtest(self) -> None:
        """Simulate the case, and compare; raises ExpectationError."""
        result = try_case(self.case, self.gates)
        if not result.ok:
            raise ExpectationError(result)

    def repr_failure(
        self, excinfo: pytest.ExceptionInfo[BaseException], style: TracebackStyle | None = None
    ) -> str | TerminalRepr:
        """What ``dractl test`` prints about the case."""
        if not isinstance(excinfo.value, ExpectationError):
            return super().repr_failure(excinfo, style)
        writer = self.config.get_terminal_writer()
        shown = Style(width=writer.fullwidth if writer.hasmarkup else None, color=writer.hasmarkup)
        return render(Results([excinfo.value.result]), shown, summary=False).rstrip()

    def reportinfo(self) -> tuple[Path, int, str]:
        """The place of the case in its file."""
        return self.path, self.case.place.line - 1, self.name


def _name(case: Case, gates: GateSet) -> str:
    """The name of a case in a node id, in which a double colon separates names."""
    name = "".join(characters.shown(case.name)) if case.at else _UNNAMED
    name = name.replace("::", ":")
    return f"{name}[{gates.minor.version}]" if len(case.gates) > 1 else name


def _shown(path: Path) -> str:
    """The path as it is shown: from the working folder, if it is in it."""
    here = Path.cwd()
    return str(path.relative_to(here)) if path.is_relative_to(here) else os.fspath(path)


def _wrong(faulty: Faulty) -> str:
    """What is wrong with a file, as ``dractl test`` prints it."""
    lines = [line for found in faulty.findings for line in finding_lines(found, Style(width=PIPED_WIDTH))]
    if faulty.error is not None:
        lines.append(f"{faulty.error.path}: {faulty.error.message}")
    return text_of(lines).rstrip()
