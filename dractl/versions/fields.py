"""The fields of the API by their paths: where one is in each version of its kind, and what is below it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from dractl.api import release
from dractl.api.release import Minor
from dractl.records import NamedTuple
from dractl.versions.defaults import fills_of
from dractl.versions.table import Field, Kind, Tables, tables

__all__ = [
    "Child",
    "Place",
    "Span",
    "children",
    "default_of",
    "every_path",
    "history",
    "kinds_named",
    "place",
    "plain",
]

NOW = "the current time"
_ITEM, _VALUE = "[*]", "{*}"

_SPELLINGS = (
    (".requests[*].exactly.", ".requests[*]."),
    ("spec.devices[*].", "spec.devices[*].basic."),
    (".capacity{*}.value", ".capacity{*}"),
)
"""What is elsewhere in the flat versions (v1alpha3, v1beta1): the path in v1, and theirs."""


class Place(NamedTuple):
    """A field of a kind: ``path`` as ``spec.devices.requests[*].name``, empty for the kind itself.

    ``owner`` is the key of the struct type that has the field, ``struct`` that of the type behind the
    field, its items or its values; empty where a scalar ends the path.
    """

    kind: Kind
    path: str
    field: Field | None
    owner: str
    struct: str

    @property
    def name(self) -> str:
        """The name of the field itself; empty for the kind."""
        return "" if self.field is None else self.field.name

    @property
    def type(self) -> str:
        """The type as people write it: ``integer (int64)``, ``list of objects``."""
        return "object" if self.field is None else type_of(self.field)


class Child(NamedTuple):
    """A field below another, ``depth`` steps down from 0 on."""

    name: str
    type: str
    is_required: bool
    depth: int


class Span(NamedTuple):
    """The minors, without a gap, in which one version of the kind has the field at ``path``."""

    api_version: str
    path: str
    since: Minor
    until: Minor
    is_served: bool


_WORDS = {"ref": "object", "int32": "integer (int32)", "int64": "integer (int64)"}
_PLURALS = {
    "ref": "objects",
    "string": "strings",
    "int32": "integers",
    "int64": "integers",
    "boolean": "booleans",
}


def type_of(field: Field) -> str:
    """The type of a field in words."""
    if field.items is not None:
        return f"list of {_PLURALS.get(field.items.type, type_of(field.items))}"
    if field.values is not None:
        return f"map of {_PLURALS.get(field.values.type, type_of(field.values))}"
    scalar = field.ref.rpartition(".")[2]
    return _SCALARS.get(scalar, _WORDS.get(field.type, field.type))


_SCALARS = {
    "Quantity": "quantity",
    "Time": "time",
    "MicroTime": "time",
    "Duration": "duration",
    "IntOrString": "integer or string",
    "RawExtension": "any JSON object",
}


def kinds_named(text: str, minor: Minor) -> list[Kind]:
    """The versions of the kind that ``text`` names, as its kind or resource in any case; newest first."""
    name, _, group = text.lower().partition("/")
    return [
        kind
        for kind in tables(minor).kinds.values()
        if kind.resource
        and name in (kind.kind.lower(), kind.resource)
        and (not group or group == kind.version)
    ]


def place(minor: Minor, kind: Kind, path: str) -> Place | None:
    """The field at ``path`` of a kind, in whatever case and with or without ``[*]``; None if it has none."""
    steps = [step for step in plain(path).split(".") if step]
    found = Place(kind, "", None, "", kind.type)
    for step in steps:
        below = _below(tables(minor), found, step)
        if below is None:
            return None
        found = below
    return found


def plain(path: str) -> str:
    """A path without the marks of lists and maps."""
    return re.sub(r"\[[^\]]*\]|\{[^}]*\}", "", path).strip(".")


def _below(source: Tables, found: Place, step: str) -> Place | None:
    if not found.struct:
        return None
    fields = source.struct(found.struct).fields
    name = step if step in fields else {key.lower(): key for key in fields}.get(step.lower(), "")
    return _child(source, found, fields[name]) if name else None


def _child(source: Tables, parent: Place, field: Field) -> Place:
    marks, last = "", field
    while True:
        if last.items is not None:
            marks, last = marks + _ITEM, last.items
        elif last.values is not None:
            marks, last = marks + _VALUE, last.values
        else:
            break
    struct = last.ref if last.ref and source.scalar(last.ref) is None else ""
    stem = f"{parent.path}{_marks(parent)}." if parent.path else ""
    return Place(parent.kind, f"{stem}{field.name}", field, parent.struct, struct)


def _marks(found: Place) -> str:
    """``[*]`` or ``{*}`` after the path of a list or a map, before a field of its items."""
    if found.field is None:
        return ""
    if found.field.items is not None:
        return _ITEM
    return _VALUE if found.field.values is not None else ""


def children(minor: Minor, found: Place, *, recursive: bool = False) -> list[Child]:
    """The fields below a field in the order of the API; ``recursive`` all the way down.

    A type that is inside itself is not entered again.
    """
    return [
        Child(below.name, below.type, bool(below.field and below.field.required), depth)
        for below, depth in _tree(minor, found, 0, (found.struct,), recursive=recursive)
    ]


def every_path(minor: Minor, kind: Kind) -> Iterator[Place]:
    """All fields of a kind, each before those below it."""
    top = Place(kind, "", None, "", kind.type)
    return (found for found, _ in _tree(minor, top, 0, (kind.type,), recursive=True))


def _tree(
    minor: Minor, found: Place, depth: int, above: tuple[str, ...], *, recursive: bool
) -> Iterator[tuple[Place, int]]:
    if not found.struct:
        return
    source = tables(minor)
    for field in source.struct(found.struct).fields.values():
        below = _child(source, found, field)
        yield below, depth
        if recursive and below.struct not in above:
            yield from _tree(minor, below, depth + 1, (*above, below.struct), recursive=True)


def history(found: Place) -> list[Span]:
    """Where the field is in every minor and version, the newest version first."""
    spans: list[Span] = []
    for minor in release.KNOWN:
        for kind in tables(minor).kinds.values():
            if (kind.group, kind.kind) != (found.kind.group, found.kind.kind):
                continue
            there = next(filter(None, (place(minor, kind, path) for path in _spellings(found.path))), None)
            if there is None:
                continue
            span = Span(kind.api_version, there.path, minor, minor, kind.served_by_default)
            index = next((i for i, old in enumerate(spans) if _continues(old, span)), None)
            if index is None:
                spans.append(span)
            else:
                spans[index] = spans[index]._replace(until=minor)
    return sorted(spans, key=lambda span: (_rank(span.api_version), span.since), reverse=True)


def _continues(old: Span, new: Span) -> bool:
    same = (old.api_version, old.path, old.is_served) == (new.api_version, new.path, new.is_served)
    return same and old.until == new.since.previous()


def _rank(api_version: str) -> tuple[int, int]:
    """v1 before v1beta2 before v1beta1 before v1alpha3."""
    version = api_version.rpartition("/")[2]
    found = re.fullmatch(r"v(\d+)(?:(alpha|beta)(\d+))?", version)
    if found is None:
        return (0, 0)
    return ({None: 3, "beta": 2, "alpha": 1}[found[2]], int(found[3] or 0))


def _spellings(path: str) -> Iterator[str]:
    """A path, and what it is called in versions of another shape."""
    yield path
    for nested, flat in _SPELLINGS:
        if nested in path:
            yield path.replace(nested, flat)
        elif path.endswith(nested.rstrip(".")):
            continue
        if flat in path:
            yield path.replace(flat, nested)


def default_of(minor: Minor, found: Place) -> str:
    """What the server writes into the field where it is absent; empty if nothing.

    Mirrors the defaulting functions of the minor on an object that has no other field but a class.
    """
    sample: dict[str, object] = {"deviceClassName": "a"}
    for fill in fills_of(minor, found.owner):
        fill(sample, NOW)
    value = sample.get(found.name) if found.name != "deviceClassName" else None
    return "" if value is None else str(value)
