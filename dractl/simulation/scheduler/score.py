"""Score: which of several feasible nodes the scheduler prefers.

Mirrors ``prioritizeNodes`` and ``selectHost``. All divisions round down. A plugin that skips a pod gives no
entry. Nodes that are alike are scored once for all of them, except by plugins that tell one from another.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import repeat

from dractl.records import NamedTuple
from dractl.simulation.pods.pods import Pod
from dractl.simulation.scheduler.framework import CycleState, FeasibleNode, Scope, ScorePlugin

Scores = Mapping[str, int]
"""The weighted score of each plugin."""


class _Scored(NamedTuple):
    scores: Scores
    total: int


class Host(NamedTuple):
    """The node that is chosen, and all nodes with the best score if several."""

    chosen: FeasibleNode
    tied: tuple[str, ...]
    scores: Mapping[str, Scores]


def select_host(
    state: CycleState,
    feasible: Sequence[FeasibleNode],
    plugins: Sequence[ScorePlugin],
    choose: Callable[[Pod, Sequence[str]], str],
) -> Host:
    """Take the feasible node with the best score; ``choose`` picks one of several. One alone has no score."""
    if len(feasible) == 1:
        return Host(feasible[0], (), {})
    scored = _scored(state, feasible, plugins)
    shown = {entry.node.name: found.scores for entry, found in zip(feasible, scored, strict=True)}
    most = max(found.total for found in scored)
    best = [entry for entry, found in zip(feasible, scored, strict=True) if found.total == most]
    if len(best) == 1:
        return Host(best[0], (), shown)
    names = tuple(entry.node.name for entry in best)
    chosen = choose(state.pod, list(names))
    return Host(next(entry for entry in best if entry.node.name == chosen), names, shown)


def prioritize_nodes(
    state: CycleState, feasible: Sequence[FeasibleNode], plugins: Sequence[ScorePlugin]
) -> list[Scores]:
    """The weighted scores per plugin, for every feasible node in order."""
    return [found.scores for found in _scored(state, feasible, plugins)]


def _scored(
    state: CycleState, feasible: Sequence[FeasibleNode], plugins: Sequence[ScorePlugin]
) -> list[_Scored]:
    columns = [_column(row, state, feasible) if row.scope is Scope.EACH_NODE else None for row in plugins]
    own = [column for column in columns if column is not None]
    apart = zip(*own, strict=True) if own else repeat(())
    looks = [(entry.info, entry.selected, values) for entry, values in zip(feasible, apart, strict=False)]
    kinds = list(dict.fromkeys(looks))
    alike = [FeasibleNode(info.node, info, selected) for info, selected, _ in kinds]
    found: list[dict[str, int]] = [{} for _ in kinds]
    position = 0
    for row, column in zip(plugins, columns, strict=True):
        if row.scope is not Scope.EACH_NODE:
            values = _column(row, state, alike)
        elif column is not None:
            values = [apart[position] for _, _, apart in kinds]
            position += 1
        else:
            values = None
        if values is not None:
            for scores, value in zip(found, values, strict=True):
                scores[row.name] = value
    known = {kind: _Scored(entry, sum(entry.values())) for kind, entry in zip(kinds, found, strict=True)}
    return [known[look] for look in looks]


def _column(row: ScorePlugin, state: CycleState, nodes: Sequence[FeasibleNode]) -> list[int] | None:
    values = row.score(state, nodes)
    if values is None or row.weight == 1:
        return values
    return [row.weight * value for value in values]
