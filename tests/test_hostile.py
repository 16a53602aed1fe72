"""Command lines on files of strangers: each ends soon, within limits, and says what it is about.

A folder of ``testdata/hostile`` is a case, as :func:`tests.fuzz.case.read_folder` reads it: a ``command``,
what is expected, and the files. ``python -m tests.fuzz --keep FOLDER`` writes such folders.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import time
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.fuzz.case import COMMAND, Case, Recorded, lay_out, read_folder
from tests.fuzz.faults import ORDER, STEERING
from tests.fuzz.sandbox import PACKAGE
from tests.paths import ROOT

pytestmark = pytest.mark.slow

FOLDER = ROOT / "testdata" / "hostile"
CASES = {path.parent.name: path.parent for path in sorted(FOLDER.rglob(COMMAND))}
MEMORY = 1 << 30
"""Bytes that no input of up to 10 MB may take."""
PATIENCE = 300.0
"""Seconds after which a command waits for something that never comes."""


class Ran(NamedTuple):
    """What a command did: its exit code, its output, and what it took."""

    exit: int
    stdout: str
    stderr: str
    seconds: float
    memory: int


def _limit(seconds: float) -> None:
    """Let the kernel end a command that takes far more than it may."""
    most = int(seconds) + 2
    resource.setrlimit(resource.RLIMIT_CPU, (most, most + 1))
    resource.setrlimit(resource.RLIMIT_AS, (3 * MEMORY, 3 * MEMORY))


def run(case: Case, folder: Path, seconds: float) -> Ran:
    """Run a case in ``folder`` in a process of its own."""
    lay_out(case, folder)
    environment = {**os.environ, "PYTHONPATH": PACKAGE, "PYTHONUTF8": "1", "PYTHONHASHSEED": "1"}
    module = ("-m", "dractl") if case.program == "dractl" else ("-m", "tests.fuzz.api")
    output, errors = folder.parent / "stdout", folder.parent / "stderr"
    given = folder / case.stdin if case.stdin is not None else Path(os.devnull)
    with given.open("rb") as stdin, output.open("wb") as stdout, errors.open("wb") as stderr:
        process = subprocess.Popen(
            [sys.executable, *module, *case.arguments],
            cwd=folder,
            env=environment,
            stdin=stdin,
            stdout=stdout,
            stderr=stderr,
            preexec_fn=lambda: _limit(seconds),  # noqa: PLW1509 - one thread
        )
        code, used = _ended(process)
    took = used.ru_utime + used.ru_stime
    texts = [path.read_text(encoding="utf-8", errors="replace") for path in (output, errors)]
    return Ran(code, texts[0], texts[1], took, used.ru_maxrss * 1024)


def _ended(process: subprocess.Popen[bytes]) -> tuple[int, resource.struct_rusage]:
    """Wait for a process, and answer its exit code and what it used."""
    deadline = time.monotonic() + PATIENCE
    while True:
        pid, status, used = os.wait4(process.pid, os.WNOHANG)
        if pid:
            process.returncode = os.waitstatus_to_exitcode(status)
            return process.returncode, used
        if time.monotonic() > deadline:
            process.kill()
        time.sleep(0.02)


@pytest.mark.parametrize("name", CASES)
def test_a_hostile_case(name: str, tmp_path: Path) -> None:
    _hold(read_folder(CASES[name]), tmp_path)


_POD = (
    b"template: {metadata: {labels: {a: b}}, spec: {containers: [{name: c, image: i, resources: {claims:"
    b" [{name: g}]}}], resourceClaims: [{name: g, resourceClaimTemplateName: t}]}}"
)
_WORKLOAD = (
    b"---\napiVersion: apps/v1\nkind: %s\nmetadata: {name: d%d}\n"
    b"spec: {%s selector: {matchLabels: {a: b}}, %s}\n"
)
_NODES = b"".join(
    b"---\napiVersion: v1\nkind: Node\nmetadata: {name: n%d}\n" % number for number in range(300)
)
LARGE: dict[str, tuple[str, bytes, float]] = {
    "many ends of documents": ("validate", b"...\n" * 300_000, 20),
    "many broken documents": ("validate", b"---\n[\n" * 50_000, 20),
    "many objects without a version": ("validate", b"---\n{kind: a}\n" * 50_000, 20),
    "many pods of Deployments": (
        "simulate",
        b"".join(_WORKLOAD % (b"Deployment", number, b"replicas: 5000,", _POD) for number in range(100)),
        60,
    ),
    "many pods of DaemonSets": (
        "simulate",
        _NODES + b"".join(_WORKLOAD % (b"DaemonSet", number, b"", _POD) for number in range(20)),
        60,
    ),
    "many fields that are unknown": (
        "validate",
        b"apiVersion: v1\nkind: Pod\nspec:\n" + b"".join(b"  a%d: 1\n" % number for number in range(100_000)),
        60,
    ),
    "many keys in one line": ("validate", b"a: {" + b"a: 1, " * 500_000 + b"}", 60),
}
"""Large inputs: the command, the input, and the CPU seconds that it may take."""


@pytest.mark.parametrize("name", LARGE)
def test_a_large_hostile_input(name: str, tmp_path: Path) -> None:
    command, text, seconds = LARGE[name]
    case = Case("dractl", (command, "large.yaml", "--quiet"), {"large.yaml": text})
    _hold(Recorded(case, seconds=seconds), tmp_path)


def _hold(recorded: Recorded, folder: Path) -> None:
    """Run a case and compare with what is expected of it, and of all."""
    case = recorded.case
    home = folder / "case"
    home.mkdir()
    ran = run(case, home, recorded.seconds)
    written = ran.stdout + ran.stderr
    assert ran.exit in recorded.exits, written[-2000:]
    assert ran.seconds <= recorded.seconds
    assert ran.memory <= MEMORY
    assert "internal error" not in written
    assert "Traceback" not in written
    for text in recorded.texts:
        assert text in written
    if case.arguments[:1] != ("convert",):  # whose result is the stranger's own text
        assert not STEERING.search(written)
        assert not ORDER.search(written)
    assert {name: (home / name).read_bytes() for name in case.files} == case.files


def test_errors_inside_macros_do_not_pile_up_in_memory(tmp_path: Path) -> None:
    numbers = list(range(60))
    fails = 'device.attributes["a.io"].s.findAll("[a-z]").size()'
    macro = f"{numbers}.exists(x, {numbers}.all(y, {fails} != y))"
    devices = "".join(f"  - name: d{number}\n" for number in range(6))
    slice_ = (
        "apiVersion: resource.k8s.io/v1\nkind: ResourceSlice\nmetadata: {name: s}\nspec:\n  driver: a.io\n"
        "  nodeName: node-a\n  pool: {name: p, generation: 1, resourceSliceCount: 1}\n  devices:\n" + devices
    )
    (tmp_path / "s.yaml").write_text(slice_, encoding="utf-8")
    # Linux counts the memory of the process that forks as the child's: so a small one in between measures.
    measure = (
        "import resource, subprocess, sys\n"
        "done = subprocess.run([sys.executable, '-m', 'dractl', 'cel', '--explain', *sys.argv[1:]], "
        "stdout=subprocess.PIPE)\n"
        "print(b'fails for 6 devices' in done.stdout, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
    )
    environment = {**os.environ, "PYTHONPATH": PACKAGE}
    command = [sys.executable, "-c", measure, macro, "s.yaml"]
    done = subprocess.run(
        command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=True, timeout=120
    )
    has_failed, kibibytes = done.stdout.split()
    assert has_failed == "True"
    assert int(kibibytes) <= 200 << 10
