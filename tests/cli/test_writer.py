"""Files that commands write are the old ones or the new ones, and nothing else is left."""

from __future__ import annotations

import os
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from dractl.cli.cluster_options import SimulateOptions
from dractl.cli.server import UsageError
from dractl.cli.simulate import simulate
from dractl.cli.writer import WriteError, is_same_target, replace_files, write_file
from dractl.source.bounds import Bounds
from tests.forking import as_text, run_dractl
from tests.paths import ROOT

EXAMPLES = ROOT / "testdata" / "examples"
OLD_CLAIM = """\
apiVersion: resource.k8s.io/v1beta1
kind: ResourceClaim
metadata: {name: gpu}
spec:
  devices:
    requests:
    - {name: a, deviceClassName: gpu.example.com}
"""
WRONG_TEST = "schema: dractl.test/1\nmanifests: quickstart\nexpect: {pods: {train: {node: node-b}}}\n"
OUTPUTS = (
    "validate quickstart --output out",
    "simulate quickstart --output out",
    "simulate quickstart --quiet --save-state out",
    "simulate quickstart --scenario scenario.yaml --save-state out",
    "convert claim.yaml --to v1 --output out",
    "convert claim.yaml --to v1 --diff --output out",
    "cel true --output out",
    "cel true --format json --output out",
    "test t.yaml --output out",
    "rule request/name --output out",
    "rules --output out",
    "gates --output out",
    "schema ResourceClaim --output out",
)
IN_PLACE = {"convert claim.yaml --to v1 --in-place": "claim.yaml", "test t.yaml --update": "t.yaml"}
TARGETS = {**dict.fromkeys(OUTPUTS, "out"), **IN_PLACE}
"""Every command line that writes a file, with the file."""


def _fill(folder: Path) -> Path:
    shutil.copytree(EXAMPLES / "quickstart", folder / "quickstart")
    shutil.copy(EXAMPLES / "scenario.yaml", folder)
    shutil.copy(EXAMPLES / "pending.yaml", folder)
    (folder / "claim.yaml").write_text(OLD_CLAIM, encoding="utf-8")
    (folder / "t.yaml").write_text(WRONG_TEST, encoding="utf-8")
    return folder


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return _fill(tmp_path)


@pytest.fixture(scope="module")
def small_disk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder on a disk of its own that is nearly full."""
    place = tmp_path_factory.mktemp("disk")
    mount = shutil.which("mount")
    command = [mount or "", "-t", "tmpfs", "-o", "size=128k", "tmpfs", str(place)]
    if mount is None or subprocess.run(command, capture_output=True, check=False).returncode != 0:
        pytest.skip("a disk of 128 KiB cannot be mounted here")
    try:
        yield _fill(place)
    finally:
        subprocess.run(["umount", str(place)], check=True)


def dractl(line: str, folder: Path, user: int | None = None) -> subprocess.CompletedProcess[str]:
    return as_text(run_dractl(line.split(), folder, user=user))


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


@pytest.mark.parametrize("line", TARGETS)
def test_every_command_writes_the_whole_file(folder: Path, line: str) -> None:
    target = folder / TARGETS[line]
    target.touch()
    target.chmod(0o640)
    before, left = target.read_bytes(), {*names(folder), target.name}
    done = dractl(line, folder)
    assert done.returncode in (0, 1), done.stderr
    assert target.read_bytes() not in (b"", before)
    assert stat.S_IMODE(target.stat().st_mode) == 0o640
    assert set(names(folder)) == left


@pytest.mark.parametrize("line", TARGETS)
def test_on_a_full_disk_the_old_file_stays(small_disk: Path, line: str) -> None:
    target = small_disk / TARGETS[line]
    if target.name == "out":
        target.write_text("old\n", encoding="utf-8")
    before = target.read_bytes()
    filler = small_disk / "filler"
    try:
        with filler.open("wb", buffering=0) as file:
            try:
                while True:
                    file.write(bytes(4096))
            except OSError:
                pass
        left = names(small_disk)
        done = dractl(line, small_disk)
        assert done.returncode == 2
        assert done.stderr.splitlines()[-1].startswith(f"dractl: {target.name}: No space left on device")
        assert target.read_bytes() == before
        assert names(small_disk) == left
    finally:
        filler.unlink()


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that every user can enter, which the folders of pytest are not."""
    with tempfile.TemporaryDirectory() as name:
        yield Path(name)


def _is_open_to_others(folder: Path) -> bool:
    """Whether users without rights of their own may go through ``folder`` and all that it is in."""
    return all(path.stat().st_mode & 0o001 for path in (folder, *folder.parents))


@pytest.mark.parametrize("line", TARGETS)
def test_in_a_folder_that_takes_no_new_file_the_old_one_stays(open_folder: Path, line: str) -> None:
    nobody = None if os.geteuid() else 65534  # root may write anywhere
    if nobody is not None and not _is_open_to_others(Path(sys.prefix)):
        pytest.skip(f"another user cannot read {sys.prefix}")
    place = _fill(open_folder)
    target = place / TARGETS[line]
    target.touch()
    target.chmod(0o666)
    place.chmod(0o555)
    before = target.read_bytes()
    done = dractl(line, place, nobody)
    place.chmod(0o755)
    assert done.returncode == 2
    said = f"dractl: {target.name}: cannot create a file in its folder (Permission denied)"
    assert done.stderr.splitlines()[-1].startswith(said)
    assert target.read_bytes() == before


@pytest.mark.parametrize("line", TARGETS)
def test_a_read_only_file_stays(folder: Path, line: str) -> None:
    target = folder / TARGETS[line]
    target.touch()
    target.chmod(0o444)
    before = target.read_bytes()
    done = dractl(line, folder)
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1].startswith(f"dractl: {target.name}: the file is read-only")
    assert target.read_bytes() == before


SLOW = """\
import os, signal, sys, time
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background would ignore it
signal.signal(signal.SIGHUP, signal.SIG_DFL)
from dractl.cli import writer
within, real, ready = sys.argv.pop(1), getattr(os, sys.argv.pop(1)), int(sys.argv.pop())
os_write = os.write
def slow(*arguments):
    if within in sys._getframe(1).f_code.co_name:
        os_write(ready, b"now")
        time.sleep(0.5)
    return real(*arguments)
setattr(os, real.__name__, slow)
from dractl.cli.app import main
main()
"""
"""Runs a command that says when it is in a function of the writer, and then waits in there."""


@pytest.mark.parametrize(
    "number",
    [
        signal.SIGTERM,
        *(pytest.param(number, marks=pytest.mark.slow) for number in (signal.SIGINT, signal.SIGHUP)),
    ],
)
@pytest.mark.parametrize(("within", "call"), [("_pour", "write"), ("_sync", "fsync"), ("_rename", "replace")])
@pytest.mark.parametrize("line", ["rules --output out", "convert claim.yaml --to v1 --in-place"])
def test_a_signal_in_the_middle_leaves_nothing(
    folder: Path, line: str, within: str, call: str, number: signal.Signals
) -> None:
    target = folder / TARGETS[line]
    target.touch()
    before, left = target.read_bytes(), names(folder)
    ours, theirs = os.pipe()
    command = [sys.executable, "-c", SLOW, within, call, *line.split(), str(theirs)]
    with subprocess.Popen(
        command, cwd=folder, pass_fds=[theirs], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        os.close(theirs)
        assert os.read(ours, 3) == b"now"
        os.close(ours)
        process.send_signal(number)
        out, err = process.communicate(timeout=30)
    assert (out, err) == (b"", b"")
    assert process.returncode == (130 if number == signal.SIGINT else -number)
    assert names(folder) == left
    whole = dractl("rules", folder).stdout.encode() if target.name == "out" else b"exactly: {"
    now = target.read_bytes()
    assert now in (before, whole) or (target.name != "out" and whole in now and len(now) > len(before))


def test_a_long_write_ends_soon_after_a_signal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target, write, calls = tmp_path / "out", os.write, []

    def interrupted(descriptor: int, data: bytes) -> int:
        calls.append(len(data))
        os.kill(os.getpid(), signal.SIGINT)
        return write(descriptor, data)

    target.write_bytes(b"old")
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    monkeypatch.setattr(os, "write", interrupted)
    try:
        with pytest.raises(KeyboardInterrupt):
            write_file(str(target), bytes(10 << 20))
    finally:
        signal.signal(signal.SIGINT, before)
    assert calls == [1 << 20]
    assert target.read_bytes() == b"old"
    assert names(tmp_path) == ["out"]


def test_of_several_files_all_are_written_or_none(tmp_path: Path) -> None:
    first, last = tmp_path / "a.yaml", tmp_path / "b.yaml"
    first.write_bytes(b"1")
    last.write_bytes(b"2")
    last.chmod(0o444)
    bounds = Bounds.of_files([str(tmp_path)])
    with pytest.raises(WriteError, match=r"b\.yaml: the file is read-only; no file was written"):
        replace_files([(str(first), b"new"), (str(last), b"new")], bounds)
    assert (first.read_bytes(), last.read_bytes()) == (b"1", b"2")
    last.chmod(0o644)
    assert replace_files([(str(first), b"new"), (str(last), b"new")], bounds) == []
    assert (first.read_bytes(), last.read_bytes()) == (b"new", b"new")
    assert names(tmp_path) == ["a.yaml", "b.yaml"]


def test_a_rename_that_fails_says_how_many_were_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = [tmp_path / name for name in ("a", "b", "c")]
    for file in files:
        file.write_bytes(b"old")
    replace = os.replace

    def refuse(source: str, target: str) -> None:
        if target.endswith("b"):
            raise PermissionError(13, "Permission denied")
        replace(source, target)

    monkeypatch.setattr(os, "replace", refuse)
    with pytest.raises(WriteError, match=r"b: Permission denied \(after 1 of 3 files\)"):
        replace_files([(str(file), b"new") for file in files], Bounds.of_files([str(tmp_path)]))
    assert [file.read_bytes() for file in files] == [b"new", b"old", b"old"]
    assert names(tmp_path) == ["a", "b", "c"]


def test_a_link_that_the_user_named_is_followed(tmp_path: Path) -> None:
    (tmp_path / "inner").mkdir()
    (tmp_path / "link").symlink_to("inner/out")
    for data in (b"new", b"newer"):  # the link dangles at first
        assert write_file(str(tmp_path / "link"), data) == []
        assert (tmp_path / "inner" / "out").read_bytes() == data
    assert (tmp_path / "link").is_symlink()
    assert names(tmp_path / "inner") == ["out"]


def test_new_files_have_the_mode_that_others_get(tmp_path: Path) -> None:
    (tmp_path / "other").touch()
    write_file(str(tmp_path / "out"), b"")
    assert (tmp_path / "out").stat().st_mode == (tmp_path / "other").stat().st_mode


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file away")
def test_the_owner_stays(tmp_path: Path) -> None:
    target = tmp_path / "out"
    target.touch()
    target.chmod(0o620)
    os.chown(target, 12345, 54321)
    write_file(str(target), b"new")
    now = target.stat()
    assert (now.st_uid, now.st_gid, stat.S_IMODE(now.st_mode)) == (12345, 54321, 0o620)


def test_extended_attributes_stay(tmp_path: Path) -> None:
    target = tmp_path / "out"
    target.touch()
    try:
        os.setxattr(target, "user.origin", b"here")
    except OSError:
        pytest.skip("this file system has no extended attributes")
    write_file(str(target), b"new")
    assert os.getxattr(target, "user.origin") == b"here"


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("folder", "is a folder; name a file in it"),
        ("new/", "is a folder; name a file in it"),
        ("missing/out", "its folder does not exist"),
        ("file/out", "Not a directory"),
        ("loop", "Too many levels of symbolic links"),
        ("a\0b", "embedded null byte"),
        ("x" * 300, "File name too long"),
    ],
)
def test_what_cannot_be_written_is_reported(tmp_path: Path, name: str, message: str) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").touch()
    (tmp_path / "loop").symlink_to("loop")
    left = names(tmp_path)
    with pytest.raises(WriteError) as raised:
        write_file(f"{tmp_path}/{name}", b"new")
    assert str(raised.value) == f"{tmp_path}/{name}: {message}"
    assert names(tmp_path) == left


def test_pipes_and_devices_are_written_directly(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    read: list[bytes] = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_bytes()))
    reader.start()
    assert write_file(str(pipe), b"new") == []
    reader.join(timeout=30)
    assert read == [b"new"]
    assert stat.S_ISFIFO(pipe.stat().st_mode)
    assert write_file(os.devnull, b"new") == []
    with pytest.raises(WriteError, match="/dev/full: No space left on device"):
        write_file("/dev/full", b"new")


def test_a_reader_who_went_away_is_no_failure(tmp_path: Path) -> None:
    ours, theirs = os.pipe()
    os.close(ours)
    assert write_file(f"/dev/fd/{theirs}", bytes(1 << 20)) == []
    os.close(theirs)
    assert names(tmp_path) == []


@pytest.mark.parametrize("name", ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1", "link"])
def test_standard_output_by_its_other_names_goes_on_where_it_is(tmp_path: Path, name: str) -> None:
    """Replacing the file behind it would lose what the shell writes to it before and after."""
    (tmp_path / "link").symlink_to("/dev/stdout")
    script = f"(echo first; '{sys.executable}' -m dractl cel true --output {name}; echo last) > log"
    subprocess.run(["/bin/sh", "-c", script], cwd=tmp_path, check=True, timeout=60)
    lines = (tmp_path / "log").read_text(encoding="utf-8").splitlines()
    assert (lines[0], lines[1][:10], lines[-1]) == ("first", "API server", "last")
    assert names(tmp_path) == ["link", "log"]


@pytest.mark.parametrize(
    ("streams", "message"),
    [
        ("< out", "is also standard input; name another file"),
        (">> out", "is also standard output; name another file"),
        ("2>> out", "is also standard error; name another file"),
    ],
)
def test_the_file_of_a_standard_stream_is_not_replaced(tmp_path: Path, streams: str, message: str) -> None:
    (tmp_path / "out").write_text("old\n", encoding="utf-8")
    script = f"'{sys.executable}' -m dractl rules --output ./out {streams}"
    done = subprocess.run(
        ["/bin/sh", "-c", script], cwd=tmp_path, capture_output=True, text=True, check=False, timeout=60
    )
    said = f"dractl: ./out: {message}\n"
    assert done.returncode == 2
    if "2>>" in streams:
        assert (tmp_path / "out").read_text(encoding="utf-8") == f"old\n{said}"
    else:
        assert done.stderr == said
        assert (tmp_path / "out").read_text(encoding="utf-8") == "old\n"


INPUTS = {
    "validate claim.yaml empty.yaml": ["claim.yaml", "./empty.yaml", "hard.yaml", "link.yaml"],
    "validate folder": ["folder/empty.yaml"],
    "validate claim.yaml --old old.yaml": ["old.yaml"],
    "validate claim.yaml --old folder": ["folder/empty.yaml"],
    "validate claim.yaml --config-schema d/K=schema.json": ["schema.json"],
    "simulate claim.yaml empty.yaml": ["empty.yaml"],
    "simulate claim.yaml --scenario story.yaml": ["story.yaml", "empty.yaml", "folder/empty.yaml"],
    "cel true claim.yaml empty.yaml": ["empty.yaml"],
    "convert claim.yaml empty.yaml --to v1": ["empty.yaml"],
    "test tests.yaml": ["tests.yaml", "empty.yaml", "folder/empty.yaml", "story.yaml"],
    "test tests.yaml broken.yaml": ["broken.yaml"],
}


@pytest.mark.parametrize(("line", "file"), [(line, file) for line, files in INPUTS.items() for file in files])
def test_no_input_of_any_kind_is_overwritten(folder: Path, line: str, file: str) -> None:
    files = {
        "empty.yaml": "# nothing yet\n",
        "old.yaml": OLD_CLAIM,
        "schema.json": "{}",
        "story.yaml": "schema: dractl.scenario/1\nsteps: [{apply: [empty.yaml, folder]}]\n",
        "tests.yaml": "schema: dractl.test/1\nmanifests: [claim.yaml, empty.yaml, folder]\n"
        "scenario: story.yaml\nexpect: {}\n",
        "broken.yaml": "schema: dractl.test/1\nexpct: {}\n",
        "folder/empty.yaml": "# nothing yet\n",
        "folder/node.yaml": "apiVersion: v1\nkind: Node\nmetadata: {name: a}\n",
    }
    (folder / "folder").mkdir()
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    (folder / "hard.yaml").hardlink_to(folder / "claim.yaml")
    (folder / "link.yaml").symlink_to("empty.yaml")
    before, left = (folder / file).read_bytes(), names(folder)
    for option in ("--output", "--save-state") if line.startswith("simulate") else ("--output",):
        done = dractl(f"{line} {option} {file}", folder)
        assert done.returncode == 2
        said = f"dractl: {option}: {file} is also an input and would be overwritten; name another file"
        assert done.stderr.splitlines()[-1] == said
        assert (folder / file).read_bytes() == before
        assert names(folder) == left


@pytest.mark.parametrize("exists", [False, True])
@pytest.mark.parametrize("other", ["out", "./out", "inner/../out", "link", "hard"])
def test_two_results_do_not_go_to_one_file(
    folder: Path, monkeypatch: pytest.MonkeyPatch, other: str, *, exists: bool
) -> None:
    monkeypatch.chdir(folder)
    (folder / "inner").mkdir()
    (folder / "link").symlink_to("out")
    if exists or other == "hard":
        (folder / "out").write_text("old", encoding="utf-8")
        (folder / "hard").hardlink_to("out")
    for output, state in (("out", other), (other, "out")):
        with pytest.raises(UsageError, match="--save-state: must differ from --output"):
            simulate(SimulateOptions(["quickstart"], output=output, save_state=state))
    assert not (folder / "out").exists() or (folder / "out").read_text(encoding="utf-8") == "old"


def test_two_streams_are_two_targets(tmp_path: Path) -> None:
    assert not is_same_target("/dev/null", "/dev/null")
    assert not is_same_target(str(tmp_path / "a"), str(tmp_path / "b"))
    assert not is_same_target(str(tmp_path / "no" / "a"), str(tmp_path / "no" / "a/../b"))
    (tmp_path / "a").touch()
    assert not is_same_target(str(tmp_path / "a"), str(tmp_path / "b"))


LEADING_OUT: dict[str, Sequence[str]] = {
    "convert inner/link.yaml --to v1 --in-place": ("link.yaml", OLD_CLAIM),
    "test inner/link.yaml --update": ("link.yaml", WRONG_TEST),
}


@pytest.mark.parametrize("line", LEADING_OUT)
def test_nothing_is_written_through_a_link_that_leads_out(folder: Path, line: str) -> None:
    (folder / "inner").mkdir()
    shutil.copytree(folder / "quickstart", folder / "inner" / "quickstart")
    name, text = LEADING_OUT[line]
    (folder / "target.yaml").write_text(text, encoding="utf-8")
    (folder / "inner" / name).symlink_to("../target.yaml")
    done = dractl(line, folder)
    assert done.returncode == 2
    said = f"dractl: inner/{name}: is a link to ../target.yaml, outside the folders on the command line"
    assert any(line.startswith(said) for line in done.stderr.splitlines())
    assert (folder / "target.yaml").read_text(encoding="utf-8") == text


def test_a_folder_that_becomes_a_link_is_not_written_through(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    inner, outer = tmp_path / "inner", tmp_path / "outer"
    for place in (inner, outer):
        place.mkdir()
        (place / "a.yaml").write_bytes(b"old")
    from dractl.cli import writer  # its insides are replaced here

    temporary = writer._temporary

    def swapped(real: str) -> str:
        inner.rename(tmp_path / "moved")
        inner.symlink_to(outer)
        return temporary(real)

    monkeypatch.setattr(writer, "_temporary", swapped)
    with pytest.raises(WriteError, match="no file was written"):
        replace_files([(str(inner / "a.yaml"), b"new")], Bounds.of_files([str(inner)]))
    assert names(outer) == ["a.yaml"]
    assert (outer / "a.yaml").read_bytes() == b"old"
