"""``dractl size``: how many more copies of a pod fit, and which nodes to add."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from dractl.cli.cluster_options import SizeOptions
from dractl.cli.inputs import is_document_shown, read, write_each
from dractl.cli.server import UsageError, pieces, replicas_in, server
from dractl.cli.terminal import notice, show_findings, targets
from dractl.cluster.scaling import ScaleError
from dractl.report import formats
from dractl.report.progress import Bar
from dractl.sizing.question import Question, price
from dractl.sizing.subjects import SizeError
from dractl.workflows.refusals import not_objects
from dractl.workflows.size import size as run

__all__ = ["question_of", "size"]

_MOST_WEIGHT = 1000


def size(options: SizeOptions) -> int:
    """Count copies, and nodes to add, for what is at the paths, write the result, and return the exit code.

    Raises UsageError for invalid options.
    """
    output, quiet = options.output, options.quiet
    against = server(options.kube_version, options.feature_gates, options.namespace_labels)
    replicas = replicas_in(options.replicas)
    question = question_of(options)
    wanted = targets(options.report_format, formats.SIZE, output)
    with Bar(quiet=quiet) as bar:
        bar.stage("Reading")
        inputs = read(options.paths, options.exclude, wanted, quiet=quiet, world=options.world)
        if inputs is None:
            return 2
        bar.stage("Placing copies")
        try:
            found = run(inputs.everything, against.gates, against.labels, question, replicas)
        except ScaleError as error:
            raise UsageError("--replicas", str(error)) from None
        except SizeError as error:
            raise UsageError(error.option, str(error)) from None
    if not quiet:
        show_findings(not_objects(inputs.loaded, against.gates.minor))
    if not write_each(found, wanted, quiet=quiet):
        return 2
    if is_document_shown(wanted) and not quiet:
        for note in dict.fromkeys(found.notes):
            notice(note)
    return inputs.exit_code(failed=not found.ok)


def question_of(options: SizeOptions) -> Question:
    """What is asked of the cluster. Raises UsageError for options that ask nothing."""
    pods = _weights(options.pod)
    like = list(dict.fromkeys(pieces(options.like)))
    if not pods and not like:
        raise UsageError("--pod", "name a pod to copy, or a node with --like")
    if options.from_zero and not like:
        raise UsageError("--from-zero", "requires --like")
    return Question(pods, like, _prices(options.price), options.from_zero)


def _weights(values: Sequence[str]) -> dict[str, int]:
    """The pods to copy, each with its weight; raises UsageError for anything but NS/NAME or NS/NAME=N."""
    found: dict[str, int] = {}
    for piece in pieces(values):
        name, equals, number = piece.partition("=")
        is_number = number.isascii() and number.isdecimal() and len(number) < 5
        if not name or (equals and not (is_number and 0 < int(number) <= _MOST_WEIGHT)):
            raise UsageError(
                "--pod", f"expected NS/NAME or NS/NAME=N with N from 1 to {_MOST_WEIGHT}, got {piece!r}"
            )
        found[name] = int(number) if equals else 1
    return found


def _prices(values: Sequence[str]) -> dict[str, Decimal]:
    found: dict[str, Decimal] = {}
    for piece in pieces(values):
        name, _, text = piece.rpartition("=")
        amount = price(text)
        if not name or amount is None:
            raise UsageError("--price", f"expected NODE=AMOUNT, got {piece!r}")
        found[name] = amount
    return found
