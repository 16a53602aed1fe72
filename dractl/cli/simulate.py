"""``dractl simulate``: which device goes to which container."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dractl.api.release import is_range
from dractl.cli.cluster.questions import about, check_nodes, node_names
from dractl.cli.cluster_options import SimulateOptions
from dractl.cli.inputs import (
    Beside,
    Inputs,
    check_save_state,
    is_document_shown,
    read,
    refuse_overwriting,
    write_each,
)
from dractl.cli.server import UsageError, check_dialect, replicas_in, scheduler, server
from dractl.cli.sharing.share import link_of
from dractl.cli.terminal import notice, show_findings, targets, warn_of, write
from dractl.cluster.scaling import ScaleError
from dractl.report import formats, objects, placements
from dractl.report.progress import Bar
from dractl.report.text import skipped_text
from dractl.workflows.mixed_input import simulate as run
from dractl.workflows.refusals import not_objects, skipped_kinds

if TYPE_CHECKING:
    from dractl.simulation.engine.report import Simulation

__all__ = ["simulate"]

_SAVE_STATE = "--save-state"


def simulate(options: SimulateOptions) -> int:
    """Allocate devices for what is at the paths, write the result, and return the exit code.

    A ``kube_version`` such as ``1.33..1.37`` means each minor of that range. Raises UsageError for invalid
    options.
    """
    if is_range(options.kube_version):
        from dractl.cli.cluster.ranges import simulate_range  # few runs follow several minors

        return simulate_range(options)
    output, quiet, dialect = options.output, options.quiet, options.dialect
    against = server(options.kube_version, options.feature_gates, options.namespace_labels)
    wanted = targets(options.report_format, formats.SIMULATE, output)
    replicas = replicas_in(options.replicas)
    preferred = node_names(options.node_order)
    replay = _story(options)
    chosen = None
    if replay is None:
        chosen = scheduler(against.gates, options.scheduler_version, options.scheduler_feature_gates)
    with Bar(quiet=quiet) as bar:
        bar.stage("Reading")
        inputs = read(
            options.paths,
            options.exclude,
            wanted,
            quiet=quiet,
            world=options.world,
            keeps_contents=options.share,
        )
    if inputs is None:
        return 2
    link = link_of(inputs, options, against.gates, "placements")
    if not quiet and dialect is None:
        show_findings(not_objects(inputs.loaded, against.gates.minor))
    refuse_overwriting([Beside(options.save_state, _SAVE_STATE)], inputs.files)
    for target in wanted:
        check_save_state(options.save_state, target.file)
    if replay is not None:
        check_dialect(dialect)
        from dractl.cli.scenario import play_scenario  # few simulations are stories

        return play_scenario(
            replay, inputs, against, options, node_order=preferred, replicas=replicas, link=link
        )
    check_dialect(dialect)
    warn_of(chosen.warnings if chosen else (), quiet=quiet)
    try:
        with Bar(quiet=quiet) as bar:
            bar.stage("Placing pods")
            simulation = run(
                inputs.everything,
                against.gates,
                against.labels,
                preferred,
                replicas,
                dialect=dialect,
                progress=bar.step,
                allocate_unreferenced=options.allocate_unreferenced,
                scheduler=chosen and chosen.gates,
            )
    except ScaleError as error:
        raise UsageError("--replicas", str(error)) from None
    check_nodes(preferred, simulation.outcome.nodes)
    if options.native:
        from dractl.simulation.engine.native_events import with_events  # few runs ask for them

        simulation = with_events(simulation)
    simulation = about([_reported(simulation, inputs)], options.pod)[0]
    if placements.is_empty(simulation) and not quiet and dialect is None:
        skipped = skipped_kinds(inputs.loaded, against.gates.minor)
        if skipped:
            notice(skipped_text(skipped))
    if not write_each(simulation, wanted, quiet=quiet, link=link.of_page):
        return 2
    if options.save_state is not None and not _save(simulation, options.save_state, output):
        return 2
    if is_document_shown(wanted) and not quiet:
        for note in placements.notes(simulation):
            notice(note)
    link.tell()
    return inputs.exit_code(failed=not simulation.ok)


def _save(simulation: Simulation, file: str, output: str | None) -> bool:
    """Write the objects with their new status; return whether that succeeded."""
    check_save_state(file, output)
    return write(objects.render(simulation.objects), file)


def _reported(simulation: Simulation, inputs: Inputs) -> Simulation:
    """The simulation without findings about the objects of ``--world``."""
    if not inputs.world:
        return simulation
    from dractl.cli.cluster.around import Around  # few runs have a world

    return Around(inputs).without_findings(simulation)


def _story(options: SimulateOptions) -> str | None:
    """The one file of ``--scenario``; raises UsageError for several, and for input that is read already."""
    given = options.scenario
    if len(given) > 1:
        raise UsageError("--scenario", "only one scenario can run at a time; put all steps into one file")
    if given and options.pod:
        raise UsageError("--pod", "scenarios report all pods; omit --scenario")
    if "-" in given and "-" in options.paths:
        raise UsageError("--scenario", "standard input can hold the objects or the scenario, not both")
    return given[0] if given else None
