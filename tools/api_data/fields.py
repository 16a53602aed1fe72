"""The field table of a release: every type that its kinds reach."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from tools.api_data.declarations import (
    FieldDeclaration,
    Shape,
    TypeDeclaration,
    UnreadableSourceError,
    marker_values,
    markers,
)
from tools.api_data.published import API, META, Published

SCALARS: Mapping[str, dict[str, Any]] = {
    "FieldsV1": {"scalar": True, "json": ["object"], "preserveUnknown": True},
    "IntOrString": {"scalar": True, "json": ["integer", "string"], "intOrString": True},
    "Quantity": {"scalar": True, "json": ["string", "number"]},
    "RawExtension": {"scalar": True, "json": ["object"], "preserveUnknown": True},
    "Time": {"scalar": True, "json": ["string"], "format": "date-time", "nullable": True},
}
"""The types with an encoding of their own, by the last part of their name."""

_BASIC = {
    "string": "string",
    "bool": "boolean",
    "int": "int32",
    "int32": "int32",
    "int64": "int64",
    "float64": "number",
}

_OPENAPI_SCALARS = "io.k8s.apimachinery.pkg"

_KEYS = (
    "type", "format", "ref", "items", "values", "default", "enum", "listType", "listMapKeys", "mapType",
    "required", "ptr", "always", "featureGates", "unionDiscriminator", "oneOf", "tags",
)  # fmt: skip
"""The keys of a field, in the order of the data."""

_STAGE = re.compile(r'(alpha|beta)\(since: ?"(?P<since>[\d.]+)"\)=(?P<rule>.*)')
_LEFT_OUT = re.compile("optional|required|enum|customValidation|listType=atomic|conversion-gen=.*")
"""Markers without a stage that are not rules, or that the type and handwritten validation repeat."""


class FieldTable:
    """Builds the types of a release from those that its kinds name."""

    def __init__(self, published: Published) -> None:
        """Build nothing yet; see :meth:`build`."""
        self._published = published
        self._schemas = published.schemas
        self._rows: dict[str, dict[str, Any]] = {}

    def build(self, roots: Iterator[str]) -> dict[str, dict[str, Any]]:
        """The rows of ``types`` by key, sorted: scalars first, then every struct that ``roots`` reach.

        Raises UnreadableSourceError for a type of a form that the data cannot express.
        """
        for root in roots:
            self._add(_package(root), root.rpartition(".")[2])
        return {**SCALARS, **{key: self._rows[key] for key in sorted(self._rows)}}

    def _declared(self, package: str, name: str) -> TypeDeclaration:
        found = self._published.packages.get(package)
        if found is None or name not in found.types:
            raise UnreadableSourceError(f"no source of type {package}.{name}: its package is not read")
        return found.types[name]

    def _add(self, package: str, name: str) -> str:
        """Build a struct and what it reaches; returns its key."""
        key = _key(package, name)
        if key in self._rows:
            return key
        row: dict[str, Any] = {}
        self._rows[key] = row
        schema = self._schema(package, name)
        fields = {}
        for declared, required, properties in self._fields(package, name, schema):
            fields[declared.json_name] = self._field(declared, required, properties)
        if not fields and not self._declared(package, name).fields and schema.get("type") == "object":
            row["type"] = "object"
        if "x-kubernetes-unions" in schema:
            row["unions"] = [_union(each) for each in schema["x-kubernetes-unions"]]
        if "x-kubernetes-map-type" in schema:
            row["mapType"] = schema["x-kubernetes-map-type"]
        row["fields"] = {each: fields[each] for each in sorted(fields)}
        return key

    def _schema(self, package: str, name: str) -> Mapping[str, Any]:
        module = "io." + package.replace("k8s.io", "k8s", 1).replace("/", ".")
        return self._schemas.get(f"{module}.{name}", {})

    def _fields(
        self, package: str, name: str, schema: Mapping[str, Any]
    ) -> Iterator[tuple[FieldDeclaration, frozenset[str], Mapping[str, Any]]]:
        """The fields of a struct, those of inlined ones too."""
        type_ = self._declared(package, name)
        if isinstance(type_.shape, str) and "." in type_.shape:
            other, _, other_name = type_.shape.rpartition(".")
            yield from self._fields(other, other_name, schema)
        # The kind List is in no document; OpenAPI would require what is neither optional nor left out.
        required = frozenset(schema.get("required", ()) if schema else _mandatory(type_))
        properties = schema.get("properties", {})
        for declared in type_.fields:
            if declared.is_inlined:
                inlined, _, inlined_name = _named(declared.shape).rpartition(".")
                for inner, *_ in self._fields(inlined, inlined_name, schema):
                    yield inner, required, properties
            elif declared.json_name not in ("", "-"):
                yield declared, required, properties

    def _field(
        self, declared: FieldDeclaration, required: frozenset[str], properties: Mapping[str, Any]
    ) -> dict[str, Any]:
        name = declared.json_name
        schema = properties.get(name, {})
        row = self._value(declared.shape)
        row |= _extensions(schema)
        if schema.get("default") not in (None, "", 0, False, {}, []):
            row["default"] = schema["default"]
        if name in required:
            row["required"] = True
        if isinstance(declared.shape, dict) and "pointer" in declared.shape:
            row["ptr"] = True
        if declared.is_always_encoded:
            row["always"] = True
        row |= _documented(declared.comment)
        return {key: row[key] for key in _KEYS if key in row}

    def _value(self, shape: Shape) -> dict[str, Any]:
        """The keys that follow from the Go type alone."""
        if not isinstance(shape, str):
            if "pointer" in shape:
                return self._value(shape["pointer"])
            if "list" in shape:
                if shape["list"] == "byte":
                    return {"type": "string", "format": "byte"}
                return {"type": "array", "items": self._value(shape["list"])}
            return {"type": "map", "values": self._value(shape["map"])}
        if shape in _BASIC:
            return {"type": _BASIC[shape]}
        package, _, name = shape.rpartition(".")
        if name in SCALARS:
            return {"type": "ref", "ref": name}
        if name == "MicroTime":
            return {"type": "ref", "ref": "MicroTime"}
        declared = self._declared(package, name)
        if declared.shape == "struct":
            return {"type": "ref", "ref": self._add(package, name)}
        row = self._value(declared.shape)
        if "enum" in set(markers(declared.comment)):
            row["enum"] = sorted(self._members(package, name))
        return row

    def _members(self, package: str, name: str) -> Iterator[str]:
        """The values of the constants of an enumerated type."""
        for constant in self._published.packages[package].constants.values():
            if constant.type == f"{package}.{name}" and isinstance(constant.value, str):
                yield constant.value


def _mandatory(declared: TypeDeclaration) -> Iterator[str]:
    for field in declared.fields:
        if field.is_always_encoded and not field.is_inlined and "optional" not in set(markers(field.comment)):
            yield field.json_name


def _named(shape: Shape) -> str:
    if not isinstance(shape, str):
        raise UnreadableSourceError(f"an embedded struct of type {shape!r}: expected a named type")
    return shape


def _package(key: str) -> str:
    """The import path of the package of a type key such as ``core/v1.Pod``."""
    path = key.rpartition(".")[0]
    return META if path == "meta/v1" else f"{API}/{path}"


def _key(package: str, name: str) -> str:
    path = "meta/v1" if package == META else package.removeprefix(f"{API}/")
    return f"{path}.{name}"


def _union(row: Mapping[str, Any]) -> dict[str, Any]:
    return {"discriminator": row.get("discriminator"), "members": sorted(row["fields-to-discriminateBy"])}


_EXTENSIONS = {
    "x-kubernetes-list-type": "listType",
    "x-kubernetes-list-map-keys": "listMapKeys",
    "x-kubernetes-map-type": "mapType",
}


def _extensions(schema: Mapping[str, Any]) -> dict[str, Any]:
    return {key: schema[name] for name, key in _EXTENSIONS.items() if name in schema}


def _documented(comment: str) -> dict[str, Any]:
    """The keys that follow from the markers of a field."""
    row: dict[str, Any] = {}
    gates = marker_values(comment, "featureGate")
    if gates:
        row["featureGates"] = gates
    if "unionDiscriminator" in set(markers(comment)):
        row["unionDiscriminator"] = True
    groups = marker_values(comment, "oneOf")
    groups += [f"zeroOrOne:{group}" for group in marker_values(comment, "zeroOrOneOf")]
    if groups:
        row["oneOf"] = groups
    tags = list(_tags(comment))
    if tags:
        row["tags"] = tags
    return row


def _tags(comment: str) -> Iterator[str]:
    """The rules of declarative validation, as ``format=k8s-uuid`` or ``beta@1.37:optional``."""
    for marker in markers(comment):
        if not marker.startswith("k8s:"):
            continue
        rule = marker.partition(" #")[0].replace("+k8s:", "").removeprefix("k8s:").strip()
        staged = _STAGE.fullmatch(rule)
        if staged:
            yield f"{staged[1]}@{staged['since']}:{staged['rule']}"
        elif not _LEFT_OUT.fullmatch(rule):
            yield rule
