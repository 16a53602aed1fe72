"""The uids of objects, which files mostly do not have."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, cast

from dractl.api.json_types import JsonObject
from dractl.cluster.objects import full_name

if TYPE_CHECKING:
    from dractl.api.objects.meta import ObjectMeta


def uid_of(item: JsonObject) -> str:
    """The uid of an object, or, for one from a file, a fixed one that follows from its kind and name."""
    metadata = cast("ObjectMeta | None", item.get("metadata"))
    return (metadata or {}).get("uid") or stable_uid(f"{item.get('kind', '')}/{full_name(item)}")


def stable_uid(text: str) -> str:
    """A UUID that is always the same for the same text."""
    digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
    return f"{digest[:8]}-{digest[8:12]}-4{digest[13:16]}-8{digest[17:20]}-{digest[20:32]}"
