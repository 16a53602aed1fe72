"""Rules about the pods of devmgmtproto.k8s.io, each by itself, in the four forms of ``deviceClaims``."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, cast

from dractl.api import names
from dractl.api.path import Steps
from dractl.legacy.prototypes.checks.claims import check_counted
from dractl.legacy.prototypes.dialects.amounts import members
from dractl.legacy.prototypes.dialects.reading import Item

if TYPE_CHECKING:
    from dractl.legacy.prototypes.dialects import objects

__all__ = ["check_pod", "containers", "references"]

_FORMS = ("devices", "template", "claimName")
_SOURCES = ("deviceClaimName", "templateClass", "templateClaim", "generator")


def containers(item: Item) -> Iterator[tuple[Steps, objects.Container]]:
    """The containers of a pod with their places; init containers are like the others."""
    for field in ("initContainers", "containers"):
        for number, entry in enumerate(item.spec.get(field) or ()):
            yield ("spec", field, number), entry


def references(container: objects.Container) -> list[str]:
    """The names that a container refers to."""
    return [entry.get("name") or "" for entry in container.get("devices") or ()]


def check_pod(item: Item) -> None:
    """Note what is wrong with a pod."""
    claims = item.spec.get("deviceClaims")
    for steps, container in containers(item):
        used = references(container)
        if claims is None and "devices" in container:
            message = "the container uses devices, but the pod has no deviceClaims"
            item.fault("po-7", (*steps, "devices"), message)
        for number, name in enumerate(used):
            if name in used[:number]:
                item.fault("po-5", (*steps, "devices", number), f"duplicate {name!r}")
    if isinstance(claims, dict):
        _struct(item, cast("objects.PodClaims", claims), ("spec", "deviceClaims"), "po-1")
    elif item.dialect == "proto-group":
        for number, entry in enumerate(claims or ()):
            _struct(item, entry, ("spec", "deviceClaims", number), "gr-2")
    elif item.dialect == "proto-list":
        _entries(item, claims or (), _sources)
    elif item.dialect == "proto-pools":
        _entries(item, claims or (), _counted)


def _struct(item: Item, claims: objects.PodClaims, steps: Steps, rule: str) -> None:
    given = members(claims, _FORMS)
    if len(given) != 1:
        which = (
            " and ".join(given) if given else "none: it is empty or has an unknown member of a newer client"
        )
        item.fault(
            rule,
            steps,
            f"exactly one of devices, template and claimName must be set, got {which}",
            is_empty=not given,
        )
    devices = claims.get("devices")
    if devices is not None:
        _devices(item, devices, (*steps, "devices"))
    template = claims.get("template")
    if template is not None:
        if not template.get("claimName"):
            item.fault("po-3", (*steps, "template", "claimName"), "the template requires a claim name")
        _namespace(item, template, (*steps, "template"))
    if claims.get("claimName") == "":
        item.fault("po-3", (*steps, "claimName"), "the claim name must not be empty")


def _namespace(item: Item, template: objects.Template, steps: Steps) -> None:
    """The claim of a pod is in its namespace, whatever metadata it is made with."""
    space = template.get("namespace") or (template.get("metadata") or {}).get("namespace")
    if space and space != item.namespace:
        message = f"the pod is in namespace {item.namespace}, so its claim cannot be in {space}"
        item.fault("po-9", (*steps, "namespace"), message)


def _devices(item: Item, devices: Sequence[objects.Part], steps: Steps) -> None:
    if not devices:
        item.fault("po-2", steps, "the device list must not be empty", is_empty=True)
    seen: set[str] = set()
    for number, entry in enumerate(devices):
        name = entry.get("name")
        if not name:
            item.fault("po-2", (*steps, number), "the entry requires a name")
        elif name in seen:
            item.fault("po-2", (*steps, number, "name"), f"duplicate {name!r}")
        if not entry.get("class"):
            item.fault("po-2", (*steps, number), "the entry requires a class")
        seen.add(name or "")


def _entries(
    item: Item, entries: Sequence[objects.Entry], look: Callable[[Item, objects.Entry, Steps], None]
) -> None:
    seen: set[str] = set()
    for number, entry in enumerate(entries):
        steps: Steps = ("spec", "deviceClaims", number)
        name = entry.get("name")
        if not name:
            item.fault("pl-1", steps, "the entry requires a name")
        elif name in seen:
            item.fault("pl-1", (*steps, "name"), f"duplicate {name!r}")
        elif names.dns_label(name):
            item.fault("pl-1", (*steps, "name"), f"{name!r} is not a DNS label")
        seen.add(name or "")
        look(item, entry, steps)
    for place, container in containers(item):
        for number, used in enumerate(references(container)):
            if used not in seen:
                item.fault("po-4", (*place, "devices", number), _nothing(used, seen))


def _nothing(name: str, known: Iterable[str]) -> str:
    listed = ", ".join(sorted(map(str, known))) or "nothing"
    return f"unknown claim {name!r}; the pod has {listed}"


def _sources(item: Item, entry: objects.Entry, steps: Steps) -> None:
    source: objects.Source = entry.get("source") or {}
    given = members(source, _SOURCES)
    if len(given) != 1:
        which = (
            " and ".join(given) if given else "none: it is empty or has an unknown member of a newer client"
        )
        message = f"a source must have exactly one member, got {which}"
        item.fault("pl-2", (*steps, "source"), message, is_empty=not given)
    if "generator" in given:
        message = "generator sources are not supported: their result is unknown"
        item.fault("pl-5", (*steps, "source", "generator"), message)
    class_name = source.get("templateClass", {}).get("className")
    made_from = source.get("templateClaim", {})
    claim_name = made_from.get("claimName") or made_from.get("className")
    for name, field, found in (
        ("templateClass", "className", class_name),
        ("templateClaim", "claimName", claim_name),
    ):
        if name in given and not found:
            item.fault("po-3", (*steps, "source", name), f"the {name} requires a {field}")
    if made_from.get("claimName") and made_from.get("className"):
        where = (*steps, "source", "templateClaim", "className")
        item.fault("unused", where, "`className` changes nothing in a simulation: claimName names the claim")
    for name, template in (
        ("templateClass", source.get("templateClass")),
        ("templateClaim", source.get("templateClaim")),
    ):
        if template is not None:
            _namespace(item, template, (*steps, "source", name))


def _counted(item: Item, entry: objects.Entry, steps: Steps) -> None:
    if entry.get("claim") is not None:
        check_counted(item, cast("objects.ClaimSpec", entry["claim"]), (*steps, "claim"))
    given = members(entry, ("claim", "claimName", "claimTemplateName"))
    if len(given) != 1:
        which = " and ".join(given) if given else "none"
        message = f"an entry must have exactly one source, got {which}"
        item.fault("pp-4", steps, message, is_empty=not given)
