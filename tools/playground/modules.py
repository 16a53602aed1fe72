"""The modules that the playground can import: what its entry point imports, and they, and so on."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator
from importlib.util import find_spec
from pathlib import Path

__all__ = ["LIBRARIES", "closure", "data_files", "package_folder", "path_of"]

ENTRY = "dractl.play"

LIBRARIES = ("yaml", "jinja2", "markupsafe")
"""The libraries that the views need; their compiled parts are left out, as each has a fallback in Python."""

_EXTENSIONS = "dractl.extensions"
_NAMED = re.compile(r"(dractl(?:\.\w+)+):\w+")


def closure() -> list[str]:
    """The names of dractl's modules, sorted. Imports in functions count, those for type checking do not."""
    found: set[str] = set()
    waiting = [ENTRY]
    while waiting:
        name = waiting.pop()
        if name in found or path_of(name) is None:
            continue
        found.add(name)
        parent = name.rpartition(".")[0]
        waiting += [parent, *_imported(name)] if parent else []
    return sorted(found)


def _imported(name: str) -> Iterator[str]:
    """What a module imports; the extensions name modules in texts."""
    path = path_of(name)
    if path is None:
        return
    text = path.read_text(encoding="utf-8")
    if name == _EXTENSIONS:
        text = text.replace("{_V1ALPHA2}", "dractl.legacy.v1alpha2.admission.kinds")
        yield from _NAMED.findall(text)
    for node in _nodes(ast.parse(text)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def _nodes(tree: ast.AST) -> Iterator[ast.AST]:
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            continue
        yield node
        yield from _nodes(node)


def path_of(name: str) -> Path | None:
    """The file of a module of dractl; None for anything else."""
    if name.partition(".")[0] != "dractl":
        return None
    path = package_folder("dractl").parent.joinpath(*name.split("."))
    for file in (path.with_suffix(".py"), path / "__init__.py"):
        if file.is_file():
            return file
    return None


def package_folder(name: str) -> Path:
    """Where an installed package is; raises ModuleNotFoundError."""
    spec = find_spec(name)
    if spec is None or spec.origin is None:
        raise ModuleNotFoundError(name)
    return Path(spec.origin).parent


def data_files(modules: Collection[str]) -> Iterator[Path]:
    """The files beside ``modules``, and in folders below them, that are not modules themselves."""
    root = package_folder("dractl")
    for path in sorted(root.rglob("*")):
        package = path.parent
        while not (package / "__init__.py").is_file():
            package = package.parent
        is_code = path.suffix in (".py", ".pyc")
        name = ".".join(package.relative_to(root.parent).parts)
        if path.is_file() and not is_code and package != root and name in modules:
            yield path
