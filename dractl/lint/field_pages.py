"""The fields of the API as a reader meets them: type, history, gates, limits, rules and an example."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache

from dractl.api import gates, limits, release
from dractl.api.json_types import JsonDict
from dractl.api.release import Minor
from dractl.api.wording import choose_from, did_you_mean
from dractl.lint.pages import Page, pages
from dractl.records import NamedTuple
from dractl.versions import fields
from dractl.versions.fields import Child, Place, Span, plain
from dractl.versions.registry import DRA_GROUP
from dractl.versions.table import Kind, tables

__all__ = ["SCHEMA", "FieldPage", "FieldPages", "GateNote", "UnknownFieldError", "document", "find"]

SCHEMA = "dractl.explain/1"
_MOST = 100
"""No more fields are listed for a name that many kinds have."""


class UnknownFieldError(ValueError):
    """A text that names no field of the minor; its message has the nearest one."""


class GateNote(NamedTuple):
    """A feature gate of a field: what happens while it is off, and its stages as ``1.32 alpha``."""

    name: str
    is_on: bool
    effect: str
    stages: tuple[str, ...]


class FieldPage(NamedTuple):
    """All that is known of one field in one minor."""

    minor: Minor
    place: Place
    spans: tuple[Span, ...]
    default: str
    gates: tuple[GateNote, ...]
    limits: tuple[str, ...]
    rules: tuple[Page, ...]
    children: tuple[Child, ...]
    example: str

    def to_dict(self) -> JsonDict:
        """The entry of the JSON document of ``dractl explain --format json``."""
        kind, field = self.place.kind, self.place.field
        return {
            "apiVersion": kind.api_version,
            "kind": kind.kind,
            "path": self.place.path,
            "type": self.place.type,
            "required": bool(field and field.required),
            "values": list(field.enum) if field else [],
            "default": self.default or None,
            "versions": [
                {
                    "apiVersion": span.api_version,
                    "path": span.path,
                    "since": str(span.since),
                    "until": None if span.until == release.KNOWN[-1] else str(span.until),
                    "servedByDefault": span.is_served,
                }
                for span in self.spans
            ],
            "gates": [
                {"name": gate.name, "on": gate.is_on, "whileOff": gate.effect, "stages": list(gate.stages)}
                for gate in self.gates
            ],
            "limits": list(self.limits),
            "rules": [{"id": page.id, "summary": page.summary} for page in self.rules],
            "fields": [
                {"name": child.name, "type": child.type, "required": child.is_required, "depth": child.depth}
                for child in self.children
            ],
            "example": self.example or None,
        }


class FieldPages(NamedTuple):
    """The fields that a text names in one minor: one, or all whose path ends with it."""

    minor: Minor
    pages: tuple[FieldPage, ...]


def document(found: FieldPages) -> JsonDict:
    """The JSON document about these fields."""
    return {
        "schema": SCHEMA,
        "kubeVersion": found.minor.version,
        "fields": [page.to_dict() for page in found.pages],
    }


def find(text: str, minor: Minor, api_version: str | None = None, *, recursive: bool = False) -> FieldPages:
    """The page of ``KIND.PATH``; for a path or name without a kind one page for each field that ends so.

    ``api_version`` picks a version of the kind, else it is the newest that the minor has; ``recursive``
    lists the fields below all the way down. Raises UnknownFieldError.
    """
    first, _, path = text.strip().partition(".")
    kinds = fields.kinds_named(first, minor)
    if api_version is not None:
        kinds = _of_version(first, kinds, api_version, minor)
    if not kinds:
        found = (_page(minor, place, recursive=recursive) for place in _ending(text.strip(), minor))
        return FieldPages(minor, tuple(found))
    place = fields.place(minor, kinds[0], path)
    if place is None:
        raise UnknownFieldError(_unknown_path(minor, kinds, path))
    return FieldPages(minor, (_page(minor, place, recursive=recursive),))


def _of_version(name: str, kinds: list[Kind], api_version: str, minor: Minor) -> list[Kind]:
    found = [kind for kind in kinds if api_version in (kind.api_version, kind.version)]
    if kinds and not found:
        known = choose_from(kind.api_version for kind in kinds)
        raise UnknownFieldError(f"Kubernetes {minor} has no {kinds[0].kind} of {api_version}; {known}")
    if not kinds:
        raise UnknownFieldError(f"--api-version requires a kind before the field: KIND.{name}")
    return found


def _newest(minor: Minor) -> Iterator[Kind]:
    """The kinds of DRA, each in its newest version."""
    seen: set[str] = set()
    for kind in tables(minor).kinds.values():
        if kind.group == DRA_GROUP and kind.kind not in seen:
            seen.add(kind.kind)
            yield kind


def _ending(text: str, minor: Minor) -> list[Place]:
    """The fields of the DRA kinds whose path ends with ``text``."""
    wanted = plain(text).lower()
    every = [place for kind in _newest(minor) for place in fields.every_path(minor, kind)]
    found = [place for place in every if f".{plain(place.path)}".lower().endswith(f".{wanted}")]
    if not found or not wanted:
        names = [kind.kind.lower() for kind in tables(minor).kinds.values()]
        hint = _later(text, minor) or did_you_mean(
            text, dict.fromkeys([*names, *(place.name for place in every)])
        )
        hint = hint or f"write KIND.PATH, such as {_sample(minor)}"
        raise UnknownFieldError(f"Kubernetes {minor} has no kind or DRA field {text}; {hint}")
    return found[:_MOST]


def _later(text: str, minor: Minor) -> str:
    """That a later minor has a kind or field, and the option that asks for it; empty if none has."""
    for later in release.KNOWN:
        if later <= minor.at_newest_patch():
            continue
        if _has(text, later):
            return f"Kubernetes {later} has it: add --kube-version {later}"
    return ""


def _sample(minor: Minor) -> str:
    """A field that a minor has."""
    examples = ("resourceclaim.spec.devices.requests", "resourceclaim.spec.resourceClassName")
    return next(text for text in examples if _has(text, minor))


def _has(text: str, minor: Minor) -> bool:
    kind, _, path = text.partition(".")
    return any(fields.place(minor, each, path) is not None for each in fields.kinds_named(kind, minor))


def _unknown_path(minor: Minor, kinds: list[Kind], path: str) -> str:
    """What is wrong with a path: its first step that does not exist, and what is there instead."""
    kind, steps = kinds[0], path.split(".")
    known = 0
    while fields.place(minor, kind, ".".join(steps[: known + 1])) is not None:
        known += 1
    parent = fields.place(minor, kind, ".".join(steps[:known])) or fields.place(minor, kind, "")
    names = [child.name for child in fields.children(minor, parent)] if parent else []
    where = f"{kind.kind}{'.' if known else ''}{'.'.join(steps[:known])}"
    hint = _later(f"{kind.kind}.{path}", minor)
    hint = hint or did_you_mean(steps[known], names, otherwise=choose_from(names)) or "it has no fields"
    others = [other.api_version for other in kinds[1:] if fields.place(minor, other, path)]
    if others:
        hint = f"{others[0]} has it: add --api-version {others[0]}"
    return f"{where} of {kind.api_version} has no field {steps[known]} in Kubernetes {minor}; {hint}"


def _page(minor: Minor, place: Place, *, recursive: bool) -> FieldPage:
    spans = tuple(fields.history(place))
    rules = tuple(_rules(minor, place, spans))
    return FieldPage(
        minor,
        place,
        spans,
        fields.default_of(minor, place),
        tuple(_gates(minor, place)),
        tuple(limits.at_path(place.kind.kind, place.path, minor)),
        rules,
        tuple(fields.children(minor, place, recursive=recursive)),
        _example(rules, place) if spans[0].path == place.path else "",
    )


def _gates(minor: Minor, place: Place) -> Iterator[GateNote]:
    for name, effect in gates.of_field(place.kind.kind, place.path, minor):
        now = gates.gates_of(minor).get(name)
        yield GateNote(name, bool(now and now.default), effect, tuple(_stages(name)))


def _stages(name: str) -> Iterator[str]:
    """The stages of a gate, each with the minor in which it began."""
    before = ""
    for minor in release.KNOWN:
        gate = gates.gates_of(minor).get(name)
        now = "gone" if gate is None else f"{gate.stage}, {'on' if gate.default else 'off'}"
        if gate is not None and gate.locked:
            now += ", locked"
        if now != before and (before or gate is not None):
            yield f"{minor} {now}"
        before = now if before or gate is not None else ""


def _rules(minor: Minor, place: Place, spans: tuple[Span, ...]) -> Iterator[Page]:
    """The rules about the field itself, of all its spellings."""
    if not place.path:
        return
    wanted = {plain(path) for path in (place.path, *(span.path for span in spans))}
    if place.kind.kind == "ResourceClaimTemplate":
        wanted |= {path.removeprefix("spec.") for path in wanted if path.startswith("spec.spec.")}
    by_path = _pages_by_path(place.kind.kind, minor)
    found = {number: page for path in wanted for number, page in by_path.get(path, ())}
    yield from (found[number] for number in sorted(found))


@cache
def _pages_by_path(kind: str, minor: Minor) -> Mapping[str, list[tuple[int, Page]]]:
    """The rules of a kind by the paths that they are about, each with its number among all of them."""
    found: dict[str, list[tuple[int, Page]]] = {}
    for number, page in enumerate(pages(kind=kind, minor=minor)):
        for path in {plain(at) for row in page.rows for at in row.at}:
            found.setdefault(path, []).append((number, page))
    return found


def _example(rules: tuple[Page, ...], place: Place) -> str:
    """A good example of a rule about the field that has it; empty where no rule has one."""
    for page in rules:
        for example in page.rows[0].examples():
            if example.good and not example.is_update and f"{place.name}:" in example.text:
                return example.text
    return ""
