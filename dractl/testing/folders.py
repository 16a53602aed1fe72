"""Expectation files by name and in folders: those that are, and those that are meant to be and are broken."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence

from dractl.records import NamedTuple
from dractl.source.document import Document
from dractl.source.load import PathError, load_paths
from dractl.source.text import SourceError
from dractl.testing.format import SCHEMA

__all__ = ["Found", "expectation_files", "kind_of_file"]

_HEAD = 64 * 1024
"""How many bytes of a text that cannot be read are searched for its schema, which is its first line."""

_NAMES_SCHEMA = re.compile(
    r"""^[ \t{"'\ufeff]*schema["']?[ \t]*:[ \t]*["']?[ \t]*dractl[._-]?tests?\b(?!-results)""",
    re.IGNORECASE | re.MULTILINE,
)
_RESULTS = "dractl.test-results"


class Found(NamedTuple):
    """The ``files`` that are expectation files, or are meant to be.

    ``errors`` are paths that cannot be read. ``unread`` are texts in folders that cannot be read and do not
    name the schema.
    """

    files: list[str]
    errors: list[PathError]
    unread: list[SourceError]


def expectation_files(paths: Sequence[str]) -> Found:
    """The expectation files among ``paths``: files as they are named, those of a folder by their schema.

    A file of a folder that has another version of the schema, misspells it, or cannot be read is among them:
    reading it reports what is wrong.
    """
    files: dict[str, None] = {}
    errors: list[PathError] = []
    unread: list[SourceError] = []
    for path in paths:
        if not os.path.isdir(path):  # noqa: PTH112 - Path.is_dir raises where a folder on the way is locked
            files.setdefault(path)
            continue
        loaded = load_paths([path])
        here = {item.file: None for item in loaded if not isinstance(item, PathError) and _is_meant(item)}
        missing = [item for item in loaded if isinstance(item, PathError)]
        unread += (item for item in loaded if isinstance(item, SourceError) and item.file not in here)
        if not here and not missing:
            missing = [PathError(path, f"no file in this folder has schema: {SCHEMA}")]
        errors += missing
        files |= here
    return Found(list(files), errors, unread)


class Kind(NamedTuple):
    """Whether a file is an expectation file, or is meant to be one; ``problem`` is why that is unknown."""

    is_meant: bool
    problem: str = ""


def kind_of_file(file: str) -> Kind:
    """Classify a file that a pattern matches."""
    loaded = load_paths([file])
    if any(not isinstance(item, PathError) and _is_meant(item) for item in loaded):
        return Kind(is_meant=True)
    return Kind(False, next((item.message for item in loaded if not isinstance(item, Document)), ""))


def _is_meant(item: Document | SourceError) -> bool:
    """Whether a document, or a text that cannot be read, is to be an expectation file."""
    if isinstance(item, SourceError):
        return _NAMES_SCHEMA.search(_head(item.file)) is not None
    value = item.value
    mappings = value if isinstance(value, list) else [value]
    return any(
        _is_schema(key, text)
        for mapping in mappings
        if isinstance(mapping, dict)
        for key, text in mapping.items()
    )


def _is_schema(key: str, text: object) -> bool:
    """Whether an entry is the schema of an expectation file, perhaps of another version, or misspelled."""
    if not isinstance(text, str) or not _is_version(text):
        return False
    return _is_near(key.strip(), "schema", _NEAR_KEY)


def _is_version(text: str) -> bool:
    if text == SCHEMA or _NAMES_SCHEMA.match(f"schema: {text}"):
        return True
    return text.startswith("dractl") and not text.startswith(_RESULTS) and _is_near(text, SCHEMA, _NEAR)


def _is_near(text: str, meant: str, least: float) -> bool:
    text = text.casefold()
    if text == meant or abs(len(text) - len(meant)) > len(meant) // 2:
        return text == meant
    from difflib import SequenceMatcher  # few documents come here

    return SequenceMatcher(None, text, meant).ratio() > least


_NEAR = 0.85
"""How alike a slip of the pen is: dractl.tset/1 has 0.92, dractl.why/1 0.70."""

_NEAR_KEY = 0.8
"""shcema has 0.83, schemas 0.92, name 0.40."""


def _head(file: str) -> str:
    try:
        with open(file, "rb") as source:  # noqa: PTH123 - pathlib costs time
            data = source.read(_HEAD)
    except (OSError, ValueError):
        return ""
    is_wide = data.startswith((b"\xff\xfe", b"\xfe\xff"))
    return data.decode("utf-16" if is_wide else "utf-8", errors="replace")
