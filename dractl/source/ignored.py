"""What a repository leaves out of itself: the patterns of ``.gitignore``, read as Git reads them."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from dractl.api import budgets
from dractl.source.bounds import Bounds, open_inside
from dractl.source.programs import checkout_of

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

__all__ = ["GITIGNORE", "Ignored", "repository_of"]

GITIGNORE = ".gitignore"

_WILDCARDS = re.compile(r"\*+")
_MOST_WILDCARDS = 2
"""In one part of a pattern. Each one more multiplies the time that a long name takes, up to hours."""


_WILDCARD_OR_SLASH = re.compile(r"[*?/]")
_BRACKET_OR_ESCAPE = re.compile(r"[\[\\]")


class _Patterns:
    """The patterns of one file, for paths below its folder."""

    def __init__(self, folder: str, lines: Sequence[str]) -> None:
        """``lines`` are the patterns, in the order of the file."""
        self.folder = folder
        self._lines = lines
        self._literals = {_literal(line) for line in lines}
        self._spec: GitIgnoreSpec | None = None

    def decide(self, relative: str) -> bool | None:
        """Whether a path is ignored, or explicitly not ignored (False); None: no pattern matches it.

        A path without the literal text of any pattern cannot match. Most manifests are such paths, and
        loading pathspec for them takes an eighth of a small simulation.
        """
        if self._spec is None:
            if not any(text in relative for text in self._literals):
                return None
            from pathspec import GitIgnoreSpec  # few files have a name that a pattern could match

            self._spec = GitIgnoreSpec.from_lines(self._lines)
        return self._spec.check_file(relative).include


def _literal(pattern: str) -> str:
    """A text that every path has which the pattern matches; empty if it is not known."""
    plain = _BRACKET_OR_ESCAPE.split(pattern.strip().lstrip("!"), maxsplit=1)[0]
    return max(_WILDCARD_OR_SLASH.split(plain), key=len)


class Ignored:
    """The patterns that hold in a folder: those of its own file, and of the folders above it."""

    def __init__(self, patterns: Sequence[_Patterns] = ()) -> None:
        """Start with patterns, those of the outermost folder first."""
        self._patterns = tuple(patterns)

    @classmethod
    def above(cls, folder: str) -> Ignored | None:
        """Those of the folders from the root of the repository down to ``folder``; None outside of one.

        A folder that is itself ignored was named on purpose: then the patterns above it do not count.
        """
        root = repository_of(folder)
        if root is None:
            return None
        bounds = Bounds.of_walk((str(root),))
        found = cls()
        start = Path(os.path.abspath(folder))  # noqa: PTH100 - a link stays what it is
        for above in reversed(start.parents):
            if above == root or root in above.parents:
                found = found.within(str(above), bounds)
        return cls() if found.leaves_out(folder, is_folder=True) else found

    def within(self, folder: str, bounds: Bounds) -> Ignored:
        """With the patterns of the file in ``folder``, if it has one."""
        lines = _read(os.path.join(folder, GITIGNORE), bounds)  # noqa: PTH118 - pathlib costs time
        return Ignored((*self._patterns, _Patterns(os.path.abspath(folder), lines))) if lines else self  # noqa: PTH100

    def leaves_out(self, path: str, *, is_folder: bool) -> bool:
        """Whether a file or folder is ignored: the last file with a matching pattern decides."""
        if not self._patterns:
            return False
        full = os.path.abspath(path)  # noqa: PTH100
        for patterns in reversed(self._patterns):
            relative = os.path.relpath(full, patterns.folder).replace(os.sep, "/")
            decided = patterns.decide(f"{relative}/" if is_folder else relative)
            if decided is not None:
                return decided
        return False


def repository_of(folder: str) -> Path | None:
    """The folder with the ``.git`` under which ``folder`` is, or None."""
    try:
        found = checkout_of(os.path.abspath(folder))  # noqa: PTH100
    except OSError:  # the working folder is gone
        return None
    return None if found is None else Path(found)


def _read(file: str, bounds: Bounds) -> list[str]:
    """The patterns of a file that can be used; empty without the file."""
    try:
        opened = open_inside(file, bounds, is_plain=True)
    except (OSError, ValueError):
        return []
    with opened.file:
        data = opened.file.read(budgets.IGNORE_BYTES.value + 1)
    if len(data) > budgets.IGNORE_BYTES.value:
        return []
    return list(_usable(data.decode("utf-8", "replace").splitlines()))


def _usable(lines: Iterable[str]) -> Iterable[str]:
    """The patterns that can be matched in a short time."""
    for line in lines:
        parts = line.split("/")
        if (
            line.strip()
            and not line.startswith("#")
            and all(len(_WILDCARDS.findall(part)) <= _MOST_WILDCARDS for part in parts)
        ):
            yield line
