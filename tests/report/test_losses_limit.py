from __future__ import annotations

import pytest

import dractl
from dractl.api import budgets
from dractl.report import losses
from dractl.report.style import PLAIN


def test_losses_beyond_the_limit_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(budgets, "FINDINGS", budgets.FINDINGS._replace(value=2))
    lines = list(losses.render(dractl.convert("--- [\n" * 5, to="v1"), PLAIN))
    assert sum(": error: " in line for line in lines) == 2
    assert lines[-2:] == [
        "3 losses only counted, not listed: a run lists 2 of each severity",
        "nothing was written: fix 5 errors first",
    ]
