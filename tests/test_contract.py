"""What programs of users rely on is still there: rule ids, parameters and fields of the Python API.

``testdata/contract/api.json`` was written by version 0.1.0 before its folders were moved. More may come.
"""

from __future__ import annotations

import inspect
import json
from collections.abc import Mapping

import pytest

import dractl
from dractl.lint.catalog import known_ids
from tests.paths import ROOT

CONTRACT = json.loads((ROOT / "testdata" / "contract" / "api.json").read_text(encoding="utf-8"))
SIGNATURES: Mapping[str, list[str]] = CONTRACT["signatures"]


def _parameter(parameter: inspect.Parameter) -> str:
    default = "" if parameter.default is inspect.Parameter.empty else f"={parameter.default!r}"
    return f"{parameter.name}{default} {parameter.kind.name}"


def test_every_rule_id_is_still_there() -> None:
    assert set(CONTRACT["rules"]) - set(known_ids()) == set()


@pytest.mark.parametrize("name", SIGNATURES)
def test_a_name_of_the_python_api_takes_and_has_what_it_did(name: str) -> None:
    value: object = getattr(dractl, name)
    if callable(value) and not inspect.isclass(value):
        assert [_parameter(one) for one in inspect.signature(value).parameters.values()] == SIGNATURES[name]
    else:
        assert set(SIGNATURES[name]) <= set(dir(value))


def test_no_name_of_the_python_api_is_gone() -> None:
    assert set(SIGNATURES) <= set(dractl.__all__)
