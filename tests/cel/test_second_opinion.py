"""The door to cel-python; what that is good for is held in test_plain_cel.py."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from dractl.api import budgets
from dractl.cel.second_opinion import Device, NotInstalledError, SecondOpinion
from tests.cel.conftest import DEVICE, DOMAIN

ATTRIBUTES = f'device.attributes["{DOMAIN}"]'


@pytest.mark.parametrize(
    ("expression", "answer"),
    [
        (f'{ATTRIBUTES}.model == "A100"', True),
        (f"{ATTRIBUTES}.index > 5", False),
        pytest.param(f'{ATTRIBUTES}.version == "1.10.3-beta.2+x"', True, marks=pytest.mark.slow),
        pytest.param('device.attributes["other.org"].model == "X1"', True, marks=pytest.mark.slow),
        (f'device.capacity["{DOMAIN}"].memory == "10Gi"', True),
        (f'{ATTRIBUTES}.links.exists(l, l == "b")', True),
        pytest.param("device.allowMultipleAllocations", False, marks=pytest.mark.slow),
        pytest.param(f'device.driver == "{DOMAIN}"', True, marks=pytest.mark.slow),
    ],
)
def test_it_sees_the_device_in_plain_data(expression: str, answer: bool) -> None:
    assert SecondOpinion().ask(expression, [(DOMAIN, DEVICE)]) == [answer]


@pytest.mark.parametrize(
    ("expression", "said"),
    [
        (f"{ATTRIBUTES}.?model.orValue('') == ''", "CELParseError: "),
        (f'device.capacity["{DOMAIN}"].memory == quantity("1")', "CELEvalError: undeclared reference to"),
        (f"{ATTRIBUTES}.index", "gives IntType(3)"),
    ],
)
def test_what_it_says_instead_of_an_answer_is_one_short_line(expression: str, said: str) -> None:
    (answer,) = SecondOpinion().ask(expression, [(DOMAIN, DEVICE)])
    assert isinstance(answer, str)
    assert answer.startswith(said)
    assert "\n" not in answer
    assert len(answer) < 250


def test_without_it_that_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "celpy", None)
    with pytest.raises(NotInstalledError):
        SecondOpinion()


def _with(monkeypatch: pytest.MonkeyPatch, name: str, value: int) -> SecondOpinion:
    monkeypatch.setattr(budgets, name, getattr(budgets, name)._replace(value=value))
    return SecondOpinion()


@pytest.mark.slow
def test_answers_that_take_too_long_are_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = _with(monkeypatch, "SECOND_OPINION_TIME", 3)
    cost_hint = " && ".join(["semver('1.2.3').compareTo(semver('v1.2', true)) >= 0"] * 60)
    devices: list[Device] = [("a", {}), ("a", {})]
    assert asked.ask(cost_hint, devices) == ["celpy was stopped after 3 seconds"] * 2
    assert asked.ask("true", devices[:1]) == ["celpy was stopped after 3 seconds"]


def test_memory_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("resource")
    asked = _with(monkeypatch, "SECOND_OPINION_MEMORY", 1)
    assert asked.ask("true", [("a", {})]) == ["celpy ended without a result: it can use 1 MiB"]


def test_nothing_of_the_working_folder_is_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("celpy", "json", "dractl"):
        (tmp_path / f"{name}.py").write_text("open('ran', 'w')\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert SecondOpinion().ask("true", [("a", {})]) == [True]
    assert not (tmp_path / "ran").exists()
