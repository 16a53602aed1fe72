"""Compares what is read from random texts with what the real Kubernetes code reads.

``$DRACTL_FUZZ_CASES`` and ``$DRACTL_FUZZ_SEED`` make the run longer or another one.
"""

from __future__ import annotations

import json
import os
from typing import Any

import pytest

from dractl.api.release import NEWEST
from dractl.source.document import Document
from dractl.source.split import first_document
from dractl.source.text import SourceError
from tests import oracle
from tests.source.texts import Texts

CASES = int(os.environ.get("DRACTL_FUZZ_CASES", "1000"))
SEED = int(os.environ.get("DRACTL_FUZZ_SEED", "1"))
PROGRAM = oracle.binary(str(NEWEST))

BUFFER = 512
"""go-yaml decodes so many bytes at a time, and may not notice a forbidden character further on."""


def is_comparable(text: str) -> bool:
    """Whether the real code always gives the same answer to ``text``, and means it.

    A text that begins with two byte order marks makes go-yaml skip the first character of each line.
    """
    return not text.startswith("\ufeff\ufeff") and (text.isprintable() or len(text.encode()) < BUFFER)


def canonical(value: Any) -> str:
    """JSON text in which 1 and 1.0 differ."""
    return json.dumps(value, sort_keys=True)


def is_left_to_chance(text: str) -> bool:
    """Whether the real code answers now this, now that: of the keys 1 and "1" either may win."""
    assert PROGRAM is not None
    answers = oracle.ask(PROGRAM, [{"op": "yaml", "text": text}] * 30)
    return len({answer.get("json") for answer in answers}) > 1


def reading(text: str, *, libyaml: bool) -> tuple[str | None, bool]:
    """What is read, as JSON text (None: refused), and whether strict reading takes it."""
    document = first_document(text, libyaml=libyaml)
    if isinstance(document, SourceError):
        return None, False
    if isinstance(document, Document):
        return canonical(document.value), not document.duplicates
    return "null", True


@pytest.mark.skipif(
    PROGRAM is None, reason="$DRACTL_ORACLE names no folder with the Kubernetes code of the minor"
)
@pytest.mark.parametrize("libyaml", [True, False], ids=["libyaml", "own"])
def test_random_texts_are_read_as_the_real_code_reads_them(*, libyaml: bool) -> None:
    assert PROGRAM is not None
    source = Texts(SEED)
    texts = [text for text in (source.next() for _ in range(CASES)) if is_comparable(text)]
    requests = [{"op": "yaml", "text": text} for text in texts]
    differing = []
    for text, answer in zip(texts, oracle.ask(PROGRAM, requests), strict=True):
        expected = (
            canonical(json.loads(answer["json"])) if "json" in answer else None,
            "strict_error" not in answer,
        )
        found = reading(text, libyaml=libyaml)
        if found != (expected if expected[0] is not None else (None, False)):
            differing.append((text, expected, found))
    assert [case for case in differing if not is_left_to_chance(case[0])] == []
