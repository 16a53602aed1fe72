from __future__ import annotations

from textwrap import indent

import pytest

from tests.editor.places import MARK, labels_at
from tests.editor.record import Place, places, recorded
from tests.rows import each_row

TABLE = recorded()
CLAIM = """apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata:
  name: a
spec:
  devices:
    requests:
    - name: gpu
      exactly:
        deviceClassName: gpu
"""
SELECTOR = """        selectors:
        - cel:
            expression: """


def _key(place: Place) -> tuple[str, int, bool]:
    return place.file, place.line, place.is_key


PLACES = [place for place in places() if _key(place) in TABLE]


def test_many_places_are_recorded() -> None:
    assert len(TABLE) >= 200
    assert {_key(place) for place in PLACES} == TABLE.keys()


@each_row("file", sorted({place.file for place in PLACES}))
def test_the_recorded_places_offer_what_is_recorded(file: str) -> None:
    own = [place for place in PLACES if place.file == file]
    assert {_key(place): labels_at(place.text) for place in own} == {_key(p): TABLE[_key(p)] for p in own}


def test_what_the_author_wrote_is_offered() -> None:
    """At a value of CEL, what it begins with; a template of the same file is not in the world."""
    wrong = [
        (_key(place), place.written)
        for place in PLACES
        if not any(
            place.written == label or place.written.startswith(f"{label}.") for label in TABLE[_key(place)]
        )
        and place.written != "large-gpu"
    ]
    assert wrong == []


def test_a_key_that_is_there_is_not_offered_again() -> None:
    offered = labels_at(f"{CLAIM}        {MARK}\n        count: 2\n")
    assert "selectors" in offered
    assert {"deviceClassName", "count"}.isdisjoint(offered)


@each_row(
    ("typed", "expected"),
    [
        ("device.", ["driver", "attributes", "capacity", "allowMultipleAllocations"]),
        ("device.attr", ["driver", "attributes", "capacity", "allowMultipleAllocations"]),
        ("device.attributes[", ['"gpu.example.com"', '"resource.kubernetes.io"']),
        ('device.attributes["', ["gpu.example.com", "resource.kubernetes.io"]),
        ("device.attributes['gpu", ["gpu.example.com", "resource.kubernetes.io"]),
        ('device.attributes["gpu.example.com"].', ["model"]),
        ('device.attributes["gpu.example.com"].mo', ["model"]),
        ('device.attributes["gpu.example.com"]["', ["model"]),
        ('device.attributes["resource.kubernetes.io"].?', ["pcieRoot"]),
        ('device.attributes["gpu.example.com"].model == ', ['"small"', '"large"']),
        ('device.attributes["gpu.example.com"].model == "', ["small", "large"]),
        ('device.attributes["gpu.example.com"].model != "sm', ["small", "large"]),
        ('device.attributes["gpu.example.com"].model in ["small", "', ["small", "large"]),
        ('device.capacity["', ["gpu.example.com", "nic.example.com"]),
        ('device.capacity["gpu.example.com"].', ["memory"]),
        ('device.capacity["gpu.example.com"].memory.compareTo(', ['quantity("40Gi")', 'quantity("80Gi")']),
        ('device.driver == "', ["gpu.example.com", "nic.example.com"]),
        ("device.driver == ", ['"gpu.example.com"', '"nic.example.com"']),
        (
            'device.driver == "gpu.example.com" && device.',
            ["driver", "attributes", "capacity", "allowMultipleAllocations"],
        ),
        ("sets.", ["contains", "equivalent", "intersects"]),
        ('"plain text', []),
    ],
)
def test_selectors_are_completed_with_what_the_slices_have(typed: str, expected: list[str]) -> None:
    block = indent(f"\n{typed}{MARK}\n", " " * 14)
    assert labels_at(f"{CLAIM}{SELECTOR}|-{block}") == expected
    quoted = typed.replace("'", "''")
    assert labels_at(f"{CLAIM}{SELECTOR}'{quoted}{MARK}'\n") == expected
    escaped = typed.replace('"', '\\"')
    flow = f'        selectors: [{{cel: {{expression: "{escaped}{MARK}"}}}}]\n'
    assert labels_at(CLAIM + flow) == expected


def test_functions_are_offered_by_what_they_are_called_on() -> None:
    methods = labels_at(f'{CLAIM}{SELECTOR}|-\n              "a".{MARK}\n')
    words = labels_at(f"{CLAIM}{SELECTOR}{MARK}\n")
    assert {"startsWith", "matches", "exists"} <= set(methods)
    assert {"device", "semver", "quantity", "has"} <= set(words)
    assert {"startsWith", "@in", "_==_"}.isdisjoint(words)


@pytest.mark.parametrize("written", [f'    - requests: ["{MARK}"]\n', f"    - requests:\n      - {MARK}\n"])
def test_constraints_name_the_requests_of_the_claim(written: str) -> None:
    assert labels_at(f"{CLAIM}    constraints:\n{written}") == ["gpu"]


def test_json_is_completed() -> None:
    text = '{"apiVersion": "resource.k8s.io/v1", "kind": "ResourceClaim", "spec": {"devices": {"'
    assert labels_at(text + MARK) == ["config", "constraints", "requests"]
    assert labels_at(text + MARK + '": []}}}') == ["config", "constraints", "requests"]


def test_items_of_lists_have_the_kind_of_their_own() -> None:
    lines = indent(f"{CLAIM}        {MARK}\n", "  ").replace("  ", "- ", 1)
    assert "selectors" in labels_at(f"apiVersion: v1\nkind: List\nitems:\n{lines}")
