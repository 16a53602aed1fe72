"""The pytest plugin: fixtures, and expectation files as tests.

pytest loads it in every project of an environment that has dractl, so it imports the rest when that is used.
"""

from __future__ import annotations

from collections.abc import Mapping
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from dractl.pytest_plugin.items import ExpectationFile
    from dractl.pytest_plugin.world import WorldFactory

__all__: list[str] = []

_SUFFIXES = frozenset({".yaml", ".yml", ".json"})
_WILDCARDS = frozenset("*?[")


def pytest_addoption(parser: pytest.Parser, pluginmanager: pytest.PytestPluginManager) -> None:
    """Add the settings and options."""
    _keep_as_compiled(pluginmanager)
    group = parser.getgroup("dractl")
    group.addoption(
        "--dractl-kube-version",
        metavar="MINOR",
        help="Kubernetes minor of dractl fixtures, or minors of expectation files; overrides these files.",
    )
    group.addoption(
        "--dractl-feature-gates",
        metavar="A=true,B=false",
        help="Override feature gates in dractl fixtures and expectation files.",
    )
    parser.addini(
        "dractl_expectations",
        "Files to collect as tests: names or globs, relative to the root folder.",
        type="args",
        default=[],
    )
    parser.addini("dractl_kube_version", "Kubernetes minor of dractl fixtures.", default="")
    parser.addini("dractl_feature_gates", "Override feature gates in dractl fixtures.", default="")


def _keep_as_compiled(pluginmanager: pytest.PytestPluginManager) -> None:
    """Let pytest import dractl as it is.

    pytest rewrites the assertions of all modules of a plugin's distribution. Those of dractl have none, and
    where no bytecode is written that takes 2 s in each run.
    """
    marked = getattr(getattr(pluginmanager, "rewrite_hook", None), "_must_rewrite", None)
    if isinstance(marked, set):
        marked.discard("dractl")


def pytest_configure(config: pytest.Config) -> None:
    """Register the marker of collected expectation files."""
    config.addinivalue_line("markers", "dractl: a case of an expectation file of dractl")


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> ExpectationFile | None:
    """Collect an expectation file that ``dractl_expectations`` names."""
    patterns: list[str] = parent.config.getini("dractl_expectations")
    if not patterns or file_path.suffix not in _SUFFIXES:
        return None
    root = parent.config.rootpath
    name = file_path.relative_to(root).as_posix() if file_path.is_relative_to(root) else file_path.name
    matching = [pattern for pattern in patterns if _matches(name, pattern)]
    if not matching:
        return None
    # A glob may match manifests too; a file that is named in full must be an expectation file.
    is_named = any(not _WILDCARDS & set(pattern) for pattern in matching)
    if not is_named and not _is_expectation_file(file_path, parent):
        return None
    from dractl.pytest_plugin.items import ExpectationFile

    return ExpectationFile.from_parent(parent, path=file_path)


def _is_expectation_file(file: Path, parent: pytest.Collector) -> bool:
    """Whether a file is an expectation file; warns of one that cannot be read."""
    from dractl.testing.folders import kind_of_file

    found = kind_of_file(str(file))
    if found.problem:
        message = f"{file.name} is not collected by dractl_expectations: {found.problem}"
        parent.warn(pytest.PytestCollectionWarning(message))
    return found.is_meant


def _matches(name: str, pattern: str) -> bool:
    pattern = pattern.removeprefix("./")
    return fnmatchcase(name, pattern) or (
        "/" not in pattern and fnmatchcase(name.rpartition("/")[2], pattern)
    )


@pytest.fixture
def dractl_kube_version(pytestconfig: pytest.Config) -> str | None:
    """The Kubernetes minor of ``dractl_world``; None means the newest. Override or parametrize it."""
    option: str | None = pytestconfig.getoption("dractl_kube_version")
    ini: str = pytestconfig.getini("dractl_kube_version")
    return option or ini or None


@pytest.fixture
def dractl_feature_gates(pytestconfig: pytest.Config) -> Mapping[str, bool]:
    """The feature gates of ``dractl_world`` that are not the defaults of the minor. Override it."""
    from dractl.pytest_plugin.items import gates_of

    ini: str = pytestconfig.getini("dractl_feature_gates")
    option: str | None = pytestconfig.getoption("dractl_feature_gates")
    return {**gates_of(ini), **gates_of(option or "")}


@pytest.fixture
def dractl_world(
    request: pytest.FixtureRequest,
    dractl_kube_version: str | None,
    dractl_feature_gates: Mapping[str, bool],
) -> WorldFactory:
    """A function from manifests to a cluster with assertions: ``dractl_world(Path("deploy"), claim)``.

    Paths are relative to the folder of the test.
    """
    from dractl.pytest_plugin.world import WorldFactory

    return WorldFactory(request.path.parent, dractl_kube_version, dractl_feature_gates)
