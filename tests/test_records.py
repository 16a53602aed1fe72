from __future__ import annotations

import pickle
import typing
from typing import Any

import pytest

from dractl import records


class Ours(records.NamedTuple):
    """A device."""

    name: str
    size: int = 1
    more: list[str] | None = None

    @property
    def twice(self) -> int:
        return 2 * self.size

    @classmethod
    def named(cls, name: str) -> Ours:
        return cls(name)

    def __str__(self) -> str:
        return self.name


class Theirs(typing.NamedTuple):
    """A device."""

    name: str
    size: int = 1
    more: list[str] | None = None


SAME = (
    "__doc__",
    "__module__",
    "__annotations__",
    "_fields",
    "_field_defaults",
    "__slots__",
    "__match_args__",
)


@pytest.mark.parametrize("name", SAME)
def test_a_class_is_made_as_by_typing(name: str) -> None:
    assert name == "__annotations__" or getattr(Ours, name, None) == getattr(Theirs, name, None)
    assert typing.get_type_hints(Ours) == typing.get_type_hints(Theirs)
    assert (Ours.__bases__, Ours.__qualname__) == ((tuple,), "Ours")


def test_its_tuples_are_plain_tuples_with_methods() -> None:
    made = Ours("a", 2)
    assert (made, made.twice, str(made), repr(made)) == (
        ("a", 2, None),
        4,
        "a",
        "Ours(name='a', size=2, more=None)",
    )
    assert made._replace(size=3)._asdict() == {"name": "a", "size": 3, "more": None}
    assert Ours.named("b").size == 1
    assert pickle.loads(pickle.dumps(made)) == made  # noqa: S301 - written by this test
    with pytest.raises(TypeError):
        Ours(**typing.cast("dict[str, Any]", {}))
