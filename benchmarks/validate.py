"""``dractl validate`` compared with validators of JSON Schemas, each with the options that check most.

check-jsonschema and kubeconform bring no schemas of resource.k8s.io/v1; they get those of this repository.
None of them knows the rules of the API server, CEL or the lines of a file.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

from benchmarks.load import slices
from benchmarks.measuring import OURS, Figure, Row, command, compared
from benchmarks.peers import CHECK_JSONSCHEMA, KUBECONFORM, KUBECTL_VALIDATE, KUBERNETES_VALIDATE, Peers
from benchmarks.settings import Settings
from dractl.api import release

__all__ = ["CLAIM", "rows"]

CLAIM = """\
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata:
  name: gpu-{number}
  namespace: default
spec:
  devices:
    requests:
    - name: gpu
      exactly:
        deviceClassName: gpu.example.com
"""
_SCHEMAS = Path(__file__).parent.parent / "schemas" / f"v{release.NEWEST}.0-standalone-strict"
_CLAIM_SCHEMA = _SCHEMAS / "resourceclaim-resource-v1.json"


def rows(settings: Settings) -> Iterator[Row]:
    """One file, many files, and one large file."""
    folder = settings.folder / "claims"
    folder.mkdir()
    files = [folder / f"claim-{number}.yaml" for number in range(settings.scaled(1_000))]
    for number, file in enumerate(files):
        file.write_text(CLAIM.format(number=number), encoding="utf-8")
    large = settings.folder / "slices.yaml"
    documents = slices()[: settings.scaled(132)]
    large.write_text("---\n".join(documents), encoding="utf-8")
    size = large.stat().st_size / 1_000_000
    yield compared("one claim", _sides(files[:1], settings.peers), 3 * settings.runs)
    yield compared("1,000 claims in as many files", _sides(files, settings.peers), settings.runs)
    sides = _sides([large], settings.peers)
    sides.pop(CHECK_JSONSCHEMA, None)
    remark = f"{CHECK_JSONSCHEMA} cannot read several documents"
    yield compared(f"132 slices of 128 devices in one file, {size:.1f} MB", sides, settings.runs, remark)


def _sides(files: Sequence[Path], peers: Peers) -> dict[str, Callable[[], Figure]]:
    """A command for each program that is there; those that take folders get the folder of many files."""
    several = [files[0].parent] if len(files) > 1 else files
    lines: dict[str, list[str | Path]] = {
        OURS: [Path(sys.executable).parent / "dractl", "validate", "--quiet", *several]
    }
    if program := peers.from_pypi(KUBERNETES_VALIDATE):
        lines[KUBERNETES_VALIDATE] = [program, "--strict", "-k", str(release.NEWEST), *files]
    if program := peers.from_pypi(CHECK_JSONSCHEMA):
        lines[CHECK_JSONSCHEMA] = [program, "--schemafile", _CLAIM_SCHEMA, *files]
    if program := peers.from_go(KUBECONFORM):
        schemas = f"{_SCHEMAS}/{{{{ .ResourceKind }}}}{{{{ .KindSuffix }}}}.json"
        lines[KUBECONFORM] = [program, "-strict", "-schema-location", schemas, *several]
    if (program := peers.from_go(KUBECTL_VALIDATE)) and (schemas_folder := peers.openapi()):
        lines[KUBECTL_VALIDATE] = [
            program, "--local-schemas", schemas_folder, *several,
        ]  # fmt: skip
    return {name: partial(command, line) for name, line in lines.items()}
