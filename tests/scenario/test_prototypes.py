"""Scenarios with objects of prototypes: each step simulates them anew."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.forking import as_text, run_dractl
from tests.legacy.prototypes.build import claim, device_class, pod, pool

WORLD = [
    pool("p", "n1", "- name: d0"),
    device_class("gpu"),
    claim("c", "- {name: g, allOf: [{class: gpu}]}"),
    pod("first", "template: {claimName: c}", main="g"),
    pod("second", "template: {claimName: c}", main="g"),
]


def _played(folder: Path, steps: str) -> str:
    (folder / "world.yaml").write_text("---\n".join(WORLD), encoding="utf-8")
    (folder / "third.yaml").write_text(pod("third", "template: {claimName: c}", main="g"), encoding="utf-8")
    (folder / "s.yaml").write_text(f"schema: dractl.scenario/1\nsteps:\n{steps}", encoding="utf-8")
    done = as_text(run_dractl(["simulate", "world.yaml", "--scenario", "s.yaml"], folder))
    return done.stdout + done.stderr


@pytest.mark.parametrize("word", ["complete", "fail"])
def test_a_pod_that_ends_frees_its_devices_for_those_that_wait(tmp_path: Path, word: str) -> None:
    text = _played(tmp_path, f"- {word}: first\n")
    assert "default/first is removed and frees acme.example/p/d0" in text
    assert "default/second is placed on n1 with acme.example/p/d0" in text
    assert "(no pod)" not in text


def test_objects_that_are_applied_are_simulated_with_those_that_are_there(tmp_path: Path) -> None:
    text = _played(tmp_path, "- complete: first\n- complete: second\n- apply: third.yaml\n")
    assert "default/third is placed on n1 with acme.example/p/d0" in text
    assert "after 3 steps 1 pod with devices, 0 pending" in text


def test_what_is_not_there_fails_the_step(tmp_path: Path) -> None:
    assert "failed: Pod default/nobody does not exist" in _played(tmp_path, "- complete: nobody\n")
