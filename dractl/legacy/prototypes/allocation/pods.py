"""What pods of all dialects claim, and which of it each container sees."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast

from dractl.legacy.prototypes.checks.pods import containers, references
from dractl.legacy.prototypes.dialects.dialects import EVOLUTION, PROTO
from dractl.legacy.prototypes.dialects.directory import Directory
from dractl.legacy.prototypes.dialects.reading import Item
from dractl.records import NamedTuple

if TYPE_CHECKING:
    from dractl.legacy.prototypes.dialects import objects

__all__ = ["Problem", "Source", "View", "sources_of", "views_of"]


class Problem(NamedTuple):
    """Why the claims of a pod are not known: a category of pending pods, and a sentence."""

    category: str
    message: str


class Source(NamedTuple):
    """An entry of a pod: its name, the object whose spec counts, and the claim.

    ``generated`` means that the pod gets a claim of its own, named ``claim``; ``spec`` is what it asks for.
    """

    entry: str
    item: Item
    claim: str
    spec: Mapping[str, Any]
    generated: bool
    template: objects.Template


class View(NamedTuple):
    """What a container refers to: an entry of the pod (None: whichever has it), and a part of its claim."""

    container: str
    entry: str | None
    part: str | None


_MISSING = "claim-missing"


def sources_of(item: Item, directory: Directory) -> list[Source] | Problem:
    """The claims of a pod, in order, or why they are not known."""
    found: list[Source] = []
    for source in _all_sources(item, directory):
        if isinstance(source, Problem):
            return source
        found.append(source)
    return found


def _all_sources(item: Item, directory: Directory) -> Iterator[Source | Problem]:
    if item.family == EVOLUTION:
        for entry in item.spec.get("resourceClaims") or ():
            yield _of_evolution(item, entry, directory)
        return
    claims = item.spec.get("deviceClaims")
    if isinstance(claims, dict):
        yield from _struct(item, cast("objects.PodClaims", claims), directory, "DeviceClaim")
    elif item.dialect == "proto-group":
        for entry in claims or ():
            yield from _struct(item, entry, directory, "DeviceClaimGroup")
    elif item.dialect == "proto-list":
        for entry in claims or ():
            yield _of_list(item, entry, directory)
    elif item.dialect == "proto-pools":
        for entry in claims or ():
            yield _of_counts(item, entry, directory)


def _struct(
    item: Item, claims: objects.PodClaims, directory: Directory, kind: str
) -> Iterator[Source | Problem]:
    for entry in claims.get("devices") or ():
        yield _simple(item, entry.get("name", ""), entry.get("class", ""))
    template: objects.Template = claims.get("template") or {}
    if template.get("claimName"):
        yield _copy(item, template, template["claimName"], "", directory, kind)
    if claims.get("claimName"):
        yield _named(item, claims["claimName"], "", directory, (kind,))


def _simple(item: Item, name: str, class_name: str, template: objects.Template | None = None) -> Source:
    """A claim for one device of a class."""
    spec = {"devices": [{"name": name, "allOf": [{"class": class_name}]}]}
    metadata = template or {}
    return Source(name, item, str(metadata.get("name") or f"{item.name}-{name}"), spec, True, metadata)


def _copy(
    item: Item, template: objects.Template, name: str, entry: str, directory: Directory, kind: str
) -> Source | Problem:
    """A claim that is copied for the pod."""
    found = directory.get(PROTO, kind, item.namespace, name)
    if found is None:
        absence = directory.absence(PROTO, kind, item.namespace, name)
        return Problem(_MISSING, f"{kind} {item.namespace}/{name} {absence}")
    metadata = cast("objects.Template", {**(template.get("metadata") or {}), **template})
    made = str(metadata.get("name") or f"{item.name}-{name}")
    return Source(entry, found, made, found.spec, True, metadata)


def _named(item: Item, name: str, entry: str, directory: Directory, kinds: Sequence[str]) -> Source | Problem:
    """A claim that exists, and may be shared."""
    for kind in kinds:
        found = directory.get(PROTO, kind, item.namespace, name)
        if found is not None:
            return Source(entry, found, name, found.spec, False, {})
    absence = directory.absence(PROTO, kinds[0], item.namespace, name)
    return Problem(_MISSING, f"{kinds[0]} {item.namespace}/{name} {absence}")


def _of_list(item: Item, entry: objects.Entry, directory: Directory) -> Source | Problem:
    name, source = entry.get("name", ""), entry.get("source") or {}
    if "generator" in source:
        return Problem("error", f"entry {name} has a generator source, which is not supported")
    if source.get("deviceClaimName"):
        return _named(item, source["deviceClaimName"], name, directory, ("DeviceClaim",))
    template = source.get("templateClaim")
    if template is not None:
        wanted = template.get("claimName") or template.get("className", "")
        return _copy(item, template, wanted, name, directory, "DeviceClaim")
    template = source.get("templateClass") or {}
    return _simple(item, name, template.get("className", ""), template)


_COUNTED = ("DeviceClaim", "DevicePrivilegedClaim", "DeviceSetClaim")


def _of_counts(item: Item, entry: objects.Entry, directory: Directory) -> Source | Problem:
    name = entry.get("name", "")
    if entry.get("claim") is not None:
        return Source(name, item, f"{item.name}-{name}", entry["claim"], True, {})
    if entry.get("claimName"):
        return _named(item, entry["claimName"], name, directory, _COUNTED)
    wanted = entry.get("claimTemplateName", "")
    found = directory.get(PROTO, "DeviceClaimTemplate", item.namespace, wanted)
    if found is None:
        absence = directory.absence(PROTO, "DeviceClaimTemplate", item.namespace, wanted)
        return Problem(_MISSING, f"DeviceClaimTemplate {item.namespace}/{wanted} {absence}")
    spec: Mapping[str, Any] = next(
        (found.spec[key] for key in found.spec if key.endswith("Spec") or key == "claimSpec"), {}
    )
    metadata = cast("objects.Template", found.spec.get("metadata") or {})
    return Source(name, found, f"{item.name}-{name}", spec, True, metadata)


def _of_evolution(item: Item, entry: objects.Entry, directory: Directory) -> Source | Problem:
    name = entry.get("name", "")
    source: Mapping[str, Any] = {**(entry.get("source") or {}), **entry}
    direct, template = source.get("resourceClaimName"), source.get("resourceClaimTemplateName")
    kind, wanted = ("ResourceClaim", direct) if direct else ("ResourceClaimTemplate", template or "")
    found = directory.get(EVOLUTION, kind, item.namespace, wanted)
    if found is None:
        absence = directory.absence(EVOLUTION, kind, item.namespace, wanted)
        return Problem(_MISSING, f"{kind} {item.namespace}/{wanted} {absence}")
    if direct:
        return Source(name, found, wanted, found.spec, False, {})
    metadata = cast("objects.Template", found.spec.get("metadata") or {})
    return Source(name, found, f"{item.name}-{name}", found.spec.get("spec") or {}, True, metadata)


def views_of(item: Item) -> list[View]:
    """What the containers of a pod refer to, in order."""
    found: list[View] = []
    for _, container in containers(item):
        name = container.get("name", "")
        if item.family == EVOLUTION:
            found += (
                View(name, claim.get("name"), claim.get("requestName"))
                for claim in (container.get("resources") or {}).get("claims") or ()
            )
            continue
        is_entry = item.dialect in ("proto-list", "proto-pools")
        found += (
            View(name, used, None) if is_entry else View(name, None, used) for used in references(container)
        )
    return found
