"""Asks the real Kubernetes code: programs behind a line protocol, in the folder ``$DRACTL_ORACLE``.

``python -m tools.oracle build`` builds them. ``oracle-MINOR`` reads one JSON request a line and answers each
with one line, in the same order. Nothing in the package needs it; tests that do are skipped by name where it
is missing, and ``tests.record`` writes the verdicts of our cases with it.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

from tests.conformance.verdicts import is_own

ENVIRONMENT = "DRACTL_ORACLE"

_STRICT = re.compile(r'^(unknown|duplicate) field (".*")$', re.DOTALL)


def binary(minor: str) -> Path | None:
    """The program of ``minor``; None if the environment names none."""
    folder = os.environ.get(ENVIRONMENT)
    found = Path(folder) / f"oracle-{minor}" if folder else None
    return found if found is not None and found.is_file() else None


def ask(program: Path, requests: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """The answers to ``requests``, in their order; raises RuntimeError if the program ends too early."""
    asked = [json.dumps(request) for request in requests]
    done = subprocess.run(
        [str(program)], input="\n".join(asked) + "\n", stdout=subprocess.PIPE, encoding="utf-8", check=False
    )
    # Only newlines end an answer: texts may hold other characters that end lines.
    answers = [json.loads(line) for line in done.stdout.split("\n") if line]
    if len(answers) != len(asked):
        raise RuntimeError(f"{program} ended before it answered {asked[len(answers)][:500]}")
    return answers


@cache
def version(program: Path) -> str:
    """The patch whose code a program was built from, such as ``v1.35.4``: dractl is to answer as that one."""
    found: str = ask(program, [{"op": "version"}])[0]["version"]
    return found


def validate(
    manifest: str,
    *,
    old: str | None = None,
    subresource: str = "",
    gates: dict[str, bool] | None = None,
    namespace_labels: dict[str, Any] | None = None,
) -> dict[str, Any]:
    """The request about an object, sent as JSON: a new one, or one that takes the place of ``old``."""
    request = {
        "op": "validate",
        "manifest": manifest,
        "format": "json",
        "subresource": subresource,
        "gates": gates or {},
        "namespace_labels": namespace_labels or {},
    }
    return request if old is None else request | {"old": old}


def row(minor: str, request: dict[str, Any], answer: dict[str, Any]) -> dict[str, Any]:
    """Request and answer as a row for ``tests.conformance.verdicts.check_own``.

    Raises RuntimeError if the program could not answer, as for gates that no server starts with.
    """
    if "error" in answer:
        raise RuntimeError(f"no answer: {answer['error']}")
    decode = [_problem(problem) for problem in answer.get("decode_errors") or ()]
    errors = sorted({(error["type"], error["field"]) for error in answer.get("errors") or ()})
    manifest = json.loads(request["manifest"])
    is_pod = isinstance(manifest, dict) and manifest.get("kind") == "Pod"
    if is_pod:
        errors = [error for error in errors if is_own(error)]
    refused = bool(decode or errors or answer.get("api_error"))
    update = {"old": request["old"], "subresource": request["subresource"]} if "old" in request else {}
    return {
        **update,
        "kube": minor,
        "manifest": request["manifest"],
        "gates": request["gates"],
        "namespace_labels": request["namespace_labels"],
        "decode": decode,
        "errors": [list(error) for error in errors],
        "persisted": None if refused or is_pod else answer["result"],
    }


def _problem(problem: dict[str, str]) -> list[str]:
    match = _STRICT.match(problem["message"]) if problem["kind"] == "strict" else None
    if match is None:
        return ["fatal", ""]
    return [match[1], json.loads(match[2])]
