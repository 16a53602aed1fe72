"""``dractl why``: why a pod or claim waits, or why it got its node and devices."""

from __future__ import annotations

from dractl.api.release import is_range
from dractl.cli.cluster.questions import question_of
from dractl.cli.cluster_options import WhyOptions
from dractl.cli.inputs import read, write_each
from dractl.cli.server import check_dialect, server
from dractl.cli.sharing.share import link_of
from dractl.cli.terminal import notice, show_findings, targets, warn_of
from dractl.report import formats
from dractl.report.formats import Answers
from dractl.report.placements import named
from dractl.report.progress import Bar
from dractl.workflows.mixed_input import simulate
from dractl.workflows.questions import NotFoundError, answer
from dractl.workflows.refusals import not_objects

__all__ = ["why"]


def why(options: WhyOptions) -> int:
    """Simulate what is at the paths, write why what is named waits, and return the exit code.

    A ``kube_version`` such as ``1.33..1.37`` means each minor of that range. Raises UsageError for invalid
    options.
    """
    if is_range(options.kube_version):
        from dractl.cli.cluster.ranges import why_range  # few runs follow several minors

        return why_range(options)
    output, quiet = options.output, options.quiet
    against = server(options.kube_version, options.feature_gates, options.namespace_labels)
    check_dialect(options.dialect)
    question, paths = question_of(options)
    wanted = targets(options.report_format, formats.WHY, output)
    has_document = any(target.format.is_document for target in wanted)
    question = question._replace(asks_for_help=not quiet or has_document or options.prove is not None)
    with Bar(quiet=quiet) as bar:
        bar.stage("Reading")
        inputs = read(
            paths, options.exclude, wanted, quiet=quiet, world=options.world, keeps_contents=options.share
        )
    if inputs is None:
        return 2
    link = link_of(inputs, options, against.gates, "why")
    if not quiet and options.dialect is None:
        show_findings(not_objects(inputs.loaded, against.gates.minor))
    with Bar(quiet=quiet) as bar:
        bar.stage("Placing pods")
        simulation = simulate(
            inputs.everything, against.gates, against.labels, dialect=options.dialect, progress=bar.step
        )
    if options.native:
        from dractl.simulation.engine.native_events import with_events  # few runs ask for them

        simulation = with_events(simulation)
    left_out = simulation.left_out
    if inputs.world:
        from dractl.cli.cluster.around import Around  # few runs have a world

        around = Around(inputs)
        left_out = tuple(entry for entry in left_out if not around.has(entry.object))
        unused = around.left_out(len(simulation.left_out) - len(left_out))
        waiting = ""
        if options.all_pending:
            simulation, waiting = around.without_pending(simulation)
        warn_of(filter(None, (unused, waiting)), quiet=quiet)
    for entry in () if quiet else left_out:
        notice(f"left out: {named(entry.object)}{entry.reason}")
    try:
        answers = answer(simulation, against.gates, question)
    except NotFoundError as error:
        notice(str(error))
        return 2
    if not answers and not quiet and inputs.is_complete:
        notice("nothing is Pending")
    found = Answers(answers, options.all_pending or len(answers) > 1, simulation)
    if not write_each(found, wanted, quiet=quiet, link=link.of_page):
        return 2
    if options.prove is not None:
        from dractl.cli.cluster.proofs import write_proofs  # few runs write them

        labels = {} if simulation.given is None else simulation.given.labels
        if not write_proofs(answers, options.prove, labels, quiet=quiet):
            return 2
    link.tell()
    return inputs.exit_code(failed=any(entry.explanation is not None for entry in answers))
