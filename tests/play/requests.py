"""Requests made of the recorded rows and cases, for the Python of the browser and for this one."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from tests.conformance.sources import sources
from tests.paths import ROOT

VIEWS = ["findings", "placements", "why", "selectors", "picture"]

FOLDERS = (ROOT / "testdata" / "conformance", ROOT / "testdata" / "hostile", ROOT / "testdata" / "examples")

_LONG = frozenset({"search-of-5000-pods"})
"""Worlds that take longer than the page waits."""


def requests() -> dict[str, dict[str, Any]]:
    """The requests by the id of their row, or the path of their file."""
    conformance, *folders = FOLDERS
    found = {row.id: _of_row(row.data) for source in sources(conformance) for row in source.rows}
    for folder in folders:
        for path in sorted((*folder.rglob("*.yaml"), *folder.rglob("*.json"))):
            if path.parent.name in _LONG:
                continue
            text = path.read_bytes().decode("utf-8", errors="replace")
            if len(text) <= 1 << 20:
                found[path.relative_to(ROOT).as_posix()] = _request([text], {})
    return {name: request for name, request in found.items() if request is not None}


def _of_row(row: dict[str, Any]) -> dict[str, Any] | None:
    if "expression" in row:
        claim = {"apiVersion": "resource.k8s.io/v1beta1", "kind": "DeviceClass", "metadata": {"name": "gpu"}}
        claim["spec"] = {"selectors": [{"cel": {"expression": row["expression"]}}]}
        return _request([json.dumps(claim)], row)
    texts = (
        [row["manifest"]] if "manifest" in row else [row["text"]] if "text" in row else list(_objects(row))
    )
    return _request(texts, row)


def _objects(row: dict[str, Any]) -> Iterator[str]:
    """The cluster of a row, and the objects that its steps create."""
    created = [
        step[name] for step in row["steps"] for name in ("create", "pod") if isinstance(step.get(name), dict)
    ]
    claims = [claim for step in row["steps"] for claim in step.get("claims", ()) if isinstance(claim, dict)]
    for item in (*row["objects"], *claims, *created):
        yield json.dumps(item)


def _request(texts: list[str], row: dict[str, Any]) -> dict[str, Any] | None:
    files = [{"name": f"file-{index}.yaml", "text": text} for index, text in enumerate(texts)]
    if len(files) > 50:
        files = [{"name": "all.yaml", "text": "\n---\n".join(texts)}]
    request: dict[str, Any] = {"files": files, "views": VIEWS}
    if "kube" in row:
        request["kubeVersion"] = row["kube"]
    if row.get("gates"):
        request["featureGates"] = row["gates"]
    return request
