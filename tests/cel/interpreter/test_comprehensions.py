"""Macros over lists and maps, and names for values."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.cel.costs import D

# What the real code of 1.37 says for the device of conftest.py.

LOOPS: list[tuple[str, str]] = [
    ("[1, 2].all(x, x > 0)", "true"),
    ("[1, 2].all(x, x > 1)", "false"),
    ("[1, 2].exists(x, x > 1)", "true"),
    ("[].exists(x, true)", "false"),
    ("[].all(x, false)", "true"),
    ("[1, 2].exists_one(x, x > 1)", "true"),
    ("[2, 2].exists_one(x, x > 1)", "false"),
    (f"[1, 2].exists(x, x == 2 || {D}.nosuch == 1)", "true"),
    (f"[1, 2].exists(x, x == 3 || {D}.nosuch == 1)", "fails"),
    (f"[1, 2].all(x, x == 3 && {D}.nosuch == 1)", "false"),
    (f"[1, 2].all(x, x > 0 && {D}.nosuch == 1)", "fails"),
    (f"[1, 2].exists_one(x, x == 1 || {D}.nosuch == 1)", "fails"),
    (f"[1, 2].map(x, {D}.nosuch) == []", "fails"),
    ("[1, 2].map(x, x * 2) == [2, 4]", "true"),
    ("[1, 2].map(x, x > 1, x * 2) == [4]", "true"),
    ("[1, 2].filter(x, x > 1) == [2]", "true"),
    (f"{D}.ports.exists(p, p == 3)", "true"),
    (f"{D}.model.exists(p, true)", "fails"),
    (f"{D}.ports.all(p, p)", "fails"),
    (f"{D}.ports.filter(p, p).size() == 1", "fails"),
    (f"{D}.exists(k, k == 'model')", "true"),
    (f"{D}.all(k, k.size() > 20)", "false"),
    ("device.attributes.exists(d, d == 'other.org')", "true"),
    ("[1, 2].all(i, v, v == i + 1)", "true"),
    ("{'a': 1}.all(k, v, k == 'a' && v == 1)", "true"),
    ("[1, 2].exists(i, v, i == v)", "false"),
    ("[1, 2].existsOne(i, v, i == 1)", "true"),
    ("[1, 2].transformList(i, v, i + v) == [1, 3]", "true"),
    ("[1, 2].transformList(i, v, i > 0, v) == [2]", "true"),
    ("{'a': 1}.transformMap(k, v, v + 1) == {'a': 2}", "true"),
    ("{'a': 1}.transformMap(k, v, v > 1, v) == {}", "true"),
    ("{'a': 'b'}.transformMapEntry(k, v, {v: k}) == {'b': 'a'}", "true"),
    ("{'a': 'x', 'b': 'x'}.transformMapEntry(k, v, {v: k}) == {}", "fails"),
    ("[1, 2].transformMap(i, v, v) == {0: 1, 1: 2}", "true"),
    ("[3, 1].sortBy(x, -x) == [3, 1]", "true"),
    ("[[1], [2]].all(x, x.all(y, y > 0))", "true"),
    ("[1].all(x, [2].all(x, x == 2) && x == 1)", "true"),
    (f"[{D}.nosuch].all(x, true)", "fails"),
    ("[1].map(x, [x].map(y, y + x)) == [[2]]", "true"),
    ("cel.bind(x, 1, x + x) == 2", "true"),
    (f"cel.bind(x, {D}.nosuch, true)", "true"),
    (f"cel.bind(x, {D}.nosuch, x == 1 || true)", "true"),
    (f"cel.bind(x, {D}.nosuch, x == 1)", "fails"),
    ("cel.bind(x, 1, cel.bind(x, x + 1, x)) == 2", "true"),
    ("optional.of(2).optMap(x, x * 2).value() == 4", "true"),
    ("optional.none().optMap(x, x).hasValue()", "false"),
    ("optional.of(2).optFlatMap(x, optional.none()).hasValue()", "false"),
]


@pytest.mark.parametrize(("expression", "verdict"), LOOPS)
def test_loops(verdict_of: Callable[[str], str], expression: str, verdict: str) -> None:
    assert verdict_of(expression) == verdict
