"""The field of the API at a place of a manifest, and its page in Markdown."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from dractl.api import gates as gate_table
from dractl.api.gates import GateSet
from dractl.api.release import Minor
from dractl.lint.catalog import UnknownRuleError
from dractl.lint.field_pages import FieldPage, UnknownFieldError, find
from dractl.lint.pages import page_of
from dractl.versions import fields
from dractl.versions.fields import Child, Place
from dractl.versions.table import Kind, tables

__all__ = ["children_at", "field_markdown", "gate_markdown", "kind_of", "place_at", "rule_markdown"]


def kind_of(minor: Minor, api_version: str, kind: str) -> Kind | None:
    """A kind in its version; in its newest one where the minor has no such version."""
    found = tables(minor).kinds.get((api_version, kind))
    if found is None and kind:
        found = next(iter(fields.kinds_named(kind, minor)), None)
    return found


@lru_cache(maxsize=1000)
def place_at(minor: Minor, api_version: str, kind: str, path: tuple[str, ...]) -> Place | None:
    """The field that keys lead to; for a key of a map, the map itself."""
    known = kind_of(minor, api_version, kind)
    if known is None:
        return None
    found = fields.place(minor, known, "")
    is_in_map = False
    for key in path:
        if is_in_map or found is None:
            is_in_map = False
            continue
        stem = f"{found.path}." if found.path else ""
        found = fields.place(minor, known, f"{stem}{key}") if found.struct else None
        if found is None or (found.path.rpartition(".")[2] != key):
            return None
        is_in_map = found.field is not None and found.field.values is not None
    return found


def takes_any_key(place: Place, path: Sequence[str]) -> bool:
    """Whether the keys below a field are names that a user chooses."""
    return place.field is not None and place.field.values is not None and path[-1:] == (place.name,)


def children_at(minor: Minor, api_version: str, kind: str, path: tuple[str, ...]) -> list[Child]:
    """The fields of the mapping that keys lead to."""
    place = place_at(minor, api_version, kind, path)
    if place is None or takes_any_key(place, path):
        return []
    return list(fields.children(minor, place))


@lru_cache(maxsize=500)
def field_markdown(minor: Minor, api_version: str, kind: str, path: tuple[str, ...]) -> str:
    """The page of a field as ``dractl explain`` has it, in Markdown; empty for no field."""
    place = place_at(minor, api_version, kind, path)
    if place is None:
        return ""
    steps = f"{place.kind.kind.lower()}.{place.path}" if place.path else place.kind.kind.lower()
    try:
        (page, *_) = find(steps, minor, place.kind.api_version).pages
    except (UnknownFieldError, ValueError):
        return ""
    return "\n".join(_page(page))


def _page(page: FieldPage) -> Iterator[str]:
    place = page.place
    required = ", required" if place.field and place.field.required else ""
    yield f"**{place.kind.kind}{'.' if place.path else ''}{place.path}**  "
    yield f"{place.type}{required}"
    yield ""
    if place.field and place.field.enum:
        yield f"- values: {', '.join(f'`{value}`' for value in place.field.enum)}"
    if page.default:
        yield f"- default: `{page.default}`"
    for gate in page.gates:
        state = "on" if gate.is_on else "off"
        yield f"- gate `{gate.name}`, {state} by default in {page.minor}; while it is off, {gate.effect}"
    for limit in page.limits:
        yield f"- limit: {limit}"
    for span in page.spans:
        minors = str(span.since) if span.since == span.until else f"{span.since} to {span.until}"
        yield f"- `{span.api_version}` in {minors}{'' if span.is_served else ', not served by default'}"
    for rule in page.rules:
        yield f"- rule `{rule.id}`: {rule.summary}"
    if page.children:
        yield ""
        yield "Fields: " + ", ".join(f"`{child.name}`" for child in page.children)
    if page.example:
        yield ""
        yield f"```yaml\n{page.example.rstrip()}\n```"


def gate_markdown(name: str, gates: GateSet) -> str:
    """A feature gate as the minor has it; empty for no gate."""
    if name not in gate_table.known_gates():
        return ""
    gate = gate_table.gates_of(gates.minor).get(name)
    if gate is None:
        return f"**{name}**\n\nKubernetes {gates.minor} does not have this feature gate."
    state = "on" if name in gates else "off"
    depends = f"\n\nDepends on: {', '.join(gate.depends_on)}" if gate.depends_on else ""
    return f"**{name}** {gate.stage}, {state} in Kubernetes {gates.minor}\n\n{gate.purpose}{depends}"


def rule_markdown(name: str) -> str:
    """What a rule demands; empty for no rule."""
    try:
        page = page_of(name)
    except UnknownRuleError:
        return ""
    return f"**{page.id}** {page.severity.value}\n\n{page.summary}"
