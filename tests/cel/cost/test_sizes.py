"""Sizes in the arithmetic of the estimate, and those that DRA declares for a device."""

from __future__ import annotations

from dractl.cel.cost.sizes import UNKNOWN, UNLIMITED, Size, device_size, exactly, limited, scaled
from tests.rows import each_row


def test_sizes_are_joined() -> None:
    assert Size(1, 5).plus(Size(2, 7)) == Size(3, 12)
    assert Size(1, 5).times(Size(2, 7)) == Size(2, 35)
    assert Size(1, 5).union(Size(2, 7)) == Size(1, 7)
    assert exactly(4) == Size(4, 4)
    assert Size(0, UNLIMITED) == UNKNOWN


def test_nothing_is_larger_than_the_highest_number() -> None:
    assert UNLIMITED == 18446744073709551615
    assert limited(UNLIMITED + 1) == UNLIMITED
    assert limited(7) == 7
    assert Size(1, UNLIMITED).plus(Size(1, 1)) == Size(2, UNLIMITED)
    assert Size(2, UNLIMITED).times(Size(3, 2)) == Size(6, UNLIMITED)
    assert Size(0, UNLIMITED).times(Size(0, 0)) == Size(0, 0)


# Rounded up after a multiplication of doubles: what multiplyByCostFactor gives.
SCALED = [
    (0, 0.1, 0),
    (1, 0.1, 1),
    (10, 0.1, 1),
    (11, 0.1, 2),
    (30, 0.1, 3),
    (64, 0.1, 7),
    (65, 0.1, 7),
    (10, 0.25, 3),
    (12, 0.25, 3),
    (13, 0.25, 4),
    (3, 0.2, 1),
    (16, 2.1, 34),
    (5, 1, 5),
    (7, 0.0, 0),
    (UNLIMITED, 0.1, 1844674407370955264),
    (UNLIMITED, 0.2, 3689348814741910528),
    (UNLIMITED, 0.25, 4611686018427387904),
    (UNLIMITED, 1, UNLIMITED),
    (UNLIMITED, 2, UNLIMITED),
    (2**63, 2.1, UNLIMITED),
]


@each_row(("size", "factor", "cost"), SCALED)
def test_a_size_times_a_factor(size: int, factor: float, cost: int) -> None:
    assert scaled(size, factor) == cost


# Declared sizes: 32 domains of 63 characters, 32 names of 32 characters, values of 64, the driver's name 63.
PATHS: list[tuple[tuple[str, ...], Size | None]] = [
    ((), None),
    (("other",), None),
    (("device", "driver"), Size(0, 63)),
    (("device", "allowMultipleAllocations"), Size(0, 1)),
    (("device", "attributes"), Size(0, 32)),
    (("device", "attributes", "@keys"), Size(0, 63)),
    (("device", "attributes", "@values"), Size(0, 32)),
    (("device", "attributes", "@values", "@keys"), Size(0, 32)),
    (("device", "attributes", "@values", "model"), Size(0, 64)),
    (("device", "attributes", "@values", "@values"), Size(0, 64)),
    (("device", "attributes", "@values", "model", "@items"), None),
    (("device", "capacity"), Size(0, 32)),
    (("device", "capacity", "@values"), Size(0, 32)),
    (("device", "capacity", "@values", "@values"), Size(0, 0)),
    (("device", "capacity", "@values", "memory"), None),
    (("device", "nothing"), None),
    (("device", "driver", "@items"), None),
    (("device", "driver", "@keys"), None),
]


@each_row(("path", "size"), PATHS)
def test_a_device_has_declared_sizes(path: tuple[str, ...], size: Size | None) -> None:
    assert device_size(path) == size
