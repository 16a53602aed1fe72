"""What ``python -m tools.oracle build`` asks of Go, by a program that takes its place."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.tools.fake_go import fake_go
from tools.kubernetes.releases import RELEASES
from tools.oracle.__main__ import main
from tools.oracle.build import PROGRAM

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="scripts with #! do not run here")


def test_each_minor_becomes_a_program(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    go = fake_go(tmp_path / "go")
    into = tmp_path / "programs"
    assert main(["build", "1.36", "1.37.9", "--into", str(into), "--go", str(go.program)]) == 0
    assert sorted(path.name for path in into.iterdir()) == ["modules", "oracle-1.36", "oracle-1.37"]
    assert f"{into / 'oracle-1.37'} of 1.37.9: " in capsys.readouterr().out
    (download, _, _), (arguments, folder, flags) = go.calls()[2:]
    assert download == ["mod", "download", "-json", "k8s.io/kubernetes@v1.37.9"]
    assert arguments[:3] == [
        "build",
        f"-modfile={into / 'modules' / '1.37.9.mod'}",
        f"-tags={','.join(RELEASES['1.37'].tags)}",
    ]
    assert "-X dractl-oracle/release.Version=v1.37.9" in arguments[3]
    assert "-X k8s.io/component-base/version.gitMinor=37" in arguments[3]
    assert Path(folder) == PROGRAM
    assert "-mod=mod" in flags.split()


def test_the_go_mod_of_a_release_is_written_once(tmp_path: Path) -> None:
    go = fake_go(tmp_path / "go")
    arguments = ["build", "1.37", "--into", str(tmp_path), "--go", str(go.program)]
    assert (main(arguments), main(arguments)) == (0, 0)
    assert [called[0] for called, _, _ in go.calls()] == ["mod", "build", "build"]
    written = tmp_path / "modules" / f"{RELEASES['1.37'].version}.mod"
    assert written.read_text().startswith("module dractl-oracle\n")
    assert written.with_suffix(".sum").read_text() == "a sum\n"


def test_a_failed_build_does_not_keep_the_next_from_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    go = fake_go(tmp_path / "go", code=3)
    assert main(["build", "1.36", "1.37", "--into", str(tmp_path), "--go", str(go.program)]) == 1
    assert capsys.readouterr().err.splitlines() == [
        f"oracle-{minor} of {RELEASES[minor].version}: go build failed with exit code 3"
        for minor in ("1.36", "1.37")
    ]


def test_without_go_the_message_names_the_option(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["build", "1.37", "--into", str(tmp_path), "--go", str(tmp_path / "nothing")]) == 1
    assert "no Go toolchain: install Go, or name the program with --go" in capsys.readouterr().err


def test_an_unknown_minor_is_a_usage_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["build", "1.29", "--into", str(tmp_path)])
    assert "unknown release '1.29'" in capsys.readouterr().err
