"""The good and bad examples on the pages of rules, kept as the documents that they are."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path

from dractl.legacy.prototypes.dialects.rules import PrototypeRule

__all__ = ["page_of"]

_FILE = Path(__file__).parent / "data" / "examples.txt"
_HEAD = "=== "


def page_of(rule: PrototypeRule) -> str:
    """What is to be said of a rule, with its examples."""
    found = _examples().get(rule.id.removeprefix("prototype/"), {})
    parts = [rule.doc.rstrip()]
    for word, name in (("Good:", "good"), ("Bad:", "bad")):
        if name in found:
            listed = "".join(f"    {line}\n" for line in found[name].splitlines())
            parts.append(f"{word}\n{listed}")
    return "\n".join(parts) + "\n"


@cache
def _examples() -> Mapping[str, Mapping[str, str]]:
    """By the part of an id that is its own: ``good`` and ``bad``, each some documents as a text.

    In the file a line ``=== good ID...`` or ``=== bad ID`` begins an example.
    """
    found: dict[str, dict[str, str]] = {}
    names: list[str] = []
    word = ""
    for line in _FILE.read_text(encoding="utf-8").splitlines(keepends=True):
        if line.startswith(_HEAD):
            word, *names = line.removeprefix(_HEAD).split()
            continue
        for name in names:
            texts = found.setdefault(name, {})
            texts[word] = texts.get(word, "") + line
    return found
