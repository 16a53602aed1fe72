"""From a name to the object or request that has it, and to all places that use a request."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from dractl.editor.buffer import Position, word_at
from dractl.editor.context import Context, context_at
from dractl.editor.world import Named, World, claim_spec, requests_in
from dractl.records import NamedTuple
from dractl.source.document import Document

__all__ = ["Target", "definitions", "request_at", "uses_of"]

Steps = tuple[str | int, ...]

_KINDS = {
    "deviceClassName": "DeviceClass",
    "resourceClaimName": "ResourceClaim",
    "resourceClaimTemplateName": "ResourceClaimTemplate",
}
_REQUESTS = (("constraints", "requests"), ("config", "requests"))


class Target(NamedTuple):
    """A name in a file: where it begins, and the name."""

    file: str
    at: Position
    name: str


def definitions(
    lines: Sequence[str], at: Position, file: str, own: Iterable[Document], world: World
) -> list[Target]:
    """Where the class, template, claim, claim of the pod or request at a place is defined."""
    context = context_at(lines, at)
    name = word_at(lines[at.line], at.column)
    kind = _KINDS.get(context.path[-1]) if context.path else None
    if kind is not None:
        return [target for entry in world.named(kind, name) if (target := _named_at(entry)) is not None]
    inside = _document_at(own, at, file)
    if inside is None:
        return []
    if _is_request_use(context):
        return [found for found in _requests(inside) if found.name in (name, name.rpartition("/")[2])][:1]
    if context.path[-3:] == ("resources", "claims", "request"):
        wanted = name.partition("/")[0]
        return [
            found for entry in _claims_of(inside, world) for found in _requests(entry) if found.name == wanted
        ]
    if context.path[-3:] == ("resources", "claims", "name"):
        places = (
            target for spec, steps in _pod_specs(inside.value) for target in _pod_claims(inside, spec, steps)
        )
        return [target for target in places if target.name == name]
    return []


def _is_request_use(context: Context) -> bool:
    return context.path[-2:] in _REQUESTS and context.kind in ("ResourceClaim", "ResourceClaimTemplate")


def _named_at(entry: Named) -> Target | None:
    return _target(entry.document, ("metadata", "name"), entry.name)


def _target(document: Document, steps: Steps, name: str) -> Target | None:
    place = document.locate_value(steps)
    if place is None:
        return None
    line, column = place
    quoted = document.source_line(line)[column - 1 : column] in ("'", '"')
    return Target(document.file, Position(line - 1, column - 1 + quoted), name)


def _document_at(own: Iterable[Document], at: Position, file: str) -> Document | None:
    """The document of a file that begins last before a place."""
    found = None
    for document in own:
        place = document.locate(())
        if document.file == file and place is not None and place[0] - 1 <= at.line:
            found = document
    return found


def _requests(document: Document) -> Iterator[Target]:
    for steps, name in requests_in(document.value):
        found = _target(document, steps, name.rpartition("/")[2])
        if found is not None:
            yield found


def _pod_specs(value: object) -> Iterator[tuple[Mapping[str, object], Steps]]:
    """The specs of the pods in an object: mappings with claims of the pod."""
    waiting: list[tuple[Steps, object]] = [((), value)]
    while waiting:
        steps, inner = waiting.pop()
        if not isinstance(inner, Mapping) or len(steps) > 8:
            continue
        if isinstance(inner.get("resourceClaims"), list):
            yield inner, steps
        waiting += (((*steps, key), part) for key, part in inner.items() if isinstance(key, str))


def _items(value: object) -> Iterator[tuple[int, Mapping[str, object]]]:
    for number, item in enumerate(value if isinstance(value, list) else ()):
        if isinstance(item, Mapping):
            yield number, item


def _pod_claims(document: Document, spec: Mapping[str, object], steps: Steps) -> Iterator[Target]:
    for number, item in _items(spec.get("resourceClaims")):
        name = item.get("name")
        if isinstance(name, str):
            found = _target(document, (*steps, "resourceClaims", number, "name"), name)
            if found is not None:
                yield found


def _claims_of(pod: Document, world: World) -> Iterator[Document]:
    """The claims and templates that a pod names."""
    for spec, _ in _pod_specs(pod.value):
        for _, item in _items(spec.get("resourceClaims")):
            for field in ("resourceClaimName", "resourceClaimTemplateName"):
                for entry in world.named(_KINDS[field], str(item.get(field)), _namespace(pod)):
                    yield entry.document


def _namespace(document: Document) -> str:
    meta = document.value.get("metadata") if isinstance(document.value, dict) else None
    return str((meta.get("namespace") if isinstance(meta, dict) else None) or "default")


def request_at(
    lines: Sequence[str], at: Position, file: str, own: Iterable[Document]
) -> tuple[Document, Target] | None:
    """The request whose name, or use in its own object, is at a place; with its document."""
    context = context_at(lines, at)
    document = _document_at(own, at, file)
    if document is None or not claim_spec(document.value)[0]:
        return None
    name = word_at(lines[at.line], at.column).partition("/")[0]
    if context.path[-2:] != ("requests", "name") and not _is_request_use(context):
        return None
    for steps, known in requests_in(document.value):
        found = _target(document, steps, known)
        if known == name and found is not None:
            return document, found
    return None


def uses_of(claim: Document, name: str, others: Iterable[Document]) -> list[Target]:
    """All places that name a request: in its claim or template, and in the pods of its namespace."""
    found = [_target(claim, steps, name) for steps, known in requests_in(claim.value) if known == name]
    steps, spec = claim_spec(claim.value)
    devices = spec.get("devices")
    for section in ("constraints", "config"):
        entries = devices.get(section) if isinstance(devices, Mapping) else None
        for number, entry in _items(entries):
            listed = entry.get("requests")
            for position, used in enumerate(listed if isinstance(listed, list) else ()):
                if isinstance(used, str) and used.partition("/")[0] == name:
                    at = (*steps, "devices", section, number, "requests", position)
                    found.append(_target(claim, at, name))
    meta = claim.value.get("metadata")
    own_name = str(meta.get("name")) if isinstance(meta, dict) else ""
    field = "resourceClaimName" if claim.value.get("kind") == "ResourceClaim" else "resourceClaimTemplateName"
    for pod in others:
        if _namespace(pod) == _namespace(claim):
            found += _uses_in_pods(pod, field, own_name, name)
    return list(dict.fromkeys(target for target in found if target is not None))


def _uses_in_pods(pod: Document, field: str, claim: str, name: str) -> Iterator[Target | None]:
    for spec, steps in _pod_specs(pod.value):
        names = {
            item.get("name") for _, item in _items(spec.get("resourceClaims")) if item.get(field) == claim
        }
        for part in ("containers", "initContainers"):
            for number, container in _items(spec.get(part)):
                resources = container.get("resources")
                listed = resources.get("claims") if isinstance(resources, Mapping) else None
                for position, used in _items(listed):
                    request = used.get("request")
                    names_it = isinstance(request, str) and request.partition("/")[0] == name
                    if names_it and used.get("name") in names:
                        at = (*steps, part, number, "resources", "claims", position, "request")
                        yield _target(pod, at, name)
