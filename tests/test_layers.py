"""The floors of the house: imports go down only, in no loop, and each library has one home."""

from __future__ import annotations

import ast
import re
import sys
from collections import Counter
from collections.abc import Iterator
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from typing import NamedTuple

from tests.floors import FLOORS, MOST_MODULES
from tests.paths import ROOT
from tests.rows import each_row

PACKAGE = "dractl"

LEGACY = "dractl.legacy"

HOMES: dict[str, tuple[str, ...]] = {
    "typer": (
        "dractl.cli.commands",
        "dractl.cli.program.*",
        "dractl.cli.options",
        "dractl.cli.reference_options",
        "dractl.cli.shared_options",
        "dractl.cli.cluster_options",
        "dractl.cli.cluster.migrate_options",
        "dractl.cli.cluster.driver_options",
        "dractl.cli.live.options",
        "dractl.cli.live.program",
        "dractl.cli.live.snapshot_options",
    ),
    "rich": ("dractl.report.*",),
    "yaml": ("dractl.source.yaml*",),
    "jsonschema": (
        "dractl.agents.session",
        "dractl.lint.parameters",
        "dractl.lint.limited_schemas",
        "dractl.scenario.schema",
    ),
    "referencing": ("dractl.lint.parameters", "dractl.lint.limited_schemas"),
    "pathspec": ("dractl.source.ignored",),
    "celpy": ("dractl.cel.second_opinion",),
    "jinja2": ("dractl.report.html.render",),
    "markupsafe": ("dractl.report.html.render",),
    "pygls": ("dractl.editor.server",),
    "lsprotocol": ("dractl.editor.server",),
    "playwright": (),
    "pytest": ("dractl.pytest_plugin*",),
    "hypothesis": ("dractl.testing.strategies*",),
}
"""Where each library may be imported."""

COSTLY = frozenset(
    {"dataclasses", "rich", "jsonschema", "typer", "inspect", "pydantic", "importlib.resources"}
)
"""What the floors below validation do without, because it costs time at every start."""

OF_TESTS = frozenset({"dractl.assertions", "dractl.pytest_plugin.world"})
"""Modules that are a part of users' tests, and use the public functions as these do."""

LIGHT = (
    "dractl.admission",
    "dractl.cluster",
    "dractl.finding",
    "dractl.versions",
    "dractl.source",
    "dractl.cel",
    "dractl.api",
    "dractl.records",
)


class Import(NamedTuple):
    """One import: in which module, on which line, of which module."""

    importer: str
    line: int
    imported: str


def _modules() -> dict[str, Path]:
    found = {}
    for path in sorted((ROOT / PACKAGE).rglob("*.py")):
        parts = path.relative_to(ROOT).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


MODULES = _modules()


@cache
def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8")


@cache
def _tree(path: Path) -> ast.Module:
    return ast.parse(_text(path))


def _nodes(path: Path) -> Iterator[ast.AST]:
    """All nodes of a module. To walk over all modules takes seconds: look at the text first."""
    return ast.walk(_tree(path))


def _statements(node: ast.AST) -> Iterator[ast.AST]:
    """The statements of a module or of a part of it, at any depth."""
    for field in ("body", "orelse", "finalbody", "handlers", "cases"):
        for inner in getattr(node, field, ()) if not isinstance(node, ast.expr) else ():
            yield inner
            yield from _statements(inner)


def _imports(name: str) -> Iterator[Import]:
    """All imports of a module: at its top, in functions, and for type checking only."""
    for node in _statements(_tree(MODULES[name])):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield Import(name, node.lineno, alias.name)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{name}:{node.lineno}: imports are absolute"
            module = node.module or ""
            for alias in node.names:
                inner = f"{module}.{alias.name}"
                yield Import(name, node.lineno, inner if inner in MODULES else module)


@cache
def all_imports() -> list[Import]:
    return [found for name in MODULES for found in _imports(name)]


@cache
def own_imports() -> list[Import]:
    return [found for found in all_imports() if found.imported.partition(".")[0] == PACKAGE]


def _is_in(module: str, room: str) -> bool:
    return module == room or module.startswith(room + ".")


@cache
def _floor(module: str, wing: str) -> tuple[int, str] | None:
    """The floor of a module in a wing, counted from the top, and its room there; None if it is not in it."""
    for floor, rooms in enumerate(FLOORS[wing]):
        for room in rooms:
            if _is_in(module, f"{wing}.{room}"):
                return floor, room
    return None


@each_row("wing", FLOORS)
def test_every_module_has_a_floor(wing: str) -> None:
    inside = [name for name in MODULES if _is_in(name, wing) and name != wing]
    assert [name for name in inside if _floor(name, wing) is None] == []


@each_row("wing", FLOORS)
def test_every_room_of_the_plan_is_there(wing: str) -> None:
    rooms = [f"{wing}.{room}" for floor in FLOORS[wing] for room in floor]
    assert [room for room in rooms if room not in MODULES] == []


@each_row("wing", FLOORS)
def test_imports_go_down_only(wing: str) -> None:
    """The packages themselves have no floor: dractl names its public functions, and knows its version."""
    wrong = []
    for found in own_imports():
        here, there = _floor(found.importer, wing), _floor(found.imported, wing)
        if here is not None and there is not None and here != there and there[0] <= here[0]:
            wrong.append(f"{found.importer}:{found.line} imports {found.imported}")
    assert wrong == []


def test_nothing_imports_the_legacy_wing() -> None:
    """What it brings is found by name, in ``dractl.extensions``, so the folder could be removed."""
    wrong = [
        f"{found.importer}:{found.line} imports {found.imported}"
        for found in own_imports()
        if _is_in(found.imported, LEGACY) and not _is_in(found.importer, LEGACY)
    ]
    assert wrong == []


def test_the_names_of_the_legacy_wing_stand_in_one_module() -> None:
    naming = {
        name
        for name, path in MODULES.items()
        if not _is_in(name, LEGACY) and f"{LEGACY}." in _text(path)
        for node in _nodes(path)
        if isinstance(node, ast.Constant) and str(node.value).startswith(f"{LEGACY}.")
    }
    assert naming == {"dractl.extensions"}


def test_no_folder_holds_too_many_modules() -> None:
    folders = Counter(path.parent for path in MODULES.values() if path.name != "__init__.py")
    assert {str(folder): number for folder, number in folders.items() if number > MOST_MODULES} == {}


def test_the_package_itself_is_imported_for_its_version_only() -> None:
    importers = {found.importer for found in own_imports() if found.imported == PACKAGE}
    assert importers <= {
        "dractl.cli.commands",
        "dractl.cli.program.parameters",
        "dractl.cli.app",
        "dractl.cli.live.program",
        "dractl.report.ci.sarif",
        "dractl.agents.session",
        *OF_TESTS,
    }


def test_imports_make_no_loop() -> None:
    """Also not those inside functions, nor those for type checking."""
    targets = {
        name: sorted({i.imported for i in own_imports() if i.importer == name})
        for name in MODULES
        if name != PACKAGE
    }
    done: set[str] = set()

    def visit(name: str, route: tuple[str, ...]) -> None:
        assert name not in route, " -> ".join((*route[route.index(name) :], name))
        if name not in done:
            for target in targets.get(name, ()):
                visit(target, (*route, name))
            done.add(name)

    for name in targets:
        visit(name, ())


@each_row("library", HOMES)
def test_a_library_has_one_home(library: str) -> None:
    prototype_findings = [
        f"{found.importer}:{found.line}"
        for found in all_imports()
        if _is_in(found.imported, library)
        and not any(fnmatchcase(found.importer, home) for home in HOMES[library])
    ]
    assert prototype_findings == []


def test_the_lower_floors_import_nothing_costly() -> None:
    wrong = [
        f"{found.importer}:{found.line} imports {found.imported}"
        for found in all_imports()
        if any(_is_in(found.importer, room) for room in LIGHT)
        and any(_is_in(found.imported, costly) for costly in COSTLY)
    ]
    assert wrong == []


def test_the_ground_floor_imports_the_standard_library_only() -> None:
    wrong = [
        f"{found.importer}:{found.line} imports {found.imported}"
        for found in all_imports()
        if _is_in(found.importer, "dractl.api")
        and not any(_is_in(found.imported, room) for room in ("dractl.api", "dractl.records"))
        and found.imported.partition(".")[0] not in sys.stdlib_module_names
    ]
    assert wrong == []


def test_only_one_module_compares_minors() -> None:
    """A comparison with the text of a minor or an API version would be a rung of a version ladder."""
    version = re.compile(r"1\.\d\d|resource\.k8s\.io/v\w+|v1(alpha|beta)\d")
    wrong = [
        f"{name}:{node.lineno}"
        for name, path in MODULES.items()
        if name != "dractl.api.release" and version.search(_text(path))
        for node in _nodes(path)
        if isinstance(node, ast.Compare)
        for side in (node.left, *node.comparators)
        if isinstance(side, ast.Constant) and isinstance(side.value, str) and version.fullmatch(side.value)
    ]
    assert wrong == []


def test_nothing_below_the_command_line_prints() -> None:
    wrong = [
        f"{name}:{node.lineno}"
        for name, path in MODULES.items()
        if not _is_in(name, "dractl.cli") and "print(" in _text(path)
        for node in _nodes(path)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "print"
    ]
    assert wrong == []


def test_no_class_has_two_own_ancestors_in_a_row() -> None:
    """An own class inherits from at most one own class, and that one from none."""
    bases: dict[str, list[str]] = {}
    for path in MODULES.values():
        for node in _statements(_tree(path)):
            # A class of tuples inherits from tuple alone, whoever makes it.
            if isinstance(node, ast.ClassDef) and node.name != "NamedTuple":
                bases[node.name] = [base.id for base in node.bases if isinstance(base, ast.Name)]
    deep = [
        name
        for name, own in bases.items()
        if len([base for base in own if base in bases]) > 1
        or any(parent in bases for base in own for parent in bases.get(base, ()))
    ]
    assert deep == []
