"""What of the CEL engine a process loads: the door, and the rest with the first expression."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from dractl.cel.parser.parse import parse

DOOR = {
    "dractl.cel",
    "dractl.cel.common",
    "dractl.cel.compile",
    "dractl.cel.interpreter",
    "dractl.cel.common.device",
    "dractl.cel.common.environment",
    "dractl.cel.common.errors",
    "dractl.cel.interpreter.program",
    "dractl.cel.common.values",
    "dractl.cel.common.work",
}
"""Names and values that others hold, without any code that reads or evaluates an expression."""

CLAIM = """\
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: gpu, namespace: default}
spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: gpu.example.com%s}}]}}
"""
SELECTORS = ', selectors: [{cel: {expression: device.driver == "a"}}]'

_LISTING = """\
import runpy, sys
sys.argv = ["dractl", *sys.argv[1:]]
try:
    runpy.run_module("dractl", run_name="__main__")
except SystemExit:
    pass
sys.stderr.write("\\n" + " ".join(name for name in sys.modules if name.startswith("dractl.cel")))
"""


def _loaded(*arguments: str) -> set[str]:
    command = [sys.executable, "-c", _LISTING, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return set(done.stderr.split("\n")[-1].split())


@pytest.mark.parametrize("command", ["validate", "simulate", "convert --to resource.k8s.io/v1beta1"])
def test_without_an_expression_nothing_is_loaded_but_the_door(tmp_path: Path, command: str) -> None:
    path = tmp_path / "claim.yaml"
    path.write_text(CLAIM % "", encoding="utf-8")
    assert _loaded(*command.split(), str(path)) <= DOOR


@pytest.mark.parametrize("line", ["gates", "--help", "schema ResourceClaim"])
def test_commands_that_read_no_objects_load_nothing_at_all(line: str) -> None:
    assert _loaded(*line.split()) == set()


def test_the_first_expression_loads_the_engine(tmp_path: Path) -> None:
    path = tmp_path / "claim.yaml"
    path.write_text(CLAIM % SELECTORS, encoding="utf-8")
    assert {parse.__module__, "dractl.cel.checker.check", "dractl.cel.interpreter.evaluate"} <= _loaded(
        "validate", str(path)
    )
