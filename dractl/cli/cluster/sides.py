"""The two sides of ``dractl diff`` as people name them: paths, ``REF:PATH``, or commits and paths."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from dractl.cli.cluster_options import DiffOptions
from dractl.cli.inputs import Destination, left_out, read
from dractl.cli.server import UsageError
from dractl.cli.terminal import notice
from dractl.diffing.sides import Side, within
from dractl.records import NamedTuple

__all__ = ["Read", "read_sides"]

SEPARATOR = "--"
"""Between commits and paths, as in git."""

_TODAY = "the working tree"
_FORMS = "name two paths, OLD and NEW, or commits and paths: REF -- PATH..."


class Read(NamedTuple):
    """A side, and whether all of it could be read. ``is_there``: whether any of its paths exists."""

    side: Side
    is_complete: bool
    is_there: bool = True


class _Named(NamedTuple):
    """A side as it is named: paths in a commit, or today if ``ref`` is empty.

    ``from_top``: a path in a commit is relative to the top of the repository. ``is_guess``: only because no
    file has the name, it is taken for that of a commit.
    """

    ref: str
    paths: Sequence[str]
    from_top: bool = False
    is_guess: bool = False


def read_sides(options: DiffOptions, wanted: Sequence[Destination]) -> tuple[Read, Read] | None:
    """Both sides; None, after a message, if one cannot be read at all.

    Raises UsageError for odd sides, and if a result that is ``wanted`` would replace one of their files.
    """
    old, new = _sides(options)
    if "-" in old.paths and "-" in new.paths and not old.ref and not new.ref:
        raise UsageError("OLD NEW", "standard input can hold one of the sides, not both")
    is_pair = bool(old.ref or new.ref) and not (old.from_top or new.from_top) and old.paths == new.paths
    found = []
    for named in (old, new):
        if named.ref:
            read_side: Read | None = _at_commit(named, options)
        else:
            read_side = _today(named, options, wanted, is_pair=is_pair)
        if read_side is None:
            return None
        found.append(read_side)
    if not any(side.is_there for side in found):
        names = ", ".join(old.paths)
        raise UsageError("PATH", f"{names}: neither side has this path")
    return found[0], found[1]


def _sides(options: DiffOptions) -> tuple[_Named, _Named]:
    given = list(options.sides)
    if any(not value for value in (*given, *options.shared_paths)):
        raise UsageError("PATH", "expected a path (unset shell variable?)")
    if options.since is not None:
        if not options.since.strip():
            raise UsageError("--since", "expected a commit (unset shell variable?)")
        if given[:1] == [SEPARATOR]:
            del given[0]
        if SEPARATOR in given:
            raise UsageError("--since", "cannot be combined with REF -- PATH...")
        return _commits([options.since], given)
    if SEPARATOR in given:
        position = given.index(SEPARATOR)
        refs, paths = given[:position], given[position + 1 :]
        if refs:
            return _commits(refs, paths)
        given = paths
    if not given:
        raise UsageError("OLD NEW", _FORMS)
    # As in git: what is not a path is a commit.
    refs = [] if _is_side(given[0]) else [given.pop(0)]
    if refs and given and not _is_side(given[0]):
        refs.append(given.pop(0))
    if refs:
        old, new = _commits(refs, given)
        return old._replace(is_guess=True), new._replace(is_guess=True)
    if len(given) != 2:
        raise UsageError("OLD NEW", f"got {len(given)} path{'' if len(given) == 1 else 's'}; {_FORMS}")
    return _side(given[0]), _side(given[1])


def _commits(refs: Sequence[str], paths: Sequence[str]) -> tuple[_Named, _Named]:
    """The same paths in a commit and today, or in two commits."""
    if len(refs) > 2:
        raise UsageError("REF", "name one or two commits before the paths")
    if "-" in paths:
        raise UsageError("PATH", "standard input has no history in git; name files or folders")
    for ref in refs:
        if ".." in ref:
            raise UsageError("REF", f"{ref}: ranges are not supported; name two commits: REF REF -- PATH...")
    for path in paths:
        if path.startswith("-") and not os.path.lexists(path):
            raise UsageError("PATH", f"{path}: options go before --")
    wanted = paths or ["."]
    return _Named(refs[0], wanted), _Named(refs[1] if len(refs) > 1 else "", wanted)


def _is_side(text: str) -> bool:
    """Whether an argument names a side by itself: a path, or ``REF:PATH``."""
    return text == "-" or os.path.lexists(text) or ":" in text or _looks_like_path(text)


def _looks_like_path(text: str) -> bool:
    """Whether a missing path can hardly be a commit, so that the message is about the path."""
    return text.startswith(("./", "../", "/")) or text.lower().endswith((".yaml", ".yml", ".json", "/"))


def _side(text: str) -> _Named:
    ref, colon, path = text.partition(":")
    if text == "-" or os.path.lexists(text) or not colon or not ref:
        return _Named("", [text])
    return _Named(ref, [path], from_top=True)


def _today(
    named: _Named, options: DiffOptions, wanted: Sequence[Destination], *, is_pair: bool
) -> Read | None:
    """What the paths hold today; where the other side has the same paths, they need not exist."""
    paths = [path for path in named.paths if os.path.lexists(path)] if is_pair else named.paths
    name = _TODAY if is_pair else named.paths[0]
    if not paths:
        return Read(Side(name, ()), is_complete=True, is_there=False)
    inputs = read(
        paths,
        options.exclude,
        wanted,
        may_be_empty=True,
        may_lack_manifests=True,
        quiet=options.quiet,
    )
    if inputs is None:
        return None
    home = _absolute if is_pair else within(paths[0])
    return Read(Side(name, inputs.loaded, home), inputs.is_complete)


def _absolute(file: str) -> str:
    return str(Path(file).resolve())


def _at_commit(named: _Named, options: DiffOptions) -> Read:
    from dractl.source.git.repository import GitError
    from dractl.source.git.tree import load_tree  # few runs ask git

    found = load_tree(named.ref, named.paths, from_top=named.from_top, exclude=options.exclude)
    if isinstance(found, GitError):
        missing = "no such file or folder; as a git commit: " if named.is_guess else ""
        raise UsageError(named.ref, missing + found.message)
    if named.from_top and not found.is_there:
        raise UsageError(f"{named.ref}:{named.paths[0]}", "the commit does not have this path")
    for line in () if options.quiet else (*found.unread, *left_out(found.sources)):
        notice(f"{named.ref}: {line}")
    if named.from_top:
        side = Side(f"{named.ref}:{named.paths[0]}", found.loaded, within(f"{named.ref}:{found.paths[0]}"))
    else:
        side = Side(named.ref, found.loaded, lambda file: _on_disk(file, named.ref, found.top))
    return Read(side, is_complete=True, is_there=found.is_there)


def _on_disk(file: str, ref: str, top: str) -> str:
    """Where a file of a commit is today."""
    return str(Path(top, file.removeprefix(f"{ref}:")))
