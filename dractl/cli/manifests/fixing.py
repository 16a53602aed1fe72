"""``dractl validate --fix`` and ``--diff``: apply fixes, or show what they would change."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from io import BytesIO

from dractl.cli.convert import check_encodings, refuse_command, replaced
from dractl.cli.inputs import Inputs
from dractl.cli.options import ValidateOptions
from dractl.cli.server import UsageError
from dractl.cli.terminal import notice, write, write_data
from dractl.fixing.model import Fixing, Question, Unfixed
from dractl.fixing.run import fix as run
from dractl.report import losses
from dractl.report.style import path
from dractl.report.text import counted
from dractl.source.bounds import Bounds
from dractl.source.text import MAX_BYTES, SourceError
from dractl.workflows.validate import PrototypeFindings

__all__ = ["Stdin", "check", "fixed", "is_to_stdout"]

_MOST_NAMED = 10
"""How many fixes that were not applied are named."""


class Stdin(BytesIO):
    """Standard input, read as a whole, so that it can be printed again."""

    def __init__(self) -> None:
        """Read it to its end, but not more than dractl reads of an input; raises UsageError without one."""
        stream = getattr(sys.stdin, "buffer", None)
        if stream is None:
            raise UsageError("PATH", "standard input is closed")
        try:
            super().__init__(stream.read(MAX_BYTES + 1))
        except OSError as error:
            raise UsageError("PATH", f"standard input: {error.strerror or error}") from None


def check(options: ValidateOptions) -> None:
    """Raise UsageError for options that cannot be combined with fixes."""
    if options.unsafe_fixes and not (options.fix or options.diff):
        raise UsageError("--unsafe-fixes", "requires --fix or --diff")
    if options.fix and "-" in options.paths and len(options.paths) > 1:
        raise UsageError("--fix", "cannot fix standard input and files in one run")
    if options.diff and tuple(options.report_format) != ("text",):
        raise UsageError("--diff", "prints a patch; it cannot be combined with --format")


def is_to_stdout(options: ValidateOptions) -> bool:
    """Whether standard output is for the fixed text of standard input."""
    return options.fix and not options.diff and "-" in options.paths


def fixed(
    inputs: Inputs,
    question: Question,
    prototypes: PrototypeFindings | None,
    options: ValidateOptions,
    stdin: Stdin | None,
) -> Inputs | int:
    """The input after its fixes, which are in the files then; the exit code where the run ends with them."""
    result = run(inputs.loaded, question, prototypes)
    if options.diff:
        return _shown(result, inputs, options)
    if stdin is not None:
        is_written = _printed(result, stdin)
    else:
        is_written = replaced(result.changed, Bounds.of_files(options.paths))
    if not is_written:
        return 2
    if not options.quiet:
        notice(f"fixed {counted(len(result.fixed), 'finding')} in {counted(len(result.changed), 'file')}")
        _tell_unfixed(result.unfixed)
    return inputs._replace(loaded=result.loaded)


def _printed(result: Fixing, stdin: Stdin) -> bool:
    """Print standard input after its fixes; what needs none, or cannot be read, stays as it is."""
    data = b"".join(file.data for file in result.files) if result.changed else stdin.getvalue()
    refuse_command(data.decode("utf-8", "replace"))
    return write_data(data)


def _shown(result: Fixing, inputs: Inputs, options: ValidateOptions) -> int:
    check_encodings(result.files, "--fix")
    text = losses.patch(result.changed)
    if options.output is None:
        refuse_command(text)
    if not write(text, options.output):
        return 2
    if not options.quiet:
        found = counted(len(result.fixed), "finding")
        notice(f"would fix {found} in {counted(len(result.changed), 'file')}")
        _tell_unfixed(result.unfixed)
    unread = [item for item in inputs.loaded if isinstance(item, SourceError)]
    for item in unread:
        notice(f"{path(item.file)}:{item.line}:{item.column}: {item.message}")
    return inputs.exit_code(failed=bool(result.changed or unread))


def _tell_unfixed(unfixed: Iterable[Unfixed]) -> None:
    entries = list(unfixed)
    for finding, reason in entries[:_MOST_NAMED]:
        where = finding.location
        place = f"{path(where.file)}:{where.line}: " if where else ""
        notice(f"{place}not fixed: {finding.rule}: {reason}")
    if len(entries) > _MOST_NAMED:
        notice(f"{len(entries) - _MOST_NAMED} more not fixed")
