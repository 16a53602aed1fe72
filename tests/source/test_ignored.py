"""The patterns of .gitignore; test_git_tree and test_monorepo test that they are read as Git reads them."""

from __future__ import annotations

import random
import warnings
from pathlib import Path

from pathspec import GitIgnoreSpec

from dractl.source.bounds import Bounds
from dractl.source.ignored import Ignored

PIECES = ("a", "b", ".", "*", "?", "/", "[", "ab]", "\\", "!", "**/", "/**", " ", "#", "-", "c.yaml")
NAMES = "ab.c!# "


def test_a_path_that_is_decided_without_the_library_is_one_that_no_pattern_matches(tmp_path: Path) -> None:
    random_ = random.Random(7)  # noqa: S311 - no secrets
    (tmp_path / ".git").mkdir()
    matched = 0
    for _ in range(1_500):
        lines = ["".join(random_.choices(PIECES, k=random_.randint(1, 5))) for _ in range(2)]
        path = "/".join("x" + "".join(random_.choices(NAMES, k=2)) for _ in range(random_.randint(1, 3)))
        usable = [line for line in lines if line.count("*") <= 2 and line.strip()]
        with warnings.catch_warnings():
            warnings.simplefilter(
                "ignore", FutureWarning
            )  # of a set in a set, which Python may read otherwise
            try:
                expected = GitIgnoreSpec.from_lines(usable).check_file(path).include
            except ValueError:
                continue
            (tmp_path / ".gitignore").write_text("\n".join(usable), encoding="utf-8")
            found = Ignored().within(str(tmp_path), Bounds.of_walk((str(tmp_path),)))
            assert found.leaves_out(str(tmp_path / path), is_folder=False) == bool(expected), (usable, path)
        matched += expected is not None
    assert matched > 50
