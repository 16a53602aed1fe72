from typing import Any

import pytest

from dractl.api import limits, release
from dractl.api.stored import read_table


def test_limits_differ_by_minor() -> None:
    assert [limits.of("device.taints", release.at(minor)) for minor in ("1.33", "1.34", "1.35")] == [4, 4, 16]
    assert limits.of("slice.devices", release.NEWEST) == 128


def test_a_minor_may_lack_a_limit() -> None:
    with pytest.raises(KeyError):
        limits.of("device.taints", release.at("1.32"))
    with pytest.raises(KeyError):
        limits.of("slice.nothing", release.NEWEST)


def test_constants_differ_by_minor() -> None:
    label = "DRAAdminNamespaceLabelKey"
    assert limits.constant(label, release.at("1.33")) == "resource.k8s.io/admin-access"
    assert limits.constant(label, release.at("1.34")) == "resource.kubernetes.io/admin-access"
    assert limits.constant(label, release.at("1.31")) is None
    with pytest.raises(KeyError):
        limits.constant("NoSuchConstant", release.NEWEST)


def test_limits_may_differ_by_patch() -> None:
    versions = ("1.31", "1.32.0", "1.32.1", "1.32", "1.33.0")
    found = [limits.of("claim.reservedFor", release.parse(version)) for version in versions]
    assert found == [32, 32, 256, 256, 256]
    table: dict[str, Any] = read_table("patches.json")
    listed = [row for row in table["changes"] if "limit" in row]
    assert [(row["limit"], row["fixed"]) for row in listed] == [("claim.reservedFor", ["1.32.1"])]
