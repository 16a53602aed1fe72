"""Names of files in a link: short, relative and unique."""

from __future__ import annotations

import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dractl.sharing.fragment import SharedFile, SharedWorld, decode, encode
from dractl.sharing.names import shared_names


@pytest.mark.parametrize(
    ("paths", "more", "names"),
    [
        (["/home/me/demo/a.yaml"], [], ["a.yaml"]),
        (["/home/me/demo/a.yaml", "/home/me/demo/more/b.yaml"], [], ["a.yaml", "more/b.yaml"]),
        (["/x/one/a.yaml", "/x/two/a.yaml"], [], ["one/a.yaml", "two/a.yaml"]),
        (["../a.yaml", "./b/../a.json"], [], ["a.yaml", f"{os.path.basename(os.getcwd())}/a.json"]),  # noqa: PTH109, PTH119
        (["<stdin>", "/x/stdin.yaml"], [], ["stdin.yaml", "stdin-2.yaml"]),
        (["/x/y/selectors.yaml"], ["selectors.yaml"], ["selectors.yaml", "selectors-2.yaml"]),
        ([], ["selectors.yaml"], ["selectors.yaml"]),
        (["/x/a\nb\\c:\udcff.yaml"], [], ["a_b_c__.yaml"]),
        (["/x/" + "d/" * 120 + "a.yaml", "/x/b.yaml"], [], ["a.yaml", "b.yaml"]),
    ],
)
def test_names_are_relative_to_the_common_folder(paths: list[str], more: list[str], names: list[str]) -> None:
    assert shared_names(paths, more) == names


@given(st.lists(st.text(min_size=1), min_size=1, max_size=5))
def test_a_link_takes_the_name_of_any_path(paths: list[str]) -> None:
    # A path that is a folder or has a null cannot have been read.
    paths = [f"/top/{path}/x.yaml" for path in paths if "\0" not in path] or ["a"]
    names = shared_names(paths)
    world = SharedWorld(tuple(SharedFile(name, "") for name in names))
    assert len(names) == len(paths)
    assert decode(encode(world)) == world
