"""What the messages advise for a name that a device lacks."""

from __future__ import annotations

from typing import Any

from dractl.api import gates, release
from dractl.cel.compile import CelError, Environment, Selector, compile_selector, device_value
from dractl.cel.interpreter.missing_names import KnownNames
from tests.rows import each_row

GPU = "gpu.example.com"
NO_DOMAIN = "no device has attributes of the domain gpu.exmaple.com"
GATES = gates.resolve(release.NEWEST)
DEVICES: list[tuple[str, dict[str, Any]]] = [
    (GPU, {"name": "gpu-0", "attributes": {"index": {"int": 0}}, "capacity": {"memory": {"value": "40Gi"}}}),
    (GPU, {"name": "gpu-1", "attributes": {"index": {"int": 1}, "model": {"string": "A100"}}}),
]


def _advised(expression: str) -> str:
    selector = compile_selector(expression, Environment(GATES.minor, GATES, stored=True))
    value = device_value(GPU, DEVICES[0][1])
    assert isinstance(selector, Selector)
    assert not isinstance(value, CelError)
    error = selector.failure(value)
    assert error is not None
    return KnownNames(DEVICES).advised(error, selector.tree).message


@each_row(
    ("path", "message"),
    [
        ("attributes['gpu.example.com'].modle", "no such key: 'modle'; did you mean model?"),
        ("attributes['gpu.example.com'].colour", "no such key: 'colour'; choose from index, model"),
        (
            "attributes['gpu.exmaple.com'].model",
            f"no such key: 'model'; {NO_DOMAIN}; did you mean {GPU}?",
        ),
        (
            "attributes['gpu.example.com'].memory",
            "no such key: 'memory'; memory is a capacity; use `device.capacity[\"gpu.example.com\"].memory`",
        ),
        (
            "capacity['gpu.example.com'].index",
            "no such key: 'index'; index is an attribute; use `device.attributes[\"gpu.example.com\"].index`",
        ),
        (
            "attributes['gpu.example.com'].index.x",
            "no such key: 'x'; an int has no keys",
        ),
    ],
)
def test_a_name_that_no_device_has_is_never_answered_with_a_guard(path: str, message: str) -> None:
    assert _advised(f"device.{path} == device.{path}") == message


def test_a_name_that_another_device_has_is_answered_with_a_guard() -> None:
    assert _advised("device.attributes['gpu.example.com'].model == 'A100'") == (
        "no such key: 'model'; guard it with `has(...)`, or use `.?` with `orValue(...)`"
    )


def test_without_any_names_the_message_stays() -> None:
    error = CelError(
        "runtime", "no such key: 'model'; guard it with `has(...)`, or use `.?` with `orValue(...)`"
    )
    selector = compile_selector("device.driver == 'x'", Environment(GATES.minor, GATES, stored=True))
    assert isinstance(selector, Selector)
    assert KnownNames([]).advised(error, selector.tree) == error
