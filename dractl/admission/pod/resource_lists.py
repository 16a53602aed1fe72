"""Rules that the server generates from the types of a pod's node resources (alpha in 1.37).

They are here by hand, because they are the only ones generated from core types that concern claims. Like all
generated rules they pass over what an update leaves as it was.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

from dractl.admission.framework.context import Context
from dractl.admission.framework.scope import Scope
from dractl.admission.shared.checks import unique
from dractl.api.errors import ErrorType
from dractl.api.path import FieldPath
from dractl.versions.equality import Equal, field_equal
from dractl.versions.table import tables

if TYPE_CHECKING:
    from dractl.api.objects.core import PodStatus

_LISTS: tuple[Literal["mapping", "overhead"], ...] = ("mapping", "overhead")
_STATUS_TYPE = "core/v1.PodStatus"
_ENTRY_TYPE = "core/v1.NodeAllocatableResourceClaimStatus"

Items: TypeAlias = Sequence[Mapping[str, Any]]


_ENTRY = Scope(
    kind="Pod",
    at="status.nodeAllocatableResourceClaimStatuses[*]",
    since="1.37",
    upstream="Validate_NodeAllocatableResourceClaimStatus",
    frame="""
        spec:
          resourceClaims: [{name: cpus, resourceClaimName: shared-cpus}]
        status:
          nodeAllocatableResourceClaimStatuses:
          - resourceClaimName: shared-cpus
            <here>
        """,
)

PSTAT_NODE_REQUIRED = _ENTRY.rule(
    "pstat/node-required",
    at=("resourceClaimName", "mapping[*].name", "mapping[*].quantity", "overhead[*].name"),
    type=ErrorType.REQUIRED,
    doc="""An entry for node resources must name its claim, the mapped resources and their quantities.

    Good here:
        mapping: [{name: cpu, quantity: 4}]
    Bad here:
        mapping: [{name: cpu}]
    """,
)

PSTAT_NODE_DUPLICATE = _ENTRY.rule(
    "pstat/node-duplicate",
    at=("", "containers[*]", "mapping[*]", "overhead[*]"),
    type=ErrorType.DUPLICATE,
    doc="""Claims, containers and resources must be unique in entries for node resources.

    Good here:
        mapping: [{name: cpu, quantity: 4}, {name: memory, quantity: 1Gi}]
    Bad here:
        mapping: [{name: cpu, quantity: 4}, {name: cpu, quantity: 2}]
    """,
)


def check_resource_lists(ctx: Context, status: PodStatus, old: PodStatus, path: FieldPath) -> None:
    """The lists of node resources in ``status``; ``old`` is the stored status, ``path`` that of both.

    Mirrors ``Validate_NodeAllocatableResourceClaimStatus`` and what is under it.
    """
    name: Final = "nodeAllocatableResourceClaimStatuses"
    entries = status.get(name) or []
    before = old.get(name) or []
    if not entries or not ctx.has(PSTAT_NODE_REQUIRED) or _equal(ctx, _STATUS_TYPE, name)(entries, before):
        return
    place = path.child(name)
    _check_keys(ctx, entries, before, "resourceClaimName", place)
    known = _by_key(before, "resourceClaimName")
    for position, entry in enumerate(entries):
        stored = known.get(entry.get("resourceClaimName", ""), {})
        at = place.index(position)
        containers = entry.get("containers") or []
        if containers != (stored.get("containers") or []):
            unique(ctx, PSTAT_NODE_DUPLICATE, at.child("containers"), containers, what="the container")
        for field in _LISTS:
            items, was = entry.get(field) or [], stored.get(field) or []
            if not _equal(ctx, _ENTRY_TYPE, field)(items, was):
                _check_keys(ctx, items, was, "name", at.child(field))
                if field == "mapping":
                    _check_quantities(ctx, items, was, at.child(field))


def _equal(ctx: Context, type_key: str, field: str) -> Equal:
    source = tables(ctx.minor)
    return field_equal(source, source.struct(type_key).fields[field])


def _by_key(items: Items, key: str) -> dict[str, Mapping[str, Any]]:
    """The first item of each key."""
    return {item.get(key, ""): item for item in reversed(items)}


def _check_keys(ctx: Context, items: Items, before: Items, key: str, path: FieldPath) -> None:
    """Every item has a key, and one of its own; an item without one that was there before stays."""
    unique(ctx, PSTAT_NODE_DUPLICATE, path, (item.get(key, "") for item in items), what=f"the {key}")
    if "" in _by_key(before, key):
        return
    for position, item in enumerate(items):
        if not item.get(key):
            ctx.refuse(PSTAT_NODE_REQUIRED, path.index(position).child(key), "", f"a {key} is required")


def _check_quantities(ctx: Context, items: Items, before: Items, path: FieldPath) -> None:
    known = _by_key(before, "name")
    for position, item in enumerate(items):
        stored = known.get(item.get("name", ""))
        if "quantity" not in item and (stored is None or "quantity" in stored):
            place = path.index(position).child("quantity")
            ctx.refuse(PSTAT_NODE_REQUIRED, place, "", "the mapped quantity is required")
