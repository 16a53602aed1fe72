"""``dractl driver check``: slices, classes and claims for the author of their driver."""

from __future__ import annotations

from dractl.api.release import KNOWN
from dractl.cli.cluster.driver_options import DriverCheckOptions
from dractl.cli.inputs import read, write_each
from dractl.cli.manifests.earlier import check_old, read_old
from dractl.cli.server import UsageError, servers
from dractl.cli.terminal import notice, targets
from dractl.drivers.run import check_driver
from dractl.finding import Severity
from dractl.report import formats
from dractl.report.progress import Bar
from dractl.source.document import Document
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
    check_old(options.old, options.paths)
    with Bar(quiet=quiet) as bar:
        bar.stage("Reading")
        inputs = read(options.paths, options.exclude, wanted, quiet=quiet)
        if inputs is None:
            return 2
        if not any(isinstance(item, SourceError) or _is_slice(item) for item in inputs.loaded):
            notice("no ResourceSlice in the input; pass the slices that the driver publishes")
            return 2
        old = read_old(options.old, options.exclude, wanted) if options.old else None
        bar.stage("Checking the driver")
        found = check_driver(inputs.loaded, against.gates, old)
    shown = formats.Checked(found, is_verbose=options.verbose, is_strict=options.strict)
    if not write_each(shown, wanted, quiet=quiet):
        return 2
    failed = not found.ok or (options.strict and found.number(Severity.WARNING) > 0)
    return inputs.exit_code(failed=failed)


def _is_slice(item: object) -> bool:
    return (
        isinstance(item, Document)
        and isinstance(item.value, dict)
        and item.value.get("kind") == "ResourceSlice"
    )
