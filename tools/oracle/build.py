"""Builds ``oracle-MINOR``, the program that answers with the code of a release."""

from __future__ import annotations

from pathlib import Path

from tools.kubernetes.releases import Release
from tools.kubernetes.toolchain import Go

PROGRAM = Path(__file__).with_name("program")
MODULE = "dractl-oracle"
MODULES = "modules"
"""The folder, inside that of the programs, with the go.mod of each release."""


def build(release: Release, into: Path, *, go: str = "go") -> Path:
    """Build the oracle of ``release`` into a folder, and return its path; raises BuildError."""
    toolchain = Go(go, into / MODULES)
    target = into / f"oracle-{release.minor}"
    toolchain.build(
        release,
        ["."],
        source=PROGRAM,
        module_file=toolchain.module_file(release, name=MODULE),
        target=target,
        variables=[f"{MODULE}/release.Version=v{release.version}"],
    )
    return target
