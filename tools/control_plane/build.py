"""Builds the programs of a control plane from the published modules of a release."""

from __future__ import annotations

from pathlib import Path

from tools.kubernetes.modules import KUBERNETES
from tools.kubernetes.releases import Release
from tools.kubernetes.toolchain import Go

PROGRAMS = ("kube-apiserver", "kube-scheduler", "kube-controller-manager")
MODULE = "dractl-control-plane"


def build(release: Release, into: Path, *, go: str = "go") -> Path:
    """Build the programs of ``release`` into ``into``/MINOR, and return that folder; raises BuildError."""
    toolchain = Go(go, into / "modules")
    # Go takes the requirements from the derived go.mod, but looks for a go.mod where it is started.
    source = into / "modules" / "source"
    source.mkdir(parents=True, exist_ok=True)
    (source / "go.mod").write_text(f"module {MODULE}\n", encoding="utf-8")
    target = into / release.minor
    target.mkdir(exist_ok=True)
    toolchain.build(
        release,
        [f"{KUBERNETES}/cmd/{name}" for name in PROGRAMS],
        source=source,
        module_file=toolchain.module_file(release, name=MODULE),
        target=target,
    )
    return target
