from __future__ import annotations

from typing import Any

from dractl.legacy.prototypes.dialects.dialects import EVOLUTION, PROTO
from dractl.legacy.prototypes.v1.vocabulary import DOMAIN, Vocabulary, identifier, label, object_name
from tests.rows import each_row


class _Pool:
    """As much of a pool as a vocabulary looks at."""

    def __init__(self, driver: str, **attributes: dict[str, Any]) -> None:
        self.driver = driver
        self.devices = ({"name": "d", "attributes": attributes, "provides": {}},)


POOLS: Any = [
    _Pool(
        "a.example",
        **{"mig-profile": {"string": "x"}, "mig_profile": {"string": "x"}, "size": {"quantity": "1"}},
    ),
    _Pool("b.example", **{"n.example/type": {"string": "x"}, "firmware": {"version": "1.2"}}),
]
VOCABULARY = Vocabulary(POOLS)


@each_row(
    ("name", "family", "key"),
    [
        ("model", PROTO, f"{DOMAIN}/model"),
        ("model", EVOLUTION, "model"),
        ("mig-profile", PROTO, f"{DOMAIN}/mig_profile"),
        ("n.example/type", PROTO, "n.example/type"),
        ("n.example/type", EVOLUTION, "n.example/type"),
    ],
)
def test_attributes_get_a_domain(name: str, family: str, key: str) -> None:
    assert VOCABULARY.attribute(name, family).key == key


def test_what_an_attribute_holds_is_known() -> None:
    assert VOCABULARY.attribute("size", PROTO).is_capacity
    assert VOCABULARY.attribute("a.example/size", EVOLUTION).is_capacity
    assert VOCABULARY.attribute("firmware", PROTO).kinds == {"string"}
    assert VOCABULARY.attribute("absent", PROTO).kinds == frozenset()
    assert VOCABULARY.capacity("mem-0").key == f"{DOMAIN}/mem_0"


def test_the_first_of_two_names_keeps_what_both_come_to() -> None:
    assert VOCABULARY.clash("mig-profile", PROTO) == ""
    assert VOCABULARY.clash("mig_profile", PROTO) == "mig-profile"
    assert VOCABULARY.clash("size", PROTO) == ""


def test_names_of_v1() -> None:
    assert [identifier(text) for text in ("a-b.c", "1g", "ok_1")] == ["a_b_c", "_1g", "ok_1"]
    assert [label(text, "x") for text in ("Gpu_0.A", "---", "a" * 70)] == ["gpu-0-a", "x", "a" * 63]
    assert [object_name(text) for text in ("ok.example-1", "template-8Gi", "A_b..c", "_")] == [
        "ok.example-1",
        "template-8gi",
        "a-b.c",
        "unnamed",
    ]
