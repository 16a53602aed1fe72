"""The recorded inputs of ``testdata/conformance`` as questions to an oracle, whatever minor they are for."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from tests import oracle
from tests.record import FOLDER, on_disk


class Question(NamedTuple):
    """A request to an oracle. ``name`` is the file of a case, or the id of a row."""

    name: str
    request: Mapping[str, Any]


def recorded() -> list[Question]:
    """Every recorded input that an oracle answers; equal ones only once."""
    found: dict[str, Question] = {}
    for question in (*_cases(), *_rows()):
        found.setdefault(json.dumps(question.request, sort_keys=True), question)
    return list(found.values())


def _cases() -> Iterator[Question]:
    for case in on_disk():
        yield Question(str(case.path.relative_to(FOLDER)), {**case.request(), "detail": True})


def _rows() -> Iterator[Question]:
    for path in sorted(FOLDER.glob("*.jsonl")):
        for line in path.read_text(encoding="utf-8").split("\n"):
            row = json.loads(line) if line else {}
            request = question_of(row)
            if request is not None:
                yield Question(row["id"], request)


def question_of(row: Mapping[str, Any]) -> dict[str, Any] | None:
    """The request of a recorded row; None for rows that no oracle answers, such as whole scenarios."""
    if "manifest" in row:
        asked = oracle.validate(
            row["manifest"],
            old=row.get("old"),
            subresource=row.get("subresource", ""),
            gates=row.get("gates"),
            namespace_labels=row.get("namespace_labels"),
        )
        return {**asked, "detail": True}
    if "expression" in row:
        return {
            "op": "cel",
            "expression": row["expression"],
            "devices": row["input"],
            "env": row["env"],
            "gates": row.get("gates") or {},
        }
    if "objects" in row and "steps" in row and "outcome" in row:
        return {
            "op": "allocate",
            "objects": row["objects"],
            "steps": row["steps"],
            "gates": row.get("gates") or {},
            "timeout_s": 20,
        }
    return None
