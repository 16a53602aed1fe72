"""A campaign: cases of one seed until the CPU minutes are used, and what to do about each fault."""

from __future__ import annotations

import resource
from collections.abc import Callable, Iterable
from typing import Protocol

from tests.fuzz.case import Case
from tests.fuzz.faults import Fault
from tests.fuzz.hashing import differing
from tests.fuzz.keeping import Keeper, Totals
from tests.fuzz.minimising import minimised
from tests.fuzz.workers import Verdict

__all__ = ["Campaign"]

_EVERY = 40
"""Of so many cases one is run under several hash seeds."""
_BATCH = 10
_COSTLY = frozenset(("slow", "memory", "depends on the hash seed"))
"""Faults of which each try takes seconds."""
_ENDLESS = frozenset(("hang", "waits without end"))
"""Faults of which each try takes all the time there is."""
_TRIES, _COSTLY_TRIES, _ENDLESS_TRIES = 150, 30, 8


class _Runs(Protocol):
    def run(self, case: Case) -> Verdict:
        """Run a case and wait for it."""


class Campaign:
    """Looks at verdicts as they come, and keeps what is new."""

    def __init__(self, keeper: Keeper, helper: _Runs, say: Callable[[str], None]) -> None:
        """Keep with ``keeper``, make cases smaller with ``helper``, and ``say`` a line for each fault."""
        self._keeper = keeper
        self._helper = helper
        self._say = say
        self._batch: list[Case] = []
        self.totals = Totals()

    def run(self, verdicts: Iterable[Verdict], seconds: float) -> Totals:
        """Look at verdicts until ``seconds`` of CPU time are used, and answer what was done."""
        for verdict in verdicts:
            self._count(verdict)
            for fault in verdict.faults:
                if self._keeper.is_new(fault):
                    self._keep(fault, verdict.case)
            if not verdict.faults and self.totals.cases % _EVERY == 0:
                self._batch.append(verdict.case)
            if len(self._batch) >= _BATCH:
                self._hash()
            if self.totals.seconds >= seconds:
                break
        self._hash()
        return self.totals

    def _count(self, verdict: Verdict) -> None:
        case, now = verdict.case, self.totals
        self.totals = now._replace(
            cases=now.cases + 1,
            seconds=now.seconds + verdict.spent,
            cpu=now.cpu.or_more(verdict.cpu, case),
            memory=now.memory.or_more(verdict.memory / (1 << 20), case),
        )

    def _keep(self, fault: Fault, case: Case) -> None:
        self._keeper.note(fault)
        tries = (
            _ENDLESS_TRIES if fault.kind in _ENDLESS else _COSTLY_TRIES if fault.kind in _COSTLY else _TRIES
        )
        self._say(self._keeper.keep(fault, minimised(case, lambda one: self._has(one, fault), tries)))

    def _has(self, case: Case, fault: Fault) -> bool:
        verdict = self._helper.run(case)
        self.totals = self.totals._replace(seconds=self.totals.seconds + verdict.spent)
        # A case that is slow here hangs there: the same fault.
        kinds = {"slow", "hang"} if fault.kind in ("slow", "hang") else {fault.kind}
        return any(found.kind in kinds and found.where == fault.where for found in verdict.faults)

    def _hash(self) -> None:
        cases, self._batch = self._batch, []
        if not cases:
            return
        before = _children()
        for case, fault in zip(cases, differing(cases), strict=True):
            if fault is not None and self._keeper.is_new(fault):
                self._keeper.note(fault)
                small = minimised(case, lambda one: differing([one]) != [None], _COSTLY_TRIES)
                self._say(self._keeper.keep(fault, small))
        now = self.totals
        self.totals = now._replace(seconds=now.seconds + _children() - before, hashed=now.hashed + len(cases))


def _children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
