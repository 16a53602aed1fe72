"""The same paths at an earlier commit: what they held, and where objects may have moved from."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence

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
from dractl.source.load import Loaded, is_excluded, is_manifest, load_bytes
from dractl.source.programs import is_below

__all__ = ["EarlierFiles", "load_at"]

_RENAMES = 400
"""Of more added or removed files git looks for exact renames only: the others cost their product."""


class EarlierFiles(NamedTuple):
    """What the paths held in a commit, and what cannot be known of it.

    ``moved`` are the documents of files elsewhere that are gone, renamed or changed since, and ``stayed``
    those that the changed ones hold today. ``homes`` gives the earlier name of each file of today, as the
    documents have it. ``unknown`` gives the reason for each file of today whose earlier content is unknown.
    ``hidden`` are files of the commit that could not be read and are gone today: objects that seem new may
    come from there.
    """

    loaded: list[Loaded]
    moved: list[Loaded]
    stayed: list[Loaded]
    homes: Mapping[str, str]
    unknown: Mapping[str, str]
    hidden: Sequence[str]


class _Change(NamedTuple):
    """A file that was changed or renamed since, or is gone (then ``after`` is empty), as it was and is."""

    before: str
    after: str
    entry: Entry
    today: Entry


def load_at(
    ref: str, paths: Iterable[str], *, files: Iterable[str] = (), exclude: Sequence[str] = ()
) -> EarlierFiles | GitError:
    """The documents of ``paths`` in the commit ``ref`` of the working folder's repository.

    ``files`` are the files that the paths hold today. Content behind a link or in a submodule is unknown.
    Files elsewhere that were changed or renamed or are gone since are read, too: their objects may have moved
    here.
    ``exclude`` are glob patterns as for reading from the disk.
    """
    try:
        opened = open_repository()
        commit = commit_of(opened, ref)
        return _Reader(opened, ref, commit, exclude).read(list(paths), list(files))
    except Failed as failure:
        return GitError(str(failure))


class _Reader:
    """Reads paths from one commit."""

    def __init__(self, repository: Repository, ref: str, commit: str, exclude: Sequence[str]) -> None:
        self._repository = repository
        self._ref = ref
        self._commit = commit
        self._exclude = exclude

    def read(self, paths: Sequence[str], files: Sequence[str]) -> EarlierFiles:
        inside = dict.fromkeys(self._inside(path) for path in paths)
        entries = entries_at(self._repository, self._commit, inside)
        below = {path: entry for path, entry in entries.items() if is_at_one_of(path, inside)}
        changes = self._changes()
        outside = [change for change in changes if change.before not in below]
        missing: dict[str, str] = {}
        loaded = self._documents(below, missing)
        moved = self._documents({change.before: change.entry for change in outside}, {})
        staying = [change for change in outside if change.after and not is_at_one_of(change.after, inside)]
        kept = {change.after: change.today for change in staying}
        stayed = self._documents(kept, {})
        names = {change.after: change.before for change in changes if change.after}
        today = {file: os.path.relpath(_lexical(file), self._repository.top) for file in files}
        homes = {file: f"{self._ref}:{names.get(path, path)}" for file, path in today.items()}
        unknown = {file: reason for file in files if (reason := self._unknown(file, entries, missing))}
        links = (path for path, entry in below.items() if entry.mode == LINK and self._is_wanted(path))
        hidden = [f"{self._ref}:{path}" for path in (*links, *missing) if path not in today.values()]
        return EarlierFiles(loaded, moved, stayed, homes, unknown, hidden)

    def _documents(self, entries: Mapping[str, Entry], missing: dict[str, str]) -> list[Loaded]:
        """The documents of the regular files among ``entries``; ``missing`` takes those the clone lacks."""
        wanted = {
            path: entry.name
            for path, entry in entries.items()
            if entry.mode not in (LINK, SUBMODULE, FOLDER) and self._is_wanted(path)
        }
        loaded: list[Loaded] = []
        for path, data in zip(wanted, self._repository.blobs(list(wanted.values())), strict=True):
            if data is None:
                missing[path] = f"{self._ref}:{path} is not in this clone"
            else:
                loaded += load_bytes(data, f"{self._ref}:{path}")
        return loaded

    def _is_wanted(self, path: str) -> bool:
        return is_manifest(path) and not is_excluded(path, self._exclude)

    def _inside(self, path: str) -> str:
        """The path as git has it; raises Failed for one outside the repository."""
        top = self._repository.top
        real = os.path.realpath(path)
        if not is_below(real, top):
            raise Failed(f"{path} is outside the repository at {top}; run dractl inside its repository")
        return os.path.relpath(real, top).replace(os.sep, "/")

    def _changes(self) -> list[_Change]:
        """The files that were changed or renamed or are gone since, wherever they were."""
        options = ("-z", "-M", f"-l{_RENAMES}", "--diff-filter=RDM", "--no-ext-diff", "--no-textconv")
        listed = self._repository.ask("diff-index", "--cached", *options, "--no-abbrev", self._commit)
        parts = iter(os.fsdecode(listed).split("\0")[:-1])
        found = []
        for header in parts:
            mode, mode_today, name, name_today, status = header.removeprefix(":").split(" ")
            before = next(parts)
            after = next(parts) if status.startswith("R") else "" if status == "D" else before
            found.append(_Change(before, after, Entry(mode, name), Entry(mode_today, name_today)))
        return found

    def _unknown(self, file: str, entries: Mapping[str, Entry], missing: Mapping[str, str]) -> str:
        """Why the earlier content of a file of today is unknown; empty if it is known."""
        path = _lexical(file)
        if os.path.realpath(file) != path:
            return "the file is behind a link"
        inside = os.path.relpath(path, self._repository.top).replace(os.sep, "/")
        for part in (*folders_of(inside), inside):
            entry = entries.get(part)
            if entry is not None and entry.mode == LINK:
                return f"{self._ref}:{part} is a link"
            if entry is not None and entry.mode == SUBMODULE:
                return f"{self._ref}:{part} is a submodule"
        for part in folders_of(inside):
            if os.path.lexists(os.path.join(self._repository.top, part, ".git")):  # noqa: PTH118
                return f"{part} is a repository of its own"
        return missing.get(inside, "")


def _lexical(file: str) -> str:
    """The absolute path without following links under the working folder."""
    return os.path.normpath(os.path.join(os.path.realpath(os.getcwd()), file))  # noqa: PTH109, PTH118
