"""``dractl driver check``: slices, classes and claims for the author of their driver."""

from __future__ import annotations

from dractl.api.release import KNOWN
from dractl.cli.cluster.driver_options import DriverCheckOptions
from dractl.cli.inputs import read, refuse_overwriting, write_each
from dractl.cli.server import UsageError, servers
from dractl.cli.terminal import notice, targets
from dractl.drivers.run import check_driver
from dractl.finding import Severity
from dractl.lint.earlier import Earlier
from dractl.report import formats
from dractl.report.progress import Bar
from dractl.source.document import Document
from dractl.source.load import PathError, Sources, load_paths
from dractl.source.text import SourceError

__all__ = ["driver_check"]


def driver_check(options: DriverCheckOptions) -> int:
    """Check the driver whose objects are at the paths, write the report, and return the exit code.

    Raises UsageError for invalid options.
    """
    output, quiet = options.output, options.quiet
    against = servers(options.kube_version, options.feature_gates, ())
    if against.gates[-1].minor == KNOWN[0]:
        reason = f"{KNOWN[0]} has no devices in its slices; use {KNOWN[1]} or newer"
        raise UsageError("--kube-version", reason)
    wanted = targets(options.report_format, formats.DRIVER_CHECK, output)
    with Bar(quiet=quiet) as bar:
        bar.stage("Reading")
        inputs = read(options.paths, options.exclude, output, quiet=quiet)
        if inputs is None:
            return 2
        if not any(isinstance(item, SourceError) or _is_slice(item) for item in inputs.loaded):
            notice("no ResourceSlice in the input; pass the slices that the driver publishes")
            return 2
        old = _earlier(options) if options.old else None
        bar.stage("Checking the driver")
        found = check_driver(inputs.loaded, against.gates, old)
    shown = formats.Checked(found, is_verbose=options.verbose, is_strict=options.strict)
    if not write_each(shown, wanted, inputs.files, quiet=quiet):
        return 2
    failed = not found.ok or (options.strict and found.number(Severity.WARNING) > 0)
    return inputs.exit_code(failed=failed)


def _is_slice(item: object) -> bool:
    return (
        isinstance(item, Document)
        and isinstance(item.value, dict)
        and item.value.get("kind") == "ResourceSlice"
    )


def _earlier(options: DriverCheckOptions) -> Earlier:
    """The earlier state; raises UsageError if any of it cannot be read."""
    if any(not path for path in options.old):
        raise UsageError("--old", "expected a path (unset shell variable?)")
    if "-" in options.old and "-" in options.paths:
        raise UsageError("--old", "standard input can hold the earlier state or the new one, not both")
    sources = Sources()
    loaded = load_paths(options.old, exclude=options.exclude, sources=sources)
    for target in targets(options.report_format, formats.DRIVER_CHECK, options.output):
        refuse_overwriting(target.file, sources.files, target.option)
    for item in loaded:
        if isinstance(item, PathError):
            raise UsageError("--old", f"{item.path}: {item.message}")
        if isinstance(item, SourceError):
            raise UsageError("--old", f"{item.file}:{item.line}:{item.column}: {item.message}")
    return Earlier(loaded)
