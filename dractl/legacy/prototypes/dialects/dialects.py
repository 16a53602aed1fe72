"""Which dialect an object is written in: rows of shapes, the first that fits counts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from dractl.api.json_types import JsonObject
from dractl.legacy.prototypes.dialects import devmgmtproto, dra_evolution, models
from dractl.legacy.prototypes.dialects.shape import Shape
from dractl.records import NamedTuple

__all__ = ["DIALECTS", "SHAPES", "Family", "candidates", "family_of", "known_shapes"]

PROTO, EVOLUTION, BARE = devmgmtproto.GROUP, dra_evolution.GROUP, ""
Family = str
"""The API group of a dialect; empty for models that have none."""

SHAPES: Mapping[str, Mapping[str, Shape]] = {
    **devmgmtproto.SHAPES,
    **dra_evolution.SHAPES,
    **models.SHAPES,
}
"""The tables of fields by dialect and kind."""

DIALECTS: tuple[str, ...] = tuple(SHAPES)
"""The names of the dialects."""


def family_of(dialect: str) -> Family:
    """The API group of a dialect."""
    if dialect in devmgmtproto.SHAPES:
        return PROTO
    return EVOLUTION if dialect in dra_evolution.SHAPES else BARE


class _Row(NamedTuple):
    """A shape: the group and kind, the paths that lead to something, and the dialects that have it.

    In a path ``[]`` goes to the items of a list, and ``{}`` stands for "is a mapping".
    """

    group: str
    kind: str
    paths: tuple[str, ...]
    dialects: tuple[str, ...]
    absent: tuple[str, ...] = ()


_ONE, _LIST, _GROUP, _POOLS, _STATUS = (
    "proto-oneof",
    "proto-list",
    "proto-group",
    "proto-pools",
    "proto-status",
)
_LATER = (_ONE, _LIST, _GROUP)
_EVO = tuple(dra_evolution.SHAPES)
_CLASSIC = ("dra-evo-classic", "dra-evo-netpool")

_ROWS: tuple[_Row, ...] = (
    _Row(BARE, "", ("podClaim",), ("kubecon",)),
    _Row(BARE, "", ("containerClaims",), ("kubecon",)),
    _Row(BARE, "", ("pools", "name"), ("kubecon",)),
    _Row(BARE, "", ("namedResources",), ("nv-named",)),
    _Row(BARE, "", ("deviceTemplates",), ("dra-evo-templates",)),
    _Row(BARE, "", ("deviceMixins",), ("nv-mixin",)),
    _Row(BARE, "", ("devices[].partitionable",), ("nv-mixin",)),
    _Row(BARE, "", ("deviceClaims",), ("proto-list",)),
    *(
        _Row(PROTO, kind, (), (_POOLS,))
        for kind in ("DeviceDriver", "DevicePrivilegedClaim", "DeviceSetClaim", "DeviceClaimTemplate")
    ),
    _Row(PROTO, "DeviceClaimGroup", (), (_GROUP,)),
    _Row(PROTO, "DevicePool", ("spec.count",), (_POOLS,)),
    _Row(PROTO, "DevicePool", ("spec.driverName",), (_STATUS,)),
    _Row(PROTO, "DevicePool", ("spec.devices[].sharedResourceRequests",), (_STATUS,)),
    _Row(PROTO, "DevicePool", ("spec.devices[].consumesSharedResources",), (_LIST,)),
    _Row(PROTO, "DevicePool", ("spec.devices[].providesClaimResources",), (_LIST,)),
    _Row(PROTO, "DevicePool", ("spec.devices[].sharedResourcesConsumed",), (_ONE, _GROUP)),
    _Row(PROTO, "DevicePool", ("spec.devices[].claimResourcesProvided",), (_ONE, _GROUP)),
    _Row(PROTO, "DevicePool", (), _LATER),
    _Row(PROTO, "DeviceClass", ("spec.selector",), _LATER),
    _Row(PROTO, "DeviceClass", ("spec.definition",), _LATER),
    _Row(PROTO, "DeviceClass", ("spec.deviceType", "spec.driver"), (_POOLS,)),
    _Row(PROTO, "DeviceClass", ("spec.minDeviceCount",), (_POOLS,)),
    _Row(PROTO, "DeviceClass", ("spec.maxDeviceCount",), (_POOLS,)),
    _Row(PROTO, "DeviceClass", ("spec.driver",), _LATER),
    _Row(PROTO, "DeviceClass", (), (*_LATER, _POOLS)),
    _Row(PROTO, "DeviceClaim", ("spec.deviceClass",), (_POOLS,)),
    _Row(PROTO, "DeviceClaim", ("spec.devices[].deviceClass",), (_LIST,)),
    _Row(PROTO, "DeviceClaim", ("spec.devices[].oneOf[].deviceClass",), (_LIST,)),
    _Row(PROTO, "DeviceClaim", (), (_ONE,)),
    _Row("", "Pod", ("spec.deviceClaims{}",), (_ONE,)),
    _Row("", "Pod", ("spec.deviceClaims[].source",), (_LIST,)),
    _Row("", "Pod", ("spec.deviceClaims[].claim",), (_POOLS,)),
    _Row("", "Pod", ("spec.deviceClaims[].claimTemplateName",), (_POOLS,)),
    _Row("", "Pod", ("spec.deviceClaims[].claimName", "spec.deviceClaims[].name"), (_POOLS,)),
    _Row("", "Pod", ("spec.deviceClaims[].name",), (_LIST, _POOLS)),
    _Row("", "Pod", ("spec.deviceClaims[]",), (_GROUP,)),
    _Row("", "Pod", ("spec.resourceClaims[].source",), ("dra-evo-named",), ("spec.deviceClaims",)),
    _Row("", "Pod", ("spec.resourceClaims[]",), _EVO, ("spec.deviceClaims",)),
    _Row("", "Pod", (), (_ONE, _LIST, _GROUP, _POOLS)),
    _Row(EVOLUTION, "ResourcePool", ("spec.deviceShape.partitions[].count",), ("dra-evo-cel",)),
    _Row(EVOLUTION, "ResourcePool", ("spec.deviceShape",), ("dra-evo-shape",)),
    _Row(EVOLUTION, "ResourcePool", ("namedDevices",), ("dra-evo-named",)),
    _Row(EVOLUTION, "ResourcePool", ("spec.attributes",), ("dra-evo-attrs",)),
    _Row(EVOLUTION, "ResourcePool", ("spec.sharedCapacity[].sharedCapacity",), ("dra-evo-groups",)),
    _Row(EVOLUTION, "ResourcePool", ("spec.devicePool",), ("dra-evo-netpool",)),
    _Row(EVOLUTION, "ResourcePool", ("spec.sliceContent",), ("dra-evo-content",)),
    _Row(EVOLUTION, "ResourcePool", ("spec.devices[].capacity",), ("dra-evo-content",)),
    _Row(EVOLUTION, "ResourcePool", (), ("dra-evo",)),
    _Row(EVOLUTION, "ResourceClaim", ("spec.controllerName",), _CLASSIC),
    _Row(EVOLUTION, "ResourceClaim", ("status.allocation.results",), _CLASSIC),
    _Row(EVOLUTION, "ResourceClaimTemplate", ("spec.spec.controllerName",), _CLASSIC),
    _Row(EVOLUTION, "DeviceClass", ("suitableNodes",), _CLASSIC),
    _Row(EVOLUTION, "ResourceClaim", ("spec.requests[].count",), ("dra-evo-named",)),
    _Row(EVOLUTION, "ResourceClaim", ("spec.requests[].resourceClassName",), ("dra-evo-named",)),
    _Row(EVOLUTION, "ResourceClaimTemplate", ("spec.spec.requests[].count",), ("dra-evo-named",)),
    _Row(EVOLUTION, "ResourceClaimTemplate", ("spec.spec.requests[].resourceClassName",), ("dra-evo-named",)),
    *(
        _Row(EVOLUTION, kind, (), _EVO)
        for kind in ("DeviceClass", "ResourceClass", "ResourceClaim", "ResourceClaimTemplate", "Quota")
    ),
    _Row(EVOLUTION, "Pod", (), _EVO),
)  # fmt: skip


def candidates(value: JsonObject) -> tuple[str, ...]:
    """The dialects that have objects of this shape; empty if none has."""
    group = str(value.get("apiVersion") or "").rpartition("/")[0]
    kind = str(value.get("kind") or "")
    for row in _ROWS:
        fits = row.group == group and row.kind == kind
        if fits and all(_leads(value, path) for path in row.paths):
            is_barred = any(_leads(value, path) for path in row.absent)
            if not is_barred:
                return row.dialects
    return ()


def _leads(value: object, path: str) -> bool:
    return any(True for _ in _at(value, path.split(".")))


def _at(value: object, parts: Sequence[str]) -> Iterator[object]:
    """What a path leads to, also null."""
    if not parts:
        yield value
        return
    head, rest = parts[0], parts[1:]
    name = head.removesuffix("[]").removesuffix("{}")
    if not isinstance(value, dict) or name not in value:
        return
    inner = value[name]
    if head.endswith("{}"):
        if isinstance(inner, dict):
            yield inner
    elif head.endswith("[]"):
        for item in inner if isinstance(inner, list) else ():
            yield from _at(item, rest)
    else:
        yield from _at(inner, rest)


def known_shapes(group: str, kind: str) -> list[str]:
    """The shapes that are known of a kind, as texts; the kinds of the group where it is none of them."""
    found = [
        f"{', '.join(row.dialects)} ({' and '.join(row.paths)})" if row.paths else ", ".join(row.dialects)
        for row in _ROWS
        if (row.group, row.kind) == (group, kind)
    ]
    return found or sorted({row.kind for row in _ROWS if row.group == group and row.kind})
