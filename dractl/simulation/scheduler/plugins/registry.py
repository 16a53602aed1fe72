"""The plugins of the default scheduler, in its order and with its weights. A new plugin is a row here.

The order and the weights are those of ``getDefaultPlugins``, and the same in every minor since 1.30.
"""

from __future__ import annotations

from dractl.simulation.allocator.model.features import Features
from dractl.simulation.scheduler.framework import FilterPlugin, Scope, ScorePlugin
from dractl.simulation.scheduler.plugins import (
    dynamic_resources,
    node_affinity,
    node_resources_fit,
    node_unschedulable,
    pod_topology_spread,
    taint_toleration,
)
from dractl.simulation.scheduler.plugins import node_resources_balanced_allocation as balance

FILTER_PLUGINS: tuple[FilterPlugin, ...] = (
    # PreFilter comes before all Filter plugins, so the node names that it returns do, too.
    FilterPlugin(node_affinity.NAME, node_affinity.pre_filter_node, Scope.NODE_CLASS),
    FilterPlugin(node_unschedulable.NAME, node_unschedulable.filter_node, Scope.NODE_CLASS),
    FilterPlugin(taint_toleration.NAME, taint_toleration.filter_node, Scope.NODE_CLASS),
    FilterPlugin(node_affinity.NAME, node_affinity.filter_node, Scope.NODE_CLASS),
    FilterPlugin(node_resources_fit.NAME, node_resources_fit.filter_node, Scope.LOAD),
    FilterPlugin(dynamic_resources.NAME, dynamic_resources.filter_node, Scope.EACH_NODE),
)
"""The first plugin that refuses a node gives the reason."""

SCORE_PLUGINS: tuple[ScorePlugin, ...] = (
    ScorePlugin(taint_toleration.NAME, 3, taint_toleration.score),
    ScorePlugin(node_affinity.NAME, 2, node_affinity.score),
    ScorePlugin(node_resources_fit.NAME, 1, node_resources_fit.score),
    ScorePlugin(pod_topology_spread.NAME, 2, pod_topology_spread.score, Scope.EACH_NODE),
    ScorePlugin(
        dynamic_resources.NAME, 2, dynamic_resources.score, is_enabled=dynamic_resources.is_score_enabled
    ),
    ScorePlugin(balance.NAME, 1, balance.score, is_enabled=balance.counts_change),
    ScorePlugin(balance.NAME, 1, balance.score_result, is_enabled=balance.counts_result),
)
"""The sum of all scores times their weights decides."""


def score_plugins(features: Features) -> tuple[ScorePlugin, ...]:
    """The plugins that score for a scheduler with these features."""
    return tuple(row for row in SCORE_PLUGINS if row.is_enabled is None or row.is_enabled(features))
