"""The objects that were given together, found by kind and name, each with its place in the files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Literal

from dractl.admission.framework.server import Admission
from dractl.api.json_types import JsonDict
from dractl.api.path import Steps
from dractl.finding import Finding, Fix, Severity
from dractl.lint.base.claim_requests import request_bodies
from dractl.lint.base.elsewhere import External, is_external
from dractl.lint.base.lint_rule import OwnRule
from dractl.lint.base.placing import location, note
from dractl.records import NamedTuple
from dractl.source.document import Document
from dractl.versions.layout import steps_in_version
from dractl.versions.workloads import pod_in, pod_steps

if TYPE_CHECKING:
    from dractl.api.objects import core
    from dractl.api.objects.resource import DeviceSubRequest, ExactDeviceRequest

__all__ = [
    "InputObject",
    "InputSet",
    "Lint",
    "PodSpec",
    "field_text",
    "is_misspelled",
]


class InputObject:
    """One object of the input.

    ``value`` is its v1 shape, which may lack what could not be decoded; ``namespace`` is empty where the
    object states none, as it may then be created in any. ``number`` counts the documents of the input.
    """

    __slots__ = ("admission", "document", "kind", "name", "namespace", "number", "value")

    def __init__(self, number: int, document: Document, admission: Admission) -> None:
        """Read what the object is found by."""
        metadata = admission.observed["metadata"]
        self.number = number
        self.document = document
        self.admission = admission
        self.value: dict[str, Any] = admission.observed
        self.kind = admission.kind.kind
        self.name: str = metadata.get("name", "")
        self.namespace: str = metadata.get("namespace", "") if admission.kind.namespaced else ""

    @property
    def is_whole(self) -> bool:
        """Whether all of the document was decoded."""
        return not self.admission.problems

    @property
    def spec(self) -> Any:
        """Its spec; of a template the spec of its claims."""
        spec: JsonDict = self.value.get("spec") or {}
        return spec["spec"] if self.kind == "ResourceClaimTemplate" else spec

    @property
    def spec_steps(self) -> Steps:
        """Where that spec is."""
        return ("spec", "spec") if self.kind == "ResourceClaimTemplate" else ("spec",)

    def request_bodies(self) -> Iterator[tuple[Steps, ExactDeviceRequest | DeviceSubRequest]]:
        """What the requests of a claim or template ask for, each alternative on its own, with its place."""
        return request_bodies(self.spec_steps, self.spec)

    def may_meet(self, other: InputObject) -> bool:
        """Whether the two can be in one namespace."""
        return not self.namespace or not other.namespace or self.namespace == other.namespace

    def where(self, steps: Steps = ()) -> str:
        """The object and its place, as findings about other objects name it."""
        place = location(self.document, self.in_version(steps))
        line = f":{place.line}" if place.line else ""
        return f"{self.kind} {self.name} ({place.file}{line})"

    def in_version(self, steps: Steps) -> Steps:
        """Where a place of the v1 shape is in the document."""
        kind = self.admission.kind
        return steps_in_version(kind.api_version, kind.kind, steps)


_CONTAINERS: tuple[Literal["containers", "initContainers", "ephemeralContainers"], ...] = (
    "containers",
    "initContainers",
    "ephemeralContainers",
)


class PodSpec(NamedTuple):
    """The spec of a pod, or of the pods that a workload makes, and where it is in its object."""

    given: InputObject
    steps: Steps
    spec: core.PodSpec

    def uses(self) -> Iterator[tuple[Steps, core.ResourceClaim]]:
        """What the containers use of the claims, each with its place."""
        for containers in _CONTAINERS:
            for number, container in enumerate(self.spec.get(containers) or ()):
                place = (*self.steps, containers, number, "resources", "claims")
                for position, use in enumerate((container.get("resources") or {}).get("claims") or ()):
                    yield (*place, position), use


class Lint(NamedTuple):
    """What a check reports about one place of one object; ``related`` names other objects or fields.

    ``offset`` counts characters into the text at that place, where only a part of it is meant; ``severity``
    is the rule's if it is not given; ``fix`` changes the file.
    """

    rule: OwnRule
    given: InputObject
    steps: Steps
    message: str
    hint: str = ""
    related: tuple[str, ...] = ()
    offset: int | None = None
    severity: Severity | None = None
    fix: Fix | None = None

    def finding(self) -> Finding:
        """The finding at its place in the text, with the path that it has there."""
        steps = self.given.in_version(self.steps)
        found = note(
            self.given.document,
            self.severity or self.rule.severity,
            self.rule.id,
            self.message,
            hint=self.hint,
            field=field_text(steps),
            steps=steps,
            related=self.related,
        )._replace(fix=self.fix)
        if self.offset is None:
            return found
        return found._replace(location=location(self.given.document, steps, self.offset))


_MAPS = (".attributes", ".capacity", ".counters")
_MAPS_BELOW = (".capacity.requests", ".resources.limits", ".resources.requests")
"""Where the keys of a map follow; what is asked for is a level deeper than what is there."""


def field_text(steps: Steps) -> str:
    """Steps as the API server writes a path: indices and keys of maps in brackets."""
    text, is_key = "", False
    maps = _MAPS_BELOW if "requests" in steps or "resources" in steps else _MAPS
    for step in steps:
        is_plain = isinstance(step, str) and not is_key
        text += (f".{step}" if text else str(step)) if is_plain else f"[{step}]"
        is_key = is_plain and text.endswith(maps)
    return text


class InputSet:
    """What was given. Of objects in versions that the minor lacks only kind and name are known."""

    __slots__ = (
        "_all",
        "_by_kind",
        "_by_name",
        "_by_place",
        "_external",
        "_names",
        "_pods",
        "_quotas",
        "_unread",
    )

    def __init__(
        self, entries: Iterable[tuple[Document, Admission | None]], external: Sequence[External] = ()
    ) -> None:
        """Take documents in order, with what became of them; ``external`` objects exist elsewhere."""
        self._external = external
        self._all: list[InputObject] = []
        self._by_kind: dict[str, list[InputObject]] = {}
        self._by_name: dict[tuple[str, str], list[InputObject]] = {}
        self._by_place: dict[tuple[str, str, str], list[InputObject]] = {}
        self._names: dict[tuple[str, str], Sequence[str]] = {}
        self._pods: list[PodSpec] | None = None
        self._unread: set[tuple[str, str]] = set()
        self._quotas: list[JsonDict] = []
        for number, (document, admission) in enumerate(entries):
            if admission is None:
                self._remember(document.value)
                continue
            given = InputObject(number, document, admission)
            self._all.append(given)
            self._by_kind.setdefault(given.kind, []).append(given)
            self._by_name.setdefault((given.kind, given.name), []).append(given)
            self._by_place.setdefault((given.kind, given.namespace, given.name), []).append(given)

    def _remember(self, value: Any) -> None:
        metadata = value.get("metadata") if isinstance(value, dict) else None
        if isinstance(metadata, dict):
            if (value.get("apiVersion"), value.get("kind")) == ("v1", "ResourceQuota"):
                self._quotas.append(value)
            self._unread.add((str(value.get("kind")), str(metadata.get("name"))))

    def all(self) -> list[InputObject]:
        """All objects, in order."""
        return self._all

    def of(self, kind: str) -> list[InputObject]:
        """The objects of a kind, in order."""
        return self._by_kind.get(kind, [])

    def quotas(self) -> list[JsonDict]:
        """The ResourceQuotas, in order, as they were written."""
        return self._quotas

    def claims(self) -> list[InputObject]:
        """The claims in order, then the templates."""
        return [*self.of("ResourceClaim"), *self.of("ResourceClaimTemplate")]

    def named(self, kind: str, name: str) -> list[InputObject]:
        """The objects of that kind and name, in whatever namespace."""
        return self._by_name.get((kind, name), [])

    def around(self, given: InputObject, kind: str, name: str) -> list[InputObject]:
        """The objects of that kind and name that can be in the namespace of ``given``, in order."""
        if not given.namespace:
            return self.named(kind, name)
        here = self._by_place.get((kind, given.namespace, name), [])
        anywhere = self._by_place.get((kind, "", name), [])
        if not here or not anywhere:
            return here or anywhere
        return sorted((*here, *anywhere), key=lambda found: found.number)

    def names_around(self, given: InputObject, kind: str) -> Sequence[str]:
        """The names of the objects of a kind that can be where ``given`` is, each once, in order."""
        key = (kind, given.namespace)
        if key not in self._names:
            names = dict.fromkeys(known.name for known in self.of(kind) if given.may_meet(known))
            self._names[key] = tuple(names)
        return self._names[key]

    def has(self, kind: str, name: str) -> bool:
        """Whether an object of that kind and name was given, in whatever version and namespace."""
        return (kind, name) in self._by_name or self.is_unread(kind, name)

    def is_unread(self, kind: str, name: str) -> bool:
        """Whether such an object was given in a version that the minor does not have."""
        return (kind, name) in self._unread

    def is_external(self, kind: str, name: str, namespace: str = "") -> bool:
        """Whether such an object exists elsewhere."""
        return is_external(self._external, kind, namespace, name)

    def pods(self) -> list[PodSpec]:
        """The specs of all pods and of the pods of workloads, in order."""
        if self._pods is None:
            self._pods = list(self._pod_specs())
        return self._pods

    def _pod_specs(self) -> Iterator[PodSpec]:
        for givens in self._by_kind.values():
            for given in givens:
                kind = given.admission.kind
                template = pod_in(kind, given.value)
                if template is not None:
                    spec: core.PodSpec | None = template.get("spec")
                    yield PodSpec(given, (*(pod_steps(kind) or ()), "spec"), spec or {})


def is_misspelled(wrong: str, known: Iterable[str]) -> bool:
    """Whether ``wrong`` has the letters of one of the names in another order, as no name by intent does."""
    letters = sorted(wrong)
    return any(name != wrong and sorted(name) == letters for name in known)
