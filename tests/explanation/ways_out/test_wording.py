"""Each way out has its words."""

from __future__ import annotations

from dractl.explanation.ways_out.registry import WAYS
from dractl.explanation.ways_out.wording import _FORMS

KINDS = {"count", "selector", "constraint", "toleration", "free", "node", "gate", "object", "label"}


def test_every_way_has_a_sentence_and_a_documented_kind() -> None:
    assert [way.name for way in WAYS if way.name not in _FORMS] == []
    assert sorted(_FORMS) == sorted(way.name for way in WAYS)
    assert {way.kind for way in WAYS} <= KINDS
