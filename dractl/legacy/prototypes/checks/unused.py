"""The fields that a simulation reads and that change nothing in it, each with the reason.

Nothing of an object is passed over in silence: a field is used, refused, or named here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from dractl.api.path import Steps
from dractl.legacy.prototypes.dialects.devmgmtproto import METADATA
from dractl.legacy.prototypes.dialects.dialects import EVOLUTION, PROTO
from dractl.legacy.prototypes.dialects.reading import Item

__all__ = ["note_model", "note_unused"]

_DRIVERS = "drivers report it, and claims record what is allocated"
_OTHER_API = "a Pod of devmgmtproto.k8s.io claims devices in deviceClaims"

_ANY = "*"
"""Stands for each item of a list."""

_FIELDS: Mapping[tuple[str, str], Mapping[Steps, str]] = {
    (PROTO, "DevicePool"): {
        ("status", "deviceStatuses"): _DRIVERS,
        ("status", "availableDevices"): "the claims tell how many devices are left",
    },
    (PROTO, "DeviceClass"): {
        ("status", "conditions"): "conditions do not keep a class from being used",
        ("status", "drivers"): "the class is for its driver, or for any",
    },
    (PROTO, "DeviceClaim"): {("status", "deviceStatuses"): _DRIVERS},
    (PROTO, "DeviceClaimGroup"): {("status", "deviceStatuses"): _DRIVERS},
    (PROTO, "Pod"): {
        ("spec", "resourceClaims"): _OTHER_API,
        ("spec", "containers", _ANY, "resources", "claims"): _OTHER_API,
        ("spec", "initContainers", _ANY, "resources", "claims"): _OTHER_API,
    },
    (EVOLUTION, "DeviceClass"): {
        ("suitableNodes",): "only the controllers of claims with a controllerName look at it",
    },
    (EVOLUTION, "ResourceClaim"): {
        ("status", "allocation", "controllerName"): "the spec names who allocates the claim",
    },
    (EVOLUTION, "Pod"): {
        ("spec", "containers", _ANY, "devices"): "a Pod of DRA evolution claims devices in resources.claims",
        (
            "spec",
            "initContainers",
            _ANY,
            "devices",
        ): "a Pod of DRA evolution claims devices in resources.claims",
    },
}
"""By family and kind: the places, with the reason."""

_COPIED = frozenset({"labels", "annotations", "metadata"})
_KEPT: Mapping[str, frozenset[str]] = {
    "Pod": _COPIED | {"name", "namespace"},
    "DeviceClaimTemplate": _COPIED,
}
_TEMPLATES: Mapping[tuple[str, str], tuple[Steps, ...]] = {
    (PROTO, "Pod"): (
        ("spec", "deviceClaims", "template"),
        ("spec", "deviceClaims", _ANY, "template"),
        ("spec", "deviceClaims", _ANY, "source", "templateClaim"),
        ("spec", "deviceClaims", _ANY, "source", "templateClass"),
    ),
    (PROTO, "DeviceClaimTemplate"): (("spec",),),
}
"""Where objects have the metadata of a claim that is made for a pod, of which only a part is copied."""


_ALIGNED = "the scheduler of that state did not align topologies"
_MODELS: Mapping[str, Mapping[Steps, str]] = {
    "kubecon": {
        ("topologies",): _ALIGNED,
        **{
            (*holder, "topologies"): _ALIGNED
            for holder in (("podClaim",), ("containerClaims", _ANY), ("podClaim", "claims", _ANY))
        },
        ("containerClaims", _ANY, "claims", _ANY, "topologies"): _ALIGNED,
        **{
            (
                *holder,
                "claims",
                _ANY,
                "constraints",
            ): "the scheduler of that state did not evaluate constraints"
            for holder in (("podClaim",), ("containerClaims", _ANY))
        },
        ("pools", _ANY, "attributes"): "only constraints see attributes, which that state did not evaluate",
        ("pools", _ANY, "resources", _ANY, "attributes"): "only constraints see attributes",
        ("pools", _ANY, "resources", _ANY, "capacities", _ANY, "topologies", _ANY, "groupInResource"): (
            "the scheduler of that state takes it for true"
        ),
    },
}
"""The same of models without a kind, by dialect."""


_WHOLE = {"nv-named": "namedResources", "nv-mixin": "devices", "dra-evo-templates": "deviceTemplates"}


def note_model(item: Item) -> None:
    """Note a model that has neither driver nor pods, so that a simulation can do nothing with it."""
    if item.dialect in _WHOLE:
        message = "a bare model changes nothing in a simulation: no pod can claim its devices"
        item.fault("unused", (_WHOLE[item.dialect],), message)


def note_unused(item: Item) -> None:
    """Note the fields of an object that change nothing in a simulation."""
    for path, reason in _MODELS.get(item.dialect, {}).items():
        for steps in _at(item.value, path, ()):
            item.fault("unused", steps, f"`{steps[-1]}` changes nothing in a simulation: {reason}")
    for path, reason in _FIELDS.get((item.family, item.kind), {}).items():
        for steps in _at(item.value, path, ()):
            item.fault("unused", steps, f"`{steps[-1]}` changes nothing in a simulation: {reason}")
    templates = _TEMPLATES.get((item.family, item.kind), ())
    for path in templates:
        for steps in _at(item.value, path, ()):
            for name in (*METADATA, *(("metadata", name) for name in METADATA)):
                inner = (name,) if isinstance(name, str) else name
                if inner[-1] in _KEPT[item.kind] or not list(_at(item.value, (*steps, *inner), ())):
                    continue
                message = f"`{inner[-1]}` changes nothing in a simulation: claims get labels and annotations"
                item.fault("unused", (*steps, *inner), message)


def _at(value: object, path: Steps, here: Steps) -> Iterator[Steps]:
    """The places that a path leads to."""
    if not path:
        yield here
        return
    step, rest = path[0], path[1:]
    if step == _ANY:
        for number, entry in enumerate(value if isinstance(value, list) else []):
            yield from _at(entry, rest, (*here, number))
        return
    inner = value.get(step) if isinstance(value, dict) else None
    if isinstance(value, list) and isinstance(step, int):
        inner = value[step]
    if inner not in (None, [], {}):
        yield from _at(inner, rest, (*here, step))
