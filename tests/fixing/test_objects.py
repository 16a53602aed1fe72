"""Objects that Python hands over are fixed as texts, and the result is a document."""

from __future__ import annotations

import copy
import json
from datetime import date
from typing import Any

import jsonschema
import pytest

import dractl
from tests.fixing.test_kinds import CLAIM
from tests.paths import ROOT
from tests.reading import read_all_yaml

FOLDER = ROOT / "schemas" / "documents"
FLAT: dict[str, Any] = {"name": "gpu", "deviceClassName": "gpu", "count": 1}
BOXED = {"name": "gpu", "exactly": {"deviceClassName": "gpu", "count": 1}}


def claim(request: dict[str, Any]) -> dict[str, Any]:
    return {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "ResourceClaim",
        "metadata": {"name": "a"},
        "spec": {"devices": {"requests": [request]}},
    }


def listed(*items: object) -> dict[str, Any]:
    return {"apiVersion": "v1", "kind": "List", "items": list(items)}


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (claim(FLAT), [claim(BOXED)]),
        ([claim(FLAT), claim(BOXED), claim(FLAT)], [claim(BOXED)] * 3),
        (listed(claim(FLAT), claim(FLAT)), [listed(claim(BOXED), claim(BOXED))]),
        ([claim(FLAT), f"{json.dumps(claim(FLAT))}"], [claim(BOXED)] * 2),
    ],
)
def test_an_object_is_fixed_as_text(given: Any, expected: list[object]) -> None:
    before = copy.deepcopy(given)
    fixing = dractl.fix(given)
    assert list(read_all_yaml(fixing.text)) == expected
    assert fixing.files[0].name == "<object>"
    assert given == before


@pytest.mark.parametrize(
    "odd", [{}, {"a": date(2026, 1, 1)}, listed(claim(FLAT), {"a": {1, 2}}), {"a": float("nan")}], ids=str
)
def test_an_object_that_is_no_json_stays_as_it_is(odd: Any) -> None:
    fixing = dractl.fix([odd, claim(FLAT)])
    assert len(fixing.loaded) == len(dractl.fix(odd).loaded) + 1
    assert len(fixing.fixed) == 1


UNDONE = f"{CLAIM.replace('spec:', 'Spec:')}    - name: A\n      exactly: {{deviceClassName: gpu}}\n"


@pytest.mark.parametrize(
    ("given", "fixed", "unfixed"),
    [(claim(FLAT), 1, 0), (f"{CLAIM}    - {json.dumps(FLAT)}\n", 1, 0), (UNDONE, 0, 1), ("kind: [\n", 0, 0)],
    ids=str,
)
def test_the_document_follows_its_schema(given: Any, fixed: int, unfixed: int) -> None:
    document: dict[str, Any] = dractl.fix(given).to_dict()
    schema = json.loads((FOLDER / "dractl.fix.1.json").read_text(encoding="utf-8"))
    jsonschema.validate(json.loads(json.dumps(document)), schema)
    assert (len(document["fixed"]), len(document["unfixed"])) == (fixed, unfixed)
    assert all("another error" in entry["reason"] for entry in document["unfixed"])


def test_a_finding_is_the_same_as_in_validate() -> None:
    of_fix, of_validate = (
        json.loads((FOLDER / f"dractl.{name}.1.json").read_text(encoding="utf-8"))
        for name in ("fix", "validate")
    )
    assert of_fix["$defs"] == of_validate["$defs"]
