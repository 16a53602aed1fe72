"""Build the documentation site: ``python -m tools.site [FOLDER]``, into ``build/site`` by default.

Fails on any warning of Sphinx: a broken link, an unknown anchor, a page that no list has. The playground is
skipped, with a message, where npm, Node.js or the package of Pyodide cannot be had.
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.paths import ROOT
from tools.playground.build import PAGE, build
from tools.playground.pyodide import MissingError, fetch
from tools.site.reference import pages, toctree
from tools.site.try_it import with_links

COPIED = (
    "README.md",
    "CONTRIBUTING.md",
    "CHANGELOG.md",
    "SECURITY.md",
    "LICENSE",
    "docs",
    "schemas/documents",
    "testdata/conformance/README.md",
    "tools/oracle/README.md",
    "tools/control_plane/README.md",
)
"""What the pages are, or link to; the copies have the places of the repository, so links stay as they are."""

_LINK = re.compile(r"(?<!!)\[(?P<text>[^\]\n]*(?:\n[^\]\n]*)?)\]\((?!https?:)(?P<path>[^)#\s]*)(?:#[^)]*)?\)")


def write_source(folder: Path) -> None:
    """Write the pages that Sphinx reads into ``folder``."""
    for name in COPIED:
        source, target = ROOT / name, folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            # The sources of the playground are no page; its builder writes them where they are linked.
            shutil.copytree(source, target, ignore=shutil.ignore_patterns(PAGE.name))
        else:
            shutil.copyfile(source, target)
    shutil.copyfile(Path(__file__).with_name("conf.py"), folder / "conf.py")
    # Sphinx does not follow the links of raw HTML, such as the picture of the README.
    shutil.copytree(ROOT / "docs" / "images", folder / "extra" / "docs" / "images")
    for page in folder.rglob("*.md"):
        depth = len(page.relative_to(folder).parts) - 1
        page.write_text(with_links(page.read_text(encoding="utf-8"), depth), encoding="utf-8")
    for name, text in pages().items():
        page = folder / "reference" / name
        page.parent.mkdir(parents=True, exist_ok=True)
        page.write_text(text, encoding="utf-8")
    for page in folder.rglob("*.md"):
        page.write_text(_linked(page.read_text(encoding="utf-8"), page.parent), encoding="utf-8")
    (folder / "index.md").write_text(index(), encoding="utf-8")


def _linked(text: str, folder: Path) -> str:
    """A page without links to folders and to files that are not copied."""

    def kept(link: re.Match[str]) -> str:
        path = link["path"]
        return link[0] if path == "" or (folder / path).is_file() else link["text"]

    return _LINK.sub(kept, text)


def index() -> str:
    """The first page: the head of the README, and the lists of docs/README.md as navigation."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    pitch = readme.partition("\n[Install]")[0]
    return f"{pitch}\n\n{''.join(toctree(caption, names) for caption, names in _lists())}"


def _lists() -> list[tuple[str, list[str]]]:
    """Captions and pages of docs/README.md; a caption is a line with a colon before a list."""
    found: list[tuple[str, list[str]]] = [("Start", ["README"])]
    for line in (ROOT / "docs" / "README.md").read_text(encoding="utf-8").splitlines():
        link = re.match(r"- \[.*?\]\(([^)#]+)\.md\)", line)
        if link is not None:
            found[-1][1].append(str(Path("docs", link[1])) if not link[1].startswith("../") else link[1][3:])
        elif line.endswith(":") and not line.startswith("-"):
            found.append((line.removesuffix(":"), []))
        elif line == "## For maintainers":
            found.append(("Reference", ["reference/index", "docs/README", "CHANGELOG", "SECURITY"]))
            found.append(("For maintainers", ["testdata/conformance/README"]))
    return found


def add_playground(folder: Path) -> None:
    """Build the playground into a folder of the site, or report why it is skipped.

    Raises ValueError if it cannot be built although all that it needs is there.
    """
    with tempfile.TemporaryDirectory() as scratch:
        try:
            package = fetch(Path(scratch))
        except MissingError as error:
            print(f"skipped: playground ({error})", file=sys.stderr)
            return
        build(package, folder / PAGE.name)


def main(arguments: list[str]) -> int:
    """Build the site; the exit code is that of Sphinx."""
    parser = argparse.ArgumentParser(prog="python -m tools.site", description=__doc__.partition("\n")[0])
    parser.add_argument("folder", nargs="?", type=Path, default=ROOT / "build" / "site", metavar="FOLDER")
    folder = parser.parse_args(arguments).folder
    with tempfile.TemporaryDirectory() as scratch:
        write_source(Path(scratch))
        command = [
            sys.executable,
            "-m",
            "sphinx",
            "-q",
            "-W",
            "--keep-going",
            "-b",
            "html",
            scratch,
            str(folder),
        ]
        code = subprocess.run(command, cwd=ROOT, check=False).returncode
    if code == 0:
        add_playground(folder)
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
