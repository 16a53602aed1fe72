from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from dractl.cli.cel import cel
from dractl.cli.options import CelOptions
from dractl.cli.server import UsageError
from tests.paths import ROOT
from tests.rows import each_row

DEVICES = str(ROOT / "testdata" / "output" / "inputs" / "devices.yaml")
MODEL = 'device.attributes["gpu.example.com"].model == "H100"'


def _stdin(monkeypatch: pytest.MonkeyPatch, data: bytes) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))


@each_row(
    ("expression", "options", "code"),
    [
        ("true", {}, 0),
        (MODEL, {}, 0),
        ("device.", {}, 1),
        ("[1].sort() == [1]", {"kube_version": "1.34"}, 1),
        ("[1].sort() == [1]", {"kube_version": "1.34", "env": "new"}, 1),
        ("[1].sort() == [1]", {"kube_version": "1.34", "env": "stored"}, 0),
        ('device.capacity["a"].b != quantity("1")', {}, 1),
        ('device.capacity["a"].b != quantity("1")', {"env": "stored"}, 0),
    ],
)
def test_the_exit_code_says_whether_it_is_taken(expression: str, options: dict[str, Any], code: int) -> None:
    assert cel(CelOptions(expression, **options)) == code


def test_a_device_that_fails_is_no_error_of_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert cel(CelOptions(MODEL, [DEVICES])) == 0
    assert "selects 1 of 3 devices" in capsys.readouterr().out


def test_a_path_that_is_missing_is_2_and_the_rest_is_reported(capsys: pytest.CaptureFixture[str]) -> None:
    assert cel(CelOptions(MODEL, [DEVICES, "missing.yaml"])) == 2
    written = capsys.readouterr()
    assert "selects 1 of 3 devices" in written.out
    assert "missing.yaml: No such file" in written.err
    assert cel(CelOptions(MODEL, ["missing.yaml"])) == 2


def test_several_expressions_are_lines_of_standard_input(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    _stdin(monkeypatch, f"# none\n\n  true \n{MODEL}\ndevice.\n".encode())
    assert cel(CelOptions("-", [DEVICES])) == 1
    blocks = capsys.readouterr().out.split("\n\n")
    assert [block.splitlines()[0] for block in blocks if "API server" in block] == ["true", MODEL, "device."]


def test_each_answer_is_written_before_the_next_line_is_read(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    seen: list[str] = []

    class Lines:
        """Standard input that looks at what has been written whenever a line is wanted."""

        def __init__(self) -> None:
            self.buffer = self
            self._left = [b"true\n", b"false\n"]

        def readline(self, _size: int) -> bytes:
            seen.append(capsys.readouterr().out)
            return self._left.pop(0) if self._left else b""

    monkeypatch.setattr(sys, "stdin", Lines())
    assert cel(CelOptions("-")) == 0
    assert seen[0] == ""
    assert seen[1].startswith("true\nAPI server (new):")


def test_standard_input_may_hold_the_slices(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    _stdin(monkeypatch, Path(DEVICES).read_bytes())
    assert cel(CelOptions(MODEL, ["-"])) == 0
    assert "selects 1 of 3 devices" in capsys.readouterr().out


def test_standard_input_without_an_expression(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    _stdin(monkeypatch, b"# nothing\n")
    assert cel(CelOptions("-")) == 2
    assert "no expressions on standard input" in capsys.readouterr().err


def test_standard_input_that_is_no_text(monkeypatch: pytest.MonkeyPatch) -> None:
    _stdin(monkeypatch, b"true\n\xff\xfe\n")
    with pytest.raises(UsageError, match="line 2 of standard input is not valid UTF-8"):
        cel(CelOptions("-"))


def test_the_result_can_go_to_a_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    target = tmp_path / "out"
    _stdin(monkeypatch, b"true\nfalse\n")
    assert cel(CelOptions("-", output=str(target))) == 0
    text = target.read_text(encoding="utf-8")
    assert text.startswith("true\nAPI server (new):")
    assert "\n\nfalse\nAPI server" in text
    assert cel(CelOptions("true", output=str(tmp_path / "missing" / "out"))) == 2


@pytest.mark.parametrize("lines", ["true\nnope(\nfalse\n1\ntrue\n", "true\nfalse\n"])
def test_quiet_writes_to_a_file_what_it_prints(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], lines: str
) -> None:
    target = tmp_path / "out.txt"
    for output in (None, str(target)):
        _stdin(monkeypatch, lines.encode())
        cel(CelOptions("-", quiet=True, output=output))
    assert target.read_text(encoding="utf-8") == capsys.readouterr().out


def test_a_document(capsys: pytest.CaptureFixture[str]) -> None:
    assert cel(CelOptions(MODEL, [DEVICES], report_format="json", env="stored")) == 0
    (entry,) = json.loads(capsys.readouterr().out)["expressions"]
    assert [device["result"] for device in entry["devices"]] == [False, True, None]


def test_quiet_says_nothing_where_all_is_well(capsys: pytest.CaptureFixture[str]) -> None:
    claim = str(Path(DEVICES).parent / "clean.yaml")
    assert cel(CelOptions("true", [claim], quiet=True)) == 0
    assert capsys.readouterr() == ("", "")


@each_row(
    ("options", "message"),
    [
        ({"expression": "-", "paths": ["-"]}, "PATH: standard input can hold"),
        ({"compare": "other"}, "--compare: unsupported engine 'other'"),
        ({"kube_version": "1.36..1.37"}, "--kube-version: expected one minor, got the range '1.36..1.37'"),
        ({"feature_gates": ["DRAX=true"]}, "--feature-gates: unknown feature gate"),
    ],
)
def test_what_makes_no_sense(options: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError) as raised:
        cel(CelOptions(**({"expression": "true"} | options)))
    assert str(raised.value).startswith(message)


def test_another_engine_that_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "celpy", None)
    with pytest.raises(UsageError, match=r"pip install 'dractl\[celpy\]'"):
        cel(CelOptions("true", compare="celpy"))


def test_a_document_that_is_no_object_is_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "a.yaml"
    file.write_text("hello\n", encoding="utf-8")
    assert cel(CelOptions("true", [str(file)])) == 0
    said = (
        f"{file}:1:1: warning: the document is a single value, not an object, "
        "and is skipped [document/unnamed]\n"
    )
    assert capsys.readouterr().err.startswith(said)
    assert cel(CelOptions("true", [str(file)], quiet=True)) == 0
    assert capsys.readouterr().err == ""
