"""What paths held in a commit, read as the same folders on the disk would be."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice

from dractl.api import budgets
from dractl.records import NamedTuple
from dractl.source.git.repository import (
    FOLDER,
    LINK,
    SUBMODULE,
    Entry,
    Failed,
    GitError,
    Repository,
    commit_of,
    entries_at,
    folders_of,
    is_at_one_of,
    open_repository,
)
from dractl.source.ignored import GITIGNORE
from dractl.source.load import Loaded, PathError, Sources, is_excluded, is_manifest, load_paths
from dractl.source.programs import is_below
from dractl.source.walk import NO_MANIFESTS

__all__ = ["Tree", "load_tree"]

_MARKER = ".git"
_NO_FILES = frozenset({LINK, SUBMODULE})
_NO_NAMES = frozenset({"", ".", "..", _MARKER})
"""Parts of a path that no tree of git itself has; a made-up one may."""

_ALSO_READ = frozenset({GITIGNORE, "Kustomization"})
"""Files that decide which manifests of a folder are read."""


class Tree(NamedTuple):
    """The documents of paths in a commit.

    ``is_there``: whether the commit has one of the paths. ``unread`` lists what could not be read: links,
    submodules, and content that the clone lacks. ``sources`` has what was read and what was passed over, by
    its name for people. ``top`` is the top folder of the repository, and ``paths`` are the paths below it.
    """

    loaded: list[Loaded]
    is_there: bool
    unread: Sequence[str]
    sources: Sources
    top: str
    paths: Sequence[str]


def load_tree(
    ref: str, paths: Iterable[str], *, from_top: bool = False, exclude: Sequence[str] = ()
) -> Tree | GitError:
    """The documents of ``paths`` in the commit ``ref`` of the working folder's repository.

    Folders are searched as on the disk, with the same files left out. Paths are relative to the working
    folder or, if ``from_top`` is set and they do not begin with ``./`` or ``../``, to the top of the
    repository, as in git's own ``REF:PATH``. Documents have ``REF:PATH`` as the name of their file.
    """
    try:
        opened = open_repository()
        commit = commit_of(opened, ref)
        inside = list(dict.fromkeys(_inside(opened, path, from_top=from_top) for path in paths))
        return _read(opened, ref, commit, inside, exclude)
    except _UnusableError as error:
        return GitError(f"{ref}: {error}")
    except Failed as failure:
        return GitError(str(failure))
    except OSError as error:
        return GitError(f"cannot read {ref}: {error.strerror or error}")


class _UnusableError(Exception):
    """A path in a commit that cannot be the path of a file."""


def _inside(repository: Repository, path: str, *, from_top: bool) -> str:
    """The path as git has it; raises Failed for one outside the repository."""
    is_relative = path in (".", "..") or path.startswith(("./", "../", "/"))
    base = repository.top if from_top and not is_relative else os.path.realpath(".")
    # The commit decides what the path is, not the links of today.
    real = os.path.normpath(os.path.join(base, path))  # noqa: PTH118 - as all paths here, a text
    if not is_below(real, repository.top):
        raise Failed(f"{path} is outside the repository at {repository.top}")
    return os.path.relpath(real, repository.top).replace(os.sep, "/")


def _read(
    repository: Repository, ref: str, commit: str, inside: Sequence[str], exclude: Sequence[str]
) -> Tree:
    above = dict.fromkeys(folder for path in inside for folder in ("", *folders_of(path)))
    ignoring = [f"{folder}/{GITIGNORE}".lstrip("/") for folder in above]
    listed = entries_at(repository, commit, [*inside, *ignoring])
    below = {
        path: entry
        for path, entry in listed.items()
        if entry.mode != FOLDER and is_at_one_of(path, inside) and not is_excluded(path, exclude)
    }
    wanted = {
        path: entry
        for path, entry in {**below, **{name: listed[name] for name in ignoring if name in listed}}.items()
        if entry.mode not in _NO_FILES and (path in inside or _is_read(path))
    }
    most = budgets.FOLDER_FILES.value + 1  # reading them reports that there are more
    wanted = dict(islice(wanted.items(), most))
    links = [path for path, entry in below.items() if entry.mode in _NO_FILES]
    with tempfile.TemporaryDirectory(prefix="dractl-") as folder:
        top = os.path.realpath(folder)

        def label(name: str) -> str:
            return f"{ref}:{os.path.relpath(name, top).replace(os.sep, '/')}"

        sources = Sources(label=label)
        missing = list(_written(repository, wanted, top))
        places = [os.path.normpath(os.path.join(top, path)) for path in inside]  # noqa: PTH118
        there = [place for place in places if os.path.lexists(place)]
        found = load_paths(there, sources=sources)
        # A folder without manifests is an empty one: its files may all be new today.
        beyond = [item for item in found if isinstance(item, PathError) and item.message != NO_MANIFESTS]
        sources.unrendered = {label(name): kind for name, kind in sources.unrendered.items()}
        return Tree(
            [item for item in found if not isinstance(item, PathError)],
            bool(below),
            [
                *(f"{ref}:{path} is a link or a submodule" for path in links),
                *(f"{ref}:{path} is not in this clone" for path in missing),
                *(f"{label(item.path)}: {item.message}" for item in beyond),
            ],
            sources,
            repository.top,
            inside,
        )


def _is_read(path: str) -> bool:
    return is_manifest(path) or path.rpartition("/")[2] in _ALSO_READ


def _written(repository: Repository, wanted: Mapping[str, Entry], top: str) -> Iterator[str]:
    """Write files of a commit to an empty folder; the paths of those that the clone lacks.

    Raises _UnusableError for a path that leads out of the folder, or to another file of the commit.
    """
    contents = repository.blobs([entry.name for entry in wanted.values()])
    is_marked = False
    for path, data in zip(wanted, contents, strict=True):
        if data is None:
            yield path
            continue
        parts = path.split("/")
        if any(part.lower() in _NO_NAMES or os.sep in part or os.path.isabs(part) for part in parts):  # noqa: PTH117
            raise _UnusableError(f"{path} is not a usable path")
        if not is_marked:
            os.mkdir(os.path.join(top, _MARKER))  # noqa: PTH102, PTH118 - patterns of .gitignore hold below it
            is_marked = True
        file = os.path.join(top, *parts)  # noqa: PTH118
        os.makedirs(os.path.dirname(file), exist_ok=True)  # noqa: PTH103, PTH120
        with open(file, "xb") as target:  # noqa: PTH123
            target.write(data)
