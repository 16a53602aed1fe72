"""The wing as a whole: what meets none of it loads none of it, and does without it."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.forking import as_text, run_dractl
from tests.paths import ROOT

QUICKSTART = "testdata/examples/quickstart"
EXAMPLES = (
    "validate testdata/examples/broken.yaml",
    f"validate --old {QUICKSTART} {QUICKSTART}",
    *(
        pytest.param(line, marks=pytest.mark.slow)
        for line in (
            f"validate {QUICKSTART}",
            f"validate --kube-version 1.31 {QUICKSTART}",
            f"simulate {QUICKSTART}",
            f"simulate {QUICKSTART} testdata/examples/pending.yaml",
        )
    ),
    f"simulate {QUICKSTART} --scenario testdata/examples/scenario.yaml",
    f"convert --to v1beta1 {QUICKSTART}",
    "schema ResourceClaim",
)

RUN = """
import sys
from dractl.cli.app import main

code = 0
try:
    main()
except SystemExit as end:
    code = end.code
found = sorted(name for name in sys.modules if name.startswith("dractl.legacy"))
sys.exit(f"loaded: {' '.join(found)}" if found else code)
"""

REMOVED = """
import sys


class Without:
    def find_spec(self, name, path=None, target=None):
        if name == "dractl.legacy":
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)


sys.meta_path.insert(0, Without())
"""


def _run(code: str, arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", code, *arguments.split()]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60, check=False)


@pytest.mark.parametrize("arguments", EXAMPLES)
def test_what_meets_none_of_it_loads_none_of_it(arguments: str) -> None:
    done = _run(RUN, arguments)
    assert "loaded:" not in done.stderr
    assert done.returncode in (0, 1)
    assert done.stdout


def test_what_meets_it_loads_it() -> None:
    done = _run(RUN, "schema DevicePool --dialect proto-oneof")
    assert "loaded: dractl.legacy" in done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("arguments", EXAMPLES)
def test_without_the_folder_the_rest_works(arguments: str) -> None:
    here = as_text(run_dractl(arguments.split(), ROOT))
    without = _run(REMOVED + RUN, arguments)
    assert (without.returncode, without.stdout, without.stderr) == (here.returncode, here.stdout, here.stderr)


def _ids(code: str) -> list[str]:
    return [line.split()[0] for line in _run(code, "rules").stdout.splitlines()]


def test_without_the_folder_its_rules_are_not_listed() -> None:
    here, without = _ids(RUN), _ids(REMOVED + RUN)
    gone = set(here) - set(without)
    assert {name.partition("/")[0] for name in gone - {"pod/claim-generated-name"}} == {
        "oldclaim",
        "oldclass",
        "oldparams",
        "oldslice",
        "prototype",
        "psc",
    }
    assert without == [name for name in here if name not in gone]


def test_without_the_folder_its_input_is_no_silent_success() -> None:
    done = _run(REMOVED + RUN, "schema DevicePool --dialect proto-oneof")
    assert done.returncode == 2
    assert "dractl.legacy" in done.stderr
