"""Which resource names are extended, and the classes behind them."""

from __future__ import annotations

from typing import Any

import pytest

from dractl.cluster.objects import Objects
from dractl.simulation.scheduler.extended.classes import Classes, is_explicit, is_extended
from tests.rows import each_row
from tests.simulation.build import device_class, features

GPU, NIC = "example.com/gpu", "example.com/nic"
IMPLICIT = "deviceclass.resource.kubernetes.io/gpu"


def serving(name: str, resource: str | None = None, created: str | None = None) -> dict[str, Any]:
    item = device_class(name, **({} if resource is None else {"extendedResourceName": resource}))
    if created is not None:
        item["metadata"]["creationTimestamp"] = created
    return item


def classes(*items: dict[str, Any], kube: str = "1.38") -> Classes:
    return Classes(Objects(items), features(kube).quirks)


def test_a_class_is_found_by_its_explicit_and_its_implicit_name() -> None:
    found = classes(serving("gpu", GPU))
    assert found.behind(GPU) == "gpu"
    assert found.behind(IMPLICIT) == "gpu"
    assert found.behind("deviceclass.resource.kubernetes.io/other") is None
    assert found.behind(NIC) is None


@each_row(
    ("first", "second", "expected"),
    [
        (None, None, "a"),
        ("2026-01-01T00:00:00Z", "2026-01-01T00:00:00Z", "a"),
        ("2026-01-01T00:00:00Z", "2026-01-02T00:00:00Z", "b"),
        ("2026-01-02T00:00:00Z", "2026-01-01T00:00:00Z", "a"),
    ],
)
def test_of_several_classes_the_newest_counts_then_the_smaller_name(
    first: str | None, second: str | None, expected: str
) -> None:
    for order in ((0, 1), (1, 0)):
        items = [serving("a", GPU, first), serving("b", GPU, second)]
        assert classes(*(items[number] for number in order)).behind(GPU) == expected


def test_in_1_34_a_class_has_an_explicit_or_an_implicit_name() -> None:
    found = classes(serving("gpu", GPU), serving("plain"), kube="1.34")
    assert found.behind(GPU) == "gpu"
    assert found.behind(IMPLICIT) is None
    assert found.behind("deviceclass.resource.kubernetes.io/plain") == "plain"


@pytest.mark.parametrize(("kube", "has_implicit"), [("1.37", False), ("1.38", True)])
def test_the_class_that_is_not_preferred_has_no_implicit_name_up_to_1_37(
    kube: str, has_implicit: bool
) -> None:
    later = "deviceclass.resource.kubernetes.io/later"
    found = classes(serving("gpu", GPU), serving("later", GPU), kube=kube)
    assert (found.behind(GPU), found.behind(IMPLICIT)) == ("gpu", "gpu")
    assert found.behind(later) == ("later" if has_implicit else None)
    # The preferred one came later: both were added while they were preferred.
    found = classes(serving("later", GPU), serving("gpu", GPU), kube=kube)
    assert (found.behind(GPU), found.behind(later)) == ("gpu", "later")


def test_a_lost_name_has_no_class() -> None:
    found = Classes(Objects([serving("gpu", GPU)]), features("1.37").quirks, {GPU})
    assert found.behind(GPU) is None
    assert found.behind(IMPLICIT) == "gpu"


@each_row(
    ("resource", "explicit", "extended"),
    [
        (GPU, True, True),
        (IMPLICIT, False, True),
        ("cpu", False, False),
        ("hugepages-2Mi", False, False),
        ("kubernetes.io/thing", False, False),
        ("sub.kubernetes.io/thing", False, False),
        # Upstream looks for the text anywhere in the name.
        ("mykubernetes.io/thing", False, False),
        ("requests.example.com/gpu", False, False),
    ],
)
def test_what_can_be_an_extended_resource(resource: str, explicit: bool, extended: bool) -> None:
    assert (is_explicit(resource), is_extended(resource)) == (explicit, extended)
