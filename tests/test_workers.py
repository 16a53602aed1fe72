"""Work that several processes share: the same results, and no process left behind."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime, tzinfo
from functools import partial
from pathlib import Path
from typing import Self, TypeVar

import pytest

from dractl import workers
from dractl.api import budgets, gates
from dractl.api.release import NEWEST
from dractl.cel.common.work import WORK
from dractl.source.document import Document
from dractl.source.load import Loaded, Sources, load_paths
from dractl.workers import WORKERS, WorkerError
from dractl.workflows import spreading
from dractl.workflows.validate import validate
from tests.paths import ROOT

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="one process elsewhere")

FIRST = os.getpid()
GATES = gates.resolve(NEWEST)


class _Clock(datetime):
    """A clock that stands still."""

    @classmethod
    def now(cls, tz: tzinfo | None = None) -> Self:
        return cls(2026, 1, 1, tzinfo=tz or UTC)


@pytest.fixture(autouse=True)
def one_thread(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The threads of the test runner do not matter to what is forked here; no process may be left."""
    monkeypatch.setattr(workers, "_has_threads", lambda: False)
    monkeypatch.setattr("dractl.workflows.validate.datetime", _Clock)
    started: list[int] = []
    fork = os.fork

    def recorded() -> int:
        started.append(fork())
        return started[-1]

    monkeypatch.setattr(os, "fork", recorded)
    yield
    for process in started:
        with pytest.raises(ProcessLookupError):
            os.kill(process, 0)


Result = TypeVar("Result")


def _spread(number: int, compute: Callable[[Sequence[int]], Sequence[Result]]) -> list[Result]:
    with WORKERS.using(number):
        return list(WORKERS.spread(range(20), lambda _: 1, compute))


@pytest.mark.parametrize("number", [1, 2, 3, 50])
def test_results_come_in_order_from_all_processes(number: int) -> None:
    found = _spread(number, lambda items: [(item, os.getpid()) for item in items])
    assert [item for item, _ in found] == list(range(20))
    assert len({process for _, process in found}) == min(number, 20)


def test_what_another_process_cannot_do_or_send_the_first_one_does() -> None:
    assert _spread(3, lambda items: [_squared(item) for item in items]) == [item**2 for item in range(20)]
    functions = _spread(2, lambda items: [partial(_other, item, lambda: None) for item in items])
    assert [function() for function in functions] == list(range(20))


def _other(item: int, _: Callable[[], None]) -> int:
    return item


def _squared(item: int) -> int:
    if os.getpid() != FIRST:
        raise ValueError(item)
    return item**2


def test_failures_are_those_of_one_process() -> None:
    def fail(items: Sequence[int]) -> list[int]:
        raise ValueError(items[0])

    with pytest.raises(ValueError, match=r"^0$"):
        _spread(2, fail)


def test_a_killed_process_ends_the_run() -> None:
    def die(items: Sequence[int]) -> Sequence[int]:
        if os.getpid() != FIRST:
            os.kill(os.getpid(), signal.SIGKILL)
        return items

    with pytest.raises(WorkerError, match="killed by SIGKILL; --jobs 1"):
        _spread(4, die)


def test_an_interrupt_ends_all_processes() -> None:
    def interrupt(_: Sequence[int]) -> Sequence[int]:
        if os.getpid() != FIRST:
            signal.pause()
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        _spread(4, interrupt)


def test_small_inputs_are_not_shared() -> None:
    with WORKERS.using(None):
        assert WORKERS.number(100_000) == 1


@pytest.mark.parametrize("folder", ["cases", "contract", "examples", "hostile", "named"])
def test_other_processes_change_nothing(folder: str) -> None:
    one, several = (_outcome(number, ROOT / "testdata" / folder) for number in (1, 3))
    assert one == several


def _outcome(number: int, path: Path) -> list[object]:
    sources = Sources()
    with WORKERS.using(number):
        loaded = load_paths([path], sources=sources)
        report = validate(loaded, GATES, None)
    return [
        [_shown(item) for item in loaded],
        [getattr(sources, name) for name in ("files", "foreign", "ignored", "passed_over", "unrendered")],
        report.to_dict(),
        report.persisted,
    ]


def _shown(item: Loaded) -> object:
    if not isinstance(item, Document):
        return item
    steps = [(key,) for key in item.value] if isinstance(item.value, dict) else []
    places = [(item.locate(step), item.locate_value(step)) for step in ((), *steps)]
    return repr(item), item.value, item.duplicates, item.base, places


@pytest.mark.parametrize("most", [3, 4, 5])
def test_the_limit_of_documents_is_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, most: int
) -> None:
    monkeypatch.setattr(budgets, "DOCUMENTS", budgets.DOCUMENTS._replace(value=most))
    for name in "abcd":
        (tmp_path / name / "node_modules").mkdir(parents=True)
        (tmp_path / name / "some.yaml").write_text(
            "kind: A\n---\n\n---\nkind: List\nitems: [{a: 1}, {a: 2}]\n"
        )
        (tmp_path / name / "other.yaml").write_text("{{ template }}: [\n")
    assert _outcome(1, tmp_path) == _outcome(3, tmp_path)


def test_the_budget_of_evaluations_is_that_of_one_run(monkeypatch: pytest.MonkeyPatch) -> None:
    path = ROOT / "testdata" / "cases"
    documents = [item for item in load_paths([path]) if isinstance(item, Document)]

    def admit(_: Document) -> spreading.Verdict:
        WORK.begin()
        WORK.add(1000)
        return None, [] if WORK.left() is None else [*report.findings[:1]]

    report = validate(documents, GATES, None)
    monkeypatch.setattr(budgets, "CEL_RUN", budgets.CEL_RUN._replace(value=5_000))
    found = []
    for number in (1, 2):
        with WORKERS.using(number), WORK.run():
            found.append(spreading.verdicts(NEWEST, documents, admit))
    assert found[0] == found[1]
    assert any(findings for _, findings in found[0])
