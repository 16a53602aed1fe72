"""The generated types of the API objects: up to date, in the internal shape, and free at run time."""

from __future__ import annotations

import ast

from dractl.api.objects import core, resource
from dractl.versions.layout import EXACT_FIELDS
from tests.object_types import FOLDER, object_types
from tests.paths import ROOT


def test_types_are_up_to_date() -> None:
    """``python -m tests.drift --fix`` writes them."""
    types = object_types()
    stale = [path.name for path, text in types.items() if path.read_text(encoding="utf-8") != text]
    assert stale == []
    assert {path.name for path in FOLDER.glob("*.py")} == {"__init__.py", *(path.name for path in types)}


def test_fields_stand_where_the_internal_shape_has_them() -> None:
    request = resource.DeviceRequest.__optional_keys__
    assert request == {"name", "exactly", "firstAvailable"}
    assert set(EXACT_FIELDS) <= resource.ExactDeviceRequest.__optional_keys__
    assert "basic" not in resource.Device.__optional_keys__
    assert "DeviceCapacity" in str(resource.Device.__annotations__["capacity"])


def test_fields_of_older_minors_are_there() -> None:
    assert "controller" in resource.ResourceClaimSpec.__optional_keys__
    assert "source" in core.PodResourceClaim.__optional_keys__


def test_no_module_loads_them_at_run_time() -> None:
    loading = []
    for path in sorted((ROOT / "dractl").rglob("*.py")):
        if path.parent == FOLDER:
            continue
        text = path.read_text(encoding="utf-8")
        if "dractl.api.objects" not in text:
            continue
        tree = ast.parse(text)
        for node in ast.walk(tree):
            if (
                isinstance(node, ast.If)
                and isinstance(node.test, ast.Name)
                and node.test.id == "TYPE_CHECKING"
            ):
                node.body = []
        loading += [
            f"{path}:{node.lineno}"
            for node in ast.walk(tree)
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("dractl.api.objects")
        ]
    assert loading == []
