"""``--kube-version`` with a patch."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import dractl
from tests.forking import run_dractl
from tests.paths import ROOT

CLAIM = str(ROOT / "testdata" / "examples" / "shared-capacity" / "nic.yaml")


def run(*arguments: str) -> tuple[int, str, str]:
    done = run_dractl(arguments, ROOT)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


@pytest.mark.parametrize(
    ("text", "shown"), [("v1.35.4-gke.100", "1.35.4"), ("1.35.8", "1.35.8"), ("1.35", "1.35")]
)
def test_results_show_the_patch_that_was_asked_for(text: str, shown: str) -> None:
    _, output, _ = run("validate", CLAIM, "--kube-version", text)
    assert output.rstrip().endswith(f"(Kubernetes {shown})")
    for command in (("validate", CLAIM), ("simulate", CLAIM), ("gates",), ("cel", "true")):
        _, output, _ = run(*command, "--kube-version", text, "--format", "json")
        assert json.loads(output)["kubeVersion"] == shown, command
    assert dractl.validate(Path(CLAIM), kube_version=text).to_dict()["kubeVersion"] == shown
    assert dractl.simulate(Path(CLAIM), kube_version=text).to_dict()["kubeVersion"] == shown
    assert dractl.validate_range(Path(CLAIM), kube_versions=text).kube_versions == (shown,)


COMMANDS = [
    ("validate", CLAIM),
    ("simulate", CLAIM),
    ("gates",),
    ("rules",),
    ("cel", "true"),
    ("schema", "ResourceClaim"),
    ("convert", CLAIM, "--to", "v1"),
    ("test", "-"),
]


@pytest.mark.parametrize("command", COMMANDS)
def test_an_unknown_patch_is_wrong_usage(command: tuple[str, ...]) -> None:
    code, _, errors = run(*command, "--kube-version", "1.35.99")
    assert code == 2
    known = "dractl supports 1.35.0 to 1.35.8, and 1.35 means 1.35.8"
    assert f"--kube-version: unknown patch release '1.35.99'; {known}" in errors


def test_a_range_has_the_newest_patches() -> None:
    found = dractl.validate_range(Path(CLAIM), kube_versions="v1.35.4-gke.100..1.37.0")
    assert found.kube_versions == ("1.35", "1.36", "1.37")
