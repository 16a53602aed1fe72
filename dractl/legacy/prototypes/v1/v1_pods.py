"""Pods of all dialects as pods of v1, with the templates that they need."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from dractl.api.json_types import JsonDict
from dractl.legacy.prototypes.allocation.pods import Problem, Source, sources_of, views_of
from dractl.legacy.prototypes.dialects.dialects import EVOLUTION
from dractl.legacy.prototypes.dialects.directory import Directory
from dractl.legacy.prototypes.dialects.reading import Item
from dractl.legacy.prototypes.v1.losses import Losses
from dractl.legacy.prototypes.v1.v1_claims import Spec, Specs
from dractl.legacy.prototypes.v1.vocabulary import label, object_name
from dractl.records import NamedTuple

if TYPE_CHECKING:
    from dractl.api.objects import core

__all__ = ["Pods"]


class _Entry(NamedTuple):
    """An entry of a pod's resourceClaims, and the requests that parts of its claim became."""

    source: Source
    name: str
    body: JsonDict
    requests: Mapping[str, tuple[str, ...]]


class Pods:
    """Converts pods; templates that several pods share are made once."""

    def __init__(self, directory: Directory, specs: Specs, losses: Losses) -> None:
        """Start with nothing converted."""
        self.directory = directory
        self.specs = specs
        self.losses = losses
        self._templates: dict[tuple[str, str], JsonDict] = {}

    def objects(self) -> Iterator[JsonDict]:
        """The templates, then the pods."""
        pods = [made for item in self.directory.pods() for made in self._pod(item)]
        yield from self._templates.values()
        yield from pods

    def _pod(self, item: Item) -> Iterator[JsonDict]:
        sources = sources_of(item, self.directory)
        if isinstance(sources, Problem):
            self.losses.add(item, ("spec",), f"its claims are unknown: {sources.message}")
            return
        entries = [self._entry(item, source, number, len(sources)) for number, source in enumerate(sources)]
        claims = [source.claim for source in sources]
        for name in dict.fromkeys(claim for claim in claims if claims.count(claim) > 1):
            self.losses.add(item, ("spec",), f"the pod names claim {name} twice, and v1 can reserve it once")
        if item.spec.get("nodeName") and not all(source.item.status.get("allocation") for source in sources):
            text = "no scheduler of v1 allocates claims for a pod that has a node"
            self.losses.add(item, ("spec", "nodeName"), text)
        written = item.document.value
        if not isinstance(written.get("spec"), dict):
            self.losses.add(item, ("spec",), "the pod has no spec")
            return
        former = ("deviceClaims", "resourceClaims")
        spec = {name: value for name, value in written["spec"].items() if name not in former}
        for field in ("initContainers", "containers"):
            if isinstance(spec.get(field), list):
                spec[field] = [self._container(item, body, entries) for body in spec[field]]
        if entries:
            spec["resourceClaims"] = [{"name": entry.name, **entry.body} for entry in entries]
        yield {**written, "apiVersion": "v1", "spec": spec}

    def _entry(self, item: Item, source: Source, number: int, count: int) -> _Entry:
        name = label(source.entry, "")
        if item.family != EVOLUTION and not name:
            name = "devices" if count == 1 else f"devices-{number}"
        if item.family == EVOLUTION:
            inner = source.item.spec.get("spec") or {} if source.generated else source.item.spec
            steps = ("spec", "spec") if source.generated else ("spec",)
            spec = self.specs.of(source.item, inner, steps)
            field = "resourceClaimTemplateName" if source.generated else "resourceClaimName"
            return _Entry(source, name, {field: object_name(source.item.name)}, spec.requests)
        spec = self.specs.of(source.item, source.spec, ("spec",))
        if not source.generated:
            return _Entry(source, name, {"resourceClaimName": object_name(source.claim)}, spec.requests)
        template = self._template(item, source, spec)
        return _Entry(source, name, {"resourceClaimTemplateName": template}, spec.requests)

    def _template(self, item: Item, source: Source, spec: Spec) -> str:
        """The name of the template of a claim that is made for a pod; one of its own if it has metadata."""
        metadata = {
            name: source.template[name] for name in ("labels", "annotations") if source.template.get(name)
        }
        is_own = source.item is item or bool(metadata)
        name = object_name(f"{item.name}-{source.entry or source.item.name}" if is_own else source.item.name)
        inner: JsonDict = {"spec": spec.spec}
        if metadata:
            inner = {"metadata": metadata, **inner}
        self._templates[item.namespace, name] = {
            "apiVersion": "resource.k8s.io/v1",
            "kind": "ResourceClaimTemplate",
            "metadata": {"name": name, "namespace": item.namespace},
            "spec": inner,
        }
        return name

    def _container(self, item: Item, body: object, entries: list[_Entry]) -> object:
        if not isinstance(body, dict):
            return body
        claims: list[core.ResourceClaim] = []
        for view in views_of(item):
            if view.container == body.get("name"):
                claims += self._claims(view.entry, view.part, entries)
        made = {name: value for name, value in body.items() if name != "devices"}
        unique = list({tuple(claim.items()): claim for claim in claims}.values())
        resources = dict(made["resources"]) if isinstance(made.get("resources"), dict) else {}
        resources.pop("claims", None)
        if unique:
            resources["claims"] = unique
        if resources:
            made["resources"] = resources
        return made

    @staticmethod
    def _claims(entry: str | None, part: str | None, entries: list[_Entry]) -> Iterator[core.ResourceClaim]:
        """What a container of v1 names for one reference: whole claims, or the requests of a part."""
        for found in entries:
            if entry is not None and found.source.entry != entry:
                continue
            if part is None:
                yield {"name": found.name}
                continue
            requests = found.requests.get(part)
            if requests is None:
                continue
            if len(found.requests) == 1:
                yield {"name": found.name}
            else:
                for request in requests:
                    yield {"name": found.name, "request": request}
