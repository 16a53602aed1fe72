"""Routes through marks."""

from dractl.source.marks import MarkList, find, inner, start_of
from tests.rows import each_row

TEXT = "{a: 1, b: [x, {c: y}]}"
VALUE = {"a": 1, "b": ["x", {"c": "y"}]}
MARKS: MarkList = [0, "a", 1, 4, "b", 7, [10, 11, [14, "c", 15, 18]]]


@each_row(
    ("steps", "depth", "key", "value"),
    [
        ((), 0, 0, 0),
        (("a",), 1, 1, 4),
        (("b",), 1, 7, 10),
        (("b", 0), 2, 11, 11),
        (("b", 1), 2, 14, 14),
        (("b", 1, "c"), 3, 15, 18),
    ],
)
def test_every_step_is_found(steps: tuple[str | int, ...], depth: int, key: int, value: int) -> None:
    place = find(MARKS, VALUE, steps)
    assert (place.depth, place.key, place.value) == (depth, key, value)


@each_row(
    ("steps", "depth", "key"),
    [
        (("z",), 0, 0),
        (("b", 2), 1, 7),
        (("b", -1), 1, 7),
        (("b", "c"), 1, 7),
        (("a", "z"), 1, 1),
        ((0,), 0, 0),
        (("b", 1, "c", "d", "e"), 3, 15),
    ],
)
def test_too_long_a_route_ends_at_the_deepest_step(
    steps: tuple[str | int, ...], depth: int, key: int
) -> None:
    place = find(MARKS, VALUE, steps)
    assert (place.depth, place.key) == (depth, key)


def test_the_last_of_repeated_keys_counts() -> None:
    assert find([0, "a", 1, 4, "a", 7, 10], {"a": 2}, ("a",)).key == 7


def test_a_key_named_like_an_offset_is_not_confused_with_one() -> None:
    assert find([0, "a", 5, 8, "5", 11, 14], {"a": 1, "5": 2}, ("5",)).key == 11


def test_an_alias_stands_where_it_is_written_and_its_parts_where_they_are() -> None:
    alias = (20, [3, "c", 4, 7])
    place = find([0, "b", 17, alias], {"b": {"c": 1}}, ("b",))
    assert (place.key, place.value) == (17, 20)
    assert find([0, "b", 17, alias], {"b": {"c": 1}}, ("b", "c")).key == 4


def test_a_key_of_the_value_without_a_mark_is_not_found() -> None:
    assert find([0, "a", 1, 4], {"kind": "Pod", "a": 1}, ("kind",)).depth == 0


def test_the_offsets_are_those_of_the_text() -> None:
    assert [TEXT[find(MARKS, VALUE, steps).key] for steps in (("a",), ("b",), ("b", 1, "c"))] == [
        "a",
        "b",
        "c",
    ]


def test_what_is_there_comes_along() -> None:
    assert find(MARKS, VALUE, ("b", 1)).found == {"c": "y"}


def test_start_and_inner() -> None:
    assert (start_of(3), start_of([5, 6]), start_of((7, [1]))) == (3, 5, 7)
    assert (inner(3), inner([5, 6]), inner((7, [1]))) == (3, [5, 6], [1])
