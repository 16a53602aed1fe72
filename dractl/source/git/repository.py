"""A repository and its commits, read by git.

The checkout may be a stranger's. So the repository is the one of the working folder, every setting with which
git runs other programs is off, and git reads neither the working tree nor the network: it lists and prints
objects, and compares the index with a commit.
"""

from __future__ import annotations

import os
import re
import subprocess
import tempfile
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO, cast

from dractl.records import NamedTuple
from dractl.source.programs import checkout_of, is_below, program_of
from dractl.source.text import MAX_BYTES

__all__ = [
    "FOLDER",
    "LINK",
    "SUBMODULE",
    "Entry",
    "Failed",
    "GitError",
    "Repository",
    "commit_of",
    "entries_at",
    "folders_of",
    "is_at_one_of",
    "open_repository",
]

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

LINK, SUBMODULE, FOLDER = "120000", "160000", "040000"

_FEW_PATHS = 50
"""So many paths are listed one by one; for more of them the whole tree is cheaper."""


class GitError(NamedTuple):
    """Why git could not answer: no repository, no such commit, no git."""

    message: str


class Entry(NamedTuple):
    """A file, link, submodule or folder of a commit: its mode, and the name of its content."""

    mode: str
    name: str


class Failed(Exception):  # noqa: N818 - an answer of git, turned into a value by whoever asks
    """What git complains of, as a message for the user."""


class Repository:
    """A repository with a working tree, whose top folder is ``top``."""

    def __init__(self, program: str, top: str) -> None:
        self.program = program
        self.top = top

    def ask(self, *arguments: str) -> bytes:
        """What git prints; raises Failed with what it complains of."""
        try:
            done = subprocess.run(  # noqa: S603 - no shell, a fixed program
                self._command(arguments),
                capture_output=True,
                check=False,
                stdin=subprocess.DEVNULL,
                env=_environment(),
            )
        except OSError as error:
            raise Failed(f"cannot run git: {error.strerror}") from None
        if done.returncode != 0:
            lines = done.stderr.decode(errors="replace").strip().splitlines()
            raise Failed(lines[-1].removeprefix("fatal: ") if lines else f"git {arguments[0]} failed")
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


def open_repository() -> Repository:
    """The repository of the working folder; raises Failed without one, or for one that looks made up."""
    here = os.path.realpath(os.getcwd())  # noqa: PTH109 - as all paths here, a text
    top = checkout_of(here)
    if top is None:
        raise Failed("not in a git repository; run dractl inside the repository of the files")
    program = program_of("git", top)
    if program is None:
        raise Failed("git not found; it must be in an absolute folder of PATH")
    repository = Repository(program, top)
    answer = os.fsdecode(repository.ask("rev-parse", "--absolute-git-dir", "--show-toplevel"))
    store, tree, *_ = (*answer.splitlines(), "", "")
    marker = os.path.join(top, ".git")  # noqa: PTH118
    is_own = os.path.realpath(store) == os.path.realpath(marker) and os.path.isdir(marker)  # noqa: PTH112
    is_apart = os.path.isfile(marker) and not is_below(os.path.realpath(store), top)  # noqa: PTH113
    if os.path.realpath(tree) != top or not (is_own or is_apart):
        # Git would take a folder with HEAD, objects and refs, or what a .git file names, for a repository.
        raise Failed(f"{marker} does not point to the repository of {top}")
    return repository


_NAME = re.compile(r"[^~^:@{]+")
_NAMESPACES = ("refs/", "refs/tags/", "refs/heads/", "refs/remotes/")
_GLOBS = frozenset("*?[\\")
_HASH = re.compile(r"[0-9a-f]{4,64}")


def _check_unambiguous(repository: Repository, ref: str) -> None:
    """Raise Failed for a name that means several refs.

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
        raise Failed(f"{name} is ambiguous: {others}; use a full name, such as {meant[-1]}")


def commit_of(repository: Repository, ref: str) -> str:
    """The name of the commit that ``ref`` means; raises Failed for none, and for an ambiguous one."""
    _check_unambiguous(repository, ref)
    try:
        found = repository.ask("rev-parse", "--verify", "--quiet", "--end-of-options", f"{ref}^{{commit}}")
    except Failed:
        if ref == "HEAD" and not repository.ask("rev-list", "--max-count=1", "--all"):
            # A hook runs before the first commit, too: nothing is earlier than what is in the empty tree.
            return os.fsdecode(repository.ask("hash-object", "-t", "tree", os.devnull)).strip()
        message = f"{ref!r} is not a commit of the repository at {repository.top}"
        raise Failed(f"{message}; fetch it first (clones in CI are often shallow)") from None
    except ValueError:  # a null in the name
        raise Failed(f"{ref!r} is not a commit name") from None
    return found.decode().strip()


def entries_at(repository: Repository, commit: str, inside: Collection[str]) -> dict[str, Entry]:
    """All files, links and submodules of a commit at and under the paths, and the folders above."""
    if "." in inside or len(inside) > _FEW_PATHS:
        return _listed(repository.ask("ls-tree", "-r", "-z", commit))
    above = dict.fromkeys(part for path in inside for part in folders_of(path))
    found = _listed(repository.ask("ls-tree", "-z", commit, "--", *above)) if above else {}
    return {**found, **_listed(repository.ask("ls-tree", "-r", "-z", commit, "--", *inside))}


def _listed(answer: bytes) -> dict[str, Entry]:
    """The entries that ``ls-tree -z`` prints, by path."""
    found = {}
    for line in os.fsdecode(answer).split("\0")[:-1]:
        facts, _, path = line.partition("\t")
        mode, _, name = facts.split(" ")
        found[path] = Entry(mode, name)
    return found


def folders_of(path: str) -> list[str]:
    """The folders on the way to a path, the outermost first."""
    parts = Path(path).parts
    return ["/".join(parts[:number]) for number in range(1, len(parts))]


def is_at_one_of(path: str, places: Collection[str]) -> bool:
    """Whether a path is one of ``places``, or under one of them."""
    return "." in places or path in places or any(folder in places for folder in folders_of(path))
