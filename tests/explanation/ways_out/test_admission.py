"""Gates that are off, and labels of namespaces."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import dractl
from dractl.api import gates, release
from dractl.api.gates import GateSet
from dractl.api.json_types import Object
from dractl.cel.common.environment import Environment
from dractl.cluster.objects import Key, key_of
from dractl.explanation.remedies.find import find_ways_out
from dractl.explanation.remedies.prove import heading
from dractl.explanation.ways_out.wording import sentence
from dractl.explanation.world import World
from dractl.simulation.allocator.model.allowance import Allowance
from dractl.simulation.allocator.model.features import features_of
from dractl.simulation.engine.settings import Settings
from dractl.source.document import Document
from dractl.source.load import load
from dractl.workflows.simulate import take_in
from tests.explanation.small_worlds import device_class, lines, node, pod, slice_of, template

LABEL = "resource.kubernetes.io/admin-access"


def found(
    objects: list[Object], kube: str, overrides: dict[str, bool], labels: Mapping[str, Mapping[str, str]]
) -> tuple[World, list[str], list[str]]:
    """The world, the ways out that take other documents in, and their headings."""
    loaded = [item for item in load(objects) if isinstance(item, Document)]

    def readmit(gate_set: GateSet, known: Mapping[str, Mapping[str, str]]) -> Iterable[Object]:
        return take_in(loaded, gate_set, known).objects()

    gate_set = gates.resolve(release.parse(kube), overrides)
    simulation = dractl.simulate(
        objects, kube_version=kube, feature_gates=overrides, namespace_labels=labels or None
    )
    refused = simulation.left_out
    left_out = {key_of({**row.object, "metadata": row.object}): row.reason for row in refused}
    settings = Settings(
        features_of(gate_set),
        Environment(gate_set.minor, gate_set, stored=True),
        allowance=Allowance(),
        left_out=left_out,
    )
    world = World(simulation.outcome.objects, settings, Key("Pod", "default", "late"))
    remedy = find_ways_out(world, readmit=readmit, labels=labels)
    headings = [heading(world, way, sentence(way)) for way in remedy.ways_out]
    return world, lines(world, remedy), headings


def test_a_gate_brings_back_what_was_refused_without_it() -> None:
    alternatives = [{"name": "one", "deviceClassName": "gpu"}]
    objects = [node(), slice_of(), device_class(), template("late", {"firstAvailable": alternatives}), pod()]
    _, texts, headings = found(objects, "1.34", {"DRAPrioritizedList": False}, {})
    assert texts == [
        "switch on feature gate DRAPrioritizedList in the API server and the scheduler: fits on a"
    ]
    assert headings[0].endswith(
        "# dractl simulate THIS-FILE --kube-version 1.34 --feature-gates DRAPrioritizedList=true\n"
    )


def test_a_label_lets_the_claims_of_a_namespace_have_admin_access() -> None:
    objects = [node(), slice_of(), device_class(), template("late", {"adminAccess": True}), pod()]
    _, texts, headings = found(objects, "1.37", {}, {"default": {"team": "a"}})
    assert texts == [f"label namespace default {LABEL}=true: fits on a"]
    assert headings[0].endswith("# dractl simulate THIS-FILE --kube-version 1.37\n")
