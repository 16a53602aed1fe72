"""The door to cel-python; what that is good for is held in test_second_opinion.py."""

from __future__ import annotations

import sys
from typing import Any

import pytest

from dractl.cel.second_opinion import NotInstalledError, SecondOpinion
from tests.cel.conftest import DEVICE, DOMAIN

ATTRIBUTES = f'device.attributes["{DOMAIN}"]'


@pytest.mark.parametrize(
    ("expression", "answer"),
    [
        (f'{ATTRIBUTES}.model == "A100"', True),
        (f"{ATTRIBUTES}.index > 5", False),
        (f'{ATTRIBUTES}.version == "1.10.3-beta.2+x"', True),
        ('device.attributes["other.org"].model == "X1"', True),
        (f'device.capacity["{DOMAIN}"].memory == "10Gi"', True),
        (f'{ATTRIBUTES}.links.exists(l, l == "b")', True),
        ("device.allowMultipleAllocations", False),
        (f'device.driver == "{DOMAIN}"', True),
    ],
)
def test_it_sees_the_device_in_plain_data(expression: str, answer: bool) -> None:
    assert SecondOpinion(expression).evaluate(DOMAIN, DEVICE) is answer


@pytest.mark.parametrize(
    ("expression", "said"),
    [
        (f"{ATTRIBUTES}.?model.orValue('') == ''", "CELParseError: "),
        (f'device.capacity["{DOMAIN}"].memory == quantity("1")', "CELEvalError: undeclared reference to"),
        (f"{ATTRIBUTES}.index", "gives IntType(3)"),
    ],
)
def test_what_it_says_instead_of_an_answer_is_one_short_line(expression: str, said: str) -> None:
    answer: Any = SecondOpinion(expression).evaluate(DOMAIN, DEVICE)
    assert answer.startswith(said)
    assert "\n" not in answer
    assert len(answer) < 250


def test_without_it_that_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "celpy", None)
    with pytest.raises(NotInstalledError):
        SecondOpinion("true")
