"""Laws of the texts that come out, over manifests made at random and written in several styles."""

from __future__ import annotations

import json
import os
import random
import re
from collections.abc import Iterator
from typing import Any

import pytest
import yaml

import dractl
from dractl.api import release
from dractl.source.load import load_text
from tests.admission.mutation import Mutator
from tests.admission.seeds import seeds
from tests.conversion.differential import STEMS

CASES = int(os.environ.get("DRACTL_FUZZ_CASES", "12"))
NUMBER = int(os.environ.get("DRACTL_FUZZ_SEED", "1"))
VERSIONS = ("v1", "v1beta2", "v1beta1", "v1alpha3")
MINORS = ("1.31", pytest.param("1.33", marks=pytest.mark.slow), "1.37")


def _commented(text: str, chance: random.Random) -> str:
    """A block text with comments above some of its lines and behind others."""
    lines: list[str] = []
    for number, line in enumerate(text.splitlines()):
        indent = len(line) - len(line.lstrip(" "))
        if chance.random() < 0.2:
            lines.append(f"{' ' * indent}# above {number}")
        lines.append(f"{line} # behind {number}" if line.endswith(":") and chance.random() < 0.2 else line)
    return "".join(f"{line}\n" for line in lines)


def _commented_in_braces(text: str, chance: random.Random) -> str:
    """A text with comments and line breaks behind some of the commas in braces."""
    return "".join(f"{_line(line, chance)}\n" for line in text.splitlines())


def _line(line: str, chance: random.Random) -> str:
    if "{" not in line or {'"', "'"} & set(line):
        return line
    below = " " * (len(line) - len(line.lstrip(" ")) + 4)
    found, *others = re.split(r", (?=\w+:)", line)
    for number, part in enumerate(others):
        found += (f", # behind {number}\n{below}" if chance.random() < 0.5 else ", ") + part
    return found


def _texts(minor: str, stem: str) -> Iterator[str]:
    found = seeds(stem, release.parse(minor))
    if not found:
        return
    chance = random.Random(NUMBER)  # noqa: S311 - test input
    mutator = Mutator(found, NUMBER, release.parse(minor))
    for _ in range(CASES):
        manifest = mutator.manifest()
        block = yaml.safe_dump(manifest, sort_keys=chance.random() < 0.5, width=1000, allow_unicode=True)
        yield _commented(block, chance)
        yield yaml.safe_dump(manifest, default_flow_style=None, width=1000)
        yield json.dumps(manifest, indent=2)


def _read(text: str) -> list[Any]:
    return [item.value for item in load_text(text) if not isinstance(item, tuple)]


@pytest.mark.parametrize("stem", STEMS)
@pytest.mark.parametrize("minor", MINORS)
def test_what_comes_out_reads_as_what_was_meant_and_keeps_its_comments(minor: str, stem: str) -> None:
    for text in _texts(minor, stem):
        for version in VERSIONS:
            converted = dractl.convert(text, to=version)
            if not converted.ok:
                continue
            assert _read(converted.text) == list(converted.objects)
            assert [file.notes for file in converted.files] == [()] * len(converted.files)
            assert _comments(converted.text) == _comments(text)


def _comments(text: str) -> list[str]:
    return sorted(re.findall(r"# (?:above|behind) \d+", text))


@pytest.mark.parametrize("stem", STEMS)
def test_comments_in_braces_stay_or_are_counted(stem: str) -> None:
    chance = random.Random(NUMBER)  # noqa: S311 - test input
    for number, plain in enumerate(_texts("1.37", stem)):
        text = _commented_in_braces(plain, chance) if number % 3 == 1 else plain
        for version in VERSIONS:
            converted = dractl.convert(text, to=version)
            if not converted.ok:
                continue
            assert _read(converted.text) == list(converted.objects)
            gone = len(_comments(text)) - len(_comments(converted.text))
            notes = [note for file in converted.files for note in file.notes]
            assert [note.split(": ")[1].split(" ")[0] for note in notes] == ([str(gone)] if gone else [])


@pytest.mark.parametrize("stem", STEMS)
def test_leaving_something_out_leaves_the_rest_readable(stem: str) -> None:
    for text in _texts("1.37", stem):
        converted = dractl.convert(
            text.replace("resource.k8s.io/v1\n", "resource.k8s.io/v1beta1\n"), to="v1", lossy=True
        )
        if converted.ok:
            assert _read(converted.text) == list(converted.objects)
