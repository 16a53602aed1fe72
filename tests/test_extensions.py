from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType

import pytest

from dractl import extensions
from dractl.extensions import ENTRY_POINTS, ExtensionPoint
from tests.rows import each_row

ROWS = [(name, key, row) for name, rows in ENTRY_POINTS.items() for key, row in rows.items()]


@pytest.fixture
def point(monkeypatch: pytest.MonkeyPatch) -> ExtensionPoint[float]:
    rows = {"pi": "math:pi", "gone": "dractl.legacy.nowhere:x", "e": "math:e"}
    monkeypatch.setattr(extensions, "ENTRY_POINTS", {"numbers": rows})
    return ExtensionPoint("numbers")


@each_row(("name", "key", "row"), ROWS)
def test_every_row_names_something(name: str, key: str, row: str) -> None:
    assert ExtensionPoint[object](name)[key] is not None
    module, _, attribute = row.partition(":")
    assert attribute in import_module(module).__all__


def test_a_part_is_found_by_its_key(point: ExtensionPoint[float]) -> None:
    assert point["e"] == point.get("e") == import_module("math").e


def test_a_key_without_a_row(point: ExtensionPoint[float]) -> None:
    assert point.get("phi") is None
    with pytest.raises(KeyError):
        point["phi"]


def test_a_point_without_rows() -> None:
    with pytest.raises(KeyError):
        ExtensionPoint("nonsense")


class _Without:
    """Finds modules as if the folder of the wing had been removed."""

    def find_spec(self, name: str, _path: object = None, _target: object = None) -> None:
        if name == "dractl.legacy":
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)


def test_a_wing_that_is_not_there(point: ExtensionPoint[float], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "dractl.legacy", raising=False)
    monkeypatch.setattr(sys, "meta_path", [_Without(), *sys.meta_path])
    assert list(point.all()) == [import_module("math").pi, import_module("math").e]
    with pytest.raises(ModuleNotFoundError, match=r"dractl\.legacy"):
        point.get("gone")


def test_a_wing_with_a_fault_is_not_left_out(
    point: ExtensionPoint[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A module of the wing that cannot be loaded is not the whole wing."""
    wing = ModuleType("dractl.legacy")
    wing.__path__ = []
    monkeypatch.setitem(sys.modules, "dractl.legacy", wing)
    with pytest.raises(ModuleNotFoundError):
        list(point.all())
