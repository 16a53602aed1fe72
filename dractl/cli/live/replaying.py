"""``dractl replay``: what a recording tells, and whether it went as simulated."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dractl.api import budgets
from dractl.cli.inputs import refuse_overwriting, write_each
from dractl.cli.live.snapshot_options import ReplayOptions
from dractl.cli.server import UsageError
from dractl.cli.terminal import notice, targets, write
from dractl.observing.recorded import Part, RecordingError, moment, parts_of, state_at
from dractl.report import formats
from dractl.report.progress import Bar

__all__ = ["replay"]


def replay(options: ReplayOptions) -> int:
    """Read a recording, write what is wanted of it, and answer the exit code. Raises UsageError."""
    wanted = targets(options.report_format, formats.REPLAY, options.output)
    if options.at is not None and (options.compare or options.pod is not None):
        raise UsageError("--at", "prints the whole state; omit --compare and --pod")
    if options.at is not None and any(each.format.is_document for each in wanted):
        raise UsageError("--at", "prints the state as YAML; omit --format")
    refuse_overwriting(wanted, [options.file])
    parts = _parts(options.file)
    if parts is None:
        return 2
    if options.at is not None:
        return _state(parts, options.at, options.output)
    from dractl.observing.agreement import replayed

    pod = options.pod if options.pod is None or "/" in options.pod else f"default/{options.pod}"
    with Bar(quiet=options.quiet) as bar:
        bar.stage("Replaying")
        found = replayed(parts, pod=pod, compare=options.compare)
    if pod is not None and not found.placements and not found.without_devices:
        notice(f"--pod: the recording has no placement of {pod}")
        return 2
    if not write_each(found, wanted, quiet=options.quiet):
        return 2
    return int(not found.ok)


def _parts(path: str) -> list[Part] | None:
    try:
        with open(path, "rb") as file:  # noqa: PTH123 - pathlib is slow to load
            return parts_of(_lines(file.readline))
    except OSError as error:
        notice(f"{path}: {error.strerror or error}")
    except RecordingError as error:
        notice(f"{path}: {error}")
    return None


def _lines(readline: object) -> Iterator[bytes]:
    """The lines of a file, none of them longer than an event may be by more than a byte."""
    most = (budgets.EVENT_SIZE.value << 20) + 1
    while callable(readline) and (line := readline(most)):
        yield line


def _state(parts: Sequence[Part], at: str, output: str | None) -> int:
    """Write the state at a time as YAML; the exit code."""
    from dractl.report.objects import render

    try:
        when = moment(at, parts[0].time)
    except (ValueError, OverflowError) as error:
        raise UsageError("--at", f"{at!r} is not a time: {error}") from None
    found = state_at(parts, when)
    if found is None:
        raise UsageError("--at", f"the recording begins at {parts[0].time}")
    part, objects = found
    gates = ",".join(f"{name}={str(on).lower()}" for name, on in sorted(part.gates.overrides.items()))
    options = f"--kube-version {part.gates.minor.version}" + (f" --feature-gates {gates}" if gates else "")
    head = f"# The state at {when.isoformat()}.\n# dractl simulate {output or 'FILE'} {options}\n"
    return 0 if write(head + render(objects), output) else 2
