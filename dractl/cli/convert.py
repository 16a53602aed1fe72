"""``dractl convert``: the same objects in another API version."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Sequence

from dractl.api import release
from dractl.cli.inputs import Inputs, read
from dractl.cli.server import UsageError, check_dialect
from dractl.cli.terminal import is_file, notice, say, style_for, write
from dractl.conversion.result import NEW, Conversion, ConvertedFile
from dractl.conversion.target import Target, TargetError, target_of
from dractl.converting import convert as run
from dractl.report import losses

__all__ = ["convert"]


def convert(  # noqa: PLR0913 - a command has its options
    paths: Sequence[str],
    *,
    to: str,
    kube_version: str | None = None,
    lossy: bool = False,
    in_place: bool = False,
    diff: bool = False,
    dialect: str | None = None,
    exclude: Sequence[str] = (),
    output: str | None = None,
    quiet: bool = False,
) -> int:
    """Convert what is at ``paths``, write it, and answer the exit code.

    The arguments are the texts of the options. Raises UsageError where they make no sense.
    """
    target = _target(to, kube_version)
    if in_place and (output or diff):
        raise UsageError("--in-place", "the files themselves are written; leave out --output and --diff")
    if in_place and "-" in paths:
        raise UsageError("--in-place", "standard input cannot be written to; name files or folders")
    inputs = read(paths, exclude, output)
    if inputs is None:
        return 2
    check_dialect(dialect)
    conversion = run(inputs.loaded, target, lossy=lossy, dialect=dialect)
    if in_place and any(file.name == NEW for file in conversion.files):
        raise UsageError(
            "--in-place", "objects of prototypes become other objects; name a file with --output"
        )
    if diff:
        _check_encodings(conversion)
    for line in losses.render(conversion, style_for("stderr")):
        say(line)
    if not conversion.ok:
        return inputs.exit_code(failed=True)
    for note in () if quiet else _notes(conversion):
        notice(note)
    return _written(conversion, inputs, output, in_place=in_place, diff=diff, quiet=quiet)


def _target(to: str, kube_version: str | None) -> Target:
    try:
        return target_of(to, kube_version)
    except release.UnknownMinorError as error:
        raise UsageError("--kube-version", str(error)) from None
    except TargetError as error:
        raise UsageError("--to", str(error)) from None


def _check_encodings(conversion: Conversion) -> None:
    """Raise UsageError for a file that changes and that no patch in UTF-8 can be applied to."""
    for file in conversion.files:
        if file.encoding.startswith("utf-16") and file.after != file.before:
            raise UsageError("--diff", f"{file.name} is UTF-16, and no patch applies to it; use --in-place")


def _notes(conversion: Conversion) -> list[str]:
    return [*conversion.notes, *(note for file in conversion.files for note in file.notes)]


def _written(
    conversion: Conversion, inputs: Inputs, output: str | None, *, in_place: bool, diff: bool, quiet: bool
) -> int:
    if not in_place:
        text = losses.diff(conversion) if diff else conversion.text
        if output is None:
            _refuse_command(text)
        return inputs.exit_code(failed=False) if write(text, output) else 2
    changed = [file for file in conversion.files if file.after != file.before]
    locked = [file for file in changed if _is_locked(file)]
    if locked:
        return 2
    failed = [file for file in changed if not _replaced(file)]
    if failed:
        return 2
    if not quiet:
        rest = len(conversion.files) - len(changed)
        notice(f"{len(changed)} of {len(changed) + rest} files converted to {conversion.to}")
    return inputs.exit_code(failed=False)


def _refuse_command(text: str) -> None:
    """Raise UsageError where a CI would find a command in ``text`` on standard output, unless that is a file.

    What is converted keeps its comments and strings byte for byte, so nothing can be escaped.
    """
    line = losses.command_in(text)
    if line and not is_file(sys.stdout):
        raise UsageError("--output", f"name a file: a CI would read a command in the line {line}")


def _is_locked(file: ConvertedFile) -> bool:
    """Whether nobody may write the file, with a word about it; a new one in its place would evade that."""
    try:
        mode = os.stat(file.name).st_mode  # noqa: PTH116 - pathlib costs time
    except OSError:
        return False  # writing it says why
    if mode & 0o222:
        return False
    notice(f"{file.name}: it is read-only, and no file is written")
    return True


def _replaced(file: ConvertedFile) -> bool:
    """Put the new text in the place of the old one, whole or not at all.

    A file that has several names keeps them, and is written where it stands.
    """
    target = os.path.realpath(file.name)
    try:
        data = file.data
        status = os.stat(target)  # noqa: PTH116 - pathlib costs time
        if status.st_nlink > 1:
            with open(target, "r+b") as same:  # noqa: PTH123
                same.write(data)
                same.truncate()
            return True
        handle, name = tempfile.mkstemp(dir=os.path.dirname(target), prefix=".dractl-")  # noqa: PTH120
        with os.fdopen(handle, "wb") as new:
            new.write(data)
        os.chmod(name, status.st_mode & 0o7777)  # noqa: PTH101
        os.replace(name, target)  # noqa: PTH105
    except (OSError, UnicodeEncodeError) as error:
        notice(f"{file.name}: {getattr(error, 'strerror', None) or error}")
        return False
    return True
