"""Expressions of ``dractl cel`` as manifests: a DeviceClass each, because the playground reads files."""

from __future__ import annotations

from collections.abc import Sequence

from dractl.api.release import Minor
from dractl.sharing.fragment import SharedFile
from dractl.source.dump import printed
from dractl.versions.table import tables

__all__ = ["classes_of"]

_NAME = "selectors.yaml"


def classes_of(expressions: Sequence[str], minor: Minor) -> tuple[SharedFile, ...]:
    """A file with a DeviceClass for each expression; none for a release without DeviceClasses (1.30)."""
    versions = tables(minor.at_newest_patch()).api_versions("DeviceClass")
    if not versions:
        return ()
    parts = [_class(versions[0], number, text) for number, text in enumerate(expressions, start=1)]
    return (SharedFile(_NAME, "---\n".join(parts)),)


def _class(api_version: str, number: int, expression: str) -> str:
    return printed(
        {
            "apiVersion": api_version,
            "kind": "DeviceClass",
            "metadata": {"name": f"selector-{number}"},
            "spec": {"selectors": [{"cel": {"expression": expression}}]},
        }
    )
