"""The command ``python -m tools.api_data``, and the data against releases in Go's module cache."""

from __future__ import annotations

import re
import shutil
import subprocess
from functools import cache
from pathlib import Path

import pytest

from tests.paths import ROOT
from tools.api_data import published, tables
from tools.api_data.__main__ import main
from tools.kubernetes.modules import KUBERNETES
from tools.kubernetes.releases import RELEASES
from tools.kubernetes.toolchain import Go


def test_what_keeps_the_command_from_its_work_is_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["1.37", "--check", "--go", str(tmp_path / "nothing")]) == 1
    assert "no Go toolchain: install Go, or name the program with --go" in capsys.readouterr().err
    with pytest.raises(SystemExit, match="2"):
        main(["1.29"])
    assert "unknown release '1.29'" in capsys.readouterr().err


@cache
def _go() -> tuple[tuple[int, ...], Path]:
    """The version of Go, and the folder of its module cache; zero without Go."""
    if shutil.which("go") is None:
        return (0,), Path()
    said = subprocess.run(
        ["go", "env", "GOVERSION", "GOMODCACHE"], capture_output=True, text=True, check=True
    )
    version, cache_folder = said.stdout.splitlines()
    return tuple(map(int, re.findall(r"\d+", version))), Path(cache_folder)


@pytest.mark.slow
@pytest.mark.parametrize("minor", RELEASES)
def test_the_data_is_what_the_release_published(minor: str) -> None:
    release = RELEASES[minor]
    version, modules = _go()
    if version < tuple(map(int, release.go.split("."))):
        pytest.skip(f"no Go toolchain {release.go}")
    if not (modules / f"{KUBERNETES}@v{release.version}").is_dir():
        pytest.skip(f"Kubernetes {release.version} is not in the module cache")
    data = tables.generate(published.read(release, Go("go", ROOT / "build" / "go")))
    for name, text in tables.texts(data).items():
        assert tables.differences((tables.FOLDER / name).read_text(encoding="utf-8"), text) == []
