"""``dractl migrate``: from device plugins and older APIs to claims, extended resources and new versions."""

from __future__ import annotations

import sys

from dractl.api import names
from dractl.cli.cluster.migrate_options import MigrateOptions
from dractl.cli.convert import replaced
from dractl.cli.inputs import Inputs, read, write_each
from dractl.cli.server import UsageError, server
from dractl.cli.terminal import is_file, notice, say, show_findings, style_for, targets, write
from dractl.migrating.model import Migration
from dractl.migrating.run import MigrationError
from dractl.migrating.run import migrate as run
from dractl.report import formats, losses
from dractl.report.progress import Bar
from dractl.source.bounds import Bounds
from dractl.workflows.refusals import not_objects

__all__ = ["migrate"]


def migrate(options: MigrateOptions) -> int:
    """Plan a migration of what is at the paths, write what was asked for, and return the exit code.

    Raises UsageError for invalid options.
    """
    output, quiet = options.output, options.quiet
    if options.write and options.diff:
        raise UsageError("--write", "cannot be combined with --diff")
    if options.write and "-" in options.paths:
        raise UsageError("--write", "cannot rewrite standard input; name files or folders")
    chosen = _chosen(options)
    against = server(options.kube_version, options.feature_gates, options.namespace_labels)
    wanted = targets(options.report_format, formats.MIGRATE, output)
    document = next((target.format.name for target in wanted if target.format.is_document), None)
    if document and options.diff:
        raise UsageError("--format", f"{document} cannot be combined with --diff, which prints a patch")
    with Bar(quiet=quiet) as bar:
        bar.stage("Reading")
        inputs = read(options.paths, options.exclude, wanted, quiet=quiet)
        if inputs is None:
            return 2
        bar.stage("Migrating")
        try:
            found = run(inputs.loaded, against.gates, against.labels, options.to, chosen)
        except MigrationError as error:
            raise UsageError("--kube-version", str(error)) from None
    if not quiet:
        show_findings(not_objects(inputs.loaded, against.gates.minor))
    is_complete = _write_diff(found, output) if options.diff else write_each(found, wanted, quiet=quiet)
    if not is_complete:
        return 2
    if options.write and not _written(found, inputs, options):
        return 2
    return inputs.exit_code(failed=not found.ok)


def _chosen(options: MigrateOptions) -> dict[str, str]:
    """The device classes of ``--class``, by resource."""
    found: dict[str, str] = {}
    for entry in options.device_class:
        resource, equals, name = entry.partition("=")
        if not equals or "/" not in resource or names.label_key(resource) or names.dns_subdomain(name):
            example = "--class nvidia.com/gpu=gpu.nvidia.com"
            raise UsageError("--class", f"expected RESOURCE=DEVICECLASS, as in {example}, got {entry!r}")
        if found.get(resource, name) != name:
            raise UsageError("--class", f"{resource} has two classes, {found[resource]} and {name}")
        found[resource] = name
    return found


def _write_diff(found: Migration, output: str | None) -> bool:
    """Write the changes as a patch, and what is wrong with them as diagnostics."""
    text = _diff(found, output)
    for line in (
        () if found.ok else formats.MIGRATE[0].render(found, style_for("stderr"), quiet=True).splitlines()
    ):
        say(line)
    return write(text, output)


def _diff(found: Migration, output: str | None) -> str:
    """The changes as a patch; raises UsageError where that would be unsafe or could not be applied."""
    for file in found.files:
        if file.encoding.startswith("utf-16"):
            raise UsageError("--diff", f"cannot print a patch for {file.name} (UTF-16); use --write")
    text = losses.diff(found.conversion)
    line = losses.command_in(text)
    if output is None and line and not is_file(sys.stdout):
        raise UsageError("--output", f"name a file; a CI system would run a command in the line {line}")
    return text


def _written(found: Migration, inputs: Inputs, options: MigrateOptions) -> bool:
    """Rewrite the files, unless the API server would reject the result; return whether that succeeded."""
    if found.rejected:
        notice("nothing was written: the result would be rejected")
        return True
    if not replaced(found.files, Bounds.of_files(options.paths)):
        return False
    if not options.quiet:
        rest = len(inputs.files)
        notice(f"{len(found.files)} of {rest} files migrated")
    return True
