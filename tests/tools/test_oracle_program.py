"""The oracle: its Go sources, and the answers of the programs in ``$DRACTL_ORACLE``."""

from __future__ import annotations

import doctest
import json
import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from dractl.api import release
from tests import oracle, record
from tests.paths import ROOT
from tools.kubernetes.releases import RELEASES
from tools.kubernetes.toolchain import Go
from tools.oracle.build import MODULE, MODULES, PROGRAM

SOURCES = sorted(PROGRAM.rglob("*.go"))
LARGEST = 400
MOST = 20
WANTED = {
    "kube1.30": ("validate.resourceStrategies", "validate.createErrors", "gates.dependencies"),
    "kube1.31": ("taints.Apply", "api.ClassNames", "selectors.compile", "allocate.newSearches"),
    "kube1.32": ("selectors.celDevice", "selectors.setDerived", "allocate.features"),
}
"""Functions that differ between releases, by the first one that needs them."""
_CONSTRAINT = re.compile(r"^//go:build (.*)$", re.MULTILINE)
_FUNCTION = re.compile(r"^(?:func|type|var) (?!init\b)(\w+)", re.MULTILINE)


def _compiled(path: Path, tags: tuple[str, ...]) -> bool:
    """Whether a file is part of a build with ``tags``: its constraint is a conjunction."""
    match = _CONSTRAINT.search(path.read_text(encoding="utf-8"))
    terms = match[1].split(" && ") if match else []
    return all((term.removeprefix("!") in tags) is not term.startswith("!") for term in terms)


@pytest.mark.parametrize("minor", RELEASES)
def test_each_minor_has_every_function_of_a_package_once(minor: str) -> None:
    tags = RELEASES[minor].tags
    names = [
        f"{path.parent.name}.{name}"
        for path in SOURCES
        if _compiled(path, tags)
        for name in _FUNCTION.findall(path.read_text(encoding="utf-8"))
    ]
    assert sorted(names) == sorted(set(names))
    wanted = {name for since, row in WANTED.items() if since in tags for name in row}
    assert wanted - set(names) == set()


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(PROGRAM)))
def test_a_build_constraint_names_known_minors(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    tags = re.findall(r"kube[0-9.]+", "".join(_CONSTRAINT.findall(text)))
    assert set(tags) <= {f"kube{minor}" for minor in RELEASES}
    assert text.count("\n") <= LARGEST


def test_a_package_has_few_files() -> None:
    counts = {folder: len(list(folder.glob("*.go"))) for folder in {path.parent for path in SOURCES}}
    assert {folder: count for folder, count in counts.items() if count > MOST} == {}


@pytest.mark.skipif(shutil.which("gofmt") is None, reason="no Go toolchain")
def test_sources_are_formatted() -> None:
    done = subprocess.run(["gofmt", "-l", str(PROGRAM)], capture_output=True, text=True, check=True)
    assert done.stdout == ""


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("go") is None, reason="no Go toolchain")
def test_vet_finds_nothing_in_the_sources() -> None:
    modules = Path(os.environ.get(oracle.ENVIRONMENT, "")) / MODULES
    found = subprocess.run(["go", "env", "GOVERSION"], capture_output=True, text=True, check=True).stdout
    rows = [
        row
        for row in RELEASES.values()
        if (modules / f"{row.version}.mod").is_file() and _numbers(row.go) <= _numbers(found)
    ]
    if not rows:
        pytest.skip("$DRACTL_ORACLE names no folder with modules for this Go")
    go = Go("go", modules)
    go.vet(rows[-1], source=PROGRAM, module_file=go.module_file(rows[-1], name=MODULE))


def _numbers(version: str) -> list[int]:
    return [int(number) for number in re.findall(r"\d+", version)]


def _asking(minor: object) -> Any:
    missing = pytest.mark.skipif(
        oracle.binary(str(minor)) is None,
        reason=f"$DRACTL_ORACLE names no folder with the Kubernetes code of {minor}",
    )
    return pytest.param(minor, marks=missing, id=str(minor))


def _ask(minor: release.Minor, *requests: dict[str, Any]) -> list[dict[str, Any]]:
    program = oracle.binary(str(minor))
    assert program is not None
    return oracle.ask(program, requests)


@pytest.mark.parametrize("minor", [_asking(minor) for minor in release.KNOWN])
def test_requests_that_have_no_answer(minor: release.Minor) -> None:
    version, yes, operation, unknown_gate, mistyped = _ask(
        minor,
        {"op": "version", "id": 7},
        {"op": "yaml", "text": "a: [yes, 0x10, 1e3]"},
        {"op": "guess"},
        {"op": "version", "gates": {"NoSuchGate": True}},
        {"op": "validate", "manifest": 1},
    )
    assert (version["minor"], version["id"]) == (str(minor), 7)
    assert json.loads(yes["json"]) == {"a": [True, 16, 1000]}
    assert operation == {"id": None, "error": 'unknown op "guess"'}
    assert unknown_gate["error"].startswith("gates: unrecognized feature gate")
    assert mistyped["error"].startswith("request: ")


@pytest.mark.parametrize("minor", [_asking(release.NEWEST)])
def test_the_example_of_the_page_has_this_answer(minor: release.Minor) -> None:
    page = PROGRAM.with_name("README.md").read_text(encoding="utf-8")
    match = re.search(r"\$ echo '(.*)' \| oracle-.*\n(.*)", page)
    assert match is not None
    (answer,) = _ask(minor, json.loads(match[1]))
    assert json.loads(match[2].replace("{…}", "0")) == answer | {"result": 0}


@pytest.mark.skipif(oracle.binary("1.37") is None, reason="$DRACTL_ORACLE names no folder with oracle-1.37")
def test_the_example_for_authors_of_rules_has_its_answer() -> None:
    page = ROOT / "docs" / "contributing" / "add-a-rule.md"
    (shown,) = re.findall(r"```python\n(>>> .*?)```", page.read_text(encoding="utf-8"), re.DOTALL)
    test = doctest.DocTestParser().get_doctest(shown, {}, page.name, str(page), 0)
    assert doctest.DocTestRunner().run(test) == (0, 4)


@pytest.mark.slow
@pytest.mark.parametrize("minor", [_asking(minor) for minor in release.KNOWN])
def test_a_program_gives_the_recorded_verdicts(minor: release.Minor) -> None:
    cases = [case for case in record.on_disk() if str(minor) in case.verdicts]
    requests = [case.request() for case in cases]
    differing = [
        (case.path.name, case.verdicts[str(minor)], verdict)
        for case, request, answer in zip(cases, requests, _ask(minor, *requests), strict=True)
        if (verdict := record.verdict(str(minor), request, answer)) != case.verdicts[str(minor)]
    ]
    assert cases
    assert differing == []
