"""A kubectl that answers from a folder, and writes down what it was asked."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from dractl.source.document import Document
from dractl.source.load import load
from tests.paths import ROOT

__all__ = ["QUICKSTART", "FakeKubectl"]

QUICKSTART = ROOT / "testdata" / "examples" / "quickstart"

_SCRIPT = """\
#!/bin/sh
printf '%s\\n' "$*" >> {log}
path=
while [ $# -gt 0 ]; do
  case $1 in
    config) cat {answers}/namespace; exit 0 ;;
    --raw) path=$2; shift ;;
  esac
  shift
done
file={answers}/$(printf %s "$path" | tr '/?&=%' '_____')
if [ -x "$file.sh" ]; then exec "$file.sh"; fi
if [ -f "$file" ]; then exec cat "$file"; fi
if [ -f "$file.error" ]; then cat "$file.error" >&2; exit 1; fi
echo 'Error from server (NotFound): the server could not find the requested resource' >&2
exit 1
"""

_RESOURCES = {
    "Node": "/api/v1/nodes",
    "Namespace": "/api/v1/namespaces",
    "Pod": "/api/v1/pods",
    "ResourceQuota": "/api/v1/resourcequotas",
    "ResourceSlice": "/apis/resource.k8s.io/v1/resourceslices",
    "DeviceClass": "/apis/resource.k8s.io/v1/deviceclasses",
    "ResourceClaim": "/apis/resource.k8s.io/v1/resourceclaims",
    "ResourceClaimTemplate": "/apis/resource.k8s.io/v1/resourceclaimtemplates",
}
_GROUP = {
    "versions": [{"groupVersion": "resource.k8s.io/v1", "version": "v1"}],
    "preferredVersion": {"groupVersion": "resource.k8s.io/v1", "version": "v1"},
}
_METRICS = """\
# HELP kubernetes_feature_enabled [BETA] The stage and enablement of a feature.
kubernetes_feature_enabled{name="APIListChunking",stage=""} 1
kubernetes_feature_enabled{name="DRAAdminAccess",stage=""} 1
kubernetes_feature_enabled{name="DRAConsumableCapacity",stage="BETA"} 0
"""


class FakeKubectl:
    """The only kubectl on PATH; by default its cluster has the objects of the quick start."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """Put the program and its answers into ``folder``."""
        self.log = folder / "asked.txt"
        self.answers = folder / "answers"
        self.answers.mkdir()
        programs = folder / "bin"
        programs.mkdir()
        program = programs / "kubectl"
        program.write_text(_SCRIPT.format(log=self.log, answers=self.answers), encoding="utf-8")
        program.chmod(0o755)
        monkeypatch.setenv("PATH", f"{programs}:/usr/bin:/bin")
        self.answers.joinpath("namespace").write_text("default")
        self.says("/version", {"gitVersion": "v1.36.2"})
        self.says("/metrics", _METRICS)
        self.says("/apis/resource.k8s.io", _GROUP)
        names = [
            path.rpartition("/")[2]
            for path in _RESOURCES.values()
            if "v1/resource" in path or "class" in path
        ]
        self.says("/apis/resource.k8s.io/v1", {"resources": [{"name": name} for name in names]})
        self.has(QUICKSTART)

    def has(self, *docs: object) -> None:
        """Let the cluster have these objects."""
        kinds: dict[str, list[dict[str, Any]]] = {kind: [] for kind in _RESOURCES}
        for number, item in enumerate(load(list(docs))):
            assert isinstance(item, Document)
            value = json.loads(json.dumps(item.value))
            kinds[value.pop("kind")].append(value)
            value.pop("apiVersion")
            value["metadata"].setdefault("uid", f"uid-{number}")
            value["metadata"] |= {"resourceVersion": str(number), "managedFields": [{"manager": "kubectl"}]}
        for kind, items in kinds.items():
            if kind not in ("Node", "Namespace", "ResourceSlice", "DeviceClass"):
                for value in items:
                    value["metadata"].setdefault("namespace", "default")
            self.lists(_RESOURCES[kind], items)

    def lists(self, path: str, items: list[dict[str, Any]], more: str = "") -> None:
        """Answer a list; with ``more`` another page follows, which is asked for by that token."""
        metadata = {"resourceVersion": "100", **({"continue": more} if more else {})}
        self.says(f"{path}?limit=500", {"metadata": metadata, "items": items})

    def says(self, path: str, answer: object) -> None:
        """Answer with a text, or with an object as JSON."""
        text = answer if isinstance(answer, str) else json.dumps(answer)
        self._file(path).write_text(text, encoding="utf-8")

    def fails(self, path: str, complaint: str) -> None:
        """Answer with an error."""
        self._file(path).unlink(missing_ok=True)
        Path(f"{self._file(path)}.error").write_text(complaint, encoding="utf-8")

    def runs(self, path: str, script: str) -> None:
        """Answer with what a shell script writes."""
        file = Path(f"{self._file(path)}.sh")
        file.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
        file.chmod(0o755)

    def asked(self) -> list[str]:
        """The command lines so far."""
        return self.log.read_text(encoding="utf-8").splitlines() if self.log.exists() else []

    def _file(self, path: str) -> Path:
        return self.answers / re.sub(r"[/?&=%]", "_", path)
