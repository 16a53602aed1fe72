"""The licences of everything that the folder of the playground has, as one text."""

from __future__ import annotations

from importlib.metadata import distribution

from tests.paths import ROOT
from tools.playground.modules import LIBRARIES
from tools.playground.pyodide import VERSION

__all__ = ["text"]

_PROJECTS = {"yaml": "PyYAML", "jinja2": "Jinja2", "markupsafe": "MarkupSafe"}
"""The distribution of each library."""

_ELSEWHERE = f"""\
This folder has Pyodide {VERSION} (licence MPL-2.0, source https://github.com/pyodide/pyodide), and in it
Python (licence PSF-2.0, https://docs.python.org/3/license.html). Texts of the other licences:
"""


def text() -> str:
    """The licences; raises ValueError for a library that does not bring its own."""
    parts = [_ELSEWHERE, _titled("dractl", (ROOT / "LICENSE").read_text(encoding="utf-8"))]
    return "\n".join([*parts, *(_titled(_PROJECTS[name], _licence(_PROJECTS[name])) for name in LIBRARIES)])


def _licence(project: str) -> str:
    for file in distribution(project).files or ():
        if file.name.upper().startswith(("LICENSE", "LICENCE", "COPYING")):
            return file.read_text()
    raise ValueError(f"{project} has no file with its licence")


def _titled(name: str, licence: str) -> str:
    return f"{name}\n{'=' * len(name)}\n\n{licence.strip()}\n"
