"""Calls of the Python API, as a case describes them, with what a caller does with the result."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import dractl
from tests.fuzz.corpus import parsed

__all__ = ["DOCUMENTED", "call"]

DOCUMENTED = (TypeError, ValueError, OSError)
"""What the functions may raise, from the places in :data:`RAISING`."""

RAISING = (
    "dractl/public.py",
    "dractl/public_clusters.py",
    "dractl/api/arguments.py",
    "dractl/api/gates.py",
    "dractl/api/release.py",
    "dractl/cluster/scaling.py",
    "dractl/conversion/target.py",
    "dractl/workflows/convert.py",
    "dractl/workflows/extensions.py",
    "dractl/source/load.py",
)
"""The modules that judge arguments; a TypeError from elsewhere is a mistake of dractl's."""


def call(function: str, form: str, file: str, arguments: str) -> str:
    """Call ``function`` with the content of ``file`` in a ``form``, and answer the result as text."""
    given = _input(form, file)
    if given is None:
        return ""
    called: Callable[..., Any] = getattr(dractl, function)
    result = called(given, **json.loads(arguments))
    if function == "convert":
        return json.dumps([result.ok, result.to, result.text, result.objects, len(result.lost)], default=str)
    document = json.dumps(result.to_dict(), indent=1)
    if function == "simulate":
        return document + json.dumps([result.ok, result.objects], default=str)
    return document + str(result.ok)


def _input(form: str, file: str) -> Any:
    content = Path(file).read_bytes()
    if form == "text":
        return content.decode("utf-8", "replace")
    if form == "bytes":
        return content
    if form == "path":
        return Path(file)
    objects = [one for one in parsed(content) if isinstance(one, dict)]
    return objects if form == "objects" or not objects else objects[0]


if __name__ == "__main__":
    try:
        print(call(*sys.argv[1:]))  # noqa: T201 - the output of the case
    except DOCUMENTED as error:
        sys.exit(f"{type(error).__name__}: {error}")
