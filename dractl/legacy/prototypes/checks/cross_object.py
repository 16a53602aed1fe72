"""Rules of devmgmtproto.k8s.io about several objects: names that lead somewhere, and what pools provide."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, cast

from dractl.api.json_types import JsonObject
from dractl.api.path import Steps
from dractl.legacy.prototypes.checks.pods import containers, references
from dractl.legacy.prototypes.checks.pools import VALUES
from dractl.legacy.prototypes.dialects.amounts import members, some
from dractl.legacy.prototypes.dialects.dialects import PROTO
from dractl.legacy.prototypes.dialects.directory import Directory
from dractl.legacy.prototypes.dialects.reading import Item

if TYPE_CHECKING:
    from dractl.legacy.prototypes.dialects import objects

__all__ = ["check_across", "details", "missing_class", "provided"]

_CLAIMS = (
    "DeviceClaim",
    "DeviceClaimGroup",
    "DevicePrivilegedClaim",
    "DeviceSetClaim",
    "DeviceClaimTemplate",
)


def details(item: Item) -> Iterator[tuple[Steps, objects.Detail]]:
    """All requests of a claim with their places."""
    for number, part in enumerate(item.spec.get("devices") or ()):
        for form in ("allOf", "oneOf"):
            for position, detail in enumerate(part.get(form) or ()):
                yield ("spec", "devices", number, form, position), detail


def check_across(directory: Directory) -> None:
    """Note what does not go together."""
    for item in directory.of_kind("DeviceClass", family=PROTO):
        _class(item, directory)
    for item in directory.of_kind(*_CLAIMS, family=PROTO):
        _claim(item, directory)
    for item in directory.reading.of_kind("Pod"):
        if item.family == PROTO:
            _pod(item, directory)
    _types(directory)
    _uses(directory)


def _class(item: Item, directory: Directory) -> None:
    if item.dialect == "proto-pools":
        _device_type(item, directory)
        _configs(item, item.spec, ("spec",), directory, "dc-6")
        return
    selector = item.spec.get("selector")
    if selector is not None:
        found = directory.members(item)
        nested = [other.name for other in found if "selector" in other.spec]
        if not found:
            item.fault("dc-7", ("spec", "selector"), "no class in the input has these labels")
        elif nested:
            item.fault("dc-8", ("spec", "selector"), f"its member {nested[0]} also has a selector")
    _configs(
        item,
        cast("objects.CountedSpec", item.spec.get("definition") or {}),
        ("spec", "definition"),
        directory,
        "dc-6",
    )


def _configs(
    item: Item, holder: objects.Detail | objects.CountedSpec, steps: Steps, directory: Directory, rule: str
) -> None:
    for number, config in enumerate(holder.get("configs") or ()):
        space = config.get("namespace") or item.namespace
        key = (str(config.get("apiVersion")), str(config.get("kind")), space, str(config.get("name")))
        if config.get("name") and key not in directory.others:
            item.fault(
                rule,
                (*steps, "configs", number),
                f"{key[1]} {space}/{key[3]} is not in the input",
            )


def _device_type(item: Item, directory: Directory) -> None:
    wanted = item.spec.get("deviceType")
    drivers = directory.of_kind("DeviceDriver", family=PROTO)
    if wanted and drivers and not any(wanted in (entry.value.get("deviceTypes") or ()) for entry in drivers):
        item.fault("pp-5", ("spec", "deviceType"), f"no driver in the input supports device type {wanted}")


def missing_class(item: Item, name: str, steps: Steps, directory: Directory, rule: str) -> None:
    """Note that a class is not there, or only in another API group."""
    if directory.get(item.family, "DeviceClass", "", name) is not None:
        return
    if directory.is_in_other_group(item.family, "DeviceClass", name):
        item.fault(
            "dia-2",
            steps,
            f"class {name} exists only in another API group; names refer to the object's own group",
        )
    elif directory.of_kind("DeviceClass"):
        item.fault(rule, steps, f"class {name} does not exist")


def _claim(item: Item, directory: Directory) -> None:
    if item.dialect == "proto-pools":
        _counted_claim(item, directory)
        return
    pools = directory.of_kind("DevicePool", family=PROTO)
    if directory.provided is None:
        directory.provided = provided(pools)
    attributes, resources = directory.provided
    _known_attributes(
        item, item.spec.get("matchAttributes"), ("spec", "matchAttributes"), attributes, bool(pools)
    )
    for steps, detail in details(item):
        name = detail.get("class")
        if name:
            missing_class(item, name, (*steps, "class"), directory, "cl-7")
        _configs(item, detail, steps, directory, "dc-6")
        matched = (*steps, "matchAttributes")
        _known_attributes(item, detail.get("matchAttributes"), matched, attributes, bool(pools))
        for wanted in detail.get("requests") or {}:
            if wanted != "devices" and pools and wanted not in resources:
                here = (*steps, "requests", wanted)
                item.fault(
                    "cl-14", here, f"no pool in the input provides {wanted}, so this is never satisfied"
                )


def _known_attributes(
    item: Item, found: Sequence[str] | None, steps: Steps, attributes: frozenset[str], known: bool
) -> None:
    for number, name in enumerate(found or ()):
        if known and name and name not in attributes:
            message = f"no pool in the input has attribute {name}, so this is never satisfied"
            item.fault("cl-15", (*steps, number), message)


def provided(pools: list[Item]) -> tuple[frozenset[str], frozenset[str]]:
    """The names of the attributes that devices have, and of the resources that claims can ask for."""
    attributes: set[str] = set()
    resources: set[str] = set()
    for item in pools:
        for holder in (item.spec, *(item.spec.get("devices") or ())):
            attributes.update(entry.get("name", "") for entry in holder.get("attributes") or ())
            resources.update(entry.get("name", "") for entry in holder.get("claimResourcesProvided") or ())
    return frozenset(attributes), frozenset(resources)


def _counted_claim(item: Item, directory: Directory) -> None:
    pools = directory.of_kind("DevicePool", family=PROTO)
    if directory.provided is None:
        directory.provided = provided(pools)
    attributes, _ = directory.provided
    holders: list[tuple[Steps, objects.ClaimSpec]] = [
        (("spec",), item.spec),
        (("spec", "setClaimSpec"), cast("objects.ClaimSpec", item.spec.get("setClaimSpec") or {})),
    ]
    for place, holder in holders:
        if "claimSpec" in holder and isinstance(holder["claimSpec"], list):
            matched = (*place, "matchAttributes")
            _known_attributes(item, holder.get("matchAttributes"), matched, attributes, bool(pools))
    for steps, spec in _counted_specs(item.spec, ("spec",)):
        matched = (*steps, "matchAttributes")
        _known_attributes(item, spec.get("matchAttributes"), matched, attributes, bool(pools))
        _configs(item, spec, steps, directory, "dc-6")
        name = spec.get("deviceClass")
        if not name:
            continue
        missing_class(item, name, (*steps, "deviceClass"), directory, "cl-7")
        found = directory.get(PROTO, "DeviceClass", "", name)
        if found is not None:
            _within_class(item, spec, steps, found)


def _counted_specs(spec: JsonObject, steps: Steps) -> Iterator[tuple[Steps, objects.CountedSpec]]:
    """The claims in a claim, a set of them, or a template."""
    inner = [name for name in ("claimSpec", "privilegedClaimSpec", "setClaimSpec") if name in spec]
    if not inner:
        yield steps, cast("objects.CountedSpec", spec)
    for name in inner:
        found = spec[name]
        if isinstance(found, dict):
            yield from _counted_specs(found, (*steps, name))
        for number, entry in enumerate(found if isinstance(found, list) else ()):
            yield (*steps, name, number), entry


def _within_class(item: Item, spec: objects.CountedSpec, steps: Steps, found: Item) -> None:
    low, high = found.spec.get("minDeviceCount", 1), found.spec.get("maxDeviceCount")
    least, most = spec.get("minDeviceCount", low), spec.get("maxDeviceCount")
    if least < low or (high is not None and (least > high or (most is not None and most > high))):
        limits = f"{low} to {high}" if high is not None else f"{low} or more"
        item.fault(
            "pp-2",
            steps,
            f"class {found.name} allows {limits} devices, which does not match this request",
        )
    drivers = spec.get("driver"), found.spec.get("driver")
    if all(drivers) and drivers[0] != drivers[1]:
        item.fault(
            "pp-3", (*steps, "driver"), f"the driver is {drivers[0]} here, but {drivers[1]} in the class"
        )


def _pod(item: Item, directory: Directory) -> None:
    claims = item.spec.get("deviceClaims")
    if isinstance(claims, dict):
        names = _names_of(
            item,
            cast("objects.PodClaims", claims),
            ("spec", "deviceClaims"),
            directory,
            "DeviceClaim",
            "po-3",
        )
        _resolve(item, names)
    elif item.dialect == "proto-group":
        _groups(item, claims or (), directory)
    elif item.dialect == "proto-list":
        for number, entry in enumerate(claims or ()):
            _listed(item, entry, ("spec", "deviceClaims", number), directory)
    elif item.dialect == "proto-pools":
        for number, entry in enumerate(claims or ()):
            _counted_entry(item, entry, ("spec", "deviceClaims", number), directory)


def _names_of(
    item: Item, claims: objects.PodClaims, steps: Steps, directory: Directory, kind: str, rule: str
) -> list[str] | None:
    """The names that containers may use; None where that is not known."""
    for number, entry in enumerate(claims.get("devices") or ()):
        if entry.get("class"):
            missing_class(item, entry["class"], (*steps, "devices", number, "class"), directory, "cl-7")
    names = [entry.get("name", "") for entry in claims.get("devices") or ()]
    template: objects.Template = claims.get("template") or {}
    named = [
        (claims.get("claimName"), (*steps, "claimName")),
        (template.get("claimName"), (*steps, "template", "claimName")),
    ]
    for name, where in named:
        if not name:
            continue
        claim = directory.get(PROTO, kind, item.namespace, name)
        if claim is None:
            item.fault(rule, where, f"{kind} {item.namespace}/{name} does not exist")
            return None
        names += [part.get("name", "") for part in claim.spec.get("devices") or ()]
    return names


def _resolve(item: Item, names: list[str] | None) -> None:
    if names is None:
        return
    known = frozenset(names)
    for steps, container in containers(item):
        for number, used in enumerate(references(container)):
            if used not in known:
                listed = some(names) or "nothing"
                message = f"unknown claim {used!r}; the pod has {listed}"
                item.fault("po-4", (*steps, "devices", number), message)


def _groups(item: Item, claims: Any, directory: Directory) -> None:
    homes: dict[str, str] = {}
    everything: list[str] | None = []
    for number, entry in enumerate(claims):
        steps: Steps = ("spec", "deviceClaims", number)
        names = _names_of(item, entry, steps, directory, "DeviceClaimGroup", "gr-4")
        group = (entry.get("template") or {}).get("claimName") or entry.get("claimName") or f"entry #{number}"
        for name in names or ():
            if name in homes:
                item.fault(
                    "gr-3",
                    steps,
                    f"{name!r} is in {homes[name]} and in {group}; containers cannot distinguish them",
                )
            homes.setdefault(name, group)
        everything = None if names is None or everything is None else [*everything, *names]
    _resolve(item, everything)


def _listed(item: Item, entry: objects.Entry, steps: Steps, directory: Directory) -> None:
    source: objects.Source = entry.get("source") or {}
    template: objects.Template = source.get("templateClaim") or {}
    given = template.get("claimName") or template.get("className") or source.get("deviceClaimName")
    if given and directory.get(PROTO, "DeviceClaim", item.namespace, given) is None:
        item.fault("po-3", (*steps, "source"), f"DeviceClaim {item.namespace}/{given} does not exist")
    name = (source.get("templateClass") or {}).get("className")
    if name:
        missing_class(item, name, (*steps, "source", "templateClass", "className"), directory, "cl-7")


def _counted_entry(item: Item, entry: objects.Entry, steps: Steps, directory: Directory) -> None:
    _configs(item, entry.get("claim") or {}, (*steps, "claim"), directory, "dc-6")
    name = (entry.get("claim") or {}).get("deviceClass")
    if name:
        missing_class(item, name, (*steps, "claim", "deviceClass"), directory, "cl-7")
    for field, kinds in (
        ("claimName", ("DeviceClaim", "DevicePrivilegedClaim", "DeviceSetClaim")),
        ("claimTemplateName", ("DeviceClaimTemplate",)),
    ):
        wanted = cast("str | None", entry.get(field))
        if wanted and not any(directory.get(PROTO, kind, item.namespace, wanted) for kind in kinds):
            item.fault("po-3", (*steps, field), f"{kinds[0]} {item.namespace}/{wanted} does not exist")


def _types(directory: Directory) -> None:
    """One attribute, one type, over all devices of a driver."""
    known: dict[tuple[str, str], str] = {}
    reported: set[tuple[str, str]] = set()
    for item in directory.of_kind("DevicePool", family=PROTO):
        driver = item.spec.get("driver", "")
        for steps, holder in (
            (("spec",), item.spec),
            *((("spec", "devices", n), device) for n, device in enumerate(item.spec.get("devices") or ())),
        ):
            for number, entry in enumerate(holder.get("attributes") or ()):
                given = members(entry, VALUES)
                key = (driver, entry.get("name", ""))
                if len(given) == 1 and known.setdefault(key, given[0]) != given[0] and key not in reported:
                    reported.add(key)
                    where = (*steps, "attributes", number)
                    message = (
                        f"{key[1]} is a {given[0]} here, but a {known[key]} on other devices of {driver}"
                    )
                    item.fault("dp-11", where, message)


def _uses(directory: Directory) -> None:
    """Claims that are a template and used themselves, or are called a template and used themselves."""
    templates: set[tuple[str, str]] = set()
    direct: list[tuple[Item, Steps, str]] = []
    for item in directory.reading.of_kind("Pod"):
        claims = item.spec.get("deviceClaims")
        if item.family != PROTO or not isinstance(claims, dict):
            continue
        if (claims.get("template") or {}).get("claimName"):
            templates.add((item.namespace, claims["template"]["claimName"]))
        if claims.get("claimName"):
            direct.append((item, ("spec", "deviceClaims", "claimName"), claims["claimName"]))
    for item, steps, name in direct:
        if (item.namespace, name) in templates:
            item.fault("po-8", steps, f"another pod uses {name} as a template")
        elif name.startswith("template-"):
            item.fault("po-8", steps, f"{name} is marked as a template, but used directly here")
