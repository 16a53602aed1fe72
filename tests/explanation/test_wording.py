"""An explanation in words."""

from __future__ import annotations

from dractl.explanation.wording import lines, summary
from tests.explanation.explained import explained
from tests.explanation.small_worlds import device_class, node, pod, slice_of, template


def test_groups_that_are_told_in_the_same_words_are_one_line() -> None:
    cluster = [node(), slice_of(count=1), node("b"), slice_of("b", count=1), device_class()]
    early = [template("early"), pod("early")]
    found = explained([*cluster, *early, template("late", {"count": 3}), pod()])
    assert len(found.groups) == 2
    assert lines(found)[0] == "2 of 2 nodes: request r0 needs 3 devices; the node has 1"
    assert summary(found) == lines(found)[0]
