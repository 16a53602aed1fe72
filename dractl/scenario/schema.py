"""The shapes of which dractl's own file formats are made: what they take, and their JSON Schema.

A format is written down once, as a value made of these; checking a file and printing its schema both read it.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from dractl.api.path import Steps
from dractl.api.wording import did_you_mean

DIALECT = "https://json-schema.org/draft/2020-12/schema"


class Problem(NamedTuple):
    """What is wrong with a file, at the steps that lead there."""

    steps: Steps
    message: str


class Shape(Protocol):
    """What a value may be."""

    @property
    def what(self) -> str:
        """The shape in two or three words, with an article."""

    def takes(self, value: Any) -> bool:
        """Whether the value is of the right type, whatever is in it."""

    def problems(self, value: Any, steps: Steps) -> Iterator[Problem]:
        """What is wrong in a value of the right type."""

    def schema(self) -> dict[str, Any]:
        """The shape as JSON Schema."""


def check(shape: Shape, value: Any, steps: Steps = ()) -> Iterator[Problem]:
    """All that is wrong with a value, from its type on."""
    if shape.takes(value):
        yield from shape.problems(value, steps)
    else:
        yield Problem(steps, f"must be {shape.what}, not {_what_it_is(value, shape)}")


class Text:
    """A string, optionally one of some choices or matching a pattern, which ``form`` describes."""

    def __init__(self, *, pattern: str = "", form: str = "", choices: Sequence[str] = ()) -> None:
        """Take any text that is not empty, or only some."""
        self._pattern = pattern
        self._form = form
        self._choices = tuple(choices)

    @property
    def what(self) -> str:
        """A string, or its choices."""
        return _listed(self._choices) if self._choices else "a string"

    def takes(self, value: Any) -> bool:
        """Whether it is a string."""
        return isinstance(value, str)

    def problems(self, value: Any, steps: Steps) -> Iterator[Problem]:
        """Whether it is one of the choices, or of the pattern."""
        if self._choices and value not in self._choices:
            yield Problem(steps, f"must be {self.what}, not {value!r}")
        elif self._pattern and not re.fullmatch(self._pattern, value):
            yield Problem(steps, f"must be {self._form}, not {value!r}")
        elif not value:
            yield Problem(steps, "must not be empty")

    def schema(self) -> dict[str, Any]:
        """A string."""
        if self._choices:
            return {"enum": list(self._choices)}
        return {
            "type": "string",
            **({"pattern": f"^(?:{self._pattern})$"} if self._pattern else {"minLength": 1}),
        }


class Whole:
    """An integer from a smallest one on, perhaps up to a largest."""

    def __init__(self, least: int = 0, most: int | None = None) -> None:
        """Take integers from ``least`` on, up to ``most``."""
        self._least = least
        self._most = most

    @property
    def what(self) -> str:
        """A whole number."""
        return "an integer"

    def takes(self, value: Any) -> bool:
        """Whether it is an integer, which a boolean is not."""
        return isinstance(value, int) and not isinstance(value, bool)

    def problems(self, value: Any, steps: Steps) -> Iterator[Problem]:
        """Whether it is large enough, and not too large."""
        if value < self._least:
            yield Problem(steps, f"must be {self._least} or more")
        elif self._most is not None and value > self._most:
            yield Problem(steps, f"must be {self._most} or less")

    def schema(self) -> dict[str, Any]:
        """An integer."""
        most = {} if self._most is None else {"maximum": self._most}
        return {"type": "integer", "minimum": self._least, **most}


MOST_REPLICAS = 2**31 - 1
"""What a field of type int32 takes, as the numbers of replicas are."""


class Flag:
    """true or false."""

    what = "true or false"

    def takes(self, value: Any) -> bool:
        """Whether it is a boolean."""
        return isinstance(value, bool)

    def problems(self, value: Any, steps: Steps) -> Iterator[Problem]:  # noqa: ARG002 - both are fine
        """Nothing."""
        return iter(())

    def schema(self) -> dict[str, Any]:
        """A boolean."""
        return {"type": "boolean"}


class ListOf:
    """A list of one shape."""

    def __init__(self, item: Shape, *, least: int = 1) -> None:
        """Take lists of at least so many items."""
        self._item = item
        self._least = least

    @property
    def what(self) -> str:
        """A list."""
        return "a list"

    def takes(self, value: Any) -> bool:
        """Whether it is a list."""
        return isinstance(value, list)

    def problems(self, value: Any, steps: Steps) -> Iterator[Problem]:
        """What is wrong with the items."""
        if len(value) < self._least:
            yield Problem(steps, "must not be empty")
        for position, item in enumerate(value):
            yield from check(self._item, item, (*steps, position))

    def schema(self) -> dict[str, Any]:
        """An array."""
        return {
            "type": "array",
            "items": self._item.schema(),
            **({"minItems": self._least} if self._least else {}),
        }


class MapOf:
    """A mapping from names of one form to values of one shape."""

    def __init__(self, value: Shape, *, key: str = ".+", form: str = "a name") -> None:
        """Take mappings whose keys fit the pattern ``key``, which ``form`` puts into words."""
        self._value = value
        self._key = key
        self._form = form

    @property
    def what(self) -> str:
        """A mapping."""
        return "a mapping"

    def takes(self, value: Any) -> bool:
        """Whether it is a mapping."""
        return isinstance(value, dict)

    def problems(self, value: Any, steps: Steps) -> Iterator[Problem]:
        """What is wrong with keys and values."""
        for name, item in value.items():
            if not re.fullmatch(self._key, name):
                yield Problem((*steps, name), f"must be {self._form}")
            yield from check(self._value, item, (*steps, name))

    def schema(self) -> dict[str, Any]:
        """An object with any properties of that form."""
        return {
            "type": "object",
            "propertyNames": {"pattern": f"^(?:{self._key})$"},
            "additionalProperties": self._value.schema(),
        }


class Field(NamedTuple):
    """A field of a record."""

    name: str
    shape: Shape
    doc: str
    required: bool = False


class Record:
    """A mapping with known fields; of those in ``one_of`` there must be exactly one."""

    def __init__(self, *fields: Field, one_of: Sequence[str] = ()) -> None:
        """Take mappings with these fields."""
        self.fields = {field.name: field for field in fields}
        self.one_of = tuple(one_of)

    @property
    def what(self) -> str:
        """A mapping."""
        return "a mapping"

    def takes(self, value: Any) -> bool:
        """Whether it is a mapping."""
        return isinstance(value, dict)

    def problems(self, value: Any, steps: Steps) -> Iterator[Problem]:
        """What is unknown, missing, too much or wrong."""
        for name, item in value.items():
            if name in self.fields:
                yield from check(self.fields[name].shape, item, (*steps, name))
            else:
                yield Problem((*steps, name), f"unknown field {name!r}{self._nearest(name)}")
        for field in self.fields.values():
            if field.required and field.name not in value:
                yield Problem(steps, f"{field.name} is required")
        given = [name for name in value if name in self.one_of]
        if len(given) > 1:
            yield Problem((*steps, given[1]), f"{given[1]} and {given[0]} are mutually exclusive")
        if self.one_of and not given and all(name in self.fields for name in value):
            yield Problem(steps, f"requires one of {', '.join(self.one_of)}")

    def _nearest(self, name: str) -> str:
        listed = f"choose from {', '.join(self.fields)}"
        return f"; {did_you_mean(name, self.fields, otherwise=listed)}"

    def schema(self) -> dict[str, Any]:
        """An object with these properties only."""
        schema: dict[str, Any] = {"type": "object"}
        required = [field.name for field in self.fields.values() if field.required]
        if required:
            schema["required"] = required
        schema["additionalProperties"] = False
        schema["properties"] = {
            field.name: {"description": field.doc, **field.shape.schema()} for field in self.fields.values()
        }
        if self.one_of:
            schema["oneOf"] = [{"required": [name]} for name in self.one_of]
        return schema


class Manifest:
    """A Kubernetes object; its own rules are not checked here."""

    what = "an object with apiVersion and kind"

    def takes(self, value: Any) -> bool:
        """Whether it is a mapping."""
        return isinstance(value, dict)

    def problems(self, value: Any, steps: Steps) -> Iterator[Problem]:
        """Whether it has an apiVersion and a kind."""
        for name in ("apiVersion", "kind"):
            if not isinstance(value.get(name), str):
                yield Problem(steps, f"must be {self.what}; {name} is missing")

    def schema(self) -> dict[str, Any]:
        """An object with apiVersion and kind."""
        return {
            "type": "object",
            "required": ["apiVersion", "kind"],
            "properties": {"apiVersion": {"type": "string"}, "kind": {"type": "string"}},
        }


class Either:
    """One of several shapes, distinguished by their types."""

    def __init__(self, *shapes: Shape) -> None:
        """Take what the first of the shapes takes whose type it is."""
        self._shapes = shapes

    @property
    def what(self) -> str:
        """The shapes, one after the other."""
        return _listed([shape.what for shape in self._shapes])

    def takes(self, value: Any) -> bool:
        """Whether one of them takes it."""
        return any(shape.takes(value) for shape in self._shapes)

    def problems(self, value: Any, steps: Steps) -> Iterator[Problem]:
        """What the one that takes it finds wrong."""
        return next(shape for shape in self._shapes if shape.takes(value)).problems(value, steps)

    def schema(self) -> dict[str, Any]:
        """Any of the schemas."""
        return {"anyOf": [shape.schema() for shape in self._shapes]}


def document_schema(title: str, shape: Shape) -> dict[str, Any]:
    """The JSON Schema of a file; repeated object schemas go to ``$defs``."""
    whole = shape.schema()
    sharing = _Sharing(whole)
    schema = {"$schema": DIALECT, "title": title, **sharing.without_copies(whole)}
    return {**schema, "$defs": sharing.definitions} if sharing.definitions else schema


class _Sharing:
    """Finds repeated parts of a schema."""

    def __init__(self, schema: Mapping[str, Any]) -> None:
        self.definitions: dict[str, Any] = {}
        self._counts: Counter[str] = Counter()
        self._names: dict[str, str] = {}
        self._count(schema)

    def _count(self, part: Any) -> None:
        for inner in part.values() if isinstance(part, Mapping) else part if isinstance(part, list) else ():
            self._count(inner)
        if isinstance(part, Mapping) and "properties" in part and part.get("type") == "object":
            self._counts[json.dumps(_plain(part))] += 1

    def without_copies(self, part: Any, name: str = "") -> Any:
        """The schema with references; ``name`` is the enclosing property."""
        if isinstance(part, list):
            return [self.without_copies(inner, name) for inner in part]
        if not isinstance(part, Mapping):
            return part
        text = json.dumps(_plain(part))
        inside = {
            key: self.without_copies(inner, self._below(part, key, name)) for key, inner in part.items()
        }
        if self._counts[text] < 2:
            return inside
        if text not in self._names:
            known = name if name not in self.definitions else f"{name}-{len(self.definitions)}"
            self._names[text] = known
            self.definitions[known] = _plain(inside)
        doc = {"description": part["description"]} if "description" in part else {}
        return {**doc, "$ref": f"#/$defs/{self._names[text]}"}

    @staticmethod
    def _below(part: Mapping[str, Any], key: str, name: str) -> str:
        """Keys are names of properties where they stand in no schema, but in its ``properties``."""
        return (
            name if key in ("properties", "items", "anyOf", "additionalProperties") or "type" in part else key
        )


def _plain(schema: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in schema.items() if key != "description"}


def one_or_more(shape: Shape) -> Either:
    """One of something, or a list of it."""
    return Either(shape, ListOf(shape))


def as_list(value: Any) -> list[Any]:
    """What :func:`one_or_more` took, as a list."""
    return value if isinstance(value, list) else [value]


_TYPES: Mapping[type, str] = {
    bool: "true or false",
    int: "a number",
    float: "a number",
    str: "a string",
    list: "a list",
    dict: "a mapping",
    type(None): "null",
}


def _what_it_is(value: Any, wanted: Shape) -> str:
    found = _TYPES.get(type(value), "this")
    if found in ("a number", "true or false") and wanted.takes(""):
        return f"{found}; put it in quotes"
    return found


def _listed(texts: Sequence[str]) -> str:
    return texts[0] if len(texts) == 1 else f"{', '.join(texts[:-1])} or {texts[-1]}"
