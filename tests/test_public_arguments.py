"""Public functions with values of wrong types: each gives a result, or an error that dractl words itself."""

from __future__ import annotations

import inspect
import linecache
from types import TracebackType
from typing import Any

import pytest

import dractl
from tests.paths import ROOT

FUNCTIONS = (
    *("audit", "cel", "convert", "diff", "fix", "possible", "simulate", "size", "test", "upgrade"),
    *("validate", "validate_range", "why"),
)
POD = "apiVersion: v1\nkind: Pod\nmetadata: {name: train}\nspec: {containers: [{name: a, image: b}]}\n"
GIVEN: dict[str, Any] = {
    "docs": POD,
    "old": POD,
    "new": POD,
    "expression": "true",
    "paths": ROOT / "testdata" / "examples" / "first-claim" / "dractl-test.yaml",
    "to": "v1",
    "kube_versions": "1.36..1.37",
    "from_version": "1.36",
    "to_version": "1.37",
    "name": "train",
    "pod": "train",
}
WRONG = (3, None, b"x", ["a"], {"a": object()}, object())


def _is_own(traceback: TracebackType | None) -> bool:
    """Whether dractl raised an error itself, rather than Python on the way."""
    assert traceback is not None
    while traceback.tb_next is not None:
        traceback = traceback.tb_next
    line = linecache.getline(traceback.tb_frame.f_code.co_filename, traceback.tb_lineno)
    return line.strip().startswith("raise ")


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_wrong_type_is_an_error_in_our_words(name: str) -> None:
    function = getattr(dractl, name)
    parameters = inspect.signature(function).parameters
    required = {each for each, row in parameters.items() if row.default is inspect.Parameter.empty}
    assert required <= GIVEN.keys()
    filled = required | ({"pod", "name"} & parameters.keys())
    for parameter in parameters:
        for value in WRONG:
            given = {each: GIVEN[each] for each in filled} | {parameter: value}
            try:
                function(**given)
            except (TypeError, ValueError, OSError) as error:
                assert _is_own(error.__traceback__), (parameter, value, error)
