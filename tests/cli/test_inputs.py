from __future__ import annotations

import io
from pathlib import Path

import pytest

from dractl.cli.inputs import Beside, Inputs, read
from dractl.cli.server import UsageError


@pytest.mark.parametrize(
    ("is_complete", "failed", "code"),
    [(True, False, 0), (True, True, 1), (False, False, 2), (False, True, 2)],
)
def test_exit_codes(is_complete: bool, failed: bool, code: int) -> None:
    assert Inputs([], is_complete=is_complete).exit_code(failed=failed) == code


def test_what_can_be_read_is_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    good, missing = tmp_path / "good.yaml", tmp_path / "missing.yaml"
    good.write_text("a: 1\n---\nb: 2\n", encoding="utf-8")
    inputs = read([str(missing), str(good)], ())
    assert inputs is not None
    assert len(inputs.loaded) == 2
    assert not inputs.is_complete
    assert capsys.readouterr().err == f"dractl: {missing}: No such file or directory\n"


def test_text_that_cannot_be_read_counts_as_read(tmp_path: Path) -> None:
    bad = tmp_path / "bad.yaml"
    bad.write_bytes(b"\xff\xff\xff")
    inputs = read([str(bad)], ())
    assert inputs is not None
    assert inputs.is_complete


def test_nothing_at_all(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    empty = tmp_path / "empty.yaml"
    empty.write_text("", encoding="utf-8")
    assert read([str(empty)], ()) is None
    assert capsys.readouterr().err == f"dractl: no documents found in {empty}\n"


def test_everything_left_out(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    inner = tmp_path / "inner"
    inner.mkdir()
    (inner / "a.yaml").write_text("a: 1\n", encoding="utf-8")
    capsys.readouterr()
    for path, glob in ((tmp_path, "a.*"), (tmp_path, "inner"), (inner / "a.yaml", "./a.yaml")):
        assert read([str(path)], [glob]) is None
        assert (
            capsys.readouterr().err == f"dractl: no documents found in {path}; --exclude ignores the rest\n"
        )


def test_no_input_is_overwritten(tmp_path: Path) -> None:
    source, other = tmp_path / "a.yaml", tmp_path / "other.yaml"
    source.write_text("a: 1\n", encoding="utf-8")
    other.symlink_to(source)
    for output in (str(source), f"{tmp_path}/../{tmp_path.name}/a.yaml", str(other)):
        with pytest.raises(UsageError, match="is also an input and would be overwritten"):
            read([str(tmp_path)], (), [Beside(output, "--output")])
    with pytest.raises(UsageError, match="is also an input and would be overwritten"):
        read([str(source)], ["a.yaml"], [Beside(str(source), "--output")])
    assert read([str(source)], (), [Beside(str(tmp_path / "new.yaml"), "--output")]) is not None
    assert read([str(source)], (), [Beside("/dev/null", "--output")]) is not None


def test_nothing_at_all_may_be_fine(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    empty = tmp_path / "empty.yaml"
    empty.write_text("# nothing yet\n", encoding="utf-8")
    assert read([str(empty)], (), may_be_empty=True) == Inputs((), is_complete=True, files=(str(empty),))
    assert capsys.readouterr().err == ""
    assert read([str(tmp_path / "missing.yaml")], (), may_be_empty=True) is None


def test_standard_input_is_named_once(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"")))
    assert read(["-", "-"], ()) is None
    assert capsys.readouterr().err == "dractl: no documents found in standard input\n"


@pytest.mark.parametrize(
    ("paths", "exclude", "message"),
    [
        ([""], [], "PATH: expected a path (unset shell variable?)"),
        (["a.yaml", ""], [], "PATH: expected a path (unset shell variable?)"),
        (["a.yaml"], [""], "--exclude: expected a pattern (unset shell variable?)"),
        (["a.yaml"], ["b", " "], "--exclude: expected a pattern (unset shell variable?)"),
        (
            ["a.yaml"],
            ["x[1"],
            "--exclude: unclosed bracket in 'x[1'; to match the character itself, write x[[]1",
        ),
        (
            ["a.yaml"],
            ["[]"],
            "--exclude: unclosed bracket in '[]'; to match the character itself, write [[]]",
        ),
    ],
)
def test_paths_and_patterns_that_cannot_be_meant(paths: list[str], exclude: list[str], message: str) -> None:
    with pytest.raises(UsageError) as raised:
        read(paths, exclude)
    assert str(raised.value) == message


@pytest.mark.parametrize("pattern", ["x[1]", "[[]", "[]]", "z[!o]", "[!]]", "*.yaml"])
def test_patterns_that_are_fine(tmp_path: Path, pattern: str) -> None:
    file = tmp_path / "other"
    file.write_text("a: 1\n", encoding="utf-8")
    assert read([str(file)], [pattern]) is not None


def test_what_is_passed_over_is_reported_once_unless_quiet(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "a.yaml").write_text("a: 1\n", encoding="utf-8")
    (tmp_path / "again").symlink_to("sub")
    for quiet, said in (
        (False, "dractl: again: is a link to a folder that is already read\n"),
        (True, ""),
    ):
        inputs = read(["."], (), quiet=quiet)
        assert inputs is not None
        assert inputs.is_complete
        assert capsys.readouterr().err == said


def test_a_link_that_leads_out_makes_the_input_incomplete(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.yaml").write_text("a: 1\n", encoding="utf-8")
    (tmp_path / "in" / "env.yaml").symlink_to("/proc/self/environ")
    inputs = read(["in"], (), quiet=True)
    assert inputs is not None
    assert inputs.exit_code(failed=False) == 2
    assert capsys.readouterr().err.startswith("dractl: in/env.yaml: is a link to /proc/self/environ, outside")
