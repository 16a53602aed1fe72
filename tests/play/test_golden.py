"""The Python of the browser answers as this one does: every answer, character by character."""

from __future__ import annotations

import hashlib
import json
import subprocess
from pathlib import Path

import pytest

from dractl.play import run_text
from tests.play.requests import requests

pytestmark = pytest.mark.slow

NUMBER = 1000
_PROGRAM = Path(__file__).with_name("golden.mjs")


def test_a_thousand_answers_are_equal(playground: Path, tmp_path: Path) -> None:
    every = requests()
    names = [list(every)[index * len(every) // NUMBER] for index in range(NUMBER)]
    texts = [json.dumps(every[name]) for name in names]
    expected = [hashlib.sha256(run_text(text).encode()).hexdigest() for text in texts]
    asked = tmp_path / "requests"
    asked.write_text("\n".join(texts), encoding="utf-8")
    done = subprocess.run(
        ["node", _PROGRAM, playground, asked], capture_output=True, text=True, timeout=1800, check=False
    )
    assert done.returncode == 0, done.stderr[-2000:]
    actual = done.stdout.split()
    different = [name for name, one, other in zip(names, expected, actual, strict=True) if one != other]
    assert different == []
