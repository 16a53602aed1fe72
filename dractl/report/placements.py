"""A simulation for people: a table of who got which device, and why the others wait."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from dractl.api import budgets, release
from dractl.cluster.objects import title_of
from dractl.finding import Finding
from dractl.report.columns import table
from dractl.report.listing import capped, hanging, some_of
from dractl.report.style import Style, brief, sentence, text_of
from dractl.report.text import counted
from dractl.simulation.engine import notes as notes_on
from dractl.simulation.engine.report import Explained, Simulation
from dractl.simulation.pods.outcome import Eviction, LeftOut, LongSearch, Pending, Placement
from dractl.simulation.scheduler.nodes import describe_taint
from dractl.simulation.scheduler.timeouts import sentence as too_long

__all__ = [
    "is_empty",
    "labelled_remarks",
    "named",
    "notes",
    "pending_lines",
    "placement_table",
    "remarks",
    "render",
    "tables",
    "troubles",
    "verdict",
    "warning_line",
]

_HEADINGS = ("POD", "CONTAINER", "CLAIM", "REQUEST", "NODE", "DEVICE")
_SHARE = "SHARE"
_NOTHING = "-"
_NO_POD = "(no pod)"
_MOST_LINES = 10
"""Of an explanation with the name of the pod; more would not be read."""
_MOST_CAUSES = 4
"""The number of causes that are shown before ways out."""
_MOST_NODES = 5
"""Nodes that are named where many are equally good."""


def render(simulation: Simulation, style: Style, *, summary: bool = True) -> str:
    """The placements as a table, then what waits and what was left out, each with its reason.

    Without ``summary`` only the latter two.
    """
    parts = [*tables(simulation, style)] if summary else [*troubles(simulation, style, summary=False)]
    if summary:
        parts.append(
            (
                *_on_input(simulation, style),
                *capped(remarks(simulation, style)),
                _counts(simulation, style),
            )
        )
    return "\n".join(text_of(lines) for lines in parts)


def is_empty(simulation: Simulation) -> bool:
    """Whether nothing was placed, nothing waits and nothing was left out."""
    return notes_on.is_empty(simulation.outcome)


def _on_input(simulation: Simulation, style: Style) -> Iterator[str]:
    """What the files lack, if that explains the result."""
    for note in notes_on.notes_on_input(simulation.outcome):
        yield f"{style.paint('info', 'info:')} {note.message}"


def tables(simulation: Simulation, style: Style) -> Iterator[Iterable[str]]:
    """The parts of a report about the state: the table, and what waits and what was left out."""
    if simulation.placements:
        yield placement_table(simulation.placements, style)
    yield from troubles(simulation, style)


def troubles(simulation: Simulation, style: Style, *, summary: bool = True) -> Iterator[Iterable[str]]:
    """The parts of a report about what waits and what was left out, each with its reason.

    Without ``summary`` what waits has one line each, if it is explained.
    """
    yield from _all_pending(simulation, style, summary=summary)
    if simulation.left_out:
        yield capped(_left_out(simulation.left_out, style))


def _all_pending(simulation: Simulation, style: Style, *, summary: bool) -> Iterator[Iterable[str]]:
    """What waits, each with its reason, up to a number of lines; entries of one line stand together."""
    rows = list(zip(simulation.pending, simulation.explanations, strict=True))
    room = budgets.LINES.value
    together: list[str] = []
    for number, (row, explained) in enumerate(rows):
        lines = list(pending_lines(row, explained, style, summary=summary))
        if len(lines) > room:
            left = len(rows) - number
            together.append(budgets.LINES.message(more=f"{left:,} pending entries and their"))
            break
        room -= len(lines)
        if explained is not None and len(lines) == 1:
            together += lines
            continue
        if together:
            yield together
            together = []
        yield lines
    if together:
        yield together
    unexplained = sum(explained is None for _, explained in rows)
    if unexplained and unexplained < len(rows):
        more = f"{unexplained:,} more pending {'entries' if unexplained > 1 else 'entry'}"
        yield [budgets.EXPLANATIONS.message(more=more)]


def notes(simulation: Simulation) -> Iterator[str]:
    """What formats for programs do not hold: warnings, ties, what waits, what was left out; a line each."""
    texts = (text for _, text in _labelled(simulation))
    for notes in (texts, _pending_notes(simulation), _left_out_notes(simulation)):
        yield from capped(notes)


def _pending_notes(simulation: Simulation) -> Iterator[str]:
    for row, explained in zip(simulation.pending, simulation.explanations, strict=True):
        reason = row.message if explained is None else explained.summary
        yield f"{_subject(row)} stays Pending: {reason} ({row.category})"


def _left_out_notes(simulation: Simulation) -> Iterator[str]:
    for out in simulation.left_out:
        yield f"left out: {named(out.object)}{out.reason}"


def placement_table(rows: Sequence[Placement], style: Style) -> list[str]:
    """Placements in columns, up to a number of lines."""
    shown = rows[: budgets.LINES.value]
    heading, *lines = table(_all_cells(shown), style.width)
    more = len(rows) - len(shown)
    cut_note = [budgets.LINES.message(more=f"{more:,} more")] if more else []
    return [style.paint("bold", heading), *lines, *cut_note]


def _all_cells(rows: Sequence[Placement]) -> list[Sequence[str]]:
    """The headings, then the cells of each row."""
    if not any(row.consumed_capacity for row in rows):
        return [_HEADINGS, *(list(map(brief, _cells(row))) for row in rows)]
    shared = (list(map(brief, (*_cells(row), _share(row)))) for row in rows)
    return [(*_HEADINGS, _SHARE), *shared]


def _cells(row: Placement) -> tuple[str, ...]:
    admin = " (admin access)" if row.admin_access else ""
    return (
        row.pod or _NO_POD,
        _container(row),
        row.pod_claim or row.claim,
        row.request,
        row.node or _NOTHING,
        f"{row.driver}/{row.pool}/{row.device}{admin}",
    )


def _container(row: Placement) -> str:
    """The container, and what kind it is unless it is an ordinary one."""
    if row.container is None:
        return _NOTHING
    return (
        row.container
        if row.container_kind in (None, "container")
        else f"{row.container} ({row.container_kind})"
    )


def _share(row: Placement) -> str:
    return ", ".join(f"{name}={amount}" for name, amount in row.consumed_capacity.items()) or _NOTHING


def pending_lines(row: Pending, explained: Explained | None, style: Style, *, summary: bool) -> Iterator[str]:
    """What waits: a head, then its causes and what helps; without ``summary`` one line if it is explained."""
    subject = style.paint("bold", brief(_subject(row)))
    head = f"{style.paint('warning', 'Pending')} {subject}: {brief(row.category)}"
    if explained is None:
        yield head
        yield from _unexplained(row, style)
    elif explained.like is not None:
        yield f"{head}, as {brief(explained.like)}"
    elif not summary:
        yield f"{head}: {sentence(explained.summary)}"
    else:
        yield head
        yield from _short(explained.lines, explained.help().lines, style)
    if row.event is not None:
        yield from hanging("  scheduler: ", row.event, style)


def _short(lines: Sequence[str], helps: Sequence[str], style: Style) -> list[str]:
    """As many of the lines as there is room for: the first cause, what helps most, then the others in turn.

    What helps comes last. There is room for nine lines below the head.
    """
    causes = [_wrapped(line, style) for line in lines]
    remedies = [_wrapped(line, style) for line in helps]
    room = _MOST_LINES - 1 - sum(map(len, (*causes[:1], *remedies[:1])))
    shown = [causes[:1], remedies[:1]]
    for kept, rest in (
        (shown[0], causes[1:_MOST_CAUSES]),
        (shown[1], remedies[1:]),
        (shown[0], causes[_MOST_CAUSES:]),
    ):
        for text in rest:
            if len(text) > room:
                break
            kept.append(text)
            room -= len(text)
    return [line for kept in shown for text in kept for line in text]


def _wrapped(line: str, style: Style) -> list[str]:
    text = sentence(line)
    if style.width is None:
        return [f"  {text}"]
    from textwrap import wrap  # only pods that wait have messages

    return wrap(text, style.width, initial_indent="  ", subsequent_indent="    ", break_on_hyphens=False)


def _unexplained(row: Pending, style: Style) -> Iterator[str]:
    if not _is_told_by_nodes(row):
        yield from hanging("  ", row.message, style)
    width = max(map(len, row.nodes), default=0)
    for node, refusal in row.nodes.items():
        head = f"  {brief(node).ljust(width)}  "
        yield from hanging(head, f"{refusal.category}: {refusal.message}", style)


def _is_told_by_nodes(row: Pending) -> bool:
    """Whether the message only combines the messages of the nodes."""
    if len(row.nodes) == 1:
        ((name, refusal),) = row.nodes.items()
        return row.message.removeprefix("on ") == f"node {name}: {refusal.message}"
    messages = {refusal.message for refusal in row.nodes.values()}
    return len(row.nodes) == len(messages) > 1 and all(message in row.message for message in messages)


def _subject(row: Pending | LongSearch) -> str:
    return row.pod if row.pod is not None else f"claim {row.claim}"


def _left_out(rows: Sequence[LeftOut], style: Style) -> Iterator[str]:
    yield style.paint("error", "Left out")
    for row in rows:
        yield from hanging("  ", named(row.object) + row.reason, style)


def named(item: Mapping[str, str]) -> str:
    """Kind and name, with a colon; nothing where neither is known."""
    title = title_of(item)
    return f"{title}: " if title else ""


def remarks(simulation: Simulation, style: Style) -> Iterator[str]:
    """Remarks next to the tables: warnings, pods that will be evicted, ties; a line each."""
    for label, text in _labelled(simulation):
        yield f"{style.paint(label, f'{label}:')} {sentence(text)}"


def labelled_remarks(simulation: Simulation) -> Iterator[tuple[str, str]]:
    """All remarks, what the files lack included; each with its severity."""
    yield from _labelled(simulation)
    yield from (("info", note.message) for note in notes_on.notes_on_input(simulation.outcome))


def _labelled(simulation: Simulation) -> Iterator[tuple[str, str]]:
    yield from ((finding.severity.value, warning_line(finding)) for finding in simulation.findings)
    yield from (("warning", _eviction(row)) for row in simulation.evictions)
    yield from (("info", _long_search(row)) for row in simulation.long_searches)
    yield from (("info", _tie(pod, nodes)) for pod, nodes in simulation.ties.items())
    yield from (("info", note.message) for note in simulation.outcome.notes)


def warning_line(finding: Finding) -> str:
    """A finding about an object as one line."""
    where = finding.location
    place = f"{where.file}:{where.line}:{where.column}: " if where is not None and where.line else ""
    return place + finding.sentence


def _eviction(row: Eviction) -> str:
    when = "immediately" if row.after is None else f"after {row.after} seconds"
    device = f"{row.driver}/{row.pool}/{row.device}"
    return f"{row.pod} will be evicted {when}: its device {device} has the taint {describe_taint(row.taint)}"


def _long_search(row: LongSearch) -> str:
    reason = too_long(row.steps, has_limit=row.has_limit, is_open=row.is_open)
    return f"{_subject(row)} on node {row.node}: {reason}"


def _tie(pod: str, nodes: tuple[str, ...]) -> str:
    return f"{pod}: {some_of(nodes, _MOST_NODES)} are equally good; a real scheduler picks one at random"


def verdict(simulation: Simulation) -> str:
    """How much was placed, and how much was not."""
    placed = len({row.pod for row in simulation.placements if row.pod is not None})
    claims = len({row.claim for row in simulation.placements if row.pod is None})
    alone = f", {counted(claims, 'claim')} without a pod" if claims else ""
    left = f", {len(simulation.left_out)} left out" if simulation.left_out else ""
    return f"{counted(placed, 'pod')} with devices{alone}, {len(simulation.pending)} pending{left}"


def _counts(simulation: Simulation, style: Style) -> str:
    nodes = len(simulation.outcome.nodes)
    where = f" on {counted(nodes, 'node')}" if nodes else "; the files hold no node"
    painted = style.paint("mark" if simulation.ok else "warning", verdict(simulation))
    return f"{painted}{where} ({whose_rules(simulation)})"


def whose_rules(simulation: Simulation) -> str:
    """The releases that a simulation follows, in words; prototype APIs have none."""
    if simulation.outcome.is_of_prototypes:
        return "prototype APIs"
    apart = f", scheduler {release.titled(simulation.scheduler.version)}" if simulation.scheduler else ""
    return f"Kubernetes {release.titled(simulation.kube_version)}{apart}"
