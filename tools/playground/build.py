"""Writes the folder of the playground from the sources of the page, the package of Pyodide and dractl."""

from __future__ import annotations

import gzip
import hashlib
import json
import re
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

from dractl import __version__
from dractl.api import release
from dractl.report.html.model import Page
from dractl.report.html.render import render
from tests.paths import ROOT
from tools.playground import bundle, licences, pyodide

__all__ = ["PAGE", "build", "size"]

PAGE = ROOT / "docs" / "play"
"""The sources of the page."""

EXAMPLES = ROOT / "testdata" / "examples"

_EXAMPLES = (
    ("A claim, a template and two nodes", "placements", "quickstart"),
    ("Common mistakes", "findings", "broken.yaml"),
    ("Partitions of a GPU", "picture", "partitions"),
    ("A device shared by capacity", "why", "shared-capacity"),
)
"""Title, view, and place of each example."""

_STYLE = "style-src 'self'"
_FILES = "const FILES = [];"
_VERSION = 'const VERSION = "";'
_WORKER = "service-worker.js"
_MOST_BYTES = 12 << 20


def build(package: Path, folder: Path) -> None:
    """Write the playground into ``folder``, whose files it replaces.

    Raises ValueError for a package that is not the pinned one, or a page that has become too large.
    """
    if folder.exists() and any(folder.iterdir()):
        if not (folder / _WORKER).is_file():
            raise ValueError(f"{folder} is not empty and not a playground; name a new folder")
        shutil.rmtree(folder)
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as name:
        _write_python(package, Path(name), folder)
    for path in sorted(PAGE.iterdir()):
        if path.name != _WORKER:
            shutil.copyfile(path, folder / path.name)
    (folder / "settings.json").write_text(json.dumps(_settings()), encoding="utf-8")
    (folder / "licenses.txt").write_text(licences.text(), encoding="utf-8")
    _allow_pictures(folder / "index.html")
    _list_files(folder)
    if size(folder) > _MOST_BYTES:
        raise ValueError(f"the playground has {size(folder):,} bytes; at most {_MOST_BYTES:,} are allowed")


def size(folder: Path) -> int:
    """The bytes that a first visit transfers if the server compresses nothing."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def _write_python(package: Path, scratch: Path, folder: Path) -> None:
    source = scratch / "pyodide"
    pyodide.unpack(package, source)
    library = bundle.reduced(bundle.unzipped((source / "python_stdlib.zip").read_bytes()))
    (scratch / "library.zip").write_bytes(bundle.zipped(library))
    (scratch / "application.zip").write_bytes(bundle.zipped(bundle.application()))
    target = folder / "python"
    target.mkdir()
    compiled = scratch / "compiled.zip"
    bundle.compile_archives(
        source,
        [
            # Nobody reads the docstrings of the standard library here, which are a third of it.
            bundle.Archive(scratch / "library.zip", target / "python_stdlib.zip", optimize=2),
            bundle.Archive(scratch / "application.zip", compiled),
        ],
    )
    files = bundle.unzipped(compiled.read_bytes())
    (target / "dractl.packed").write_bytes(bundle.packed(files))
    for name in ("pyodide.mjs", "pyodide.asm.mjs"):
        text = (source / name).read_text(encoding="utf-8")
        (target / name).write_text(re.sub(r"\n//# sourceMappingURL=\S*\s*$", "\n", text), encoding="utf-8")
    wasm = (source / "pyodide.asm.wasm").read_bytes()
    (target / "pyodide.asm.wasm.packed").write_bytes(gzip.compress(wasm, mtime=0))
    lock = json.loads((source / "pyodide-lock.json").read_text(encoding="utf-8"))
    (target / "pyodide-lock.json").write_text(json.dumps({**lock, "packages": {}}), encoding="utf-8")


def _settings() -> dict[str, object]:
    """What the page knows before Python runs: the minors, the newest first, the version, and the examples."""
    minors = [{"version": str(minor), "title": release.title(minor)} for minor in release.NEWEST_FIRST]
    return {
        "dractl": __version__,
        "minors": minors,
        "newest": str(release.NEWEST),
        "examples": _examples(),
    }


def _examples() -> list[dict[str, object]]:
    """The worlds that the page offers, the first of which it shows where a link has none."""
    return [
        {"title": title, "view": view, "files": [_file(path) for path in sorted(_manifests(EXAMPLES / name))]}
        for title, view, name in _EXAMPLES
    ]


def _manifests(path: Path) -> Iterator[Path]:
    return path.rglob("*.yaml") if path.is_dir() else iter((path,))


def _file(path: Path) -> dict[str, str]:
    return {"name": path.name, "text": path.read_text(encoding="utf-8")}


def _allow_pictures(page: Path) -> None:
    """Let the frame with the picture have its style: the frame inherits the policy of the page."""
    drawn = render(Page("", "", "", "", (), ()), has_script=False)
    found = re.search(r"style-src '(sha256-[^']+)'", drawn)
    text = page.read_text(encoding="utf-8")
    if found is None or text.count(_STYLE) != 1:
        raise ValueError(f"{page.name} and the pages of dractl must have a policy with a style-src")
    page.write_text(text.replace(_STYLE, f"{_STYLE} '{found[1]}'"), encoding="utf-8")


def _list_files(folder: Path) -> None:
    """Write the service worker, which keeps all files under a version that changes with any of them."""
    names = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())
    digest = hashlib.sha256()
    for name in names:
        digest.update(name.encode() + b"\0" + (folder / name).read_bytes() + b"\0")
    text = (PAGE / _WORKER).read_text(encoding="utf-8")
    if text.count(_FILES) != 1 or text.count(_VERSION) != 1:
        raise ValueError(f"{_WORKER} must have one line each for its files and its version")
    text = text.replace(_FILES, f"const FILES = {json.dumps(names)};")
    text = text.replace(_VERSION, f'const VERSION = "{digest.hexdigest()[:16]}";')
    (folder / _WORKER).write_text(text, encoding="utf-8")
