"""``dractl cel``: what API server and scheduler make of a selector, and which devices it selects."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from dractl.api import budgets, release
from dractl.api.gates import GateSet
from dractl.cel.second_opinion import NotInstalledError, SecondOpinion
from dractl.cli.inputs import read
from dractl.cli.server import UsageError, server
from dractl.cli.terminal import format_named, notice, show_findings, style_for, write
from dractl.report import formats
from dractl.source.walk import reason
from dractl.workflows.cel import EnvironmentName, Examination, Examined, KnownDevice, devices_in, examine
from dractl.workflows.refusals import not_objects

__all__ = ["ENVIRONMENTS", "cel"]

ENVIRONMENTS: dict[str, tuple[EnvironmentName, ...]] = {
    "new": ("new",),
    "stored": ("stored",),
    "both": ("new", "stored"),
}
"""The values of ``--env``, with the environments that they mean."""

_STDIN = "-"


def cel(  # noqa: PLR0913 - a command has its options
    expression: str,
    paths: Sequence[str] = (),
    *,
    kube_version: str = str(release.NEWEST),
    feature_gates: Sequence[str] = (),
    env: str = "both",
    explain: bool = False,
    compare: str | None = None,
    exclude: Sequence[str] = (),
    report_format: str = "text",
    output: str | None = None,
    quiet: bool = False,
) -> int:
    """Examine an expression, or those on standard input, write the result, and answer the exit code.

    The arguments are the texts of the options. Raises UsageError where they make no sense.
    """
    gates = server(kube_version, feature_gates, ()).gates
    _check(expression, paths)
    second_opinion = _second_opinion(compare)
    found = _devices(paths, exclude, gates, output, quiet=quiet)
    if found is None:
        return 2
    examined = (
        examine(text, gates, ENVIRONMENTS[env], found.devices, explain=explain, second_opinion=second_opinion)
        for text in _expressions(expression)
    )
    chosen = format_named(report_format, formats.CEL)

    def text_of(results: list[Examined], *, is_named: bool) -> str:
        return chosen.render(Examination(gates, results, is_named), style_for(output), quiet=quiet)

    if output is None and not chosen.is_document:
        # Whoever types one expression after the other wants each answer before the next.
        texts = ((each, text_of([each], is_named=expression == _STDIN)) for each in examined)
        results, is_written = _written(texts)
    else:
        results = list(examined)
        is_written = write(text_of(results, is_named=len(results) > 1), output)
    if not results:
        notice("no expression on standard input")
    if not results or not is_written:
        return 2
    return found.code or int(not all(each.ok for each in results))


class _Found(NamedTuple):
    """The devices of the input, and the exit code so far."""

    devices: Sequence[KnownDevice]
    code: int


def _check(expression: str, paths: Sequence[str]) -> None:
    try:
        expression.encode()
    except UnicodeEncodeError:
        raise UsageError("EXPRESSION", "the expression is not valid UTF-8") from None
    if expression == _STDIN and _STDIN in paths:
        raise UsageError("PATH", "standard input holds either the expressions or the slices, not both")


def _second_opinion(compare: str | None) -> SecondOpinion | None:
    if compare is None:
        return None
    if compare != "celpy":
        raise UsageError("--compare", f"{compare!r} is no engine that dractl can ask; there is celpy")
    try:
        return SecondOpinion()
    except NotInstalledError:
        raise UsageError("--compare", "celpy is not installed; pip install 'dractl[celpy]'") from None


def _devices(
    paths: Sequence[str], exclude: Sequence[str], gates: GateSet, output: str | None, *, quiet: bool
) -> _Found | None:
    """The devices of the slices at ``paths``; None if there is no document at all."""
    if not paths:
        return _Found((), 0)
    inputs = read(paths, exclude, output, quiet=quiet)
    if inputs is None:
        return None
    if not quiet:
        show_findings(not_objects(inputs.loaded, gates.minor))
    known = devices_in(inputs.loaded, gates)
    for message in known.left_out:
        notice(message)
    if not known.devices and not quiet:
        notice("no device in the ResourceSlices given")
    return _Found(known.devices, inputs.exit_code(failed=False))


def _expressions(given: str) -> Iterator[str]:
    """The expression given, or those on standard input: one a line, without comments and empty lines.

    Raises UsageError for a line that is not UTF-8 or too long, and for input that cannot be read.
    """
    if given != _STDIN:
        yield given
        return
    for number, line in enumerate(_lines(), start=1):
        if len(line) > budgets.EXPRESSION_LINE.value:
            message = budgets.EXPRESSION_LINE.message(line=number)
            raise UsageError("EXPRESSION", message)
        try:
            text = line.decode("utf-8").strip()
        except UnicodeDecodeError:
            raise UsageError("EXPRESSION", f"line {number} of standard input is not valid UTF-8") from None
        if text and not text.startswith("#"):
            yield text


def _lines() -> Iterator[bytes]:
    """The lines of standard input; the last one may be a part of a line that is too long."""
    if sys.stdin is None:
        raise UsageError("EXPRESSION", "standard input is closed")
    try:
        while line := sys.stdin.buffer.readline(budgets.EXPRESSION_LINE.value + 1):
            yield line
    except OSError as error:
        raise UsageError("EXPRESSION", f"standard input: {reason(error)}") from None


def _written(texts: Iterable[tuple[Examined, str]]) -> tuple[list[Examined], bool]:
    """Write each text to standard output, with an empty line between, as far as that takes it."""
    done: list[Examined] = []
    separator = ""
    for each, text in texts:
        done.append(each)
        if text:
            if not write(separator + text, None):
                return done, False
            separator = "\n"
    return done, True
