"""``dractl simulate --scenario``: what becomes of a cluster, step by step."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from dractl.cli.inputs import Inputs, refuse_overwriting
from dractl.cli.server import Server, UsageError
from dractl.cli.terminal import notice, show_findings, style_for, write
from dractl.cluster.scaling import ScaleError
from dractl.rehearsal.play import Played, play
from dractl.rehearsal.reading import Faulty
from dractl.rehearsal.scenario import read_scenario
from dractl.report import json_, objects, scenario

__all__ = ["play_scenario"]


def play_scenario(  # noqa: PLR0913 - the options of the command
    file: str,
    inputs: Inputs,
    against: Server,
    *,
    node_order: Sequence[str],
    replicas: Mapping[str, int],
    report_format: str,
    save_state: str | None,
    output: str | None,
    quiet: bool,
) -> int:
    """Play the scenario in ``file`` on what was read, write its states, and answer the exit code.

    Raises UsageError for replicas of what cannot be scaled and for a preferred node that there never is.
    """
    told = read_scenario(file)
    if isinstance(told, Faulty):
        show_findings(told.findings)
        if told.error is not None:
            notice(f"--scenario: {told.error.path}: {told.error.message}")
        return 2
    told_by = [told.file, *(file for step in told.steps for file in step.files)]
    refuse_overwriting(output, told_by)
    refuse_overwriting(save_state, told_by, "--save-state")
    try:
        played = play(
            inputs.loaded,
            against.gates,
            against.labels,
            told.steps,
            about=told.about,
            node_order=node_order,
            replicas=replicas,
        )
    except ScaleError as error:
        raise UsageError("--replicas", str(error)) from None
    seen = {name for state in played.states for name in state.simulation.outcome.nodes}
    unknown = [name for name in node_order if name not in seen]
    if unknown:
        raise UsageError("--node-order", f"no node is called {', '.join(unknown)}")
    if not write(_rendered(played, report_format, output, quiet=quiet), output):
        return 2
    if save_state is not None and not write(objects.render(played.last.objects), save_state):
        return 2
    if report_format != "table" and not quiet:
        for note in scenario.notes(played):
            notice(note)
    return inputs.exit_code(failed=not played.ok)


def _rendered(played: Played, report_format: str, output: str | None, *, quiet: bool) -> str:
    if report_format == "json":
        return json_.render(played.to_dict())
    if report_format == "yaml":
        return objects.render(played.last.objects)
    return scenario.render(played, style_for(output), summary=not quiet)
