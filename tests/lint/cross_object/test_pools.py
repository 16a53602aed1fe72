from __future__ import annotations

from functools import partial

import dractl
from dractl.lint.cross_object import pools
from tests.lint.cross_object.objects import (
    GPU,
    NODE,
    OTHER,
    Object,
    findings_of,
    only,
    places_of,
    resource_slice,
)
from tests.rows import each_row

found = partial(findings_of, pools.CHECKS)
said = partial(places_of, pools.CHECKS)


@each_row(
    ("slices", "expected"),
    [
        ([resource_slice("a", [GPU])], []),
        ([resource_slice("a", [GPU]), resource_slice("b", [GPU], pool=("node-b", 1, 1), node="node-b")], []),
        ([resource_slice("a", [GPU]), resource_slice("b", [GPU], driver="nic.example.com")], []),
        # One slice alone may have the others elsewhere.
        ([resource_slice("a", [GPU], pool=("node-a", 1, 2))], []),
        ([resource_slice("a", [GPU], pool=("node-a", 1, 2)), NODE],
         [("pool-incomplete", "spec.pool.resourceSliceCount")]),
        ([resource_slice("a", [GPU], pool=("node-a", 1, 3)),
          resource_slice("b", [OTHER], pool=("node-a", 1, 3))],
         [("pool-incomplete", "spec.pool.resourceSliceCount")]),
        ([resource_slice("a", [GPU]), resource_slice("b", [OTHER])],
         [("pool-count", "spec.pool.resourceSliceCount")]),
        ([resource_slice("a", [GPU], pool=("node-a", 1, 2)), resource_slice("b", [OTHER])],
         [("pool-count", "spec.pool.resourceSliceCount")]),
        ([resource_slice("a", [GPU]), resource_slice("b", [OTHER], pool=("node-a", 2, 1))],
         [("pool-obsolete", "spec.pool.generation")]),
        ([resource_slice("a", [GPU]), resource_slice("b", [OTHER], node="node-b")],
         [("pool-nodes", "spec.pool.name")]),
        ([resource_slice("a", [OTHER, GPU], pool=("node-a", 1, 2)),
          resource_slice("b", [GPU], pool=("node-a", 1, 2))],
         [("device-duplicate", "spec.devices[0].name")]),
        # Of two documents for one slice the last counts.
        ([resource_slice("a", [GPU], pool=("node-a", 1, 9)), resource_slice("a", [GPU])],
         []),
    ],
)  # fmt: skip
def test_pools(slices: list[Object], expected: list[tuple[str, str]]) -> None:
    assert said(*slices) == expected


def test_nothing_is_reported_of_a_pool_with_a_slice_that_is_refused() -> None:
    broken = resource_slice("b", [{"name": "GPU"}], pool=("node-a", 1, 5))
    findings = dractl.validate([resource_slice("a", [GPU]), broken]).findings
    assert "device/name" in {finding.rule for finding in findings}
    assert only(pools.CHECKS, findings) == []


def test_devices_that_stand_twice_are_one_finding() -> None:
    slices = [resource_slice(name, [GPU, OTHER], pool=("node-a", 1, 2)) for name in ("a", "b")]
    (finding,) = found(*slices)
    assert finding.message == "device gpu-0 is in slices a and b of pool gpu.example.com/node-a"
    assert finding.related[1:] == ("spec.devices[1].name",)


def test_the_count_to_write_is_named() -> None:
    (alone,) = found(resource_slice("a", [GPU], pool=("node-a", 1, 2)), NODE)
    assert alone.message == "pool gpu.example.com/node-a, generation 1, has 1 of 2 slices"
    assert alone.hint == (
        "add the missing slice, or write `resourceSliceCount: 1`; "
        "the scheduler ignores a pool until all of its slices exist"
    )
    (mixed,) = found(resource_slice("a", [GPU], pool=("node-a", 1, 3)), resource_slice("b", [OTHER]))
    assert mixed.hint == "write `resourceSliceCount: 2` in all slices of the pool"
    (many,) = found(resource_slice("a", [GPU]), resource_slice("b", [OTHER]))
    assert many.hint == mixed.hint
