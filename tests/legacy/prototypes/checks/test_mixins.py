from __future__ import annotations

from typing import Any

from dractl.legacy.prototypes.checks.mixins import Mixins


def _device(name: str, *sources: str, includes: tuple[str, ...] = (), **capacity: str) -> dict[str, Any]:
    parts: dict[str, Any] = {"capacity": {key: {"quantity": size} for key, size in capacity.items()}}
    if sources:
        parts["consumesCapacityFrom"] = [{"name": source} for source in sources]
    if includes:
        parts["includes"] = [{"name": include} for include in includes]
    return {"name": name, "partitionable": parts}


MODEL: dict[str, Any] = {
    "deviceMixins": [
        {"name": "half", "partitionable": {"capacity": {"mem": {"quantity": "4"}}}},
        {"name": "named", "partitionable": {"attributes": {"model": {"string": "x"}}}},
    ],
    "devices": [
        _device("root", mem="8"),
        _device("part", "root", includes=("half", "named")),
        _device("piece", "part", mem="2"),
    ],
}


def _written(taken: dict[str, dict[str, Any]]) -> dict[str, dict[str, str]]:
    return {source: {name: str(size) for name, size in sizes.items()} for source, sizes in taken.items()}


def test_mixins_are_laid_below_what_a_device_says_itself() -> None:
    attributes, capacity = Mixins(MODEL).flattened(_device("x", includes=("half", "named"), mem="6"))
    assert attributes == {"model": {"string": "x"}}
    assert {name: str(size) for name, size in capacity.items()} == {"mem": "6"}


def test_a_device_takes_from_all_up_to_the_root() -> None:
    taken = dict(Mixins(MODEL).consumption())
    assert _written(taken["root"]) == {"root": {"mem": "8"}}
    assert _written(taken["part"]) == {"root": {"mem": "4"}}
    assert _written(taken["piece"]) == {"part": {"mem": "2"}, "root": {"mem": "2"}}
    assert Mixins(MODEL).roots() == ["root"]


def test_circles_are_found_and_followed_by_nobody() -> None:
    model = {"devices": [_device("a", "b"), _device("b", "a"), _device("c", "c", mem="1")]}
    assert Mixins(model).circles() == [0, 1]
    assert dict(Mixins(model).consumption())["a"] == {}
    assert _written(dict(Mixins(model).consumption())["c"]) == {"c": {"mem": "1"}}


def test_layers_of_devices_that_all_consume_from_all_below_take_no_exponential_time() -> None:
    layers = 40
    devices = [
        _device(f"{layer}-{number}", *((f"{layer - 1}-0", f"{layer - 1}-1") if layer else ()), mem="1")
        for layer in range(layers)
        for number in range(2)
    ]
    taken = dict(Mixins({"devices": devices}).consumption())
    assert len(taken["39-0"]) == 2 * (layers - 1)


def test_a_long_chain_is_searched_for_circles_once() -> None:
    devices = [_device(str(number), str(number + 1)) for number in range(20_000)]
    assert Mixins({"devices": devices}).circles() == []
    assert len(Mixins({"devices": [*devices, _device("20000", "10000")]}).circles()) == 10_001
