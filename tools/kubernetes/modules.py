"""The go.mod of a program that is built of a release, derived from the go.mod of that release.

So every dependency has the version of the real binaries, and nothing about them stands in the repository.
"""

from __future__ import annotations

import re
from pathlib import Path

from tools.kubernetes.releases import Release

KUBERNETES = "k8s.io/kubernetes"

_STAGING = re.compile(r"(?P<module>k8s\.io/\S+) => \./staging/src/\S+")
_DROPPED = re.compile(
    r"module |toolchain "
    # Not every patch release of these is published, and the programs here use none of them directly.
    r"|\tk8s\.io/(sample-[a-z-]+|endpointslice|kube-controller-manager|kube-proxy|kube-scheduler"
    r"|cluster-bootstrap|kubectl|metrics) v"
)


def is_dropped(module: str) -> bool:
    """Whether the derived go.mod leaves out that ``module`` is required."""
    return _DROPPED.match(f"\t{module} v0") is not None


def derived(published: str, release: Release, *, name: str, stubs: Path) -> str:
    """The go.mod of module ``name`` from the one that ``release`` published.

    ``stubs`` is the folder in which ``write_stubs`` puts modules that were never published.
    """
    kept = [line for line in published.splitlines() if not _DROPPED.match(line)]
    lines = [_STAGING.sub(lambda match: _published(match["module"], release, stubs), line) for line in kept]
    lines[:0] = [f"module {name}"]
    lines += [f"replace {module} => {module} {version}" for module, version in release.replaced.items()]
    lines.append(f"require {KUBERNETES} v{release.version}")
    return "\n".join(lines) + "\n"


def _published(module: str, release: Release, stubs: Path) -> str:
    if module in release.stubs:
        return f"{module} => {stubs / Path(module).name}"
    return f"{module} => {module} {release.staging_version}"


def write_stubs(release: Release, folder: Path) -> None:
    """Write an empty module into ``folder`` for each one that was never published."""
    for module in release.stubs:
        stub = folder / Path(module).name
        stub.mkdir(parents=True, exist_ok=True)
        (stub / "go.mod").write_text(f"module {module}\n\ngo {release.go}\n", encoding="utf-8")
        (stub / "empty.go").write_text("// Package empty is unused.\npackage empty\n", encoding="utf-8")
