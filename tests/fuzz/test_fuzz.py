"""The fuzzer itself: it finds each kind of fault when there is one, and makes its case small."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from dractl.api import budgets
from dractl.cli import reference
from dractl.cli.app import COMMANDS
from dractl.cli.reference_options import GatesOptions
from tests.fuzz import __main__ as command_line
from tests.fuzz import faults, hashing, running, workers
from tests.fuzz.campaign import Campaign
from tests.fuzz.case import Case, read_folder, write_folder
from tests.fuzz.commands import RESULT, Maker
from tests.fuzz.corpus import corpus, dumped, parsed
from tests.fuzz.faults import Fault
from tests.fuzz.keeping import Keeper
from tests.fuzz.minimising import minimised
from tests.fuzz.workers import Pool, Verdict, Worker

pytestmark = pytest.mark.slow

GATES = Case("dractl", ("gates",), {"a.yaml": b"a: 1\n"})


@pytest.fixture(scope="module")
def plain() -> Iterator[Worker]:
    """A worker in which nothing is planted."""
    worker = Worker()
    yield worker
    worker.close()


def planted(
    monkeypatch: pytest.MonkeyPatch, behave: Callable[..., int], case: Case = GATES
) -> tuple[Fault, ...]:
    """The faults of a case if ``dractl gates`` behaves so; workers inherit what is patched here."""
    monkeypatch.setattr(reference, "list_gates", behave)
    worker = Worker()
    try:
        return worker.run(case).faults
    finally:
        worker.close()


def _raise(*_: Any) -> int:
    raise KeyError("planted")


def _recurse(*_: Any) -> int:
    return _recurse() + 1


def _interrupted(*_: Any) -> int:
    raise KeyboardInterrupt


def _spin(*_: Any) -> int:
    while True:
        pass


def _grow(*_: Any) -> int:
    return len(bytearray(80 << 20)) - (80 << 20)


def _exhaust(*_: Any) -> int:
    return len(bytearray(8 << 30))


def _die(*_: Any) -> int:
    os._exit(7)


def _escape(*_: Any) -> int:
    sys.stdout.write("a \x1b[2J b\n")
    return 0


def _turn(*_: Any) -> int:
    sys.stdout.write("a \u202e b\n")
    return 0


def _order(*_: Any) -> int:
    sys.stdout.write("fine\n::error title=approved::all checks passed\n")
    return 0


def _order_azure(*_: Any) -> int:
    sys.stdout.write("name: ##vso[task.setvariable variable=a]b\n")
    return 0


def _program(*_: Any) -> int:
    subprocess.run(["true"], check=False)
    return 0


def _shell(*_: Any) -> int:
    os.system("true")  # noqa: S605 - what is looked for
    return 0


def _connect(*_: Any) -> int:
    with socket.socket() as one, suppress(OSError):
        one.connect(("127.0.0.1", 9))
    return 0


def _read_foreign(*_: Any) -> int:
    return int(not Path("/proc/self/environ").read_bytes())


def _write_foreign(*_: Any) -> int:
    Path("../stray").write_text("x", encoding="ascii")
    return 0


def _remove_foreign(*_: Any) -> int:
    Path("../outside.yaml").unlink()
    return 0


def _evaluate(*_: Any) -> int:
    return int(eval("0"))  # noqa: S307 - what is looked for


def _change(*_: Any) -> int:
    Path("a.yaml").write_text("b", encoding="ascii")
    return 0


def _leave(*_: Any) -> int:
    Path(".dractl-1").write_text("b", encoding="ascii")
    return 0


def _ask(*_: Any) -> int:
    return len(sys.stdin.read())


def _traceback(*_: Any) -> int:
    sys.stderr.write("Traceback (most recent call last):\n")
    return 2


def _seven(*_: Any) -> int:
    return 7


PLANTED = {
    "an exception": (_raise, "crash", "KeyError in "),
    "endless recursion": (_recurse, "crash", "RecursionError in "),
    "an interrupt": (_interrupted, "exit code", "130"),
    "another exit code": (_seven, "exit code", "7"),
    "a traceback": (_traceback, "traceback", "Traceback"),
    "no memory": (_exhaust, "crash", "MemoryError in "),
    "a death": (_die, "died", "exit code 7 "),
    "an escape": (_escape, "control character", "text C0"),
    "text turned round": (_turn, "control character", "text direction"),
    "a GitHub command": (_order, "CI command", "gates text"),
    "an Azure command": (_order_azure, "CI command", "gates text"),
    "a program": (_program, "program", ""),
    "a shell": (_shell, "program", ""),
    "a connection": (_connect, "network", ""),
    "a foreign file read": (_read_foreign, "foreign file", ""),
    "a foreign file written": (_write_foreign, "foreign file", ""),
    "a foreign file removed": (_remove_foreign, "foreign file", ""),
    "text that is run": (_evaluate, "code", ""),
    "a changed input": (_change, "input changed", "gates"),
    "a leftover": (_leave, "leftover", "gates"),
    "standard input": (_ask, "standard input", "gates"),
}


@pytest.mark.parametrize("name", PLANTED)
def test_a_planted_fault_is_found(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    behave, kind, where = PLANTED[name]
    found = planted(monkeypatch, behave)
    assert found[0].kind == kind
    assert found[0].where.startswith(where)


def test_nothing_is_found_where_nothing_is_wrong(plain: Worker) -> None:
    assert plain.run(GATES).faults == ()


def test_a_hang_ends_the_worker_only(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (running, workers):
        monkeypatch.setattr(module, "limits_for", lambda _: 2)
    monkeypatch.setattr(reference, "list_gates", _spin)
    worker = Worker()
    try:
        verdict = worker.run(GATES)
        assert [fault.kind for fault in verdict.faults] == ["hang"]
        assert verdict.faults[0].where.startswith("dractl/cli/")
        assert worker.run(GATES._replace(arguments=("rule", "request/name"))).faults == ()
    finally:
        worker.close()


def test_a_case_that_waits_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "_IDLE", 0.5)
    monkeypatch.setattr(workers, "_LOOK", 0.2)

    def wait(*_: Any) -> int:
        here, _there = os.pipe()
        return len(os.read(here, 1))

    assert [fault.kind for fault in planted(monkeypatch, wait)] == ["waits without end"]


def test_a_slow_case_is_found_by_its_size(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(faults, "PATIENCE", -1.0)
    assert [fault.kind for fault in planted(monkeypatch, lambda *_: 0)] == ["slow"]
    large = GATES._replace(files={"a.yaml": b"#" * 30_000})
    assert planted(monkeypatch, lambda *_: 0, large) == ()


def test_a_case_that_reaches_a_limit_may_take_longer() -> None:
    outcome = running.Outcome(
        running.End(0), b"", b"", cpu=5, memory=0, strays=(), samples=(), asked_stdin=False, files={}
    )
    said = outcome._replace(stderr=budgets.CEL_RUN.message().encode())

    def kinds(command: str, found: running.Outcome, *words: str) -> list[str]:
        return [fault.kind for fault in faults.judge(Case("dractl", (command, *words), {}), found)]

    assert kinds("validate", outcome) == kinds("simulate", outcome._replace(cpu=21)) == ["slow"]
    assert kinds("simulate", outcome) == []
    assert kinds("validate", said) == kinds("validate", outcome, "--quiet") == []
    assert kinds("validate", said._replace(cpu=11)) == ["slow"]
    assert kinds("simulate", said._replace(cpu=21)) == []


def test_memory_is_measured_for_each_case(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(faults, "MEMORY", 70 << 20)
    monkeypatch.setattr(reference, "list_gates", _grow)
    worker = Worker()
    try:
        assert [fault.kind for fault in worker.run(GATES).faults] == ["memory"]
        assert worker.run(GATES._replace(arguments=("rules",))).faults == ()
    finally:
        worker.close()


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("{", "not JSON"),
        ('{"schema": "dractl.gates/1", "a": NaN}', "not JSON"),
        ('{"schema": "dractl.unknown/1"}', "no known document"),
        ('{"schema": "dractl.gates/1"}', "not as its schema"),
    ],
)
def test_documents_for_programs_are_checked(text: str, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def behave(options: GatesOptions) -> int:
        if options.output:
            Path(options.output).write_text(text, encoding="ascii")
        else:
            sys.stdout.write(text)
        return 0

    case = GATES._replace(arguments=("gates", "--format=json"))
    assert [fault.kind for fault in planted(monkeypatch, behave, case)] == [kind]
    for name in (RESULT, "other"):
        written = GATES._replace(arguments=("gates", "--format=json", f"--output={name}"))
        assert [fault.kind for fault in planted(monkeypatch, behave, written)] == [kind]


@pytest.mark.parametrize(
    ("words", "kinds"),
    [
        (["--output=a.yaml"], []),
        (["--output", "a.yaml"], []),
        (["--output=a.yaml", "a.yaml"], ["input changed"]),
        (["--save-state=a.yaml", "--old=a.yaml"], ["input changed"]),
        (["--update", "a.yaml"], []),
        (["--output=a.yaml", "--exclude=a.yaml"], []),
        ([], ["input changed"]),
    ],
)
def test_a_file_may_change_where_a_result_goes(
    words: list[str], kinds: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    case = GATES._replace(arguments=("gates", *words))
    outcome = running.Outcome(
        running.End(0),
        b"",
        b"",
        cpu=0,
        memory=0,
        strays=(),
        samples=(),
        asked_stdin=False,
        files={"a.yaml": b"b"},
    )
    monkeypatch.setattr(faults, "_of_documents", lambda *_: ())
    assert [fault.kind for fault in faults.judge(case, outcome)] == kinds


def test_other_formats_are_checked() -> None:
    assert [fault.kind for fault in faults._xml("test junit", b"<a>")] == ["not XML"]
    assert [fault.kind for fault in faults._yaml("simulate yaml", b"a: [")] == ["not YAML"]
    assert not list(faults._xml("test junit", b"<a/>"))
    assert not list(faults._yaml("simulate yaml", b"a: 1\n---\nb: 2\n"))


def test_what_the_python_api_may_raise(plain: Worker) -> None:
    files = {"input.yaml": b"kind: Pod\napiVersion: v1\n"}

    def run(*arguments: str) -> tuple[Fault, ...]:
        return plain.run(Case("api", arguments, files)).faults

    assert run("validate", "text", "input.yaml", "{}") == ()
    assert run("validate", "object", "input.yaml", '{"kube_version": "1.99"}') == ()
    assert run("convert", "bytes", "input.yaml", '{"to": "x"}') == ()
    assert [fault.kind for fault in run("no_such", "text", "input.yaml", "{}")] == ["crash"]


def test_a_type_error_from_within_is_a_fault() -> None:
    assert running._is_judgement((("dractl/public.py", "validate"), ("dractl/api/gates.py", "resolve")))
    assert not running._is_judgement(
        (("dractl/public.py", "validate"), ("dractl/admission/shared/taints.py", "f"))
    )


def test_what_depends_on_the_hash_seed_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    assert hashing.differing([GATES]) == [None]
    seeds = iter("abc")
    monkeypatch.setattr(
        hashing, "_digests", lambda cases, _: [{"exit": "0", "stdout": next(seeds)}] * len(cases)
    )
    assert hashing.differing([GATES]) == [Fault("depends on the hash seed", "gates stdout")]


@pytest.mark.parametrize(
    ("name", "good", "bad"),
    [
        ("sarif", b"{}", b"{"),
        ("gitlab", b"[]", b"[NaN]"),
        ("github", b"::error file=a,line=1::b: c\n", b"::error file=a::b\nc\n"),
        ("prometheus", b'# HELP a b\na{b="c\\"d"} 1\n', b'a{b="c"d"} 1\n'),
    ],
)
def test_what_a_program_cannot_read_is_found(name: str, good: bytes, bad: bytes) -> None:
    def judged(options: tuple[str, ...], stdout: bytes, files: dict[str, bytes]) -> list[Fault]:
        end = running.End(0)
        outcome = running.Outcome(end, stdout, b"", 0.0, 0, (), (), asked_stdin=False, files=files)
        return faults.judge(Case("dractl", ("validate", *options), {}), outcome)

    for content, expected in ((good, 0), (bad, 1)):
        assert len(judged((f"--format={name}",), content, {})) == expected
        assert len(judged((f"--format={name}=a.out",), b"", {"a.out": content})) == expected


def test_the_same_seed_gives_the_same_cases() -> None:
    cases = [Maker(7, corpus()).case(number) for number in range(60)]
    assert cases == [Maker(7, corpus()).case(number) for number in range(60)]
    assert cases != [Maker(8, corpus()).case(number) for number in range(60)]


def test_cases_are_of_every_command() -> None:
    maker = Maker(1, corpus())
    cases = [maker.case(number) for number in range(400)]
    commands = {case.arguments[0] if case.program == "dractl" else case.program for case in cases}
    # An editor and a cluster are imitated elsewhere.
    assert commands == {*COMMANDS, "api"} - {"lsp", "snapshot"}
    assert any(case.stdin for case in cases)
    assert any(case.links for case in cases)


def test_a_bomb_of_aliases_is_no_tree() -> None:
    bomb = b"a: &a [x, x]\n" + b"".join(b"b%d: &b%d [*%s, *%s]\n" % (n, n, p, p) for n, p in _chain())
    assert parsed(bomb) == ()
    assert parsed(b"a: &a [*a]\n") == ()
    assert parsed(b"a: 1\n---\nb: 2\n") == ({"a": 1}, {"b": 2})


def _chain() -> Iterator[tuple[int, bytes]]:
    return ((n, b"b%d" % (n - 1) if n else b"a") for n in range(40))


def test_what_yaml_cannot_hold_becomes_json() -> None:
    assert dumped([{"a": "\ud83d"}]) == b'{"a": "\\ud83d"}'
    endless: list[Any] = []
    endless.append(endless)
    assert dumped([endless], as_json=True) == b"{}"


def test_a_case_is_made_smaller() -> None:
    lines = [f"line {number}" for number in range(200)]
    lines[77] = "a needle here"
    case = Case(
        "dractl",
        ("validate", "--quiet", "a.yaml", "b.yaml", "--format=json"),
        {"a.yaml": "\n".join(lines).encode(), "b.yaml": b"x" * 500},
    )

    def has(one: Case) -> bool:
        return b"needle" in one.files.get("a.yaml", b"") and "--quiet" in one.arguments

    small = minimised(case, has)
    assert small == Case("dractl", ("validate", "--quiet"), {"a.yaml": b"needle"})


def test_making_a_case_smaller_has_an_end() -> None:
    asked = []

    def has(case: Case) -> bool:
        asked.append(case)
        return True

    minimised(GATES._replace(files={"a.yaml": bytes(range(256)) * 10}), has, most=25)
    assert len(asked) <= 25


class _Helper:
    """Runs cases as if those with an "x" in their file had a fault."""

    def run(self, case: Case) -> Verdict:
        found = (Fault("crash", "here"),) if b"x" in case.files.get("a.yaml", b"") else ()
        return Verdict(case, found, 0.1, 1 << 20, 0.5)


def test_a_campaign_keeps_each_fault_once_and_small(tmp_path: Path) -> None:
    case = GATES._replace(files={"a.yaml": b"some x\nthing\n"})
    verdict = Verdict(case, (Fault("crash", "here"),), 0.2, 3 << 20, 30.0)
    said: list[str] = []
    keeper = Keeper(tmp_path)
    totals = Campaign(keeper, _Helper(), said.append).run([verdict] * 9, 60.0)
    assert len(said) == len(keeper) == 1
    assert totals.cases == 2
    assert totals.lines(1)[1:] == [
        "most CPU time: 0.20 s, 18 bytes: dractl gates",
        "most memory: 3 MiB, 18 bytes: dractl gates",
        "1 fault",
    ]
    (folder,) = (path for path in tmp_path.iterdir() if path.is_dir())
    assert said[0].splitlines() == [
        f"fault 1: crash: here; 6 bytes, kept in {folder}",
        "    'dractl gates'",
        "    'a.yaml': b'x'",
    ]
    assert read_folder(folder).case == GATES._replace(files={"a.yaml": b"x"})


def test_a_kept_case_is_read_as_it_was(tmp_path: Path) -> None:
    case = Case(
        "dractl",
        ("validate", "a\n::error::b.yaml", "\udcff.yaml", "a'b", "", "--x=\x1b"),
        {"a\n::error::b.yaml": b"\xff\x00", "\udcff.yaml": b"", "deep/er/c": b"c"},
        stdin="deep/er/c",
        links={"link": "../outside.yaml"},
    )
    write_folder(case, tmp_path / "kept")
    assert read_folder(tmp_path / "kept").case == case


def test_expectations_of_a_recorded_case(tmp_path: Path) -> None:
    text = "dractl cel 'a\nb'\nexit 1 2\nseconds 0.5\ntext internal: no\n"
    (tmp_path / "command").write_text(text, encoding="utf-8")
    recorded = read_folder(tmp_path)
    assert recorded.case.arguments == ("cel", "a\nb")
    assert recorded.exits == {1, 2}
    assert recorded.seconds == 0.5
    assert recorded.texts == ("internal: no",)


def test_workers_share_the_numbers() -> None:
    pool = Pool(Maker(3, corpus()), jobs=2)
    try:
        verdicts = pool.verdicts()
        lines = {next(verdicts).case.line for _ in range(6)}
    finally:
        pool.close()
    maker = Maker(3, corpus())
    assert lines <= {maker.case(number).line for number in range(8)}


def test_the_command_line(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(reference, "list_gates", _raise)
    monkeypatch.setattr(command_line, "Maker", lambda *_: _Always())
    assert command_line.main(["--minutes", "0.001", "--seed", "5", "--keep", str(tmp_path)]) == 1
    written = capsys.readouterr().out
    assert written.startswith(f"seed 5; faults are kept in {tmp_path}\nfault 1: crash: KeyError in ")
    assert written.endswith("1 fault\n")
    (folder,) = (path for path in tmp_path.iterdir() if path.is_dir())
    assert command_line.main(["--replay", str(folder)]) == 1
    monkeypatch.setattr(reference, "list_gates", lambda *_: 0)
    assert command_line.main(["--replay", str(folder)]) == 0
    assert command_line.main(["--minutes", "0.001", "--keep", str(tmp_path)]) == 0


class _Always(Maker):
    """Makes the same case under all numbers."""

    def __init__(self) -> None:
        super().__init__(0, corpus())

    def case(self, number: int) -> Case:
        return GATES._replace(stdin=None) if number else GATES
