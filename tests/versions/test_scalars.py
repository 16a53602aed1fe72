"""How long raw values are that reach the server."""

from __future__ import annotations

from typing import Any

import pytest

from dractl.versions.scalars import AsSent, length_as_written


@pytest.mark.parametrize(
    ("value", "length"),
    [
        ({}, 2),
        ({"a": "x", "b": [1, 2]}, 19),
        ({"a": "<>&"}, 8 + 3 * 6),
        ({"a": "\u2028é"}, 8 + 6 + 2),
        ({"a": "\n\x01"}, 8 + 2 + 6),
        ({"a": [1.0, 1.5, -2.0, 1e3]}, len('{"a":[1,1.5,-2,1000]}')),
        (AsSent({"a": "x"}, 12), 12),
    ],
)
def test_what_reaches_the_server_is_compact_unless_it_comes_as_it_is(value: Any, length: int) -> None:
    assert length_as_written(value) == length
