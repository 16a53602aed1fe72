"""Makes the archives of the page: Python's standard library, and dractl with the libraries it needs.

Both hold compiled modules. The second is not a ZIP archive, since a page can unpack a list of files in a few
lines: a JSON list of names and sizes in the first line, then the contents, all of it compressed with gzip.
"""

from __future__ import annotations

import gzip
import io
import json
import subprocess
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from tools.playground.modules import LIBRARIES, closure, data_files, package_folder, path_of

__all__ = ["Archive", "application", "compile_archives", "packed", "reduced", "unzipped", "zipped"]

_HERE = Path(__file__).parent

UNUSED = (
    "__phello__",
    "_pyrepl",
    "antigravity.py",
    "asyncio/windows_",
    "cProfile.py",
    "cmd.py",
    "compression/zstd",
    "concurrent/futures/process.py",
    "ctypes",
    "dbm",
    "doctest.py",
    "ftplib.py",
    "http/cookie",
    "http/server.py",
    "imaplib.py",
    "mailbox.py",
    "mailcap.py",
    "multiprocessing",
    "netrc.py",
    "optparse.py",
    "pdb.py",
    "pickletools.py",
    "poplib.py",
    "profile.py",
    "pstats.py",
    "pydoc",
    "sched.py",
    "shelve.py",
    "smtplib.py",
    "socketserver.py",
    "sqlite3",
    "symtable.py",
    "this.py",
    "trace.py",
    "turtle",
    "unittest",
    "wave.py",
    "webbrowser.py",
    "wsgiref",
    "xml/",
    "xmlrpc",
    "zipapp.py",
)
"""Beginnings of names in the standard library that neither dractl nor Pyodide imports."""

_ENCODINGS = frozenset(
    {
        "__init__",
        "aliases",
        "ascii",
        "cp437",
        "idna",
        "latin_1",
        "punycode",
        "raw_unicode_escape",
        "unicode_escape",
    }
    | {"utf_8", "utf_8_sig", "utf_16", "utf_16_be", "utf_16_le", "utf_32", "utf_32_be", "utf_32_le"}
)


def application() -> dict[str, bytes]:
    """The sources of dractl's modules that the page can import, of libraries, and dractl's data, by path."""
    modules = closure()
    root = package_folder("dractl").parent
    files = [*filter(None, map(path_of, modules)), *data_files(set(modules))]
    found = {path.relative_to(root).as_posix(): path.read_bytes() for path in files}
    for name in LIBRARIES:
        folder = package_folder(name)
        for path in sorted(folder.rglob("*.py")):
            found[path.relative_to(folder.parent).as_posix()] = path.read_bytes()
    return found


def zipped(files: Mapping[str, bytes]) -> bytes:
    """A ZIP archive of files by path."""
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return written.getvalue()


def unzipped(archive: bytes) -> dict[str, bytes]:
    """The files of a ZIP archive by path."""
    with zipfile.ZipFile(io.BytesIO(archive)) as opened:
        return {name: opened.read(name) for name in opened.namelist() if not name.endswith("/")}


def reduced(library: Mapping[str, bytes]) -> dict[str, bytes]:
    """A standard library without what nobody imports."""
    return dict(_used(library))


def _used(library: Mapping[str, bytes]) -> Iterator[tuple[str, bytes]]:
    for name, content in library.items():
        folder, _, rest = name.partition("/")
        is_rare = folder == "encodings" and rest.removesuffix(".py") not in _ENCODINGS
        if not is_rare and not name.startswith(UNUSED):
            yield name, content


def packed(files: Mapping[str, bytes]) -> bytes:
    """Files by path as one compressed archive, the same for the same files."""
    head = json.dumps([[name, len(content)] for name, content in files.items()])
    return gzip.compress(b"\n".join((head.encode(), b"".join(files.values()))), mtime=0)


class Archive(NamedTuple):
    """A ZIP archive of modules, and where it goes when they are compiled; ``optimize`` is that of Python."""

    source: Path
    target: Path
    optimize: int = 0


def compile_archives(pyodide: Path, archives: Iterable[Archive]) -> None:
    """Compile archives with the Python of a folder with Pyodide; raises ValueError if Node.js fails."""
    words = [str(word) for archive in archives for word in archive]
    command = ["node", str(_HERE / "compile.mjs"), str(pyodide), str(_HERE / "compiling.py"), *words]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)
    if done.returncode != 0:
        reasons = [line for line in done.stderr.splitlines() if "Error" in line and len(line) < 500]
        raise ValueError(f"compiling with Node.js failed: {'; '.join(reasons[:3])}")
