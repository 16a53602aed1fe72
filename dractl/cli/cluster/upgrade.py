"""``dractl upgrade``: what a newer Kubernetes release changes for the objects in the input."""

from __future__ import annotations

from collections.abc import Iterable

from dractl.api import gates as gate_table
from dractl.api import release
from dractl.cli.cluster_options import UpgradeOptions
from dractl.cli.convert import replaced
from dractl.cli.inputs import Inputs, read, write_each
from dractl.cli.server import UsageError, labels_in
from dractl.cli.terminal import notice, show_findings, targets
from dractl.report import formats
from dractl.report.progress import Bar
from dractl.source.bounds import Bounds
from dractl.source.document import Document
from dractl.upgrading.model import Plan
from dractl.upgrading.releases import Ends, OrderError, ends
from dractl.upgrading.run import upgrade as run
from dractl.workflows.refusals import not_objects

__all__ = ["upgrade"]


def upgrade(options: UpgradeOptions) -> int:
    """Compare two releases for what is at the paths, write the plan, and return the exit code.

    Raises UsageError for invalid options.
    """
    output, quiet = options.output, options.quiet
    if options.write and "-" in options.paths:
        raise UsageError("--write", "cannot rewrite standard input; name files or folders")
    wanted = targets(options.report_format, formats.UPGRADE, output)
    labels = labels_in(options.namespace_labels) or None
    with Bar(quiet=quiet) as bar:
        bar.stage("Reading")
        inputs = read(options.paths, options.exclude, wanted, quiet=quiet)
        if inputs is None:
            return 2
        servers = _servers(options, inputs)
        bar.stage("Comparing releases")
        plan = run(inputs.loaded, servers, labels)
    if not quiet:
        show_findings(not_objects(inputs.loaded, servers.after.minor))
    if not write_each(plan, wanted, quiet=quiet):
        return 2
    if options.write and not _written(plan, options.paths, quiet=quiet):
        return 2
    return inputs.exit_code(failed=not plan.ok)


def _servers(options: UpgradeOptions, inputs: Inputs) -> Ends:
    values = [item.value for item in inputs.loaded if isinstance(item, Document)]
    try:
        return ends(
            _minor("--from", options.from_version),
            _minor("--to", options.to),
            _overrides("--from-gates", options.from_gates),
            _overrides("--to-gates", options.to_gates),
            values,
        )
    except OrderError as error:
        raise UsageError("--to", str(error)) from None
    except gate_table.GateError as error:
        end = "--from-gates" if str(error).startswith("from ") else "--to-gates"
        raise UsageError(end, str(error)) from None


def _minor(option: str, text: str) -> release.Minor:
    try:
        return release.parse(text)
    except release.UnknownMinorError as error:
        raise UsageError(option, str(error)) from None


def _overrides(option: str, values: Iterable[str]) -> dict[str, bool]:
    try:
        return gate_table.parse_overrides(",".join(values))
    except gate_table.GateError as error:
        raise UsageError(option, str(error)) from None


def _written(plan: Plan, paths: Iterable[str], *, quiet: bool) -> bool:
    """Write the converted files, as far as nothing of them would be lost; return whether that succeeded."""
    conversion = plan.conversion
    if conversion is None or not conversion.ok:
        return conversion is None
    changed = [file for file in conversion.files if file.after != file.before]
    if not replaced(changed, Bounds.of_files(paths)):
        return False
    if not quiet:
        files = "1 file" if len(changed) == 1 else f"{len(changed)} files"
        notice(f"{files} converted to {conversion.to}")
    return True
