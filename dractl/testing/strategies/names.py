"""Names and values as the API has them: labels, identifiers, quantities, attributes."""

from __future__ import annotations

from functools import cache

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from dractl.api.json_types import JsonDict

__all__ = ["attribute_values", "gibibytes", "identifiers", "label_values", "labels"]


_SMALL = "abcdefghijklmnopqrstuvwxyz0123456789"
_LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_"


@cache
def labels() -> SearchStrategy[str]:
    """A DNS label, such as the name of a device or a request."""
    return st.text(f"{_SMALL}-", min_size=1, max_size=10).map(lambda text: text.strip("-") or "a")


@cache
def identifiers() -> SearchStrategy[str]:
    """The name of an attribute or a capacity, without a domain."""
    return st.tuples(st.sampled_from(_LETTERS), st.text(f"{_LETTERS}0123456789", max_size=31)).map("".join)


@cache
def label_values() -> SearchStrategy[str]:
    """The value of a label or a taint, which may be empty."""
    return st.text(f"{_LETTERS}{_SMALL}.-", max_size=10).map(lambda text: text.strip("-_."))


@cache
def gibibytes(least: int = 1, most: int = 128) -> SearchStrategy[str]:
    """A quantity of memory."""
    return st.integers(least, most).map("{}Gi".format)


@cache
def attribute_values() -> SearchStrategy[JsonDict]:
    """The value of an attribute, of any scalar type."""
    part = st.integers(0, 99)
    version = st.builds("{}.{}.{}{}".format, part, part, part, st.sampled_from(["", "-rc.1", "+build.7"]))
    # 64 bytes at most, and a character takes up to four.
    text = st.text(max_size=16)
    return st.one_of(
        st.booleans().map(lambda value: {"bool": value}),
        st.integers(-(2**63), 2**63 - 1).map(lambda value: {"int": value}),
        text.map(lambda value: {"string": value}),
        version.map(lambda value: {"version": value}),
    )
