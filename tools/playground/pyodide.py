"""The pinned release of Pyodide: fetched with npm, and compared with its hash."""

from __future__ import annotations

import base64
import hashlib
import shutil
import subprocess
import tarfile
from pathlib import Path

__all__ = ["FILES", "INTEGRITY", "VERSION", "MissingError", "fetch", "missing_programs", "unpack"]

VERSION = "314.0.7"
INTEGRITY = "sha512-0YvXxEhfEdpLfb/XkM2BFAeMROq0iMUX2bzzH9pOttyMcWkwq+HbE5uyuGD82LN7y2q+SNvi/6V5JEsOlD2R1A=="
"""What npm calls ``dist.integrity``: the hash of the package, which a new version changes."""

FILES = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json")
"""What the page needs of the package."""

_PROGRAMS = ("npm", "node")
_SECONDS = 300


class MissingError(Exception):
    """The playground cannot be built here: a program or the package is missing."""


def missing_programs() -> list[str]:
    """The programs that a build needs and that are not installed."""
    return [name for name in _PROGRAMS if shutil.which(name) is None]


def fetch(folder: Path) -> Path:
    """Download the package into ``folder`` with npm, whose configuration names the registry.

    Raises MissingError if npm is not installed or does not get the package.
    """
    missing = missing_programs()
    if missing:
        raise MissingError(f"{' and '.join(missing)} not found")
    command = [
        "npm",
        "pack",
        f"pyodide@{VERSION}",
        "--silent",
        "--ignore-scripts",
        "--pack-destination",
        str(folder),
    ]
    try:
        done = subprocess.run(
            command, cwd=folder, capture_output=True, text=True, timeout=_SECONDS, check=False
        )
    except subprocess.TimeoutExpired:
        raise MissingError(f"npm did not get pyodide {VERSION} in {_SECONDS} seconds") from None
    package = folder / f"pyodide-{VERSION}.tgz"
    if done.returncode != 0 or not package.is_file():
        raise MissingError(f"npm did not get pyodide {VERSION} (exit code {done.returncode})")
    return package


def unpack(package: Path, folder: Path) -> None:
    """Write :data:`FILES` of the package into ``folder``.

    Raises ValueError for a package with another hash, and for one that lacks a file.
    """
    content = package.read_bytes()
    found = "sha512-" + base64.b64encode(hashlib.sha512(content).digest()).decode()
    if found != INTEGRITY:
        raise ValueError(f"{package.name}: expected {INTEGRITY}, got {found}")
    folder.mkdir(parents=True, exist_ok=True)
    with tarfile.open(package) as archive:
        for name in FILES:
            try:
                member = archive.extractfile(f"package/{name}")
            except KeyError:
                member = None
            if member is None:
                raise ValueError(f"{package.name}: {name} is missing")
            (folder / name).write_bytes(member.read())
