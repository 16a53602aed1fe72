"""Read one workload of a cluster, and what stands between it and its pods."""

from __future__ import annotations

from urllib.parse import quote

from dractl.api.json_types import JsonDict
from dractl.live.kinds import OWNERS
from dractl.live.kubectl import MISSING, Kubectl, KubectlError
from dractl.live.reading import listed_at, typed
from dractl.live.trimming import entries, mapping, trimmed
from dractl.records import NamedTuple

__all__ = ["Named", "read_owner"]


class Named(NamedTuple):
    """A workload that the user names."""

    kind: str
    namespace: str
    name: str


def read_owner(kubectl: Kubectl, named: Named) -> list[JsonDict]:
    """The workload and the ReplicaSets or Jobs that it controls; nothing if it does not exist.

    Raises KubectlError, also if the user may not read them.
    """
    owner = OWNERS[named.kind]
    inside = f"namespaces/{quote(named.namespace, safe='')}"
    try:
        found = kubectl.json(f"{owner.root}/{inside}/{owner.resource}/{quote(named.name, safe='')}")
    except KubectlError as error:
        if error.reason in MISSING:
            return []
        raise
    if not owner.between:
        return [trimmed(found)]
    between = OWNERS[owner.between]
    items = listed_at(kubectl, f"{between.root}/{inside}/{between.resource}")
    api_version = between.root.removeprefix("/apis/").removeprefix("/api/")
    controlled = (item for item in items if _is_controlled(item, found))
    return [trimmed(found), *(typed(item, api_version, owner.between) for item in controlled)]


def _is_controlled(item: JsonDict, owner: JsonDict) -> bool:
    uid = mapping(owner.get("metadata")).get("uid")
    references = entries(mapping(item.get("metadata")).get("ownerReferences"))
    return any(entry.get("controller") is True and entry.get("uid") == uid for entry in references)
