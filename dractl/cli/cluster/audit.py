"""``dractl audit``: whether the allocations in the input are legal."""

from __future__ import annotations

from dractl.cli.cluster_options import AuditOptions
from dractl.cli.inputs import read, write_each
from dractl.cli.server import server
from dractl.cli.terminal import show_findings, targets, warn_of
from dractl.report import formats
from dractl.report.progress import Bar
from dractl.workflows.audit import audit as run
from dractl.workflows.refusals import not_objects

__all__ = ["audit"]


def audit(options: AuditOptions) -> int:
    """Hold the allocations at the paths against their devices, write what is wrong, and answer the exit code.

    Raises UsageError for invalid options.
    """
    output, quiet = options.output, options.quiet
    wanted = targets(options.report_format, formats.AUDIT, output)
    against = server(options.kube_version, options.feature_gates, options.namespace_labels)
    with Bar(quiet=quiet) as bar:
        bar.stage("Reading")
        inputs = read(options.paths, options.exclude, wanted, quiet=quiet, world=options.world)
        if inputs is None:
            return 2
        bar.stage("Checking allocations")
        found = run(inputs.everything, against.gates, against.labels)
    if inputs.world:
        from dractl.cli.cluster.around import Around  # few runs have a world

        found, note = Around(inputs).without_own(found)
        warn_of([note] if note else (), quiet=quiet)
    if not quiet:
        show_findings(not_objects(inputs.loaded, against.gates.minor))
    if not write_each(found, wanted, quiet=quiet):
        return 2
    return inputs.exit_code(failed=not (found.ok and found.is_complete))
