"""Room on Python's stack for deep expressions, which the server takes up to its own limits."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

_SHALLOW = 25
"""Levels that fit into any stack; nearly every expression has less."""

_DEEP_LIMIT = 20_000


@contextmanager
def deep_stack(levels: int) -> Iterator[None]:
    """Let Python functions nest deeper while an expression of more than a few ``levels`` is worked on.

    Calls between Python functions take no room on the C stack, so the larger limit endangers nothing.
    """
    before = sys.getrecursionlimit()
    if levels <= _SHALLOW or before >= _DEEP_LIMIT:
        yield
        return
    sys.setrecursionlimit(_DEEP_LIMIT)
    try:
        yield
    finally:
        sys.setrecursionlimit(before)
