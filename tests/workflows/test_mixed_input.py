from __future__ import annotations

import subprocess
import sys

import pytest

import dractl
from dractl.api import gates, release
from dractl.simulation.engine.selection import about_pods
from dractl.source.load import load
from dractl.workflows.extensions import known_dialect
from dractl.workflows.mixed_input import findings_of_prototypes, simulate
from tests.paths import ROOT

EXAMPLES = ROOT / "testdata" / "examples"
POOL = """\
apiVersion: devmgmtproto.k8s.io/v1alpha1
kind: DevicePool
metadata: {name: n1-a}
spec: {driver: acme.example, nodeName: n1, devices: [{name: d0}]}
"""
CLASS = """\
apiVersion: devmgmtproto.k8s.io/v1alpha1
kind: DeviceClass
metadata: {name: acme}
spec: {definition: {driver: acme.example}}
"""
POD = """\
apiVersion: v1
kind: Pod
metadata: {name: pod}
spec:
  containers: [{name: c0, image: i, devices: [{name: g0}]}]
  deviceClaims: {devices: [{name: g0, class: acme}]}
"""


def _loaded(code: str) -> set[str]:
    """The modules of the prototypes that a run of ``code`` loads."""
    tail = (
        "\nimport sys; print(*[name for name in sys.modules if name.startswith('dractl.legacy.prototypes')])"
    )
    done = subprocess.run([sys.executable, "-c", code + tail], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


@pytest.mark.parametrize("function", ["validate", "simulate"])
def test_nothing_of_the_prototypes_is_loaded_where_none_is(function: str) -> None:
    code = f"import dractl, pathlib; dractl.{function}(pathlib.Path({str(EXAMPLES / 'quickstart')!r}))"
    assert _loaded(code) == set()
    assert "dractl.legacy.prototypes.validate" in _loaded(f"import dractl; dractl.{function}({POOL!r})")


def test_objects_of_prototypes_are_judged_as_prototypes() -> None:
    loaded = load([POOL, CLASS, POD])
    found = findings_of_prototypes(loaded)
    assert found is not None
    assert list(found) == loaded
    assert list(found.values()) == [[], [], []]
    assert findings_of_prototypes(load(POD)) is None


def test_a_dialect_makes_pods_those_of_a_prototype() -> None:
    assert not dractl.validate(POD).ok
    assert dractl.validate(POD, dialect="proto-oneof").ok
    with pytest.raises(ValueError, match=r"unknown dialect proto-two \(choose from kubecon|proto-oneof"):
        dractl.validate(POD, dialect="proto-two")
    assert known_dialect(None) is None


def test_prototypes_and_released_objects_come_out_together() -> None:
    both = dractl.simulate([POOL, CLASS, POD, EXAMPLES / "quickstart"])
    alone = dractl.simulate(EXAMPLES / "quickstart")
    assert both.placements[1:] == alone.placements
    assert [(row.pod, row.node, row.device) for row in both.placements[:1]] == [("default/pod", "n1", "d0")]
    assert both.outcome.nodes == ("n1", *alone.outcome.nodes)
    assert both.objects[4:] == alone.objects


def test_a_range_of_minors_says_the_same_of_prototypes() -> None:
    bad = POOL.replace("driver: acme.example, ", "")
    matrix = dractl.validate_range([bad], kube_versions="1.36..1.37")
    assert [(row.finding.rule, len(row.minors)) for row in matrix.findings] == [("prototype/dp-1", 2)]


def test_the_summary_counts_them_as_objects() -> None:
    report = dractl.validate([POOL, CLASS, POD])
    assert (report.summary.objects, report.summary.skipped) == (3, 0)
    assert report.persisted == (None, None, None)


def test_a_choice_of_pods_is_still_one_of_prototypes() -> None:
    found = simulate(load([POOL, CLASS, POD]), gates.resolve(release.parse("1.37"), {}), None)
    assert found.outcome.is_of_prototypes
    assert about_pods(found, ["default/pod"]).outcome.is_of_prototypes


def test_a_simulation_without_prototypes_is_the_usual_one() -> None:
    gate_set = gates.resolve(release.NEWEST, {})
    loaded = load(EXAMPLES / "quickstart")
    assert simulate(loaded, gate_set, None).to_dict() == dractl.simulate(EXAMPLES / "quickstart").to_dict()


def test_an_object_of_a_prototype_is_not_gone_while_it_is_there() -> None:
    report = dractl.validate([POOL], old=[POOL, CLASS])
    assert [(finding.rule, finding.object and finding.object.name) for finding in report.findings] == [
        ("update/gone", "acme")
    ]
