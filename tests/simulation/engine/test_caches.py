"""The caches of the scheduler and the one table that says what makes them outdated."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from dractl.cluster.objects import Objects
from dractl.simulation.allocator.model.allowance import Allowance
from dractl.simulation.engine.caches import INVALIDATES, Caches, Event
from dractl.simulation.engine.settings import Settings
from tests.rows import each_row
from tests.simulation.build import (
    allocated,
    claim,
    device_class,
    environment,
    features,
    node,
    pod,
    resource_slice,
    result,
)

CACHES = {name for name, value in vars(Caches).items() if isinstance(value, cached_property)}


def caches(*objects: dict[str, Any]) -> Caches:
    """The caches of these objects, all of them filled."""
    made = Caches(Objects(objects), Settings(features(), environment()), lambda: (), Allowance())
    for name in CACHES:
        getattr(made, name)
    return made


def test_every_cache_has_a_row_and_every_row_a_cache() -> None:
    assert {name for names in INVALIDATES.values() for name in names} == CACHES


def test_every_event_has_a_row() -> None:
    assert set(INVALIDATES) == set(Event)


@each_row("event", Event)
def test_an_event_drops_what_its_row_names_and_nothing_else(event: Event) -> None:
    made = caches()
    before = {name: getattr(made, name) for name in CACHES}
    made.invalidate(event)
    changed = {name for name in CACHES if getattr(made, name) is not before[name]}
    assert changed == set(INVALIDATES[event])


@each_row(
    ("item", "expected"),
    [
        (node("n"), {"node_classes", "pools", "results"}),
        (resource_slice("s", "d0"), {"node_classes", "pools", "results"}),
        (device_class("c"), {"node_classes", "pools", "results"}),
        (claim("c"), {"usage", "results"}),
        (pod("p"), {"node_loads"}),
        ({"kind": "Service"}, set()),
    ],
)
def test_a_changed_object_drops_what_was_computed_from_its_kind(
    item: dict[str, Any], expected: set[str]
) -> None:
    made = caches()
    before = {name: getattr(made, name) for name in CACHES}
    made.object_changed(item["kind"])
    assert {name for name in CACHES if getattr(made, name) is not before[name]} == expected


def test_a_cache_reads_the_objects_as_they_are_when_it_is_asked() -> None:
    objects = Objects([resource_slice("s", "d0")])
    made = Caches(objects, Settings(features(), environment()), lambda: (), Allowance())
    assert [entry.name for entry in made.node_classes.nodes] == ["node-a"]
    objects.put(node("n"))
    made.object_changed("Node")
    assert [entry.name for entry in made.node_classes.nodes] == ["n"]
    assert made.usage.times_taken == 0
    objects.put(allocated(claim("c"), result("d0")))
    made.object_changed("ResourceClaim")
    assert made.usage.times_taken == 1


def test_a_pod_is_parsed_again_only_when_it_is_another_object() -> None:
    made, item = caches(), pod("p")
    known = made.pod(item)
    assert made.pod(item) is known
    assert made.pod(dict(item)) is not known
