"""A test of a table: ``each_row`` is ``pytest.mark.parametrize`` in one test.

Pytest takes 6 ms for each test, far longer than most rows. All rows run, and each that fails is reported.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

__all__ = ["each_row"]


def each_row(
    names: str | Sequence[str], rows: Iterable[Any]
) -> Callable[[Callable[..., None]], Callable[[], None]]:
    """Run a test for each row, with values for the ``names``; a row of one name is the value itself.

    A failure shows its row. The test takes no fixtures; for these, and for marks, use pytest's own.
    """
    listed = [name.strip() for name in names.split(",")] if isinstance(names, str) else list(names)
    table = [row if len(listed) > 1 else (row,) for row in rows]
    if not table:
        raise ValueError("a table without rows tests nothing")

    def decorate(test: Callable[..., None]) -> Callable[[], None]:
        def run() -> None:
            failures = [failure for row in table if (failure := _failure(test, listed, row)) is not None]
            if len(failures) == 1:
                raise failures[0]
            if failures:
                raise ExceptionGroup(f"{len(failures)} of {len(table)} rows fail", failures)

        run.__name__, run.__doc__, run.__module__ = test.__name__, test.__doc__, test.__module__
        run.__qualname__ = test.__qualname__
        return run

    return decorate


def _failure(test: Callable[..., None], names: Sequence[str], row: Sequence[Any]) -> Exception | None:
    try:
        test(**dict(zip(names, row, strict=True)))
    except Exception as error:  # the other rows run, too
        error.add_note(f"row: {row!r}"[:1000])
        return error
    return None
