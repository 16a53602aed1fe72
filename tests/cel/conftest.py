"""What the CEL tests share: environments of a minor, and one device with some of everything."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from dractl.api import gates, release
from dractl.cel.compile import (
    MAX_COST,
    CelError,
    DerivedAttribute,
    DeviceValue,
    Environment,
    Selector,
    compile_derived_attribute,
    compile_selector,
)
from dractl.cel.compile import device_value as build

DOMAIN = "gpu.example.com"

DEVICE: dict[str, Any] = {
    "attributes": {
        "model": {"string": "A100"},
        "index": {"int": 3},
        "healthy": {"bool": True},
        "version": {"version": "1.10.3-beta.2+x"},
        "links": {"strings": ["a", "b", "c"]},
        "ports": {"ints": [3, 1, 2]},
        "other.org/model": {"string": "X1"},
    },
    "capacity": {"memory": {"value": "10Gi"}, "cores": {"value": "1500m"}},
}


def environment(minor: str = "1.37", *, stored: bool = True, **overrides: bool) -> Environment:
    """One of the environments of a server of ``minor`` with some gates set."""
    parsed = release.parse(minor)
    return Environment(parsed, gates.resolve(parsed, overrides), stored)


@pytest.fixture
def device() -> DeviceValue:
    """The device above, of the driver ``gpu.example.com``."""
    found = build(DOMAIN, DEVICE)
    assert isinstance(found, DeviceValue)
    return found


@pytest.fixture
def value_of(device: DeviceValue) -> Callable[[str], Any]:
    """The value of an expression of any type that a derived attribute may have, for the device above."""

    def evaluated(expression: str) -> Any:
        compiled = compile_derived_attribute(expression, environment())
        assert isinstance(compiled, DerivedAttribute), compiled
        return compiled.evaluate(device)

    return evaluated


@pytest.fixture
def failure_of(value_of: Callable[[str], Any]) -> Callable[[str], str]:
    """The message of an evaluation that fails."""

    def failed(expression: str) -> str:
        value = value_of(expression)
        assert isinstance(value, CelError), value
        assert value.kind == "runtime"
        return value.message

    return failed


@pytest.fixture
def verdict_of(device: DeviceValue) -> Callable[[str], str]:
    """What a selector says of the device above: ``true``, ``false`` or ``fails``, as all evaluators say."""

    def verdict(expression: str) -> str:
        selector = compile_selector(expression, environment())
        assert isinstance(selector, Selector), selector
        answer = selector.evaluate(device)
        assert (selector.failure(device) is None) == isinstance(answer, bool)
        if selector.max_cost is not None and selector.max_cost <= MAX_COST:
            parts = selector.explainer().parts(device.fields)
            explained = parts[0].values[0] if parts and parts[0].depth == 0 else answer
            assert explained == answer or isinstance(explained, CelError) == isinstance(answer, CelError)
        return "fails" if isinstance(answer, CelError) else str(answer).lower()

    return verdict
