"""Classes of all dialects as DeviceClasses of v1."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, cast

from dractl.api.json_types import JsonDict
from dractl.api.path import Steps
from dractl.legacy.prototypes.allocation.demand import Leaf, leaves_of
from dractl.legacy.prototypes.dialects.dialects import EVOLUTION
from dractl.legacy.prototypes.dialects.directory import Directory
from dractl.legacy.prototypes.dialects.reading import Item
from dractl.legacy.prototypes.v1.losses import Losses
from dractl.legacy.prototypes.v1.rewrite import rewritten
from dractl.legacy.prototypes.v1.vocabulary import Vocabulary, object_name

if TYPE_CHECKING:
    from dractl.api.objects import resource
    from dractl.legacy.prototypes.dialects import objects

__all__ = ["classes_of", "has_driver", "opaque_of", "referenced", "selector_of"]

_NEVER = "false"


def classes_of(directory: Directory, vocabulary: Vocabulary, losses: Losses) -> Iterator[JsonDict]:
    """The classes of an input."""
    for item in directory.of_kind("DeviceClass"):
        spec = _of_evolution(item, vocabulary, losses) if item.family == EVOLUTION else None
        if spec is None and item.family != EVOLUTION:
            spec = _of_devmgmtproto(item, directory, vocabulary, losses)
        if spec is not None:
            yield {
                "apiVersion": "resource.k8s.io/v1",
                "kind": "DeviceClass",
                "metadata": {**item.metadata, "name": object_name(item.name)},
                "spec": spec,
            }


def selector_of(item: Item, text: str, steps: Steps, vocabulary: Vocabulary, losses: Losses) -> str:
    """A constraint in the words of v1; without them it is lost, and nothing matches."""
    found = rewritten(text, "typed" if item.family == EVOLUTION else "plain", vocabulary)
    if found.refused:
        losses.add(item, steps, f"the expression cannot be converted to v1: {found.refused}")
        return _NEVER
    if found.lost:
        losses.add(item, steps, found.lost)
    return found.text


def _cel(text: str) -> resource.DeviceSelector:
    return {"cel": {"expression": text}}


def _of_evolution(item: Item, vocabulary: Vocabulary, losses: Losses) -> resource.DeviceClassSpec:
    spec: resource.DeviceClassSpec = {}
    selectors = [
        _cel(
            selector_of(
                item, entry["deviceSelector"], ("requirements", n, "deviceSelector"), vocabulary, losses
            )
        )
        for n, entry in enumerate(item.value.get("requirements") or ())
        if entry.get("deviceSelector")
    ]
    if selectors:
        spec["selectors"] = selectors
    config = [
        opaque_of(entry)
        for entry in item.value.get("config") or ()
        if (entry.get("opaque") or {}).get("driverName")
    ]
    if config:
        spec["config"] = config
    if "suitableNodes" in item.value:
        losses.add(item, ("suitableNodes",), "controllers do not allocate in v1, so it has no nodes for them")
    return spec


def has_driver(entry: objects.Config) -> bool:
    """Whether a configuration is for a driver; v1 requires it, and its absence is an error of its own."""
    return bool((entry.get("opaque") or {}).get("driverName"))


def opaque_of(entry: objects.Config) -> resource.DeviceClassConfiguration:
    """A configuration of DRA evolution in the words of v1."""
    opaque = entry["opaque"]
    return {"opaque": {"driver": opaque.get("driverName", ""), "parameters": opaque.get("parameters") or {}}}


def _of_devmgmtproto(
    item: Item, directory: Directory, vocabulary: Vocabulary, losses: Losses
) -> resource.DeviceClassSpec | None:
    leaves = leaves_of(item.family, item.name, directory) or ()
    if "selector" in item.spec:
        if not leaves:
            losses.add(
                item, ("spec", "selector"), "it selects no class in the input, so it would match nothing"
            )
            return None
        if any(owner.spec.get("definition", {}).get("configs") for owner in directory.leaves(item)):
            losses.add(item, ("spec", "selector"), "the configs of its members would apply to all of them")
        parts = [_leaf_text(item, leaf, directory, vocabulary, losses) for leaf in leaves]
        return {"selectors": [_cel(" || ".join(dict.fromkeys(parts)))]}
    for name in ("deviceType", "minDeviceCount", "maxDeviceCount", "matchAttributes"):
        if item.spec.get(name) is not None:
            losses.add(item, ("spec", name), f"a v1 class has no {name}")
    leaf = leaves[0]
    if leaf.driver == "":
        where = ("spec", "definition", "driver")
        losses.add(
            item, where, "a class without a driver matches nothing, but in v1 it would match everything"
        )
        return None
    steps: Steps = (
        ("spec", "constraints") if item.dialect == "proto-pools" else ("spec", "definition", "constraints")
    )
    selectors = [_cel(f'device.driver == "{leaf.driver}"')] if leaf.driver else []
    selectors += [_cel(selector_of(item, text, steps, vocabulary, losses)) for text in leaf.expressions]
    spec: resource.DeviceClassSpec = {"selectors": selectors} if selectors else {}
    holder = item.spec if item.dialect == "proto-pools" else item.spec.get("definition") or {}
    config = list(
        referenced(
            item, cast("objects.CountedSpec", holder), steps[:-1], [leaf.driver or ""], directory, losses
        )
    )
    if config:
        spec["config"] = config
    return spec


def _leaf_text(item: Item, leaf: Leaf, directory: Directory, vocabulary: Vocabulary, losses: Losses) -> str:
    """One expression for a whole class; the member reports what of it is lost."""
    owner = directory.get(item.family, "DeviceClass", "", leaf.name) or item
    texts = [f'device.driver == "{leaf.driver}"'] if leaf.driver else []
    where = ("spec", "definition", "constraints")
    texts += [f"({selector_of(owner, text, where, vocabulary, losses)})" for text in leaf.expressions]
    return f"({' && '.join(texts) or 'true'})" if len(texts) != 1 else texts[0]


def referenced(
    item: Item,
    holder: objects.Detail | objects.CountedSpec,
    steps: Steps,
    drivers: Sequence[str],
    directory: Directory,
    losses: Losses,
) -> Iterator[resource.DeviceClassConfiguration]:
    """The configs that objects are referred to for, with what these objects hold, for each of the drivers."""
    for number, config in enumerate(holder.get("configs") or ()):
        space = config.get("namespace") or item.namespace
        key = (str(config.get("apiVersion")), str(config.get("kind")), space, str(config.get("name")))
        where = (*steps, "configs", number)
        if key not in directory.others:
            losses.add(
                item,
                where,
                f"v1 requires the parameters themselves, but {key[1]} {space}/{key[3]} is not in the input",
            )
            continue
        if not any(drivers):
            text = "v1 requires the driver of the parameters, which the class does not name"
            losses.add(item, where, text)
        for driver in filter(None, drivers):
            yield {"opaque": {"driver": driver, "parameters": directory.others[key].value}}
