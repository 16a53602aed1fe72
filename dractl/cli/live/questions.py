"""``kubectl dra``: the questions to a running cluster, each answered as the command of dractl does."""

from __future__ import annotations

from collections.abc import Sequence

from dractl.api.gates import GateError, parse_overrides
from dractl.api.release import UnknownMinorError, parse
from dractl.cli.cluster.size import question_of
from dractl.cli.cluster_options import SizeOptions
from dractl.cli.inputs import Inputs, read
from dractl.cli.live.cluster import Live, Shown, full_name, show, watch
from dractl.cli.live.options import (
    ClusterAuditOptions,
    ClusterSizeOptions,
    ClusterUpgradeOptions,
    ClusterWhyOptions,
    DrainOptions,
    WhatIfOptions,
)
from dractl.cli.server import UsageError, pieces
from dractl.cli.terminal import format_named, notice, show_findings
from dractl.cluster.objects import CLUSTER_SCOPED
from dractl.report import formats
from dractl.report.live import formats as live_formats
from dractl.report.placements import named
from dractl.report.style import Style
from dractl.source.document import Document
from dractl.source.load import Loaded
from dractl.workflows.mixed_input import simulate
from dractl.workflows.refusals import not_objects

__all__ = ["audit", "drain", "size", "upgrade", "whatif", "why"]


def why(options: ClusterWhyOptions) -> int:
    """Explain why a pod waits, or all of a namespace, and answer the exit code. Raises UsageError."""
    from dractl.workflows.questions import NotFoundError, Question, answer

    chosen = format_named(options.report_format, formats.WHY)
    for option, value in (("--node", options.node), ("--device", options.device)):
        if value is not None and not options.name:
            raise UsageError(option, "requires the name of a pod")
    if options.name and options.all_namespaces:
        raise UsageError("--all-namespaces", "cannot be combined with a name; write NAMESPACE/NAME")

    def result(live: Live, style: Style) -> Shown:
        gates = live.state.release.gates
        name = full_name(options.name, live.namespace) if options.name else None
        simulation = simulate(live.loaded, gates, None)
        question = Question(name, options.node, options.device, not options.quiet or chosen.is_document)
        try:
            answers = answer(simulation, gates, question)
        except NotFoundError as error:
            raise UsageError("POD", str(error)) from None
        if name is None and not options.all_namespaces:
            answers = [entry for entry in answers if entry.subject.startswith(f"{live.namespace}/")]
        if not answers and not options.quiet:
            where = "" if options.all_namespaces else f" in namespace {live.namespace}"
            notice(f"nothing is Pending{where}")
        found = formats.Answers(answers, name is None or len(answers) > 1, simulation)
        text = chosen.render(found, style, quiet=options.quiet)
        return Shown(text, any(entry.explanation is not None for entry in answers))

    if options.watch:
        return watch(options, options.interval, result, options.name)
    return show(options, result, options.name)


def size(options: ClusterSizeOptions) -> int:
    """Count how many more copies of a pod fit, and answer the exit code. Raises UsageError."""
    from dractl.sizing.subjects import SizeError
    from dractl.workflows.size import size as run

    chosen = format_named(options.report_format, formats.SIZE)
    question_of(SizeOptions([], pod=options.pod, like=options.like))  # before the cluster is read

    def result(live: Live, style: Style) -> Shown:
        pods = [full_name(name, live.namespace) for name in pieces(options.pod)]
        question = question_of(SizeOptions([], pod=pods, like=options.like))
        try:
            found = run(live.loaded, live.state.release.gates, None, question)
        except SizeError as error:
            raise UsageError(error.option, str(error)) from None
        return Shown(chosen.render(found, style, quiet=options.quiet), not found.ok)

    return show(options, result)


def audit(options: ClusterAuditOptions) -> int:
    """Check the allocations of the cluster, and answer the exit code. Raises UsageError."""
    from dractl.workflows.audit import audit as run

    chosen = format_named(options.report_format, formats.AUDIT)

    def result(live: Live, style: Style) -> Shown:
        found = run(live.loaded, live.state.release.gates, None)
        return Shown(chosen.render(found, style, quiet=options.quiet), not found.ok)

    return show(options, result)


def upgrade(options: ClusterUpgradeOptions) -> int:
    """Plan an upgrade of the cluster from the release that it runs, and answer the exit code.

    Raises UsageError.
    """
    from dractl.upgrading.releases import OrderError, ends
    from dractl.upgrading.run import upgrade as run

    chosen = format_named(options.report_format, formats.UPGRADE)
    try:
        target = parse(options.to)
    except UnknownMinorError as error:
        raise UsageError("--to", str(error)) from None

    def result(live: Live, style: Style) -> Shown:
        before = live.state.release.gates
        try:
            gates_after = parse_overrides(",".join(options.to_gates))
            servers = ends(before.minor, target, before.overrides, gates_after, live.state.objects)
        except GateError as error:
            raise UsageError("--to-gates", str(error)) from None
        except OrderError as error:
            raise UsageError("--to", str(error)) from None
        plan = run(live.loaded, servers, None)
        return Shown(chosen.render(plan, style, quiet=options.quiet), not plan.ok)

    return show(options, result)


def drain(options: DrainOptions) -> int:
    """Simulate the drain of a node, and answer the exit code. Raises UsageError."""
    from dractl.observing.drain import UnknownNodeError, drained

    chosen = format_named(options.report_format, live_formats.DRAIN)

    def result(live: Live, style: Style) -> Shown:
        try:
            found = drained(live.state.objects, live.state.release.gates, options.node)
        except UnknownNodeError as error:
            raise UsageError("NODE", str(error)) from None
        return Shown(chosen.render(found, style, quiet=options.quiet), not found.ok)

    return show(options, result)


def whatif(options: WhatIfOptions) -> int:
    """Simulate the cluster with more objects, and answer the exit code. Raises UsageError."""
    from dractl.simulation.engine import selection

    chosen = format_named(options.report_format, formats.SIMULATE)
    inputs = read(options.files, (), quiet=options.quiet)
    if inputs is None:
        return 2

    def result(live: Live, style: Style) -> Shown:
        gates = live.state.release.gates
        added = list(_in_namespace(inputs.loaded, live.namespace))
        if not options.quiet:
            show_findings(not_objects(added, gates.minor))
        simulation = simulate([*live.loaded, *added], gates, None)
        running = _running(live, added)
        pods = [name for name in selection.pods_in(simulation) if name not in running]
        found = selection.about_pods(simulation, pods)
        for entry in simulation.left_out:
            if entry.object.get("kind") != "Pod":
                notice(f"left out: {named(entry.object)}{entry.reason}")
        return Shown(chosen.render(found, style, quiet=options.quiet), not found.ok)

    return max(show(options, result), _exit_code(inputs))


def _exit_code(inputs: Inputs) -> int:
    return inputs.exit_code(failed=False)


def _in_namespace(loaded: Sequence[Loaded], namespace: str) -> Sequence[Loaded]:
    """The documents, those without a namespace in the one that kubectl would create them in."""
    for item in loaded:
        value = item.value if isinstance(item, Document) else None
        if not isinstance(value, dict) or value.get("kind") in CLUSTER_SCOPED:
            continue
        metadata = value.get("metadata")
        if isinstance(metadata, dict) and not metadata.get("namespace"):
            metadata["namespace"] = namespace
    return loaded


def _running(live: Live, added: Sequence[Loaded]) -> set[str]:
    """The pods that have a node in the cluster, and are not among what was added."""
    changed = {_pod_name(item.value) for item in added if isinstance(item, Document)}
    found = set()
    for item in live.state.objects:
        spec = item.get("spec")
        if item.get("kind") == "Pod" and isinstance(spec, dict) and spec.get("nodeName"):
            found.add(_pod_name(item))
    return found - changed


def _pod_name(value: object) -> str:
    if not isinstance(value, dict) or value.get("kind") != "Pod":
        return ""
    metadata = value.get("metadata")
    metadata = metadata if isinstance(metadata, dict) else {}
    return f"{metadata.get('namespace') or 'default'}/{metadata.get('name')}"
