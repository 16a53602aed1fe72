"""``dractl possible``: which sets of devices can be in use at once."""

from __future__ import annotations

from collections.abc import Sequence

from dractl.api.release import KNOWN
from dractl.api.wording import choose_from, did_you_mean
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
    from dractl.workflows.possible import possible as run

    gates = server(options.kube_version, options.feature_gates, ()).gates
    if gates.minor == KNOWN[0]:
        reason = f"the named resources of {gates.minor} never exclude each other; use {KNOWN[1]} or newer"
        raise UsageError("--kube-version", reason)
    check_dialect(options.dialect)
    wanted = targets(options.report_format, formats.POSSIBLE, options.output)
    inputs = read(options.paths, options.exclude, options.output, quiet=options.quiet)
    if inputs is None:
        return 2
    if not options.quiet and options.dialect is None:
        show_findings(not_objects(inputs.loaded, gates.minor))
    found = run(inputs.loaded, gates, driver=options.driver, pool=options.pool, dialect=options.dialect)
    if not found.pools and (options.driver or options.pool):
        everything = run(inputs.loaded, gates, dialect=options.dialect)
        notice(
            _unknown(options.driver, options.pool, [(sets.driver, sets.pool) for sets in everything.pools])
        )
        return 2
    if not write_each(found, wanted, inputs.files, quiet=options.quiet):
        return 2
    if is_document_shown(wanted) and not options.quiet:
        for note in notes(found):
            notice(note)
    return inputs.exit_code(failed=not found.ok)


def _unknown(driver: str | None, pool: str | None, pools: Sequence[tuple[str, str]]) -> str:
    """Why no pool was found: the option that no pool meets, and which values the input has."""
    if not pools:
        return "no pools in the input"
    drivers = [known for known, _ in pools]
    if driver is not None and driver not in drivers:
        return (
            f"--driver: no pool of driver {driver}; {did_you_mean(driver, drivers) or choose_from(drivers)}"
        )
    of_driver = [name for known, name in pools if driver in (None, known)]
    whose = "" if driver is None else f" of driver {driver}"
    wanted = pool or ""
    return f"--pool: no pool {wanted}{whose}; {did_you_mean(wanted, of_driver) or choose_from(of_driver)}"
