"""``dractl cel``: what API server and scheduler make of a selector, and which devices it selects."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence

from dractl.api import budgets
from dractl.api.gates import GateSet
from dractl.cel.second_opinion import NotInstalledError, SecondOpinion
from dractl.cli.inputs import Destination, Inputs, read, write_each
from dractl.cli.options import CelOptions
from dractl.cli.server import UsageError, check_dialect, server
from dractl.cli.terminal import notice, show_findings, style_for, targets, write
from dractl.records import NamedTuple
from dractl.report import formats
from dractl.source.document import Document
from dractl.source.load import Loaded
from dractl.source.walk import reason
from dractl.versions.prototypes import any_prototype
from dractl.workflows.cel import (
    ENVIRONMENTS,
    Examination,
    Examined,
    KnownDevice,
    devices_in,
    examine,
    select_of_prototypes,
)
from dractl.workflows.refusals import not_objects

__all__ = ["ENVIRONMENTS", "cel"]

_STDIN = "-"


def cel(options: CelOptions) -> int:
    """Examine an expression, or those on standard input, write the result, and answer the exit code.

    Raises UsageError for options that make no sense.
    """
    expression, output = options.expression, options.output
    gates = server(options.kube_version, options.feature_gates, ()).gates
    _check(expression, options.paths)
    wanted = targets(options.report_format, formats.CEL, output)
    second_opinion = _second_opinion(options.compare)
    check_dialect(options.dialect)
    found = _devices(options, gates, wanted)
    if found is None:
        return 2
    environments = ENVIRONMENTS[options.env]

    def of_prototypes(text: str) -> Examined | None:
        found_there = select_of_prototypes(found.loaded, options.dialect, text)
        if found_there is not None and (options.explain or second_opinion is not None):
            option = "--explain" if options.explain else "--compare"
            raise UsageError(option, "selectors of prototype APIs have no explanation and no comparison")
        return found_there

    examined = (
        of_prototypes(text)
        or examine(
            text,
            gates,
            environments,
            found.devices,
            explain=options.explain,
            second_opinion=second_opinion,
        )
        for text in _expressions(expression)
    )
    first, *others = wanted
    if output is None and not others and not first.format.is_document:
        # Interactive input: answer each expression before the next is read.
        def text_of(each: Examined) -> str:
            examination = Examination(gates, [each], expression == _STDIN)
            return first.format.render(examination, style_for(output), quiet=options.quiet)

        results, is_written = _written((each, text_of(each)) for each in examined)
    else:
        results = list(examined)
        is_written = write_each(Examination(gates, results, len(results) > 1), wanted, quiet=options.quiet)
    if not results:
        notice("no expressions on standard input")
    if not results or not is_written:
        return 2
    if options.share:
        from dractl.cli.sharing.make import link_to  # few runs share their input
        from dractl.sharing.selectors import classes_of

        expressions = classes_of([each.expression for each in results], gates.minor)
        link_to(found.inputs, options, gates, "selectors", expressions).tell()
    return found.code or int(not all(each.ok for each in results))


class _Found(NamedTuple):
    """The devices of the input, and the exit code so far."""

    devices: Sequence[KnownDevice]
    code: int
    loaded: Sequence[Loaded] = ()
    inputs: Inputs | None = None


def _check(expression: str, paths: Sequence[str]) -> None:
    try:
        expression.encode()
    except UnicodeEncodeError:
        raise UsageError("EXPRESSION", "the expression is not valid UTF-8") from None
    if expression == _STDIN and _STDIN in paths:
        raise UsageError("PATH", "standard input can hold the expressions or the slices, not both")


def _second_opinion(compare: str | None) -> SecondOpinion | None:
    if compare is None:
        return None
    if compare != "celpy":
        raise UsageError("--compare", f"unsupported engine {compare!r} (only 'celpy')")
    try:
        return SecondOpinion()
    except NotInstalledError:
        raise UsageError("--compare", "celpy is not installed; run pip install 'dractl[celpy]'") from None


def _devices(options: CelOptions, gates: GateSet, wanted: Sequence[Destination]) -> _Found | None:
    """The devices of the slices at the paths; None without any document."""
    if not options.paths:
        return _Found((), 0)
    inputs = read(
        options.paths,
        options.exclude,
        wanted,
        quiet=options.quiet,
        world=options.world,
        keeps_contents=options.share,
    )
    if inputs is None:
        return None
    if not options.quiet:
        show_findings(not_objects(inputs.loaded, gates.minor))
    known = devices_in(inputs.everything, gates)
    for message in known.left_out:
        notice(message)
    values = (item.value for item in inputs.loaded if isinstance(item, Document))
    is_theirs = options.dialect is not None or any_prototype(values)
    if not known.devices and not options.quiet and not is_theirs:
        notice("the ResourceSlices contain no devices")
    loaded = inputs.loaded if is_theirs and not known.devices else ()
    return _Found(known.devices, inputs.exit_code(failed=False), loaded, inputs)


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
