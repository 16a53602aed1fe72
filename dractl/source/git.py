"""The same paths at an earlier commit; the only module that starts a program, and that program is git.

The checkout may be a stranger's. So the repository is the one of the working folder, every setting with which
git runs other programs is off, and git reads neither the working tree nor the network: it lists and prints
objects, and compares the index with a commit.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO, NamedTuple, cast

from dractl.source.load import Loaded, is_excluded, is_manifest, load_bytes
from dractl.source.text import MAX_BYTES

__all__ = ["EarlierFiles", "GitError", "load_at"]

_SETTINGS = (
    "safe.bareRepository=explicit",
    "core.fsmonitor=false",
    f"core.hooksPath={os.devnull}",
    f"core.attributesFile={os.devnull}",
    "core.untrackedCache=false",
    "core.pager=cat",
    "core.askPass=",
    "core.sshCommand=false",
    "core.alternateRefsCommand=false",
    "credential.helper=",
    "diff.external=",
    "diff.ignoreSubmodules=all",
    "protocol.allow=never",
    "submodule.recurse=false",
)
"""What takes precedence over the configuration of the repository, and over what that includes."""

_ENVIRONMENT: Mapping[str, str] = {
    "GIT_NO_LAZY_FETCH": "1",  # in a partial clone git would fetch, by whatever remote is configured
    "GIT_ALLOW_PROTOCOL": "",
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_LITERAL_PATHSPECS": "1",
    "LC_ALL": "C",
}

_USERS_OWN = ("GIT_CONFIG_", "GIT_EXEC_PATH")
"""Variables that stay: settings such as ``safe.directory`` come that way in some CI systems."""

_LINK, _SUBMODULE = "120000", "160000"
_RENAMES = 400
"""Of more added or removed files git looks for exact renames only: the others cost their product."""

_FEW_PATHS = 50
"""So many paths are listed one by one; for more of them the whole tree is cheaper."""


class GitError(NamedTuple):
    """Why git could not answer: no repository, no such commit, no git."""

    message: str


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


class _Entry(NamedTuple):
    mode: str
    name: str


class _Change(NamedTuple):
    """A file that was changed or renamed since, or is gone (then ``after`` is empty), as it was and is."""

    before: str
    after: str
    entry: _Entry
    today: _Entry


class _Failed(Exception):  # noqa: N818 - an answer of git, turned into a value at the module's edge
    pass


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
        repository = _repository()
        commit = _commit(repository, ref)
        return _Reader(repository, ref, commit, exclude).read(list(paths), list(files))
    except _Failed as failure:
        return GitError(str(failure))


class _Repository:
    """A repository with a working tree, whose top folder is ``top``."""

    def __init__(self, program: str, top: str) -> None:
        self.program = program
        self.top = top

    def ask(self, *arguments: str) -> bytes:
        """What git prints; raises _Failed with what it complains of."""
        try:
            done = subprocess.run(  # noqa: S603 - no shell, a fixed program
                self._command(arguments),
                capture_output=True,
                check=False,
                stdin=subprocess.DEVNULL,
                env=_environment(),
            )
        except OSError as error:
            raise _Failed(f"cannot run git: {error.strerror}") from None
        if done.returncode != 0:
            lines = done.stderr.decode(errors="replace").strip().splitlines()
            raise _Failed(lines[-1].removeprefix("fatal: ") if lines else f"git {arguments[0]} failed")
        return done.stdout

    def blobs(self, names: Sequence[str]) -> Iterator[bytes | None]:
        """The content of each object, from one process; None where the clone lacks it.

        Content beyond the size limit of inputs is cut one byte after it.
        """
        # A file instead of a pipe: nobody has to write while the answers are read.
        with tempfile.TemporaryFile() as wanted:
            wanted.write("".join(f"{name}\n" for name in names).encode())
            wanted.seek(0)
            process = subprocess.Popen(  # noqa: S603 - as above
                self._command(("cat-file", "--batch", "--buffer")),
                stdin=wanted,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env=_environment(),
            )
            with process, cast("IO[bytes]", process.stdout) as answers:
                for _ in names:
                    yield _blob(answers)

    def _command(self, arguments: Iterable[str]) -> list[str]:
        settings = (part for setting in _SETTINGS for part in ("-c", setting))
        return [self.program, "-C", self.top, "--no-pager", *settings, *arguments]


def _blob(answers: IO[bytes]) -> bytes | None:
    _, kind, size = (*answers.readline().split(), b"", b"")[:3]
    if kind != b"blob":
        return None
    length = int(size)
    data = answers.read(min(length, MAX_BYTES + 1))
    rest = length - len(data) + 1
    while rest > 0 and (skipped := answers.read(min(rest, 1 << 20))):
        rest -= len(skipped)
    return data


def _environment() -> dict[str, str]:
    """The variables of the process without those that lead git elsewhere."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith("GIT_") or name.startswith(_USERS_OWN)
    }
    kept.pop("GIT_CONFIG_PARAMETERS", None)
    return {**kept, **_ENVIRONMENT}


def _repository() -> _Repository:
    """The repository of the working folder; raises _Failed without one, or for one that looks made up."""
    here = os.path.realpath(os.getcwd())  # noqa: PTH109 - as all paths here, a text
    top = _top(here)
    if top is None:
        raise _Failed("not in a git repository; run dractl inside the repository of the files")
    repository = _Repository(_program(top), top)
    answer = os.fsdecode(repository.ask("rev-parse", "--absolute-git-dir", "--show-toplevel"))
    store, tree, *_ = (*answer.splitlines(), "", "")
    marker = os.path.join(top, ".git")  # noqa: PTH118
    is_own = os.path.realpath(store) == os.path.realpath(marker) and os.path.isdir(marker)  # noqa: PTH112
    is_apart = os.path.isfile(marker) and not _is_below(os.path.realpath(store), top)  # noqa: PTH113
    if os.path.realpath(tree) != top or not (is_own or is_apart):
        # Git would take a folder with HEAD, objects and refs, or what a .git file names, for a repository.
        raise _Failed(f"{marker} does not point to the repository of {top}")
    return repository


def _top(folder: str) -> str | None:
    """The nearest folder from ``folder`` upwards with ``.git`` in it."""
    while not os.path.lexists(os.path.join(folder, ".git")):  # noqa: PTH118
        above = os.path.dirname(folder)  # noqa: PTH120
        if above == folder:
            return None
        folder = above
    return folder


def _program(top: str) -> str:
    """The git of ``PATH``, never one from the checkout; raises _Failed if missing."""
    folders = os.environ.get("PATH", os.defpath).split(os.pathsep)
    absolute = [folder for folder in folders if os.path.isabs(folder)]  # noqa: PTH117
    outside = [folder for folder in absolute if not _is_below(os.path.realpath(folder), top)]
    found = shutil.which("git", path=os.pathsep.join(outside)) if outside else None
    if found is None:
        raise _Failed("git not found; it must be in an absolute folder of PATH")
    return found


def _is_below(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder.rstrip(os.sep) + os.sep)


_NAME = re.compile(r"[^~^:@{]+")
_NAMESPACES = ("refs/", "refs/tags/", "refs/heads/", "refs/remotes/")
_GLOBS = frozenset("*?[\\")
_HASH = re.compile(r"[0-9a-f]{4,64}")


def _check_unambiguous(repository: _Repository, ref: str) -> None:
    """Raise _Failed for a name that means several refs.

    A pull request chooses the name of its branch and brings tags along; git would take the tag before the
    branch, and the branch before what was fetched.
    """
    found = _NAME.match(ref)
    if found is None or not _GLOBS.isdisjoint(found[0]) or found[0] == "HEAD" or found[0].startswith("refs/"):
        return
    name = found[0]
    wanted = {prefix + name for prefix in _NAMESPACES}
    listed = os.fsdecode(repository.ask("for-each-ref", "--format=%(refname)", "--", *wanted)).split()
    # What was fetched from the base repository comes last, and is the one to suggest.
    meant = sorted(wanted.intersection(listed), key=lambda full: (full.startswith("refs/remotes/"), full))
    if len(meant) > 1 or (meant and _HASH.fullmatch(name)):
        others = ", ".join(meant) if len(meant) > 1 else f"{meant[0]} and maybe a commit"
        raise _Failed(f"{name} is ambiguous: {others}; use a full name, such as {meant[-1]}")


def _commit(repository: _Repository, ref: str) -> str:
    _check_unambiguous(repository, ref)
    try:
        found = repository.ask("rev-parse", "--verify", "--quiet", "--end-of-options", f"{ref}^{{commit}}")
    except _Failed:
        if ref == "HEAD" and not repository.ask("rev-list", "--max-count=1", "--all"):
            # A hook runs before the first commit, too: nothing is earlier than what is in the empty tree.
            return os.fsdecode(repository.ask("hash-object", "-t", "tree", os.devnull)).strip()
        message = f"{ref!r} is not a commit of the repository at {repository.top}"
        raise _Failed(f"{message}; fetch it first (clones in CI are often shallow)") from None
    except ValueError:  # a null in the name
        raise _Failed(f"{ref!r} is not a commit name") from None
    return found.decode().strip()


class _Reader:
    """Reads paths from one commit."""

    def __init__(self, repository: _Repository, ref: str, commit: str, exclude: Sequence[str]) -> None:
        self._repository = repository
        self._ref = ref
        self._commit = commit
        self._exclude = exclude

    def read(self, paths: Sequence[str], files: Sequence[str]) -> EarlierFiles:
        inside = dict.fromkeys(self._inside(path) for path in paths)
        entries = self._entries(inside)
        below = {path: entry for path, entry in entries.items() if _is_at_one_of(path, inside)}
        changes = self._changes()
        outside = [change for change in changes if change.before not in below]
        missing: dict[str, str] = {}
        loaded = self._documents(below, missing)
        moved = self._documents({change.before: change.entry for change in outside}, {})
        staying = [change for change in outside if change.after and not _is_at_one_of(change.after, inside)]
        kept = {change.after: change.today for change in staying}
        stayed = self._documents(kept, {})
        names = {change.after: change.before for change in changes if change.after}
        today = {file: os.path.relpath(_lexical(file), self._repository.top) for file in files}
        homes = {file: f"{self._ref}:{names.get(path, path)}" for file, path in today.items()}
        unknown = {file: reason for file in files if (reason := self._unknown(file, entries, missing))}
        links = (path for path, entry in below.items() if entry.mode == _LINK and self._is_wanted(path))
        hidden = [f"{self._ref}:{path}" for path in (*links, *missing) if path not in today.values()]
        return EarlierFiles(loaded, moved, stayed, homes, unknown, hidden)

    def _documents(self, entries: Mapping[str, _Entry], missing: dict[str, str]) -> list[Loaded]:
        """The documents of the regular files among ``entries``; ``missing`` takes those the clone lacks."""
        wanted = {
            path: entry.name
            for path, entry in entries.items()
            if entry.mode not in (_LINK, _SUBMODULE, _FOLDER) and self._is_wanted(path)
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
        """The path as git has it; raises _Failed for one outside the repository."""
        top = self._repository.top
        real = os.path.realpath(path)
        if not _is_below(real, top):
            raise _Failed(f"{path} is outside the repository at {top}; run dractl inside its repository")
        return os.path.relpath(real, top).replace(os.sep, "/")

    def _entries(self, inside: Collection[str]) -> dict[str, _Entry]:
        """All files, links and submodules of the commit at and under the paths, and the folders above."""
        if "." in inside or len(inside) > _FEW_PATHS:
            return _listed(self._repository.ask("ls-tree", "-r", "-z", self._commit))
        above = dict.fromkeys(part for path in inside for part in _folders_of(path))
        found = _listed(self._repository.ask("ls-tree", "-z", self._commit, "--", *above)) if above else {}
        return {**found, **_listed(self._repository.ask("ls-tree", "-r", "-z", self._commit, "--", *inside))}

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
            found.append(_Change(before, after, _Entry(mode, name), _Entry(mode_today, name_today)))
        return found

    def _unknown(self, file: str, entries: Mapping[str, _Entry], missing: Mapping[str, str]) -> str:
        """Why the earlier content of a file of today is unknown; empty if it is known."""
        path = _lexical(file)
        if os.path.realpath(file) != path:
            return "the file is behind a link"
        inside = os.path.relpath(path, self._repository.top).replace(os.sep, "/")
        for part in (*_folders_of(inside), inside):
            entry = entries.get(part)
            if entry is not None and entry.mode == _LINK:
                return f"{self._ref}:{part} is a link"
            if entry is not None and entry.mode == _SUBMODULE:
                return f"{self._ref}:{part} is a submodule"
        for part in _folders_of(inside):
            if os.path.lexists(os.path.join(self._repository.top, part, ".git")):  # noqa: PTH118
                return f"{part} is a repository of its own"
        return missing.get(inside, "")


_FOLDER = "040000"


def _lexical(file: str) -> str:
    """The absolute path without following links under the working folder."""
    return os.path.normpath(os.path.join(os.path.realpath(os.getcwd()), file))  # noqa: PTH109, PTH118


def _folders_of(path: str) -> list[str]:
    """The folders on the way to a path, the outermost first."""
    parts = Path(path).parts
    return ["/".join(parts[:number]) for number in range(1, len(parts))]


def _is_at_one_of(path: str, places: Collection[str]) -> bool:
    return "." in places or path in places or any(folder in places for folder in _folders_of(path))


def _listed(answer: bytes) -> dict[str, _Entry]:
    """The entries that ``ls-tree -z`` prints, by path."""
    found = {}
    for line in os.fsdecode(answer).split("\0")[:-1]:
        facts, _, path = line.partition("\t")
        mode, _, name = facts.split(" ")
        found[path] = _Entry(mode, name)
    return found
