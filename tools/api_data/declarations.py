"""What Go packages declare: the answer of ``program/``, as types."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple, TypeAlias

Shape: TypeAlias = "str | Mapping[str, Any]"
"""A Go type: a name (``string``, ``k8s.io/api/core/v1.Pod``) or one of the keys pointer, list and map."""


class UnreadableSourceError(ValueError):
    """Source text of a release that has another form than expected; the message says where."""


class FieldDeclaration(NamedTuple):
    """A field of a Go struct: its name (empty for an embedded one), comment, type and struct tag."""

    name: str
    comment: str
    shape: Shape
    tag: Mapping[str, str]

    @property
    def json_name(self) -> str:
        """The name in JSON; empty for an embedded struct whose fields belong to the outer one."""
        return self.tag.get("json", "").partition(",")[0]

    @property
    def is_inlined(self) -> bool:
        """Whether the fields of this struct are fields of the outer one."""
        return not self.name and not self.json_name

    @property
    def is_always_encoded(self) -> bool:
        """Whether a server prints the field even when it is zero."""
        return not {"omitempty", "omitzero"} & set(self.tag.get("json", "").split(",")[1:])


class TypeDeclaration(NamedTuple):
    """A Go type: its comment, what it is made of, and the fields if it is a struct."""

    comment: str
    shape: Shape
    fields: tuple[FieldDeclaration, ...]


class Constant(NamedTuple):
    """A Go constant: the name of its type, its comment, and its value (None if it was not computed)."""

    type: str
    comment: str
    value: str | int | bool | None


class Package:
    """The declarations of one package.

    ``variables`` and ``returned`` are composite literals: of variables, and the first in the body of a
    function. ``guarded`` maps FUNCTION/RESOURCE to the feature gate without which the resource is not served,
    ``lifecycle`` a type to the minors in which it was introduced, deprecated and removed, and ``functions`` a
    function or TYPE.METHOD to a digest of its text.
    """

    def __init__(self, path: str, row: Mapping[str, Any]) -> None:
        """Read the answer of the program for the package ``path``."""
        self.path = path
        self.types = {name: _type(each) for name, each in row["types"].items()}
        self.constants = {
            name: Constant(each["type"], each["comment"], each["value"])
            for name, each in row["constants"].items()
        }
        self.variables: Mapping[str, Any] = row["variables"]
        self.returned: Mapping[str, Any] = row["returned"]
        self.guarded: Mapping[str, str] = row["guarded"]
        self.lifecycle: Mapping[str, Mapping[str, str]] = row["lifecycle"]
        self.functions: Mapping[str, str] = row["functions"]


def _type(row: Mapping[str, Any]) -> TypeDeclaration:
    fields = tuple(
        FieldDeclaration(each["name"], each["comment"], each["shape"], each["tag"])
        for each in row.get("fields") or ()
    )
    return TypeDeclaration(row["comment"], row["shape"], fields)


def markers(comment: str) -> Iterator[str]:
    """The markers of a comment, such as ``optional`` and ``listType=map``, without the plus sign."""
    for line in comment.splitlines():
        if line.startswith("+"):
            yield line[1:].strip()


def marker_values(comment: str, name: str) -> list[str]:
    """The values of the markers ``name`` of a comment: of ``+name=a,b`` and ``+name=c`` a, b and c."""
    return [
        value
        for marker in markers(comment)
        if marker.startswith(f"{name}=")
        for value in marker.partition("=")[2].partition(" ")[0].split(",")
    ]


def pairs(literal: object) -> Iterator[tuple[Any, Any]]:
    """The keys and values of a composite literal; elements without a key are left out."""
    for element in literal if isinstance(literal, list) else ():
        if isinstance(element, dict) and "key" in element:
            yield element["key"], element["value"]


def last_name(literal: object) -> str:
    """The name at the end of a literal such as ``features.DRAAdminAccess``, or a text itself."""
    if isinstance(literal, dict) and isinstance(literal.get("name"), str):
        return str(literal["name"]).rpartition(".")[2]
    return literal if isinstance(literal, str) else ""
