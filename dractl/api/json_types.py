"""What a document is made of when no more is known of it than that it is JSON."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

__all__ = ["JsonDict", "JsonObject"]

JsonObject: TypeAlias = Mapping[str, object]
"""An object of any kind, to read: what an entry holds has to be found out before it is used."""

JsonDict: TypeAlias = dict[str, object]
"""An object of any kind that is being made or changed."""
