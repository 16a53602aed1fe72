"""What a document is made of when no more is known of it than that it is JSON."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

__all__ = ["JsonDict", "JsonObject", "Object"]

JsonObject: TypeAlias = Mapping[str, object]
"""An object of any kind, to read: what an entry holds has to be found out before it is used."""

JsonDict: TypeAlias = dict[str, object]
"""An object of any kind that is being made or changed."""

Object: TypeAlias = dict[str, Any]
"""A whole object of the API, in the shape of its kind.

The kind decides what its spec and status hold, which no type for all kinds can say. Give what you take out
of it its type from ``dractl.api.objects``.
"""
