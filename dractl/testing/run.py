"""``dractl.test``: runs expectation files from Python."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping

from dractl.api import arguments, release
from dractl.scenario.reading import Faulty
from dractl.simulation.allocator.model.allowance import Allowance
from dractl.source.bounds import Bounds
from dractl.source.load import PathError, Sources
from dractl.testing.cases import Overrides, cases_in
from dractl.testing.folders import expectation_files
from dractl.testing.runner import CaseResult, Results, tried_cases

__all__ = ["test"]

Path = str | os.PathLike[str]


def test(
    paths: Path | Iterable[Path],
    *,
    kube_version: str | None = None,
    feature_gates: Mapping[str, bool] | None = None,
) -> Results:
    """Run the expectation files at ``paths``, files or folders, and compare expected with actual results.

    ``kube_version``, a minor or a range, and ``feature_gates`` override those of the files. The result has a
    ``tried`` case for each minor with its ``failures``, and the ``faulty`` files that cannot be used.

    Raises TypeError for arguments of a wrong type; release.UnknownMinorError (a ValueError) for an
    unsupported minor; OSError for a path that cannot be opened.
    """
    if kube_version is not None:
        arguments.check_minor(kube_version)
        release.parse_range(kube_version)
    arguments.check_gates(feature_gates)
    files = arguments.check_paths(paths)
    found = expectation_files(files)
    for error in found.errors:
        raise _unopened(error)
    bounds, sources, allowance = Bounds.of_files(files), Sources(), Allowance()
    tried: list[CaseResult] = []
    faulty: dict[str, Faulty] = {}
    for file in found.files:
        cases = cases_in(file, Overrides(kube_version, feature_gates), bounds, sources)
        if not isinstance(cases, Faulty):
            tried += tried_cases(cases, allowance)
        elif cases.error is not None and not os.path.lexists(cases.error.path):
            raise _unopened(cases.error)
        else:
            faulty[file] = cases
    return Results(tried, (), faulty)


test.__test__ = False  # type: ignore[attr-defined] # pytest would take an imported one for a test


def _unopened(error: PathError) -> OSError:
    kind = OSError if os.path.lexists(error.path) else FileNotFoundError
    return kind(f"{error.path}: {error.message}")
