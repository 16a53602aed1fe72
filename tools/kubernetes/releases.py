"""The releases whose code can be built: one row a minor."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

NONE: Mapping[str, str] = MappingProxyType({})


class UnknownReleaseError(ValueError):
    """A text that names no release of the table; its message says what is allowed."""


class Release(NamedTuple):
    """A release: its version, the oldest Go that builds it, and what its go.mod lacks."""

    version: str
    go: str
    stubs: tuple[str, ...] = ()
    """Modules that were never published; the programs here use nothing of them."""
    replaced: Mapping[str, str] = NONE
    """Modules whose required version was never published, each with one that was."""

    @property
    def minor(self) -> str:
        """The minor, such as ``1.37``."""
        return ".".join(self.version.split(".")[:2])

    @property
    def staging_version(self) -> str:
        """The version of the modules that are published along with the release, such as ``v0.37.2``."""
        return f"v0.{self.version.partition('.')[2]}"

    @property
    def tags(self) -> tuple[str, ...]:
        """The build tags of the release: its minor and all before it, oldest first.

        A file for 1.34 to 1.36 asks for ``kube1.34 && !kube1.37``. So a new minor needs no change in a file
        that still fits.
        """
        return tuple(f"kube1.{number}" for number in range(30, int(self.minor.partition(".")[2]) + 1))


_ROWS = (
    Release("1.30.14", go="1.22"),
    Release("1.31.14", go="1.22"),
    Release("1.32.13", go="1.23"),
    Release("1.33.13", go="1.24"),
    Release("1.34.12", go="1.25"),
    Release("1.35.8", go="1.25"),
    Release("1.36.5", go="1.26"),
    Release("1.37.2", go="1.26"),
    Release(
        "1.38.0-beta.0",
        go="1.27",
        stubs=("k8s.io/apiextensions-api", "k8s.io/ktesting"),
        # Managed fields alone use it, and 7.0.1 is not published.
        replaced=MappingProxyType({"sigs.k8s.io/structured-merge-diff/v7": "v7.0.0"}),
    ),
)

RELEASES: Mapping[str, Release] = MappingProxyType({row.minor: row for row in _ROWS})
"""The releases by minor, oldest first."""


def find(text: str) -> Release:
    """The release that ``text`` names: by its minor, or as another patch release of one (``1.36.3``).

    Raises UnknownReleaseError for any other text.
    """
    match = re.fullmatch(r"v?(1\.\d+)(\.\d+.*)?", text)
    row = RELEASES.get(match[1]) if match else None
    if match is None or row is None:
        raise UnknownReleaseError(f"unknown release {text!r}: expected a minor, {', '.join(RELEASES)}")
    return row if match[2] is None else row._replace(version=match[1] + match[2])
