"""``dractl convert``: the same objects in another API version."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from dractl.api import release
from dractl.cli.inputs import Inputs, read, write_each
from dractl.cli.options import ConvertOptions
from dractl.cli.server import UsageError, check_dialect
from dractl.cli.terminal import is_file, notice, replace, say, style_for, targets, write
from dractl.conversion.result import NEW, Conversion, ConvertedFile
from dractl.conversion.target import Target, TargetError, target_of
from dractl.report import formats, losses
from dractl.source.bounds import Bounds
from dractl.workflows.convert import convert as run

__all__ = ["check_encodings", "convert", "refuse_command", "replaced"]


def convert(options: ConvertOptions) -> int:
    """Convert what is at the paths, write it, and answer the exit code.

    Raises UsageError for options that make no sense.
    """
    in_place, diff, output = options.in_place, options.diff, options.output
    target = _target(options.to, options.kube_version)
    if in_place and (output or diff):
        raise UsageError("--in-place", "cannot be combined with --output or --diff")
    if in_place and "-" in options.paths:
        raise UsageError("--in-place", "cannot rewrite standard input; name files or folders")
    wanted = targets(options.report_format, formats.CONVERT, output)
    documents = [target for target in wanted if target.format.is_document]
    if documents and (in_place or diff):
        name = documents[0].format.name
        raise UsageError("--format", f"{name} cannot be combined with --in-place or --diff")
    inputs = read(options.paths, options.exclude, wanted, quiet=options.quiet)
    if inputs is None:
        return 2
    check_dialect(options.dialect)
    conversion = run(inputs.loaded, target, lossy=options.lossy, dialect=options.dialect)
    if not write_each(conversion, documents):
        return 2
    files = [target.file for target in wanted if not target.format.is_document]
    if not files:
        return inputs.exit_code(failed=not conversion.ok)
    (output,) = files
    if in_place and any(file.name == NEW for file in conversion.files):
        raise UsageError("--in-place", "cannot rewrite prototype objects in place; use --output FILE")
    if diff:
        check_encodings(conversion.files)
    for line in losses.render(conversion, style_for("stderr")):
        say(line)
    if not conversion.ok:
        return inputs.exit_code(failed=True)
    for note in () if options.quiet else conversion.all_notes:
        notice(note)
    if in_place:
        return _written_in_place(conversion, inputs, options)
    text = losses.diff(conversion) if diff else conversion.text
    if output is None:
        refuse_command(text)
    return inputs.exit_code(failed=False) if write(text, output) else 2


def _target(to: str, kube_version: str | None) -> Target:
    try:
        return target_of(to, kube_version)
    except release.UnknownMinorError as error:
        raise UsageError("--kube-version", str(error)) from None
    except TargetError as error:
        raise UsageError("--to", str(error)) from None


def check_encodings(files: Sequence[ConvertedFile], instead: str = "--in-place") -> None:
    """Raise UsageError for a file that changes and that no patch in UTF-8 can be applied to."""
    for file in files:
        if file.encoding.startswith("utf-16") and file.after != file.before:
            raise UsageError("--diff", f"cannot print a patch for {file.name} (UTF-16); use {instead}")


def _written_in_place(conversion: Conversion, inputs: Inputs, options: ConvertOptions) -> int:
    changed = [file for file in conversion.files if file.after != file.before]
    if not replaced(changed, Bounds.of_files(options.paths)):
        return 2
    if not options.quiet:
        rest = len(conversion.files) - len(changed)
        notice(f"{len(changed)} of {len(changed) + rest} files converted to {conversion.to}")
    return inputs.exit_code(failed=False)


def refuse_command(text: str) -> None:
    """Raise UsageError where a CI would find a command in ``text`` on standard output, unless that is a file.

    What is converted keeps its comments and strings byte for byte, so nothing can be escaped.
    """
    line = losses.command_in(text)
    if line and not is_file(sys.stdout):
        raise UsageError("--output", f"name a file; a CI system would run a command in the line {line}")


def replaced(files: Sequence[ConvertedFile], bounds: Bounds) -> bool:
    """Replace all files or none; return whether that succeeded."""
    data: list[tuple[str, bytes]] = []
    for file in files:
        try:
            data.append((file.name, file.data))
        except UnicodeEncodeError as error:
            notice(f"{file.name}: {error}")
            return False
    return replace(data, bounds)
