"""``dractl validate --fix`` and ``--diff`` as a user runs them."""

from __future__ import annotations

import json
import stat
import subprocess
from pathlib import Path

import pytest

from tests.forking import run_dractl

BROKEN = """\
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata:
  name: gpu  # kept
spec:
  devices:
    requests:
    - name: gpu
      deviceClassName: gpu
"""
FIXED = BROKEN.replace("      deviceClassName", "      exactly:\n        deviceClassName")
TWICE = BROKEN.replace("gpu  # kept", "gpu\n  name: gpu")


def _run(folder: Path, *arguments: str, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    return run_dractl(["validate", *arguments], folder, stdin=stdin)


def _lines(data: bytes) -> list[str]:
    return data.decode().splitlines()


def test_a_file_is_fixed_and_the_rest_reported(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text(BROKEN)
    (tmp_path / "b.yaml").write_text(TWICE)
    done = _run(tmp_path, ".", "--fix")
    assert done.returncode == 1
    assert (tmp_path / "a.yaml").read_text() == FIXED
    assert _lines(done.stderr) == ["dractl: fixed 2 findings in 2 files"]
    assert "b.yaml:5:3: error: metadata.name" in done.stdout.decode()
    assert _lines(done.stdout)[-1] == "1 fixable with --fix --unsafe-fixes"
    done = _run(tmp_path, ".", "--fix", "--unsafe-fixes")
    assert done.returncode == 0
    assert (tmp_path / "b.yaml").read_text() == FIXED.replace("  # kept", "")
    before = (tmp_path / "a.yaml").stat()
    assert _lines(_run(tmp_path, ".", "--fix").stderr) == ["dractl: fixed no findings in no files"]
    after = (tmp_path / "a.yaml").stat()
    assert (before.st_ino, before.st_mtime_ns) == (after.st_ino, after.st_mtime_ns)


def test_what_can_be_fixed_is_marked_and_counted(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text(BROKEN)
    (tmp_path / "b.yaml").write_text(TWICE)
    for versions in ("1.37", "1.36..1.37"):
        lines = _lines(_run(tmp_path, ".", "--kube-version", versions).stdout)
        assert lines[-1] == "[*] 2 fixable with --fix; 1 more with --unsafe-fixes"
        assert sum(line.endswith("[shape/request-flat] [*]") for line in lines) == 2
        assert sum(line.endswith("[decode/duplicate]") for line in lines) == 1


def test_diff_changes_nothing(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text(BROKEN)
    done = _run(tmp_path, "a.yaml", "--diff")
    assert done.returncode == 1
    assert (tmp_path / "a.yaml").read_text() == BROKEN
    assert done.stdout.decode().startswith("--- a/a.yaml\n+++ b/a.yaml\n@@ ")
    assert _lines(done.stderr) == ["dractl: would fix 1 finding in 1 file"]
    subprocess.run(["patch", "-p1", "-s"], cwd=tmp_path, input=done.stdout, check=True)
    assert (tmp_path / "a.yaml").read_text() == FIXED
    done = _run(tmp_path, "a.yaml", "--diff", "--fix")
    assert (done.returncode, done.stdout) == (0, b"")


def test_diff_fails_for_what_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_bytes(b"a: \xff\n")
    done = _run(tmp_path, "a.yaml", "--diff")
    assert (done.returncode, done.stdout) == (1, b"")
    assert (
        _lines(done.stderr)[-1] == "dractl: a.yaml:1:4: byte 0xff is not valid UTF-8; save the file as UTF-8"
    )


def test_standard_input_comes_out_fixed(tmp_path: Path) -> None:
    done = _run(tmp_path, "-", "--fix", stdin=BROKEN.encode())
    assert (done.returncode, done.stdout.decode()) == (0, FIXED)
    assert _lines(done.stderr)[-1].startswith("no errors, no warnings")
    done = _run(tmp_path, "-", "--fix", "--format", "json", stdin=BROKEN.encode())
    assert done.stdout.decode() == FIXED
    assert b'"findings": []' in done.stderr


@pytest.mark.parametrize("data", [b"", b"# nothing\n", b"a: [\n", b"a: \xff\n", b"\xef\xbb\xbfa: 1\r\n"])
def test_standard_input_that_needs_no_fix_comes_out_as_it_was(tmp_path: Path, data: bytes) -> None:
    assert _run(tmp_path, "-", "--fix", stdin=data).stdout == data


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_a_file_keeps_its_mode_line_ends_and_encoding(tmp_path: Path, encoding: str) -> None:
    file = tmp_path / "a.yaml"
    file.write_bytes(BROKEN.replace("\n", "\r\n").encode(encoding))
    file.chmod(0o640)
    assert _run(tmp_path, "a.yaml", "--fix", "--quiet").stderr == b""
    assert file.read_bytes() == FIXED.replace("\n", "\r\n").encode(encoding)
    assert stat.S_IMODE(file.stat().st_mode) == 0o640
    assert [path.name for path in tmp_path.iterdir()] == ["a.yaml"]


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "real.yaml").write_text(BROKEN)
    (tmp_path / "link.yaml").symlink_to("real.yaml")
    assert _run(tmp_path, "link.yaml", "--fix").returncode == 0
    assert (tmp_path / "link.yaml").is_symlink()
    assert (tmp_path / "real.yaml").read_text() == FIXED


def test_a_file_that_cannot_be_written_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text(BROKEN)
    (tmp_path / "a.yaml").chmod(0o444)
    done = _run(tmp_path, "a.yaml", "--fix")
    assert done.returncode == 2
    assert _lines(done.stderr) == ["dractl: a.yaml: the file is read-only; no file was written"]
    assert (tmp_path / "a.yaml").read_text() == BROKEN


def test_what_is_not_fixed_is_named(tmp_path: Path) -> None:
    text = "a: 1\n---\n" + FIXED.replace("spec:", "Spec:").replace("- name: gpu", "- name: GPU")
    (tmp_path / "a.yaml").write_text(text)
    done = _run(tmp_path, "a.yaml", "--fix")
    assert (tmp_path / "a.yaml").read_text() == text
    assert _lines(done.stderr)[1].startswith(
        "dractl: a.yaml:7: not fixed: shape/case: it would lead to another error: "
    )


def test_rules_that_are_ignored_are_not_fixed(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text(BROKEN)
    _run(tmp_path, "a.yaml", "--fix", "--ignore", "shape/request-flat")
    assert (tmp_path / "a.yaml").read_text() == BROKEN


def test_the_edits_of_the_document_make_the_same_file(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text(f"# before\n---\n{BROKEN}")
    (finding, *_) = json.loads(_run(tmp_path, "a.yaml", "--format", "json").stdout)["findings"]
    assert finding["fix"]["applicability"] == "safe"
    lines = (tmp_path / "a.yaml").read_text().splitlines(keepends=True)
    text = "".join(lines)

    def offset(place: dict[str, int]) -> int:
        return sum(map(len, lines[: place["line"] - 1])) + place["column"] - 1

    for edit in reversed(finding["fix"]["edits"]):
        text = text[: offset(edit["start"])] + edit["text"] + text[offset(edit["end"]) :]
    assert text == f"# before\n---\n{FIXED}"


def test_sarif_has_the_fix(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text(BROKEN)
    (result, *_) = json.loads(_run(tmp_path, "a.yaml", "--format", "sarif").stdout)["runs"][0]["results"]
    (fix,) = result["fixes"]
    assert fix["description"] == {"text": "move `deviceClassName` under `exactly`"}
    (change,) = fix["artifactChanges"]
    assert change["artifactLocation"] == {"uri": "a.yaml"}
    assert change["replacements"] == [
        {
            "deletedRegion": {"startLine": 9, "startColumn": 7, "endLine": 9, "endColumn": 7},
            "insertedContent": {"text": "exactly:\n        "},
        }
    ]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--unsafe-fixes", "a.yaml"), "--unsafe-fixes: requires --fix or --diff"),
        (("--fix", "-", "a.yaml"), "--fix: cannot fix standard input and files in one run"),
        (
            ("--diff", "a.yaml", "--format", "json"),
            "--diff: prints a patch; it cannot be combined with --format",
        ),
        (("--fix", "none.yaml"), "none.yaml: No such file or directory"),
    ],
)
def test_options_that_do_not_go_together(tmp_path: Path, arguments: tuple[str, ...], message: str) -> None:
    (tmp_path / "a.yaml").write_text(BROKEN)
    done = _run(tmp_path, *arguments)
    assert done.returncode == 2
    assert message in done.stderr.decode()
    assert (tmp_path / "a.yaml").read_text() == BROKEN
