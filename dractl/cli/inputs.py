"""Read the documents of the command line; report paths that cannot be read and continue with the rest."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import BinaryIO, NamedTuple

from dractl.cli.server import UsageError
from dractl.cli.terminal import notice
from dractl.source.bounds import identity
from dractl.source.foreign import CHART, KUSTOMIZATIONS, OTHER, TEMPLATE
from dractl.source.ignored import GITIGNORE
from dractl.source.load import Loaded, PathError, Sources, load_paths

__all__ = ["Inputs", "check_save_state", "read", "refuse_overwriting"]

_STDIN = 0


class Inputs(NamedTuple):
    """What was read, from which files (also those without documents), and whether every path could be."""

    loaded: Sequence[Loaded]
    is_complete: bool
    files: Sequence[str] = ()

    def exit_code(self, *, failed: bool) -> int:
        """2 if a path could not be read, otherwise 1 if something ``failed``, otherwise 0."""
        return 2 if not self.is_complete else int(failed)


def read(
    paths: Sequence[str],
    exclude: Sequence[str],
    output: str | None = None,
    *,
    may_be_empty: bool = False,
    quiet: bool = False,
    stdin: BinaryIO | None = None,
) -> Inputs | None:
    """The documents at ``paths``; None, after a message, without any.

    With ``may_be_empty``, readable files without documents are not a failure. ``quiet`` omits messages about
    skipped links. ``stdin`` is read in the place of standard input. Raises UsageError if ``output`` is one of
    the inputs, and for an invalid path or pattern.
    """
    if any(not path for path in paths):
        raise UsageError("PATH", "expected a path (unset shell variable?)")
    for pattern in exclude:
        _check_pattern(pattern)
    sources = Sources()
    loaded = load_paths(paths, exclude=exclude, stdin=stdin, sources=sources)
    # A file that --exclude ignores must not be overwritten either.
    refuse_overwriting(output, (*sources.files, *paths))
    for passed in () if quiet else sources.passed_over:
        notice(f"{passed.path}: {passed.message}")
    for line in () if quiet else _left_out(sources):
        notice(line)
    readable = [item for item in loaded if not isinstance(item, PathError)]
    for item in loaded:
        if isinstance(item, PathError):
            notice(f"{item.path}: {item.message}")
    if not loaded and may_be_empty:
        return Inputs((), is_complete=True, files=tuple(sources.files))
    if not loaded:
        named = dict.fromkeys("standard input" if path == "-" else path for path in paths)
        rest = "; --exclude ignores the rest" if exclude else ""
        notice(f"no documents found in {', '.join(named)}{rest}")
    if not readable:
        return None
    return Inputs(readable, is_complete=len(readable) == len(loaded), files=tuple(sources.files))


_MOST_NAMED = 3
"""Charts and kustomizations that are named, where there are more."""

_RENDERING = {CHART: "helm template", **dict.fromkeys(KUSTOMIZATIONS, "kubectl kustomize")}
"""What renders a folder, by the file that makes it what it is."""

_FOREIGN = {TEMPLATE: "template", OTHER: "file without Kubernetes objects"}


def _left_out(sources: Sources) -> Iterator[str]:
    """What a walk through folders left out, a line for each kind of reason."""
    reasons = Counter(sources.ignored.values())
    listed = reasons.pop(GITIGNORE, 0)
    parts = [name if number == 1 else f"{name} ({number})" for name, number in sorted(reasons.items())]
    if listed:
        parts.append(f"{listed} in .gitignore")
    if parts:
        yield f"ignored {', '.join(parts)}; name a path to read it"
    foreign = Counter(_FOREIGN[why] for why in sources.foreign.values())
    if foreign:
        yield f"skipped {', '.join(_counted(number, what) for what, number in sorted(foreign.items()))}"
    folders = [f"{_RENDERING[name]} {folder}" for folder, name in sources.unrendered.items()]
    if folders:
        more = f", and {len(folders) - _MOST_NAMED} more" if len(folders) > _MOST_NAMED else ""
        commands = ", ".join(f"`{command} | dractl validate -`" for command in folders[:_MOST_NAMED])
        yield f"render charts and kustomizations first: {commands}{more}"


def _counted(number: int, noun: str) -> str:
    head, space, rest = noun.partition(" ")
    return f"{number} {head}{'' if number == 1 else 's'}{space}{rest}"


def _check_pattern(pattern: str) -> None:
    """Raise UsageError for a pattern that leaves out nothing, or not what it seems to."""
    if not pattern.strip():
        raise UsageError("--exclude", "expected a pattern (unset shell variable?)")
    position = pattern.find("[")
    while position >= 0:
        # As in fnmatch: "]" right after "[" or "[!" does not close the bracket.
        first = position + 1 + pattern.startswith("!", position + 1)
        end = pattern.find("]", first + 1)
        if end < 0:
            literal = f"{pattern[:position]}[[]{pattern[position + 1 :]}"
            message = f"unclosed bracket in {pattern!r}; to match the character itself, write {literal}"
            raise UsageError("--exclude", message)
        position = pattern.find("[", end)


def refuse_overwriting(output: str | None, files: Iterable[str], option: str = "--output") -> None:
    """Raise UsageError if ``output`` is a file that was read, under whatever name, or standard input."""
    target = None if output is None else identity(output)
    if target is None:
        return
    if target == identity(_STDIN) or any(identity(file) == target for file in files):
        raise UsageError(option, f"{output} is also an input and would be overwritten; name another file")


def check_save_state(save_state: str | None, output: str | None) -> None:
    """Raise UsageError if the state would be written to where the result goes, by whatever name."""
    if save_state is None:
        return
    is_same = save_state in ("", "-", output)
    if output is not None and not is_same:
        from dractl.cli.writer import is_same_target  # few runs write two files

        is_same = is_same_target(save_state, output)
    if is_same:
        raise UsageError(
            "--save-state", "must differ from --output; --format yaml already writes the same objects"
        )
