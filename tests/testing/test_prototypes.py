"""Expectations about pods and claims of prototypes."""

from __future__ import annotations

from pathlib import Path

from tests.forking import as_text, run_dractl
from tests.legacy.prototypes.build import device_class, pod, pool

WORLD = [
    pool("p", "n1", "- name: d0"),
    device_class("gpu"),
    pod("first", "devices: [{name: g, class: gpu}]", main="g"),
]
CASE = """
schema: dractl.test/1
cases:
- name: devices
  manifests: [world.yaml]
  expect:
    pods:
      first: {node: %s, devices: {g/g: acme.example/p/d0}}
"""


def test_a_pod_of_a_prototype_is_as_expected_or_not(tmp_path: Path) -> None:
    (tmp_path / "world.yaml").write_text("---\n".join(WORLD), encoding="utf-8")
    for node, code in (("n1", 0), ("n2", 1)):
        (tmp_path / "test.yaml").write_text(CASE % node, encoding="utf-8")
        done = as_text(run_dractl(["test", "test.yaml"], tmp_path))
        assert done.returncode == code, done.stdout + done.stderr
