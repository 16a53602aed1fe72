from __future__ import annotations

import gc
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NoReturn

import pytest

from dractl import __version__
from dractl.cli import app
from tests.forking import as_text, run_dractl
from tests.paths import ROOT

EXAMPLES = ROOT / "testdata" / "examples"
BROKEN = str(EXAMPLES / "broken.yaml")
QUICKSTART = str(EXAMPLES / "quickstart")
HEAVY = {
    "rich",
    "jsonschema",
    "referencing",
    "pydantic",
    "typer",
    "dataclasses",
    "inspect",
    "celpy",
    "importlib.resources",
    "pathspec",
    "yaml",
    "dractl.simulation",
}

CLAIM = """\
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: gpu}
spec:
  devices:
    requests:
    - name: gpu
      exactly:
        deviceClassName: gpu
        selectors: [{cel: {expression: device.driver == "gpu.example.com"}}]
"""

Run = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Run the command in a process of its own, in an empty folder."""

    def command(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
        return as_text(run_dractl(arguments, tmp_path, environment={**os.environ, **environment}))

    return command


def test_version(run: Run) -> None:
    done = run("--version")
    assert (done.returncode, done.stdout, done.stderr) == (0, f"dractl {__version__}\n", "")


def test_help_names_the_commands_and_their_options(run: Run) -> None:
    assert {"validate", "simulate"} <= set(run("--help").stdout.split())
    shown = run("validate", "--help").stdout
    for option in (
        *("--kube-version", "--feature-gates", "--namespace-labels", "--exclude", "--output", "--quiet"),
        *("--format", "--strict", "--select", "--ignore", "--config-schema"),
    ):
        assert option in shown
    shown = run("simulate", "--help").stdout
    for option in ("--kube-version", "--feature-gates", "--namespace-labels", "--format", "--node-order"):
        assert option in shown


WRONG = (
    *("", "validate", "frobnicate", "validate --frobnicate x", "validate x --format sarif"),
    *("simulate x --format html", "validate x --kube-version"),
)


@pytest.mark.parametrize("line", WRONG)
def test_wrong_usage_is_2_without_traceback(run: Run, line: str) -> None:
    done = run(*line.split())
    assert done.returncode == 2
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("command", ["validate", "simulate"])
@pytest.mark.parametrize("extra", [(), ("--quiet",)], ids=["short", "typer"])
def test_a_missing_path_is_one_line(run: Run, command: str, extra: tuple[str, ...]) -> None:
    done = run(command, "missing.yaml", *extra)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "dractl: missing.yaml: No such file or directory\n"


@pytest.mark.parametrize("line", [f"validate {BROKEN}", f"simulate {QUICKSTART}", "gates", "cel true"])
def test_the_output_may_be_standard_output_by_its_other_name(run: Run, tmp_path: Path, line: str) -> None:
    plain, named = run(*line.split()), run(*line.split(), "--output", "-")
    assert (named.returncode, named.stdout) == (plain.returncode, plain.stdout)
    assert list(tmp_path.iterdir()) == []
    unnamed = run(*line.split(), "--output", "")
    assert (unnamed.returncode, unnamed.stdout) == (2, "")
    assert unnamed.stderr == "dractl: --output: expected a file name (unset shell variable?)\n"


@pytest.mark.parametrize(
    "line",
    [
        "--version",
        f"validate {BROKEN}",
        *(pytest.param(line, marks=pytest.mark.slow) for line in ("--help", "validate --help", "gates")),
    ],
)
def test_a_full_disk_is_one_line(line: str) -> None:
    command = [sys.executable, "-m", "dractl", *line.split()]
    with Path("/dev/full").open("w", encoding="utf-8") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
        assert (done.returncode, done.stderr) == (2, "dractl: standard output: No space left on device\n")
        silent = subprocess.run([*command, "--no-such"], stdout=full, stderr=full, check=False)
        assert silent.returncode in (0, 2)


def test_arguments_cannot_steer_the_terminal(run: Run) -> None:
    done = run("validate", "--\u202eno\x1b[31m\x9b", "--strict")
    assert done.returncode == 2
    assert "No such option: --\ufffdno" in done.stderr
    assert not {"\u202e", "\x1b", "\x9b"} & set(done.stderr)


@pytest.mark.parametrize("expression", ["-1 == 1", "-device.x == 1", "--1 == 1", "-(1) == 1"])
def test_an_expression_that_begins_with_a_minus_needs_two_before_it(run: Run, expression: str) -> None:
    done = run("cel", "--quiet", expression)
    assert (done.returncode, done.stdout) == (2, "")
    assert (
        done.stderr
        == f"dractl: EXPRESSION: {expression}: put -- before an expression that starts with a minus\n"
    )


def test_after_two_minuses_an_expression_may_begin_with_one(run: Run) -> None:
    assert run("cel", "--", "-1 == 1").returncode == 0
    assert "No such option" in run("cel", "-x", "true").stderr
    assert run("cel", "-q", "true").returncode == 0


def test_both_ways_to_read_a_command_line_say_the_same(run: Run) -> None:
    """Plain command lines do not go through typer."""
    short, typer = run("validate", BROKEN), run("validate", BROKEN, "--format", "text")
    assert (short.returncode, short.stdout, short.stderr) == (typer.returncode, typer.stdout, typer.stderr)
    assert short.returncode == 1


def test_a_file_whose_name_looks_like_an_option(run: Run, tmp_path: Path) -> None:
    (tmp_path / "--odd.yaml").write_text("a: 1\n", encoding="utf-8")
    assert run("validate", "--", "--odd.yaml").returncode == 0


@pytest.mark.parametrize(
    "arguments", [("validate", BROKEN), ("simulate", QUICKSTART), ("--help",)], ids=lambda a: a[0]
)
def test_a_reader_that_goes_away_is_no_error(arguments: tuple[str, ...]) -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "dractl", *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == (1 if arguments[0] == "validate" else 0)


def test_no_standard_output_at_all(tmp_path: Path) -> None:
    script = f'"{sys.executable}" -m dractl validate "{BROKEN}" >&-'
    done = subprocess.run(
        ["/bin/sh", "-c", script], cwd=tmp_path, stderr=subprocess.PIPE, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (1, "")


LINES = (
    *(
        "--help",
        "--version",
        "validate --help",
        "rules",
        "rule request/name",
        "gates",
        "schema ResourceClaim",
    ),
    *("cel true", "cel true --format json", f"validate {BROKEN}", f"validate {BROKEN} --format json"),
    *(f"simulate {QUICKSTART}", f"convert {QUICKSTART} --to v1", f"test {EXAMPLES / 'dractl-test.yaml'}"),
)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
@pytest.mark.parametrize("line", LINES)
def test_a_full_output_device_is_2(tmp_path: Path, line: str) -> None:
    never_written, writing = os.pipe()
    os.close(writing)
    full = os.open("/dev/full", os.O_WRONLY)
    done = as_text(run_dractl(line.split(), tmp_path, output=(never_written, full)))
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1] == "dractl: standard output: No space left on device"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
@pytest.mark.parametrize(
    "line",
    [
        f"simulate {QUICKSTART} {EXAMPLES / 'pending.yaml'} --format json",
        "validate missing.yaml",
        "validate --frobnicate x",
        "cel 1",
    ],
)
def test_diagnostics_that_are_lost_are_2(tmp_path: Path, line: str) -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "dractl", *line.split()],
            cwd=tmp_path, stdout=subprocess.DEVNULL, stderr=full, check=False,
        )  # fmt: skip
    assert done.returncode == (1 if line == "cel 1" else 2)  # the last one has nothing for standard error


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("cel - <&-", "EXPRESSION: standard input is closed"),
        ("validate - <&-", "-: standard input is closed"),
        ("simulate - <&-", "-: standard input is closed"),
        ("test - <&-", "-: standard input is closed"),
        ("cel - </dev/zero", "EXPRESSION: line 1 of standard input has more than 1,048,576 bytes"),
    ],
)
def test_standard_input_that_cannot_be_used(tmp_path: Path, line: str, message: str) -> None:
    script = f"'{sys.executable}' -m dractl {line}"
    done = subprocess.run(
        ["/bin/sh", "-c", script], cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (2, "", f"dractl: {message}\n")


def test_a_file_is_not_taken_for_a_standard_input_that_is_closed(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text("a: 1\n", encoding="utf-8")
    script = f"'{sys.executable}' -m dractl validate a.yaml /dev/stdin <&-"
    done = subprocess.run(
        ["/bin/sh", "-c", script], cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "in no objects of 1 file" in done.stdout


@pytest.mark.parametrize("name", ["COLUMNS", "LINES"])
@pytest.mark.parametrize("value", ["9" * 5000, "9" * 30])
def test_numbers_of_any_length_in_the_environment(run: Run, name: str, value: str) -> None:
    for line in ("rules", "--help", "validate --frobnicate x"):
        plain, odd = run(*line.split()), run(*line.split(), **{name: value})
        assert (odd.returncode, odd.stdout, odd.stderr) == (plain.returncode, plain.stdout, plain.stderr)


@pytest.fixture
def heeded_interrupts() -> Iterator[None]:
    """Interrupts reach the processes of a test, also where the tests run in the background of a shell."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("heeded_interrupts")
def test_an_interrupt_is_silent() -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "dractl", "validate", "-"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    ) as process:  # fmt: skip
        deadline = time.monotonic() + 30
        while time.monotonic() < deadline:
            time.sleep(0.3)
            # It waits for its standard input once everything is loaded.
            wait = Path(f"/proc/{process.pid}/wchan")
            if not wait.exists() or "pipe" in wait.read_text(encoding="utf-8"):
                break
        process.send_signal(signal.SIGINT)
        _, stderr = process.communicate(timeout=30)
    assert (process.returncode, stderr) == (130, b"")


@pytest.mark.parametrize(
    "locale",
    [
        {"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"},
        {"PYTHONIOENCODING": "latin-1", "PYTHONUTF8": "0"},
        {"PYTHONIOENCODING": "utf-16", "PYTHONUTF8": "0"},
        {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
        {"LC_ALL": "POSIX", "PYTHONUTF8": "0"},
    ],
    ids=lambda locale: next(iter(locale.items())),
)
@pytest.mark.parametrize(
    "extra",
    [
        pytest.param((), id="short"),
        pytest.param(("--ignore", "request/name"), id="typer", marks=pytest.mark.slow),
    ],
)
def test_results_are_utf_8_whatever_the_locale(
    tmp_path: Path, locale: dict[str, str], extra: tuple[str, ...]
) -> None:
    (tmp_path / "a.yaml").write_text("größe 漢字\n", encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "dractl", "validate", "a.yaml", *extra],
        cwd=tmp_path, env={**os.environ, **locale}, capture_output=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, b"")
    assert "größe 漢字" in done.stdout.decode("utf-8")


def test_a_bug_is_one_line_and_shows_more_when_asked(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(_arguments: object) -> NoReturn:
        raise RecursionError("too\ndeep")

    monkeypatch.setattr(app, "_run", broken)
    monkeypatch.delenv(app.TRACEBACK, raising=False)
    monkeypatch.setattr(sys, "argv", ["dractl", "validate", "x"])
    with pytest.raises(SystemExit) as ended:
        app.main()
    assert ended.value.code == 2
    advice = "(please report it with the output of DRACTL_TRACEBACK=1)"
    assert capsys.readouterr().err == f"dractl: internal error: RecursionError: too␊deep {advice}\n"
    monkeypatch.setenv(app.TRACEBACK, "1")
    with pytest.raises(RecursionError):
        app.main()
    gc.enable()


TYPER = {"typer", "dataclasses", "inspect"}
MAY_LOAD = {
    "--version": set(),
    "--help": set(),
    "validate CLAIM": {"yaml"},
    "validate CLAIM --strict": {"yaml", *TYPER},
    f"simulate {QUICKSTART}": {"yaml", "dractl.simulation"},
    f"simulate {QUICKSTART} --quiet": {"yaml", "dractl.simulation", *TYPER},
    f"cel true {QUICKSTART}": {"yaml"},
}
"""What a command line may load of what takes long; with options typer and what it loads come on top."""


@pytest.mark.parametrize("line", MAY_LOAD)
def test_a_command_loads_nothing_heavy(tmp_path: Path, line: str) -> None:
    """``python -m benchmarks --only start`` measures what that saves."""
    claim = tmp_path / "claim.yaml"
    claim.write_text(CLAIM, encoding="utf-8")
    arguments = [str(claim) if word == "CLAIM" else word for word in line.split()]
    script = (
        "import sys\nfrom dractl.cli.app import main\n"
        f"sys.argv = ['dractl', *{arguments!r}]\n"
        "try:\n    main()\nexcept SystemExit as end:\n    assert not end.code, end.code\n"
        "print(*sorted(sys.modules))\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    loaded = set(done.stdout.splitlines()[-1].split())
    assert (loaded & HEAVY) - MAY_LOAD[line] == set()


def test_importing_the_package_loads_none_of_it() -> None:
    script = "import sys, dractl\nprint(*sorted(name for name in sys.modules if name.startswith('dractl')))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == "dractl\n"


@pytest.mark.parametrize("arguments", [["--version"], ["--help"], ["-h"]])
def test_what_is_written_at_once_is_what_typer_writes(arguments: list[str]) -> None:
    written = as_text(run_dractl(arguments, ROOT, environment={**os.environ, "COLUMNS": "80"}))
    script = "import sys; from dractl.cli.commands import app; app(sys.argv[1:], prog_name='dractl')"
    by_typer = subprocess.run(
        [sys.executable, "-c", script, *arguments],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "COLUMNS": "80"},
    )
    assert written.stdout == by_typer.stdout
