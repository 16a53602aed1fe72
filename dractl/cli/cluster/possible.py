"""``dractl possible``: which sets of devices can be in use at once."""

from __future__ import annotations

from dractl.api.release import UnknownMinorError
from dractl.cli.cluster_options import PossibleOptions
from dractl.cli.inputs import is_document_shown, read, write_each
from dractl.cli.server import UsageError, check_dialect, server
from dractl.cli.terminal import notice, show_findings, targets
from dractl.report import formats
from dractl.workflows.refusals import not_objects

__all__ = ["possible"]


def possible(options: PossibleOptions) -> int:
    """Print the possible sets of the pools at the paths, and return the exit code.

    Raises UsageError for invalid options.
    """
    from dractl.report.possible import notes
    from dractl.workflows.possible import UnknownPoolError
    from dractl.workflows.possible import possible as run

    gates = server(options.kube_version, options.feature_gates, ()).gates
    check_dialect(options.dialect)
    wanted = targets(options.report_format, formats.POSSIBLE, options.output)
    inputs = read(options.paths, options.exclude, wanted, quiet=options.quiet)
    if inputs is None:
        return 2
    if not options.quiet and options.dialect is None:
        show_findings(not_objects(inputs.loaded, gates.minor))
    try:
        found = run(inputs.loaded, gates, driver=options.driver, pool=options.pool, dialect=options.dialect)
    except UnknownMinorError as error:
        raise UsageError("--kube-version", str(error)) from None
    except UnknownPoolError as error:
        notice(f"--{error.argument}: {error}" if error.argument else str(error))
        return 2
    if not write_each(found, wanted, quiet=options.quiet):
        return 2
    if is_document_shown(wanted) and not options.quiet:
        for note in notes(found):
            notice(note)
    return inputs.exit_code(failed=not found.ok)
