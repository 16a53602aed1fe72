"""Each check of a driver: an input on which it has a fact, and one on which it has none."""

from __future__ import annotations

from fnmatch import fnmatchcase

import pytest

from dractl.api import gates, release
from dractl.drivers.checks import CHECKS, SECTIONS
from dractl.drivers.model import DriverCheck, Fact
from dractl.drivers.run import check_driver
from dractl.finding import Severity
from dractl.lint.catalog import known_ids
from dractl.lint.earlier import Earlier
from dractl.source.load import load_text
from tests.rows import each_row


def _slice(
    devices: str = "[]",
    *,
    name: str = "node-a-gpu",
    pool: str = "{name: node-a, generation: 1, resourceSliceCount: 1}",
    where: str = "nodeName: node-a",
    driver: str = "gpu.example.com",
    content: str = "devices",
    version: str = "v1",
) -> str:
    return f"""\
apiVersion: resource.k8s.io/{version}
kind: ResourceSlice
metadata: {{name: {name}}}
spec: {{driver: {driver}, {where}, pool: {pool}, {content}: {devices}}}
---
"""


def _class(expression: str = 'device.driver == "gpu.example.com"', name: str = "gpu") -> str:
    return f"""\
apiVersion: resource.k8s.io/v1
kind: DeviceClass
metadata: {{name: {name}}}
spec: {{selectors: [{{cel: {{expression: '{expression}'}}}}]}}
---
"""


def _checked(text: str, *, old: str = "", versions: str = "1.34..1.38") -> DriverCheck:
    servers = gates.resolve_each(release.parse_range(versions), {})
    earlier = Earlier(load_text(old)) if old else None
    return check_driver(load_text(text, "slices.yaml"), servers, earlier)


def _facts(check: str, text: str, *, old: str = "", versions: str = "1.34..1.38") -> list[Fact]:
    return [fact for fact in _checked(text, old=old, versions=versions).facts if fact.check == check]


GPU = "{name: gpu-0, attributes: {model: {string: a}, uuid: {string: x}}}"
OTHER = "{name: gpu-1, attributes: {model: {string: a}, uuid: {string: z}}}"
GOOD = _slice(f"[{GPU}, {OTHER}]") + _class()
TWO = "{name: node-a, generation: 1, resourceSliceCount: 2}"
COUNTERS = "[{name: gpu-0, counters: {memory: {value: 40Gi}}}]"


def _partition(name: str, amount: str, profile: str = "", counters: str = "gpu-0") -> str:
    attributes = f"attributes: {{profile: {{string: {profile or name}}}}}, "
    uses = f"consumesCounters: [{{counterSet: {counters}, counters: {{memory: {{value: {amount}}}}}}}]"
    return f"{{name: {name}, {attributes}{uses}}}"


def _partitions(*devices: str, sets: str = COUNTERS) -> str:
    counting = _slice(sets, name="node-a-counters", pool=TWO, content="sharedCounters")
    return counting + _slice(f"[{', '.join(devices)}]", pool=TWO) + _class()


FITTING = _partitions(_partition("half-0", "20Gi"), _partition("half-1", "20Gi"))

FIRES = [
    (
        "driver/minors",
        _slice("[{name: gpu_0}]"),
        Severity.ERROR,
        "spec.devices[0].name: 'gpu_0' must consist of",
    ),
    (
        "driver/minors",
        FITTING,
        Severity.WARNING,
        "the server drops this field, because the feature gate DRAPartitionableDevices is off",
    ),
    (
        "driver/headroom",
        _slice(f"[{', '.join(f'{{name: gpu-{number}}}' for number in range(130))}]"),
        Severity.ERROR,
        "130 of 128 devices in a slice (slice node-a-gpu); 2 too many",
    ),
    (
        "driver/standard-attribute",
        _slice('[{name: gpu-0, attributes: {resource.kubernetes.io/pciRoot: {string: "0"}}}]'),
        Severity.WARNING,
        "resource.kubernetes.io/pciRoot is not a standard attribute",
    ),
    (
        "driver/standard-attribute",
        _slice('[{name: gpu-0, attributes: {resource.k8s.io/pcieRoot: {string: "0"}}}]'),
        Severity.WARNING,
        "resource.k8s.io/pcieRoot is not a standard attribute",
    ),
    (
        "driver/standard-attribute",
        _slice("[{name: gpu-0, attributes: {resource.kubernetes.io/pcieRoot: {int: 1}}}]"),
        Severity.WARNING,
        "resource.kubernetes.io/pcieRoot has the type int instead of string",
    ),
    (
        "driver/standard-attribute",
        _slice('[{name: gpu-0, attributes: {pcieRoot: {string: "0"}}}]'),
        Severity.INFO,
        "gpu.example.com/pcieRoot is another attribute than resource.kubernetes.io/pcieRoot",
    ),
    (
        "driver/standard-attribute",
        _slice("[{name: gpu-0, attributes: {gpu.exmaple.com/model: {string: a}}}]"),
        Severity.WARNING,
        "the domain of gpu.exmaple.com/model is almost the name of the driver",
    ),
    (
        "driver/attribute-types",
        _slice(
            "[{name: gpu-0, attributes: {size: {int: 1}}},"
            ' {name: gpu-1, attributes: {gpu.example.com/size: {string: "1"}}}]'
        ),
        Severity.WARNING,
        "gpu.example.com/size is an int on 1 device and a string on 1 device",
    ),
    (
        "driver/attribute-some",
        _slice(f"[{GPU}, {{name: gpu-1, attributes: {{model: {{string: a}}}}}}]"),
        Severity.INFO,
        "attribute uuid: 1 of 2 devices has it",
    ),
    (
        "driver/attribute-twice",
        _slice("[{name: gpu-0, attributes: {model: {string: a}, gpu.example.com/model: {string: b}}}]"),
        Severity.WARNING,
        "device gpu-0 has attribute model twice",
    ),
    (
        "driver/alike",
        _slice("[{name: gpu-0}, {name: gpu-1}]"),
        Severity.INFO,
        "gpu.example.com, pool node-a: 2 of 2 devices are in 1 group that selectors cannot tell apart",
    ),
    (
        "driver/alike",
        _partitions(_partition("whole", "40Gi", "a"), _partition("half", "20Gi", "a")),
        Severity.WARNING,
        "whole, half look the same to selectors, but consume different amounts of counters",
    ),
    (
        "driver/counters",
        _partitions(_partition("half", "20Gi", counters="gpu0")),
        Severity.WARNING,
        "pool gpu.example.com/node-a has no counter set gpu0",
    ),
    (
        "driver/never-allocated",
        _partitions(_partition("whole", "80Gi")),
        Severity.WARNING,
        "80Gi of memory is more than counter set gpu-0 has",
    ),
    (
        "driver/never-together",
        _partitions(_partition("whole", "40Gi"), _partition("half", "20Gi")),
        Severity.INFO,
        "counter set gpu-0 of pool gpu.example.com/node-a: never at once: whole and half",
    ),
    (
        "driver/never-together",
        _partitions(_partition("a-0", "30Gi", "a"), _partition("a-1", "30Gi", "a")),
        Severity.INFO,
        "at most 1 of 2 x a",
    ),
    (
        "driver/counter-unused",
        _partitions(
            _partition("half", "20Gi"),
            sets="[{name: gpu-0, counters: {memory: {value: 40Gi}, engines: {value: '2'}}}]",
        ),
        Severity.WARNING,
        "no device consumes counter engines of counter set gpu-0 (pool gpu.example.com/node-a)",
    ),
    (
        "driver/counter-unused",
        _partitions(
            _partition("half", "20Gi"),
            sets="[{name: gpu-0, counters: {memory: {value: 40Gi}}},"
            " {name: gpu-1, counters: {memory: {value: 1}}}]",
        ),
        Severity.WARNING,
        "no device consumes counter set gpu-1",
    ),
    (
        "driver/class-missing",
        _slice(f"[{GPU}]"),
        Severity.WARNING,
        "the input has no DeviceClass for gpu.example.com",
    ),
    (
        "driver/class-missing",
        _slice(f"[{GPU}, {{name: nic-0}}]") + _class('"model" in device.attributes["gpu.example.com"]'),
        Severity.WARNING,
        "no DeviceClass selects 1 of 2 devices of gpu.example.com: nic-0",
    ),
    (
        "driver/class-nothing",
        _slice(f"[{GPU}]") + _class('device.driver == "nic.example.com"'),
        Severity.WARNING,
        "class gpu selects none of 1 device",
    ),
    (
        "driver/selectors",
        _slice(f"[{GPU}, {{name: nic-0}}]") + _class('device.attributes["gpu.example.com"].model == "a"'),
        Severity.WARNING,
        "device gpu.example.com/node-a/nic-0 has no attribute gpu.example.com/model, so this fails",
    ),
    (
        "driver/pool",
        _slice(f"[{GPU}]", pool=TWO),
        Severity.WARNING,
        "pool gpu.example.com/node-a, generation 1, has 1 of 2 slices",
    ),
    (
        "driver/pool",
        _slice(f"[{GPU}]", pool=TWO) + _slice(f"[{GPU}]", pool=TWO, name="node-a-more"),
        Severity.WARNING,
        "device gpu-0 is in slices node-a-gpu and node-a-more",
    ),
    (
        "driver/pool",
        _slice(f"[{GPU}]") + _slice(f"[{OTHER}]"),
        Severity.WARNING,
        "metadata.name: a later ResourceSlice of th",
    ),
    (
        "driver/pool-nodes",
        _slice(f"[{GPU}]", pool=TWO)
        + _slice(f"[{OTHER}]", pool=TWO, name="node-a-more", where="allNodes: true"),
        Severity.WARNING,
        "pool gpu.example.com/node-a has slices for one node and slices for all nodes",
    ),
    (
        "driver/pool-drivers",
        _slice(f"[{GPU}]") + _slice(f"[{GPU}]", name="node-a-nic", driver="nic.example.com"),
        Severity.INFO,
        "pool name node-a: gpu.example.com and nic.example.com have a pool of this name each",
    ),
]


@each_row(
    ("check", "text", "severity", "said"),
    FIRES,
)
def test_a_check_reports(check: str, text: str, severity: Severity, said: str) -> None:
    found = _facts(check, text)
    assert [(fact.severity, said in fact.message) for fact in found[:1]] == [(severity, True)], found


@pytest.mark.parametrize("text", [GOOD, FITTING], ids=["devices", "partitions"])
def test_checks_say_nothing_of_what_fits(text: str) -> None:
    found = {fact.check for fact in _checked(text).facts} - {"driver/served", "driver/domains"}
    assert found - ({"driver/minors"} if text is FITTING else set()) == set()


def test_every_check_that_can_be_silent_is_tested() -> None:
    tested = {check for check, *_ in FIRES} | {"driver/generation"}
    assert tested == {check.id for check in CHECKS if check.fine}


def test_the_patterns_of_the_checks_mean_rules() -> None:
    ids = list(known_ids())
    patterns = [pattern for check in CHECKS for pattern in check.rules]
    assert [one for one in patterns if not any(fnmatchcase(known, one) for known in ids)] == []
    assert {check.section for check in CHECKS} == set(SECTIONS)


@pytest.mark.parametrize(
    ("version", "severity", "said"),
    [
        (
            "v1",
            Severity.INFO,
            "resource.k8s.io/v1 (ResourceSlice): served in 1.34 to 1.38; not in 1.30 to 1.33",
        ),
        ("v1beta1", Severity.WARNING, "served only if enabled in 1.32 to 1.37; not in 1.30 to 1.31 and 1.38"),
        ("v1alpha3", Severity.ERROR, "served only if enabled in 1.31 to 1.33; not in 1.30 and 1.34 to 1.38"),
    ],
)
def test_versions_are_served_by_some_minors(version: str, severity: Severity, said: str) -> None:
    (found,) = _facts("driver/served", _slice(version=version), versions="1.30..1.38")
    assert (found.severity, said in found.message) == (severity, True), found.message


def test_what_only_older_minors_reject_is_a_warning() -> None:
    taints = ", ".join(f"{{key: example.com/t{number}, effect: NoSchedule}}" for number in range(5))
    text = _slice(f"[{{name: gpu-0, taints: [{taints}]}}]") + _class()
    servers = gates.resolve_each(release.parse_range("1.34..1.37"), {"DRADeviceTaints": True})
    found = check_driver(load_text(text), servers)
    (fact,) = [fact for fact in found.facts if fact.check == "driver/minors"]
    assert fact.severity is Severity.WARNING
    assert fact.message.startswith("spec.devices[0].taints: ")
    assert str(fact.minors[0]) == "1.34"
    assert found.ok


def test_findings_of_minors_without_the_slices_are_left_out() -> None:
    assert _facts("driver/minors", GOOD, versions="1.30..1.38") == []


def test_one_fact_for_all_places() -> None:
    (found,) = _facts("driver/minors", _partitions(_partition("a", "20Gi"), _partition("b", "20Gi")))
    assert len(found.places) == 2
    assert found.message.startswith("spec.sharedCounters, spec.devices[*].consumesCounters: the server drops")
    assert [str(minor) for minor in found.minors] == ["1.34", "1.35"]


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        (4, 1, "the generation goes back from 4 to 1"),
        (1, 1, "devices change, but the generation stays 1"),
        (1, 2, None),
    ],
)
def test_generations_are_compared_with_old(before: int, after: int, said: str | None) -> None:
    pool = "{{name: node-a, generation: {}, resourceSliceCount: 1}}"
    old = _slice(f"[{GPU}]", pool=pool.format(before))
    new = _slice(f"[{OTHER}]", pool=pool.format(after)) + _class()
    found = [fact.message for fact in _facts("driver/generation", new, old=old)]
    assert [said is not None and said in message for message in found] == ([True] if said else [])
    assert "driver/generation" in _checked(new).skipped
    assert "driver/generation" not in _checked(new, old=old).skipped


def test_headroom_is_that_of_each_minor() -> None:
    device = _partition("half", "20Gi")
    rows = {(row.limit, row.owner): row for row in _checked(_partitions(device)).headroom}
    reduced = rows["slice.devicesReduced", "in a slice with taints, counters or lists"]
    assert [(one.used, one.most, one.left, one.where) for one in reduced.readings] == [
        (1, 64, 63, "slice node-a-gpu")
    ]
    assert [str(minor) for minor in reduced.newest.minors] == ["1.35", "1.36", "1.37", "1.38"]
    plain = rows["slice.devices", "in a slice with taints or counters"]
    assert [(one.most, [str(minor) for minor in one.minors]) for one in plain.readings] == [(128, ["1.34"])]


def test_limits_of_taints_differ_by_minor() -> None:
    taints = ", ".join(f"{{key: example.com/t{number}, effect: NoSchedule}}" for number in range(5))
    found = _checked(_slice(f"[{{name: gpu-0, taints: [{taints}]}}]"))
    (row,) = [row for row in found.headroom if row.limit == "device.taints"]
    assert [(one.most, one.left) for one in row.readings] == [(16, 11), (4, -1)]
    (fact,) = [fact for fact in found.facts if fact.check == "driver/headroom"]
    assert fact.severity is Severity.WARNING


def test_classes_of_versions_that_are_gone_are_not_missing() -> None:
    text = _slice(f"[{GPU}]") + _class().replace("/v1\n", "/v1alpha3\n")
    found = _checked(text)
    assert [fact for fact in found.facts if fact.check == "driver/class-missing"] == []
    assert found.skipped["driver/class-missing"] == "no DeviceClass of a version that 1.37 has"
    (gone,) = [fact for fact in found.facts if fact.severity is Severity.ERROR]
    assert gone.message.startswith("resource.k8s.io/v1alpha3 (DeviceClass): not in 1.34 to 1.38")


def test_rejected_pools_are_named() -> None:
    wrong = _slice(
        "[{name: gpu_0}]", name="node-b-gpu", pool="{name: node-b, generation: 1, resourceSliceCount: 1}"
    )
    found = [fact.message for fact in _facts("driver/minors", wrong + GOOD)]
    assert found[-1] == (
        "pool gpu.example.com/node-b with 1 device: not checked further, because a slice is rejected"
    )
    assert _checked(wrong).skipped["driver/pool"] == "no pool to check"


def test_without_devices_the_checks_of_devices_are_skipped() -> None:
    found = _checked(_slice())
    assert {"driver/alike", "driver/class-missing"} <= set(found.skipped)
    assert found.counts.devices == 0
