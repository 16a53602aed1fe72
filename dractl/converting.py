"""From documents in one API to documents in another: versions among each other, prototypes to v1."""

from __future__ import annotations

from collections.abc import Iterable

from dractl.conversion.result import Conversion
from dractl.conversion.run import convert as convert_versions
from dractl.conversion.target import Target
from dractl.source.load import Loaded

__all__ = ["convert"]


def convert(loaded: Iterable[Loaded], target: Target, *, lossy: bool = False) -> Conversion:
    """``loaded`` in the API version of ``target``; what is lost is listed."""
    return convert_versions(loaded, target, lossy=lossy)
