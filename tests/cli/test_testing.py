"""``dractl test``."""

from __future__ import annotations

import io
import json
import os
import shutil
from pathlib import Path

import pytest

from dractl.cli.options import TestOptions
from dractl.cli.server import UsageError
from dractl.cli.testing import run_tests
from tests.paths import ROOT

EXAMPLES = ROOT / "testdata" / "examples"
EXAMPLE = str(EXAMPLES / "dractl-test.yaml")


def write(tmp_path: Path, text: str) -> Path:
    shutil.copytree(EXAMPLES / "quickstart", tmp_path / "quickstart", dirs_exist_ok=True)
    file = tmp_path / "t.yaml"
    file.write_text(f"schema: dractl.test/1\nmanifests: quickstart\n{text}", encoding="utf-8")
    return file


def test_the_example_holds(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_tests(TestOptions([EXAMPLE])) == 0
    assert capsys.readouterr().out == "7 cases in 1 file passed\n"
    assert run_tests(TestOptions([EXAMPLE], quiet=True)) == 0
    assert capsys.readouterr() == ("", "")


def test_the_exit_code(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    wrong = write(tmp_path, "expect: {pods: {train: {node: node-b}}}\n")
    assert run_tests(TestOptions([str(wrong)])) == 1
    faulty = write(tmp_path, "expct: {}\n")
    assert run_tests(TestOptions([str(faulty), EXAMPLE])) == 2
    written = capsys.readouterr()
    assert "7 cases in 1 file passed" in written.out
    assert "did you mean expect? [test/format]" in written.err
    assert run_tests(TestOptions([str(tmp_path / "missing.yaml")])) == 2
    assert run_tests(TestOptions([str(tmp_path / "nowhere")])) == 2
    (tmp_path / "empty").mkdir()
    assert run_tests(TestOptions([str(tmp_path / "empty")])) == 2


def test_an_update_writes_what_comes_and_keeps_the_rest(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = write(
        tmp_path,
        "# why\nexpect:\n  pods:\n    train: # the job\n      node: node-b # is it?\n"
        "    nobody:\n      node: node-a\n",
    )
    assert run_tests(TestOptions([str(file)], update=True)) == 0
    assert capsys.readouterr().out == f"{file}: updated\n1 case in 1 file passed\n"
    assert file.read_text(encoding="utf-8").split("\n", 2)[2] == (
        "# why\nexpect:\n  pods:\n    train: # the job\n      node: node-a # is it?\n"
    )
    before = file.stat().st_mtime_ns
    assert run_tests(TestOptions([str(file)], update=True)) == 0
    assert file.stat().st_mtime_ns == before


def test_an_update_fills_a_file_that_expects_nothing(tmp_path: Path) -> None:
    file = write(tmp_path, "")
    assert run_tests(TestOptions([str(file)])) == 1
    assert run_tests(TestOptions([str(file)], update=True)) == 0
    assert file.read_text(encoding="utf-8").endswith("  complete: true\n")
    assert run_tests(TestOptions([str(file)])) == 0


def test_what_differs_between_minors_is_not_updated(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = write(
        tmp_path,
        "kubeVersion: ['1.33', '1.37']\nfeatureGates: {DynamicResourceAllocation: true}\n"
        "expect: {pods: {train: {node: node-b}}}\n",
    )
    before = file.read_text(encoding="utf-8")
    assert run_tests(TestOptions([str(file)], update=True)) == 1
    assert file.read_text(encoding="utf-8") == before
    assert "expect is not updated: actual results differ between minors or cases" in capsys.readouterr().err


def test_a_step_that_cannot_be_done_stays_a_failure(tmp_path: Path) -> None:
    file = write(tmp_path, "steps: [{complete: nobody}]\nexpect: {}\n")
    before = file.read_text(encoding="utf-8")
    assert run_tests(TestOptions([str(file)], update=True)) == 1
    assert file.read_text(encoding="utf-8") == before


def test_formats_for_programs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run_tests(TestOptions([EXAMPLE], report_format="json")) == 0
    assert json.loads(capsys.readouterr().out)["summary"] == {"files": 1, "cases": 7, "failed": 0}
    out = tmp_path / "junit.xml"
    assert run_tests(TestOptions([EXAMPLE], report_format="junit", output=str(out))) == 0
    assert out.read_text(encoding="utf-8").startswith('<?xml version="1.0" encoding="utf-8"?>\n<testsuites')


def test_the_minor_of_the_command_line_counts(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_tests(TestOptions([EXAMPLE], kube_version="1.36", report_format="json")) == 0
    cases = json.loads(capsys.readouterr().out)["cases"]
    assert {case["kubeVersion"] for case in cases} == {"1.36"}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"kube_version": "1.99"}, "--kube-version: "),
        ({"feature_gates": ["x"]}, "--feature-gates: "),
        ({"update": True, "kube_version": "1.36"}, "--update: cannot be combined with --kube-version"),
        ({"output": EXAMPLE}, "--output: "),
    ],
)
def test_wrong_usage(options: dict[str, object], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        run_tests(TestOptions([EXAMPLE], **options))  # type: ignore[arg-type]


def test_no_input_is_overwritten(tmp_path: Path) -> None:
    node = "apiVersion: v1\nkind: Node\nmetadata: {name: node-z}\n"
    files = {"in.yaml": node, "node.yaml": node, "more.yaml": node, "inner.yaml": node}
    files["story.yaml"] = "schema: dractl.scenario/1\nsteps: [{apply: node.yaml}]\n"
    files["t.yaml"] = (
        "schema: dractl.test/1\nmanifests: in.yaml\nexpect: {complete: true}\ncases:\n"
        "- {name: a, scenario: story.yaml}\n"
        "- {name: b, steps: [{apply: [more.yaml]}, {apply: inner.yaml}]}\n"
    )
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    for name, text in files.items():
        with pytest.raises(UsageError, match=r"--output: .*is also an input and would be overwritten"):
            run_tests(TestOptions([str(tmp_path / "t.yaml")], output=str(tmp_path / name)))
        assert (tmp_path / name).read_text(encoding="utf-8") == text
    assert run_tests(TestOptions([str(tmp_path / "t.yaml")], output=str(tmp_path / "fresh.txt"))) == 0


def test_only_files_are_updated(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="--update: cannot update standard input; name the file"):
        run_tests(TestOptions(["-"], update=True))
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(UsageError, match=r"--update: .*pipe is not a regular file"):
        run_tests(TestOptions([str(tmp_path / "pipe")], update=True))


def test_an_update_names_the_comments_that_go(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = write(tmp_path, "expect:\n  pods:\n    nobody: # is gone\n      node: node-a\n    train: {}\n")
    assert run_tests(TestOptions([str(file)], update=True)) == 0
    assert "lost with the rewritten lines: # is gone" in capsys.readouterr().err


def test_an_update_keeps_patterns(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pattern = '{match: "*/*/eth-*", count: COUNT} # which ones does not matter'
    text = f"expect:\n  pods:\n    train:\n      devices:\n        pair/gpu: {pattern}\n"
    file = write(tmp_path, text.replace("COUNT", "9"))
    assert run_tests(TestOptions([str(file)], update=True)) == 1
    assert file.read_text(encoding="utf-8").endswith(text.replace("COUNT", "1"))
    where = "expect.pods.train.devices.pair/gpu.match"
    shown = capsys.readouterr()
    assert shown.err == f"dractl: {file}: {where} is not updated: it does not name exact values\n"
    assert "    - devices pair/gpu match: */*/eth-*\n    + devices pair/gpu match: gpu.example" in shown.out


def test_no_file_of_a_folder_is_passed_over(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(tmp_path, "expect: {pods: {train: {node: node-a}}}\n")
    (tmp_path / "a.yaml").write_text("schema: dractl.test/1\nx: [\n", encoding="utf-8")
    (tmp_path / "b.yaml").write_bytes(b"schema: dractl.test/1\n# \xff\n")
    (tmp_path / "c.yaml").write_text("schema: dractl.test/2\n", encoding="utf-8")
    (tmp_path / "d.yaml").write_text("a: {{ b }}\n", encoding="utf-8")
    assert run_tests(TestOptions([str(tmp_path)])) == 2
    written = capsys.readouterr()
    assert written.out == "1 case in 1 file passed; 3 files cannot be used\n"
    assert f"{tmp_path}/a.yaml:3:1: error: a value is missing here [decode/syntax]\n" in written.err
    assert f"{tmp_path}/b.yaml:2:3: error: byte 0xff is not valid UTF-8" in written.err
    assert f"{tmp_path}/c.yaml:1:1: error: schema: must be dractl.test/1, not 'dractl.test/2'" in written.err
    assert f"dractl: {tmp_path}/d.yaml:1:" in written.err
    assert written.err.endswith("; skipped, because schema: dractl.test/1 is missing\n")
    assert run_tests(TestOptions([str(tmp_path)], report_format="json", quiet=True)) == 2
    written = capsys.readouterr()
    assert json.loads(written.out)["summary"] == {"files": 1, "cases": 1, "failed": 0, "errors": 3}
    assert "d.yaml" not in written.err
    assert run_tests(TestOptions([str(tmp_path)], report_format="junit")) == 2
    assert 'tests="4" failures="0" errors="3"' in capsys.readouterr().out


def test_manifests_that_cannot_be_read_fail_a_case(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "broken.yaml").write_text("a: [\n", encoding="utf-8")
    shutil.copytree(EXAMPLES / "quickstart", tmp_path / "quickstart")
    for manifests in ("broken.yaml", "[quickstart, broken.yaml]"):
        for expected in ("expect: {complete: true}", "expect: {}", "steps: [{cordon: node-a}]\nexpect: {}"):
            file = tmp_path / "t.yaml"
            text = f"schema: dractl.test/1\nmanifests: {manifests}\n{expected}\n"
            file.write_text(text, encoding="utf-8")
            assert run_tests(TestOptions([str(file)])) == 1
            assert f"because {tmp_path}/broken.yaml:2:1: a value is missing here\n" in capsys.readouterr().out


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16-le", "utf-16-be"])
def test_an_update_keeps_the_encoding(tmp_path: Path, encoding: str) -> None:
    file = write(tmp_path, "expect: {pods: {train: {node: node-b}}}\n")
    text, mark = file.read_text(encoding="utf-8"), "" if encoding == "utf-8-sig" else "\ufeff"
    file.write_bytes((mark + text).encode(encoding))
    assert run_tests(TestOptions([str(file)], update=True)) == 0
    assert file.read_bytes() == (mark + text.replace("node-b", "node-a")).encode(encoding)


def test_an_update_that_cannot_be_written_is_2(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = write(tmp_path, "expect: {pods: {train: {node: node-b}}}\n")
    file.chmod(0o444)
    assert run_tests(TestOptions([str(file)], update=True)) == 2
    assert f"{file}: the file is read-only; no file was written" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "field"),
    [
        ("manifests: ../outside\n", "manifests"),
        ("manifests: [quickstart, /proc/self/environ]\n", "manifests"),
        ("manifests: quickstart\nscenario: ../outside/story.yaml\n", "scenario"),
        ("manifests: quickstart\nscenario: story.yaml\n", "steps[0].apply"),
        ("manifests: quickstart\nsteps: [{apply: ../outside/node.yaml}]\n", "steps[0].apply"),
        ("manifests: quickstart\nsteps: [{publish: [link/node.yaml]}]\n", "steps[0].publish[0]"),
        ("manifests: quickstart\nsteps: [{apply: /dev/zero}]\n", "steps[0].apply"),
    ],
)
def test_what_a_file_names_must_be_inside(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, field: str
) -> None:
    inside, outside = tmp_path / "inside", tmp_path / "outside"
    inside.mkdir()
    outside.mkdir()
    shutil.copytree(EXAMPLES / "quickstart", inside / "quickstart")
    (outside / "node.yaml").write_text("apiVersion: v1\nkind: Node\nmetadata: {name: z}\n", encoding="utf-8")
    story = "schema: dractl.scenario/1\nsteps: [{apply: ../outside/node.yaml}]\n"
    for place in (inside, outside):
        (place / "story.yaml").write_text(story, encoding="utf-8")
    if "link/" in text:
        (inside / "link").symlink_to("../outside")
    file = inside / "t.yaml"
    file.write_text(f"schema: dractl.test/1\n{text}expect: {{}}\n", encoding="utf-8")
    assert run_tests(TestOptions([str(file)])) == 2
    said = capsys.readouterr().err
    assert f"error: {field}: " in said
    assert "outside the folders on the command line; run dractl from a common parent folder" in said
    if "../outside" in text or "story" in text:
        # The second path holds no expectations, but naming it opens its folder.
        assert run_tests(TestOptions([str(tmp_path / "inside"), str(outside / "story.yaml")])) == 2
        assert "outside the folders" not in capsys.readouterr().err


def test_a_file_below_the_working_folder_may_name_what_is_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(EXAMPLES / "quickstart", tmp_path / "common")
    (tmp_path / "tests").mkdir()
    file = tmp_path / "tests" / "t.yaml"
    text = "schema: dractl.test/1\nmanifests: ../common\nexpect: {pods: {train: {node: node-a}}}\n"
    file.write_text(text, encoding="utf-8")
    assert run_tests(TestOptions([str(file)])) == 2
    monkeypatch.chdir(tmp_path)
    assert (
        run_tests(TestOptions(["tests/t.yaml"]))
        == run_tests(TestOptions(["tests"]))
        == run_tests(TestOptions([str(file)]))
        == 0
    )
    monkeypatch.chdir("tests")
    assert run_tests(TestOptions(["t.yaml"])) == 2


@pytest.mark.parametrize("name", ["t.yaml", "-"])
def test_a_dash_in_a_file_is_the_name_of_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    """Standard input may be a terminal, and the run would wait for ever."""
    monkeypatch.chdir(tmp_path)
    text = 'schema: dractl.test/1\nmanifests: "-"\nexpect: {complete: true}\n'
    (tmp_path / "t.yaml").write_text(text, encoding="utf-8")
    reads: list[int] = []

    class Once(io.BytesIO):
        def read(self, size: int | None = -1) -> bytes:
            reads.append(1)
            return super().read(size)

    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(Once(text.encode())))
    assert run_tests(TestOptions([name])) == 2
    assert "manifests: ./-: No such file or directory" in capsys.readouterr().err
    (tmp_path / "-").write_text("apiVersion: v1\nkind: Node\nmetadata: {name: z}\n", encoding="utf-8")
    assert run_tests(TestOptions(["t.yaml"])) == 0
    assert len(reads) == (name == "-")
