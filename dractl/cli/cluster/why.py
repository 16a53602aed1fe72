"""``dractl why``: why a pod or claim waits, or why it got its node and devices."""

from __future__ import annotations

import os

from dractl.cli.cluster_options import WhyOptions
from dractl.cli.inputs import read, write_each
from dractl.cli.server import UsageError, check_dialect, server
from dractl.cli.terminal import notice, show_findings, targets
from dractl.report import formats
from dractl.report.formats import Answers
from dractl.report.placements import named
from dractl.report.progress import Bar
from dractl.workflows.mixed_input import simulate
from dractl.workflows.questions import NotFoundError, Question, answer
from dractl.workflows.refusals import not_objects
from dractl.workflows.subjects import kind_called

__all__ = ["why"]


def why(options: WhyOptions) -> int:
    """Simulate what is at the paths, write why what is named waits, and return the exit code.

    Raises UsageError for invalid options.
    """
    output, quiet = options.output, options.quiet
    against = server(options.kube_version, options.feature_gates, options.namespace_labels)
    check_dialect(options.dialect)
    question, paths = _question(options)
    wanted = targets(options.report_format, formats.WHY, output)
    has_document = any(target.format.is_document for target in wanted)
    question = question._replace(asks_for_help=not quiet or has_document or options.prove is not None)
    with Bar(quiet=quiet) as bar:
        bar.stage("Reading")
        inputs = read(paths, options.exclude, wanted, quiet=quiet, world=options.world)
    if inputs is None:
        return 2
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
    for entry in () if quiet else simulation.left_out:
        notice(f"left out: {named(entry.object)}{entry.reason}")
    try:
        answers = answer(simulation, against.gates, question)
    except NotFoundError as error:
        notice(str(error))
        return 2
    if not answers and not quiet and inputs.is_complete:
        notice("nothing is Pending")
    found = Answers(answers, options.all_pending or len(answers) > 1, simulation)
    if not write_each(found, wanted, quiet=quiet):
        return 2
    if options.prove is not None:
        from dractl.cli.cluster.proofs import write_proofs  # few runs write them

        labels = {} if simulation.given is None else simulation.given.labels
        if not write_proofs(answers, options.prove, labels, quiet=quiet):
            return 2
    return inputs.exit_code(failed=any(entry.explanation is not None for entry in answers))


def _question(options: WhyOptions) -> tuple[Question, list[str]]:
    """What is asked, and the paths; raises UsageError for options that contradict each other."""
    if options.all_pending:
        if not options.name:
            raise UsageError("PATH", "expected a file, a folder, or - for standard input")
        for name, value in (("--node", options.node), ("--device", options.device)):
            if value is not None:
                raise UsageError(name, "requires the name of a pod; omit --all")
        word, slash, _ = options.name.partition("/")
        if slash and kind_called(word) is not None and not os.path.lexists(options.name):
            raise UsageError("--all", f"cannot be combined with the name {options.name}; omit one of them")
        return Question(None), [options.name, *options.paths]
    if not options.name:
        raise UsageError("NAME", "expected a pod or a claim and a PATH, or --all and a PATH")
    if not options.paths:
        raise UsageError("PATH", "expected a file, a folder, or - for standard input after the name")
    return Question(options.name, options.node, options.device), [*options.paths]
