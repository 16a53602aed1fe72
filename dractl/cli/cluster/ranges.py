"""``dractl simulate`` and ``dractl why`` for a range of minors: the same input under each of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType

from dractl.api.gates import GateSet, shared_overrides
from dractl.api.release import Minor
from dractl.cli.cluster.around import Around
from dractl.cli.cluster.questions import about, check_nodes, node_names, question_of
from dractl.cli.cluster_options import SimulateOptions, WhyOptions
from dractl.cli.inputs import Inputs, read, write_each
from dractl.cli.server import Servers, UsageError, check_dialect, replicas_in, servers
from dractl.cli.sharing.share import link_of
from dractl.cli.terminal import notice, show_findings, targets, warn_of
from dractl.cluster.objects import title_of
from dractl.cluster.scaling import ScaleError
from dractl.report import formats
from dractl.report.placements import named
from dractl.report.progress import Bar
from dractl.simulation.engine.report import Simulation
from dractl.workflows.matrix import in_words
from dractl.workflows.mixed_input import simulate
from dractl.workflows.questions import NotFoundError, Why, answer
from dractl.workflows.ranges.answers import WhyMatrix
from dractl.workflows.ranges.simulations import SimulationMatrix
from dractl.workflows.refusals import not_objects

__all__ = ["simulate_range", "why_range"]

_WHERE = " for a range of minors"


def simulate_range(options: SimulateOptions) -> int:
    """Simulate the input under each minor of the range, write where it differs, and return the exit code.

    Raises UsageError for invalid options, and for those that make sense for one minor only.
    """
    against = servers(options.kube_version, options.feature_gates, options.namespace_labels)
    _need_one_minor(
        {
            "--scenario": options.scenario,
            "--save-state": options.save_state,
            "--scheduler-version": options.scheduler_version,
            "--scheduler-feature-gates": options.scheduler_feature_gates,
        }
    )
    wanted = targets(options.report_format, formats.SIMULATE_RANGE, options.output, _WHERE)
    preferred, replicas = node_names(options.node_order), replicas_in(options.replicas)
    check_dialect(options.dialect)
    with Bar(quiet=options.quiet) as bar:
        bar.stage("Reading")
        inputs = read(
            options.paths,
            options.exclude,
            wanted,
            quiet=options.quiet,
            world=options.world,
            keeps_contents=options.share,
        )
    if inputs is None:
        return 2
    link = link_of(inputs, options, against.gates[-1], "placements")
    try:
        found = _simulations(
            inputs,
            Around(inputs),
            against,
            options,
            preferred,
            replicas,
            allocate_unreferenced=options.allocate_unreferenced,
        )
    except ScaleError as error:
        raise UsageError("--replicas", str(error)) from None
    check_nodes(preferred, (name for each in found.values() for name in each.outcome.nodes))
    chosen = about(list(found.values()), options.pod)
    matrix = SimulationMatrix(dict(zip(found, chosen, strict=True)), shared_overrides(against.gates))
    if not write_each(matrix, wanted, quiet=options.quiet):
        return 2
    link.tell()
    return inputs.exit_code(failed=not matrix.ok)


def why_range(options: WhyOptions) -> int:
    """Explain what is named under each minor of the range, and return the worst exit code.

    Raises UsageError for invalid options, and for those that make sense for one minor only.
    """
    quiet = options.quiet
    against = servers(options.kube_version, options.feature_gates, options.namespace_labels)
    _need_one_minor({"--prove": options.prove})
    check_dialect(options.dialect)
    question, paths = question_of(options)
    wanted = targets(options.report_format, formats.WHY_RANGE, options.output, _WHERE)
    has_document = any(target.format.is_document for target in wanted)
    question = question._replace(asks_for_help=not quiet or has_document)
    with Bar(quiet=quiet) as bar:
        bar.stage("Reading")
        inputs = read(
            paths, options.exclude, wanted, quiet=quiet, world=options.world, keeps_contents=options.share
        )
    if inputs is None:
        return 2
    link = link_of(inputs, options, against.gates[-1], "why")
    around = Around(inputs)
    simulations = _simulations(inputs, around, against, options)
    for line in () if quiet else _left_out(simulations, around):
        notice(line)
    if options.all_pending:
        waiting = {minor: around.without_pending(each) for minor, each in simulations.items()}
        simulations = {minor: each for minor, (each, _) in waiting.items()}
        warn_of(dict.fromkeys(note for _, note in waiting.values() if note), quiet=quiet)
    answers: dict[Minor, Sequence[Why] | str] = {}
    for gates, (minor, simulation) in zip(against.gates, simulations.items(), strict=True):
        try:
            answers[minor] = answer(simulation, gates, question)
        except NotFoundError as error:
            answers[minor] = str(error)
    matrix = WhyMatrix(answers, shared_overrides(against.gates))
    if all(isinstance(found, str) for found in answers.values()):
        for message in dict.fromkeys(str(found) for found in answers.values()):
            notice(message)
        return 2
    if not any(answers.values()) and not quiet and inputs.is_complete:
        notice("nothing is Pending")
    if not write_each(matrix, wanted, quiet=quiet):
        return 2
    link.tell()
    return inputs.exit_code(failed=not matrix.ok) if matrix.is_found else 2


def _left_out(simulations: Mapping[Minor, Simulation], around: Around) -> Iterator[str]:
    """The objects that were left out, each once, with the minors and the reason of the newest of these."""
    found: dict[str, tuple[list[Minor], str]] = {}
    of_world: set[str] = set()
    for minor, simulation in reversed(list(simulations.items())):
        for entry in simulation.left_out:
            if around.has(entry.object):
                of_world.add(title_of(entry.object))
                continue
            name = named(entry.object)
            found.setdefault(name or entry.reason, ([], f"{name}{entry.reason}"))[0].append(minor)
    if of_world:
        yield f"warning: {around.left_out(len(of_world))}"
    for minors, text in found.values():
        where = "" if len(minors) == len(simulations) else f" ({in_words(reversed(minors))})"
        yield f"left out: {text}{where}"


def _need_one_minor(given: Mapping[str, Sequence[str] | str | None]) -> None:
    for option, value in given.items():
        if value:
            raise UsageError(option, "requires one minor, and --kube-version is a range")


def _simulations(
    inputs: Inputs,
    around: Around,
    against: Servers,
    options: SimulateOptions | WhyOptions,
    preferred: Sequence[str] = (),
    replicas: Mapping[str, int] = MappingProxyType({}),
    *,
    allocate_unreferenced: bool = False,
) -> dict[Minor, Simulation]:
    """The input under each minor; raises ScaleError."""
    if not options.quiet and options.dialect is None:
        show_findings(not_objects(inputs.loaded, against.gates[-1].minor))
    found: dict[Minor, Simulation] = {}

    def under(gates: GateSet, bar: Bar) -> Simulation:
        simulation = simulate(
            inputs.everything,
            gates,
            against.labels,
            preferred,
            replicas,
            dialect=options.dialect,
            progress=bar.step,
            allocate_unreferenced=allocate_unreferenced,
        )
        if not options.native:
            return simulation
        from dractl.simulation.engine.native_events import with_events  # few runs ask for them

        return with_events(simulation)

    for gates in against.gates:
        with Bar(quiet=options.quiet) as bar:
            bar.stage(f"Placing pods ({gates.minor})")
            found[gates.minor] = around.without_findings(under(gates, bar))
    return found
