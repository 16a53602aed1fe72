"""Which devices of the partitionable models fit together, against the list that the prototype printed."""

from __future__ import annotations

from collections import Counter
from typing import Any

from dractl.legacy.prototypes.allocation.possible import possible_sets
from dractl.legacy.prototypes.dialects.reading import Item, read
from dractl.source.document import Document
from dractl.source.load import load
from tests.paths import ROOT

FOLDER = ROOT / "testdata" / "prototypes" / "nv"


def _item(source: Any) -> Item:
    (item,) = read([found for found in load(source) if isinstance(found, Document)], None).items
    return item


def _named(limits: str, **instances: str) -> Item:
    def items(text: str) -> list[dict[str, str]]:
        return [{"name": "slices", "intRange": text}]

    return _item(
        {
            "namedResources": {
                "sharedLimits": [{"name": "group", "items": items(limits)}],
                "instances": [
                    {"name": name, "resources": [{"name": "group", "items": items(text)}]}
                    for name, text in instances.items()
                ],
            }
        }
    )


def test_the_named_model_has_the_sets_that_were_printed_in_their_order() -> None:
    printed = (FOLDER / "possible.txt").read_text(encoding="utf-8").split("\n")
    expected = [tuple(line.strip("[]").split()) for line in printed if line]
    assert len(expected) == 2319
    assert list(possible_sets(_item(FOLDER / "named.yaml"))) == expected


def test_the_model_of_mixins_has_as_many() -> None:
    found = list(possible_sets(_item(FOLDER / "mixins.yaml")))
    sizes = Counter(map(len, found))
    assert [sizes[size] for size in range(1, 8)] == [26, 185, 581, 825, 536, 151, 15]
    assert len(found) == 2319


def test_spots_of_the_models() -> None:
    found = {frozenset(names) for names in possible_sets(_item(FOLDER / "named.yaml"))}
    mig = "gpu-0-mig-"
    assert frozenset({f"{mig}3g.20gb-0", f"{mig}4g.20gb-0"}) not in found
    assert frozenset({f"{mig}4g.20gb-0", f"{mig}3g.20gb-4"}) in found
    assert not any(len(names) > 2 and {f"{mig}4g.20gb-0", f"{mig}3g.20gb-4"} <= names for names in found)
    assert not any(sum("me" in name for name in names) > 1 for names in found)
    assert {names for names in found if f"{mig}7g.40gb-0" in names} == {frozenset({f"{mig}7g.40gb-0"})}


def test_ranges_are_sets_of_integers() -> None:
    item = _named("0-3", a="0-1", b="1-2", c="2-3", d="0,3")
    found = {"".join(names) for names in possible_sets(item)}
    assert found == {"a", "ac", "b", "bd", "c", "d"}


def test_what_is_not_declared_is_not_there() -> None:
    assert list(possible_sets(_named("0-1", a="0-2", b="1"))) == [("b",)]


def test_mixins_are_laid_over_each_other_in_order() -> None:
    def device(name: str, *includes: str) -> dict[str, Any]:
        parts = {
            "includes": [{"name": include} for include in includes],
            "consumesCapacityFrom": [{"name": "root"}],
        }
        return {"name": name, "partitionable": parts}

    model = {
        "deviceMixins": [
            {"name": "m1", "partitionable": {"capacity": {"mem": {"quantity": "4"}}}},
            {
                "name": "m2",
                "partitionable": {"capacity": {"mem": {"quantity": "8"}, "slot": {"quantity": "1"}}},
            },
        ],
        "devices": [
            {
                "name": "root",
                "partitionable": {"capacity": {"mem": {"quantity": "10"}, "slot": {"quantity": "1"}}},
            },
            device("x", "m1", "m2"),
            device("y", "m2", "m1"),
            device("z", "m1"),
        ],
    }
    assert set(possible_sets(_item(model))) == {("root",), ("x",), ("y",), ("y", "z"), ("z",)}
