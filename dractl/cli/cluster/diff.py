"""``dractl diff``: what differs between two files, folders or commits."""

from __future__ import annotations

from collections.abc import Sequence

from dractl.cli.cluster.sides import read_sides
from dractl.cli.cluster_options import DiffOptions
from dractl.cli.inputs import Destination, Inputs, is_document_shown, read, write_each
from dractl.cli.server import UsageError, check_dialect, server
from dractl.cli.terminal import notice, show_findings, targets
from dractl.diffing.run import diff as run
from dractl.report import formats
from dractl.report.progress import Bar
from dractl.workflows.refusals import not_objects

__all__ = ["diff"]


def diff(options: DiffOptions) -> int:
    """Compare the two sides, write what differs, and return the exit code.

    Raises UsageError for invalid options.
    """
    output, quiet = options.output, options.quiet
    against = server(options.kube_version, options.feature_gates, options.namespace_labels)
    check_dialect(options.dialect)
    wanted = targets(options.report_format, formats.DIFF, output)
    with Bar(quiet=quiet) as bar:
        bar.stage("Reading")
        sides = read_sides(options, wanted)
        shared = _shared(options, wanted)
        if sides is None or shared is None:
            return 2
        if not any(side.side.loaded for side in sides):
            notice(f"no documents found on either side: {sides[0].side.name}, {sides[1].side.name}")
            return 2
        bar.stage("Comparing")
        old, new = (side.side for side in sides)
        found = run(old, new, against.gates, against.labels, shared=shared.loaded, dialect=options.dialect)
    if not quiet:
        for item in (old.loaded, new.loaded, shared.loaded):
            show_findings(not_objects(item, against.gates.minor))
    if not write_each(found, wanted, quiet=quiet):
        return 2
    if is_document_shown(wanted) and not quiet:
        for note in found.notes:
            notice(note)
    is_complete = all(part.is_complete for part in (*sides, shared))
    return int(not found.ok) if is_complete else 2


def _shared(options: DiffOptions, wanted: Sequence[Destination]) -> Inputs | None:
    """The objects of ``--with``; None, after a message, if there are none at the paths."""
    paths = options.shared_paths
    if "-" in paths and "-" in options.sides:
        raise UsageError("--with", "standard input can hold one of the sides or the shared objects, not both")
    if not paths:
        return Inputs((), is_complete=True)
    return read(paths, options.exclude, wanted, quiet=options.quiet)
