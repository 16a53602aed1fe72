"""``dractl simulate --scenario``: simulate a cluster step by step."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from dractl.cli.cluster_options import SimulateOptions
from dractl.cli.inputs import (
    Beside,
    Inputs,
    check_save_state,
    is_document_shown,
    refuse_overwriting,
    write_each,
)
from dractl.cli.server import Server, UsageError, scheduler
from dractl.cli.sharing.link import Link
from dractl.cli.terminal import notice, show_findings, targets, warn_of, write
from dractl.cluster.scaling import ScaleError
from dractl.report import formats, objects, scenario
from dractl.scenario.reading import Faulty
from dractl.scenario.runner import play
from dractl.scenario.scenario import read_scenario
from dractl.source.bounds import Bounds
from dractl.source.load import Sources

__all__ = ["play_scenario"]


def play_scenario(
    file: str,
    inputs: Inputs,
    against: Server,
    options: SimulateOptions,
    *,
    node_order: Sequence[str],
    replicas: Mapping[str, int],
    link: Link,
) -> int:
    """Play the scenario in ``file`` on what was read, write its states, and answer the exit code.

    What the scenario names must be inside the folders of the paths and of ``file``, or the working folder.
    ``node_order`` and ``replicas`` are what the options of these names mean, ``link`` is that of ``--share``.

    Raises UsageError for replicas of what cannot be scaled, for a preferred node that there never is, and for
    a scheduler that does not run with the API server.
    """
    output, save_state = options.output, options.save_state
    sources = Sources()
    found = read_scenario(file, Bounds.of_files([*options.paths, file]).with_working_folder(file), sources)
    wanted = targets(options.report_format, formats.SCENARIO, output)
    refuse_overwriting([*wanted, Beside(save_state, "--save-state")], sources.files)
    if isinstance(found, Faulty):
        show_findings(found.findings)
        if found.error is not None:
            notice(f"--scenario: {found.error.path}: {found.error.message}")
        return 2
    chosen = scheduler(
        against.gates,
        options.scheduler_version,
        options.scheduler_feature_gates,
        (found.scheduler_version, found.scheduler_gates),
    )
    warn_of(chosen.warnings if chosen else (), quiet=options.quiet)
    try:
        played = play(
            inputs.everything,
            against.gates,
            against.labels,
            found.steps,
            about=found.about,
            node_order=node_order,
            replicas=replicas,
            allocate_unreferenced=options.allocate_unreferenced,
            scheduler=chosen and chosen.gates,
            dialect=options.dialect,
        )
    except ScaleError as error:
        raise UsageError("--replicas", str(error)) from None
    seen = {name for state in played.states for name in state.simulation.outcome.nodes}
    unknown = [name for name in node_order if name not in seen]
    if unknown:
        raise UsageError("--node-order", f"unknown node: {', '.join(unknown)}")
    if not write_each(played, wanted, quiet=options.quiet, link=link.of_page):
        return 2
    if save_state is not None:
        check_save_state(save_state, output)
        if not write(objects.render(played.last.objects), save_state):
            return 2
    if is_document_shown(wanted) and not options.quiet:
        for note in scenario.notes(played):
            notice(note)
    link.tell()
    return inputs.exit_code(failed=not played.ok)
