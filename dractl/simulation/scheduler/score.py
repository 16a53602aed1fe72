"""Score: which of several feasible nodes the scheduler prefers.

Mirrors ``prioritizeNodes`` and ``selectHost``. All divisions round down. A plugin that skips a pod gives no
entry. Nodes that are alike are scored once for all of them, except by plugins that tell one from another.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence

from dractl.records import NamedTuple
from dractl.simulation.pods.pods import Pod
from dractl.simulation.scheduler.framework import CycleState, FeasibleNode, Scope, ScorePlugin
from dractl.simulation.scheduler.nodes import Node

Scores = Mapping[str, int]
"""The weighted score of each plugin."""


class _Scored:
    """The scores of nodes that are alike; compared by identity."""

    __slots__ = ("scores", "total")

    def __init__(self, scores: Scores) -> None:
        self.scores = scores
        self.total = sum(scores.values())


class NodeScores(Mapping[str, Scores]):
    """The scores of nodes by name; a table is made of them when somebody looks at it.

    Every pod of a simulation keeps the scores of all nodes, and hardly any is explained.
    """

    __slots__ = ("_nodes", "_scored", "_table")

    def __init__(self, nodes: Sequence[Node], scored: Sequence[_Scored]) -> None:
        """Keep the nodes and their scores, in the same order."""
        self._nodes = nodes
        self._scored = scored
        self._table: dict[str, Scores] | None = None

    def _made(self) -> dict[str, Scores]:
        if self._table is None:
            pairs = zip(self._nodes, self._scored, strict=True)
            self._table = {node.name: found.scores for node, found in pairs}
        return self._table

    def __getitem__(self, name: str) -> Scores:
        """The scores of a node."""
        return self._made()[name]

    def __iter__(self) -> Iterator[str]:
        """The names of the nodes, in order."""
        return iter(self._made())

    def __len__(self) -> int:
        """How many nodes have scores."""
        return len(self._made())


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
    most = max(found.total for found in set(scored))
    shown = NodeScores([entry.node for entry in feasible], scored)
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
    # A look is the class of a node, what was chosen there, and what the node itself has in these columns.
    looks: Sequence[Hashable] = [entry[1:] for entry in feasible]
    if own:
        looks = list(zip(looks, *own, strict=True))
    # The position of the first node with each look, found from behind.
    first = dict(zip(reversed(looks), range(len(looks) - 1, -1, -1), strict=True))
    leaders = [feasible[position] for position in first.values()]
    alike = [FeasibleNode(info.node, info, selected) for _, info, selected in leaders]
    found: list[dict[str, int]] = [{} for _ in first]
    for row, column in zip(plugins, columns, strict=True):
        if row.scope is not Scope.EACH_NODE:
            values = _column(row, state, alike)
        else:
            values = None if column is None else [column[position] for position in first.values()]
        if values is not None:
            for scores, value in zip(found, values, strict=True):
                scores[row.name] = value
    known = {look: _Scored(entry) for look, entry in zip(first, found, strict=True)}
    return list(map(known.__getitem__, looks))


def _column(row: ScorePlugin, state: CycleState, nodes: Sequence[FeasibleNode]) -> list[int] | None:
    values = row.score(state, nodes)
    if values is None or row.weight == 1:
        return values
    return [row.weight * value for value in values]
