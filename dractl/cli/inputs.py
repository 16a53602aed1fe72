"""Read the documents of the command line; report paths that cannot be read and continue with the rest."""

from __future__ import annotations

import gc
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import BinaryIO, Protocol, TypeVar

from dractl.cli.server import UsageError
from dractl.cli.terminal import Target, notice, style_for, write
from dractl.records import NamedTuple
from dractl.source.bounds import identity
from dractl.source.document import Document
from dractl.source.foreign import CHART, KUSTOMIZATIONS, OTHER, TEMPLATE
from dractl.source.ignored import GITIGNORE
from dractl.source.load import STDIN, Loaded, PathError, Sources, load_paths
from dractl.source.walk import NO_MANIFESTS

__all__ = [
    "Beside",
    "Destination",
    "Inputs",
    "check_save_state",
    "is_document_shown",
    "left_out",
    "read",
    "refuse_overwriting",
    "write_each",
]

Result = TypeVar("Result")

_STDIN = 0


class Inputs(NamedTuple):
    """What was read, from which files (also those without documents), and whether every path could be.

    ``world`` are objects of the cluster around the input. ``contents`` has the bytes of all manifests that
    were read, those of the world first, if they are to be shared.
    """

    loaded: Sequence[Loaded]
    is_complete: bool
    files: Sequence[str] = ()
    world: Sequence[Document] = ()
    contents: Mapping[str, bytes] = {}

    @property
    def everything(self) -> Sequence[Loaded]:
        """The input and the objects of the world that it does not replace, which come first."""
        if not self.world:
            return self.loaded
        from dractl.lint.base.elsewhere import Elsewhere  # few runs have a world

        own = (item for item in self.loaded if isinstance(item, Document))
        return [*Elsewhere(self.world).around(own), *self.loaded]

    def exit_code(self, *, failed: bool) -> int:
        """2 if a path could not be read, otherwise 1 if something ``failed``, otherwise 0."""
        return 2 if not self.is_complete else int(failed)


def read(  # noqa: PLR0913 - what an input is made of
    paths: Sequence[str],
    exclude: Sequence[str],
    wanted: Sequence[Destination] = (),
    *,
    world: Sequence[str] = (),
    stdin_name: str = STDIN,
    may_be_empty: bool = False,
    may_lack_manifests: bool = False,
    quiet: bool = False,
    stdin: BinaryIO | None = None,
    keeps_contents: bool = False,
) -> Inputs | None:
    """The documents at ``paths``; None, after a message, without any.

    With ``may_be_empty``, readable files without documents are not a failure; with ``may_lack_manifests``,
    neither are folders without manifests. ``quiet`` omits messages about skipped links. ``stdin`` is read in
    the place of standard input. ``keeps_contents`` keeps the bytes of what is read. Raises UsageError if a
    result that is ``wanted`` would replace an input, and for an invalid path or pattern.
    """
    if any(not path for path in paths):
        raise UsageError("PATH", "expected a path (unset shell variable?)")
    for pattern in exclude:
        _check_pattern(pattern)
    contents: dict[str, bytes] | None = {} if keeps_contents else None
    sources = Sources(contents=contents)
    loaded = load_paths(paths, exclude=exclude, stdin=stdin, sources=sources, stdin_name=stdin_name)
    around = _world(world, paths, sources) if world else ()
    # They stay as long as the run: no collection needs to look through them.
    gc.freeze()
    # A file that --exclude ignores must not be overwritten either.
    refuse_overwriting(wanted, (*sources.files, *paths))
    for passed in () if quiet else sources.passed_over:
        notice(f"{passed.path}: {passed.message}")
    for line in () if quiet else left_out(sources):
        notice(line)
    if may_lack_manifests:
        loaded = [
            item for item in loaded if not (isinstance(item, PathError) and item.message == NO_MANIFESTS)
        ]
    readable = [item for item in loaded if not isinstance(item, PathError)]
    for item in loaded:
        if isinstance(item, PathError):
            notice(f"{item.path}: {item.message}")
    if not loaded and may_be_empty:
        return Inputs((), is_complete=True, files=tuple(sources.files), world=around, contents=contents or {})
    if not loaded:
        named = dict.fromkeys("standard input" if path == "-" else path for path in paths)
        rest = "; --exclude ignores the rest" if exclude else ""
        notice(f"no documents found in {', '.join(named)}{rest}")
    if not readable:
        return None
    is_complete = len(readable) == len(loaded)
    return Inputs(readable, is_complete, tuple(sources.files), around, contents or {})


def _world(world: Sequence[str], paths: Sequence[str], sources: Sources) -> list[Document]:
    """The objects of the cluster; raises UsageError for a path that cannot be read."""
    if any(not path for path in world):
        raise UsageError("--world", "expected a path (unset shell variable?)")
    if "-" in world and "-" in paths:
        raise UsageError("--world", "standard input can hold the input or the world, not both")
    found = Sources(contents=None if sources.contents is None else {})
    documents: list[Document] = []
    for item in load_paths(world, sources=found):
        if isinstance(item, PathError):
            raise UsageError("--world", f"{item.path}: {item.message}")
        if isinstance(item, Document):
            documents.append(item)
        else:
            notice(f"warning: --world: {item.file}:{item.line}:{item.column}: {item.message}")
    sources.files.update(found.files)
    if sources.contents is not None:
        # An object of the input replaces one of the world: the last one wins.
        own = dict(sources.contents)
        sources.contents.clear()
        sources.contents |= {**(found.contents or {}), **own}
    return documents


_MOST_NAMED = 3
"""Charts and kustomizations that are named, where there are more."""

_RENDERING = {CHART: "helm template", **dict.fromkeys(KUSTOMIZATIONS, "kubectl kustomize")}
"""What renders a folder, by the file that makes it what it is."""

_FOREIGN = {TEMPLATE: "template", OTHER: "file without Kubernetes objects"}


def left_out(sources: Sources) -> Iterator[str]:
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


class Destination(Protocol):
    """Where a result goes: a file (None: standard output), and the option that names it."""

    @property
    def file(self) -> str | None:
        """The file."""

    @property
    def option(self) -> str:
        """The option."""


class Beside(NamedTuple):
    """A file that is written along with the result, and the option that names it."""

    file: str | None
    option: str


def refuse_overwriting(wanted: Iterable[Destination], files: Iterable[str]) -> None:
    """Raise UsageError if a file that was read, under whatever name, or standard input would be replaced."""
    known = list(files)
    for place in wanted:
        target = None if place.file is None else identity(place.file)
        if target is None:
            continue
        if target == identity(_STDIN) or any(identity(file) == target for file in known):
            message = f"{place.file} is also an input and would be overwritten; name another file"
            raise UsageError(place.option, message)


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


def write_each(
    result: Result,
    wanted: Sequence[Target[Result]],
    *,
    quiet: bool = False,
    failing: Callable[[Result], Result] | None = None,
    link: str = "",
) -> bool:
    """Write a result in each format to its place, also after one that failed; whether all succeeded.

    ``link`` is that to the playground, which pages have.
    """
    texts = [
        target.format.render(result, style_for(target.file), quiet=quiet, failing=failing, link=link)
        for target in wanted
    ]
    written = [write(text, target.file) for target, text in zip(wanted, texts, strict=True)]
    return all(written)


def is_document_shown(wanted: Sequence[Target[Result]]) -> bool:
    """Whether what goes to standard output, or to ``--output``, is for programs."""
    return any(target.format.is_document for target in wanted if target.option == "--output")
