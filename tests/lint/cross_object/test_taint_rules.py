from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from dractl.lint.cross_object import taint_rules
from tests.lint.cross_object.objects import (
    GPU,
    findings_of,
    places_of,
    resource_slice,
    taint_rule,
)
from tests.rows import each_row

found = partial(findings_of, taint_rules.CHECKS)
said = partial(places_of, taint_rules.CHECKS)

SELECTOR = "spec.deviceSelector"


@each_row(
    ("selector", "expected"),
    [
        (None, [("taint-rule-nothing", "spec")]),
        ({}, [("taint-rule-everything", SELECTOR)]),
        ({"driver": "gpu.example.com"}, []),
        ({"driver": "nic.example.com"}, []),
        ({"driver": "gpu.exmaple.com"}, [("taint-rule-nothing", f"{SELECTOR}.driver")]),
        ({"driver": "gpu.example.com", "pool": "node-a", "device": "gpu-0"}, []),
        ({"driver": "gpu.example.com", "pool": "node-b"}, [("taint-rule-nothing", f"{SELECTOR}.pool")]),
        ({"driver": "gpu.example.com", "device": "gpu-9"}, [("taint-rule-nothing", f"{SELECTOR}.device")]),
        ({"pool": "node-z"}, []),
    ],
)
def test_taint_rules(selector: Mapping[str, str] | None, expected: list[tuple[str, str]]) -> None:
    assert said(resource_slice("a", [GPU]), taint_rule(selector)) == expected


def test_a_pool_of_which_slices_are_missing_may_have_the_device() -> None:
    rule = taint_rule({"driver": "gpu.example.com", "device": "gpu-9"})
    assert said(resource_slice("a", [GPU], pool=("node-a", 1, 2)), rule) == []


def test_eviction_is_reported() -> None:
    (finding,) = found(taint_rule({}, "NoExecute"))
    assert "NoExecute evicts the pods" in finding.message


def test_without_a_selector_older_schedulers_taint_everything() -> None:
    rule = {**taint_rule(None), "apiVersion": "resource.k8s.io/v1beta2"}
    assert said(rule, kube="1.36") == [("taint-rule-everything", "spec")]
    assert said(rule, kube="1.37") == [("taint-rule-nothing", "spec")]
