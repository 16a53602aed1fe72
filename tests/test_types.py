"""How much of the package has no type of its own: it only becomes less."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tests.paths import ROOT
from tests.rows import each_row

PACKAGE = ROOT / "dractl"

MOST: dict[str, tuple[int, int]] = {
    "admission": (22, 22),
    "api": (3, 1),
    "cel": (24, 0),
    "cli": (17, 0),
    "cluster": (13, 72),
    "advisories": (7, 16),
    "auditing": (0, 5),
    "sizing": (0, 27),
    "conversion": (1, 0),
    "explanation": (1, 5),
    "extensions.py": (1, 0),
    "legacy": (131, 74),
    "lint": (29, 0),
    "report": (2, 0),
    "scenario": (41, 5),
    "simulation": (16, 139),
    "source": (61, 0),
    "testing": (14, 1),
    "upgrading": (0, 1),
    "versions": (27, 0),
    "workflows": (3, 11),
}
"""How often each part of the package has ``Any``, and ``Object``, which is made of it.

A figure is lowered with every use that goes, and never raised. ``object`` is the type of a value of which
nothing is known: mypy asks for a look at it before it is used. ``dractl.api.objects`` has the other types.
"""


def _names(tree: ast.AST) -> Iterator[str]:
    """The names in a module, also those of types in quotes; what is imported does not count."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            yield node.id
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and "[" in node.value:
            try:
                inner = ast.parse(node.value, mode="eval").body
            except (SyntaxError, ValueError):
                continue
            if isinstance(inner, ast.Subscript | ast.BinOp):
                yield from _names(inner)


def _uses(part: str) -> tuple[int, int]:
    path = PACKAGE / part
    files = sorted(path.rglob("*.py")) if path.is_dir() else [path]
    found = [name for file in files for name in _names(ast.parse(file.read_text(encoding="utf-8")))]
    return found.count("Any"), found.count("Object")


def _parts() -> list[str]:
    folders = [path.name for path in PACKAGE.iterdir() if (path / "__init__.py").is_file()]
    return sorted([*folders, *(path.name for path in PACKAGE.glob("*.py"))])


def test_quoted_types_count_and_imports_do_not() -> None:
    module = "from typing import Any\nx: list[Any] = cast('dict[str, Any]', 'Any [of] them')\n"
    assert list(_names(ast.parse(module))).count("Any") == 2


@each_row("part", _parts())
def test_what_has_no_type_only_becomes_less(part: str) -> None:
    uses, most = _uses(part), MOST.get(part, (0, 0))
    assert uses == most, (
        f"Any and Object are used {uses} times, and may be {most} times: never write more here"
    )


def test_the_table_has_no_row_for_what_is_gone() -> None:
    assert set(MOST) <= set(_parts())
