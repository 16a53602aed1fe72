"""The same paths at an earlier commit, read through git itself."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterable, Sequence
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from dractl.source.load import SUFFIXES, Loaded, is_excluded, load_bytes


class GitError(NamedTuple):
    """Why git could not answer: no repository, no such commit, no git."""

    message: str


def load_at(ref: str, paths: Iterable[str], *, exclude: Sequence[str] = ()) -> list[Loaded] | GitError:
    """The documents that stood at ``paths`` (files or folders of one repository) in the commit ``ref``.

    A file that was renamed since is read under its old name, too, if its new name is among the paths.
    ``exclude`` are glob patterns as for reading from the disk.
    """
    wanted = list(paths)
    folder = Path(wanted[0]) if wanted else Path()
    start = folder if os.path.isdir(folder) else folder.parent  # noqa: PTH112 - Path.is_dir may raise
    top = _git(start, "rev-parse", "--show-toplevel")
    if isinstance(top, GitError):
        return top
    root = Path(os.fsdecode(top).rstrip("\n"))
    commit = _git(root, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{ref}^{{commit}}")
    if isinstance(commit, GitError):
        return GitError(f"{ref!r} is no commit of the repository at {root}")
    name = commit.decode().strip()
    inside = [os.path.relpath(os.path.realpath(path), os.path.realpath(root)) for path in wanted]
    files = _files(root, name, inside)
    if isinstance(files, GitError):
        return files
    found: list[Loaded] = []
    for file in files:
        if PurePosixPath(file).suffix not in SUFFIXES or is_excluded(file, exclude):
            continue
        data = _git(root, "cat-file", "blob", f"{name}:{file}")
        if isinstance(data, GitError):
            return data
        found.extend(load_bytes(data, f"{ref}:{file}"))
    return found


def _files(root: Path, commit: str, inside: list[str]) -> list[str] | GitError:
    """The files of ``commit`` below the paths, and the old names of files that were renamed into them."""
    listed = _git(root, "ls-tree", "-r", "-z", "--name-only", commit, "--", *inside)
    if isinstance(listed, GitError):
        return listed
    files = dict.fromkeys(os.fsdecode(listed).split("\0")[:-1])
    renamed = _git(root, "diff", "-z", "-M", "--name-status", "--diff-filter=R", commit)
    if isinstance(renamed, GitError):
        return renamed
    parts = os.fsdecode(renamed).split("\0")[:-1]
    for _, before, after in zip(parts[::3], parts[1::3], parts[2::3], strict=True):
        if any(path in (".", after) or after.startswith(f"{path}/") for path in inside):
            files.setdefault(before)
    return list(files)


def _git(folder: Path, *arguments: str) -> bytes | GitError:
    command = ["git", "-C", str(folder), *arguments]
    try:
        done = subprocess.run(command, capture_output=True, check=False)  # noqa: S603 - no shell, fixed program
    except OSError as error:
        return GitError(f"git cannot be run: {error.strerror}")
    if done.returncode != 0:
        lines = done.stderr.decode(errors="replace").strip().splitlines()
        return GitError(lines[-1].removeprefix("fatal: ") if lines else f"git {arguments[0]} failed")
    return done.stdout
