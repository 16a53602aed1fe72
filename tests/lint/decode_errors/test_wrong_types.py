"""Values of the wrong type: what was found, what is expected, and what to write."""

from __future__ import annotations

import pytest

import dractl
from tests.rows import each_row

CLAIM = """apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: a}
spec:
  devices:
"""
FIELDS = (
    "adminAccess", "allocationMode", "capacity", "count", "derivedAttributes", "deviceClassName", "selectors",
    "tolerations",
)  # fmt: skip
SLICE = """apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata: {name: a}
spec:
  driver: gpu.example.com
  nodeName: node-a
  pool: {name: node-a, generation: 1, resourceSliceCount: 1}
  devices:
  - name: gpu-0
"""


def _first(text: str) -> tuple[str, str]:
    finding = dractl.validate(text).findings[0]
    return finding.message.partition(": ")[2], finding.hint


@each_row(
    ("text", "message", "hint"),
    [
        (
            CLAIM + "    requests:\n      name: gpu\n      exactly: {deviceClassName: gpu}\n",
            "`requests` must be a list, not an object",
            "put `- ` before `name`, and indent the rest of the item by two more spaces",
        ),
        (
            CLAIM + "    requests: {name: gpu, exactly: {deviceClassName: gpu}}\n",
            "`requests` must be a list, not an object",
            "put brackets around the braces: `requests: [{...}]`",
        ),
        (CLAIM + "    requests: {}\n", "`requests` must be a list, not an object", "write `requests: []`"),
        (
            CLAIM + "    requests: gpu\n",
            "`requests` must be a list of objects, not a string",
            "write `- name: gpu` under it",
        ),
        (CLAIM + "    requests: [gpu]\n", "expected an object, got the string 'gpu'", "write `- name: gpu`"),
        (
            CLAIM + "    requests: [{name: gpu, exactly: gpu}]\n",
            "expected an object, got the string 'gpu'",
            f"valid fields: {', '.join(FIELDS)}",
        ),
        (
            SLICE + "    capacity: {memory: 40GB}\n",
            "expected an object, got the string '40GB'",
            "write `memory: {value: 40G}`",
        ),
        (
            SLICE + "    attributes: {index: {int: '3'}}\n",
            "expected an integer, got the string '3'; remove the quotes",
            "",
        ),
        (
            SLICE + "    attributes: {ecc: {bool: 'true'}}\n",
            "expected true or false, got the string 'true'; remove the quotes",
            "",
        ),
        (
            SLICE + "    attributes: {ecc: {string: no}}\n",
            "expected a string, got the boolean false; quote it",
            'write `"no"`; YAML 1.1 reads an unquoted no as a boolean',
        ),
        (
            SLICE + "    attributes: {driver: {version: 1.10}}\n",
            "expected a string, got the number 1.1; quote it",
            'write `"1.10"`',
        ),
    ],
)
def test_what_is_found_and_what_to_write(text: str, message: str, hint: str) -> None:
    assert _first(text) == (message, hint)


@pytest.mark.parametrize(("written", "read"), [("y", "true"), ("off", "false"), ("No", "false")])
def test_a_key_that_yaml_reads_as_a_boolean_is_shown_as_it_is_written(written: str, read: str) -> None:
    (finding,) = dractl.validate(
        CLAIM.replace("spec:", f"{written}: 1\nspec:") + "    requests: []\n"
    ).findings
    assert finding.message == f"unknown field '{read}'"
    assert finding.hint == f'write `"{written}"`; YAML 1.1 reads an unquoted {written} as a boolean'


def test_a_key_that_is_a_boolean_in_every_yaml_is_not_explained() -> None:
    (finding,) = dractl.validate(CLAIM.replace("spec:", "true: 1\nspec:") + "    requests: []\n").findings
    assert "YAML 1.1" not in finding.hint
