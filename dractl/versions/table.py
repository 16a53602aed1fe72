"""The field tables of a Kubernetes minor: which kinds, types and fields its API has."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from dractl.api.json_types import JsonObject
from dractl.api.release import Minor
from dractl.api.stored import read_table


class Field:
    """One field of a struct type, or the element of a list or map.

    ``type`` is one of string, int32, int64, boolean, number, array, map, ref, object; ``ref`` names the
    struct or scalar type behind a ref. ``ptr`` means that null and absent differ from the zero value,
    ``always`` that a server prints the field even when it is zero. ``enum`` lists the values of a closed set,
    ``tags`` are the rules of the declarative validation, ``gates`` the feature gates that the API documents
    next to the field.
    """

    __slots__ = (
        "always",
        "enum",
        "format",
        "gates",
        "items",
        "name",
        "ptr",
        "ref",
        "required",
        "tags",
        "type",
        "values",
    )

    def __init__(self, name: str, row: Mapping[str, Any]) -> None:
        """Read a field from its row in the data."""
        self.name = name
        self.type: str = row["type"]
        self.ref: str = row.get("ref", "")
        self.format: str = row.get("format", "")
        self.ptr: bool = row.get("ptr", False)
        self.always: bool = row.get("always", False)
        self.required: bool = row.get("required", False)
        self.gates: tuple[str, ...] = tuple(row.get("featureGates", ()))
        self.enum: tuple[str, ...] = tuple(row.get("enum", ()))
        self.tags: tuple[str, ...] = tuple(row.get("tags", ()))
        self.items = Field("", row["items"]) if "items" in row else None
        self.values = Field("", row["values"]) if "values" in row else None


class StructType:
    """A struct type: its fields by JSON name, in the order of the table."""

    __slots__ = ("fields", "key")

    def __init__(self, key: str, row: Mapping[str, Any]) -> None:
        """Read a struct type from its row in the data."""
        self.key = key
        self.fields = {name: Field(name, field) for name, field in row["fields"].items()}


class Kind:
    """A kind in one API version, as one minor has it.

    ``type`` is the key of its struct type. ``served_by_default`` is false for versions that an
    administrator has to switch on; ``deprecated_in`` and ``removed_in`` are minors as text, or empty.
    """

    __slots__ = (
        "deprecated_in", "group", "kind", "namespaced", "removed_in", "resource", "served_by_default",
        "status_subresource", "type", "version",
    )  # fmt: skip

    def __init__(self, row: Mapping[str, Any]) -> None:
        """Read a kind from its row in the data."""
        self.group: str = row["group"]
        self.version: str = row["version"]
        self.kind: str = row["kind"]
        self.resource: str = row["resource"] or ""
        self.namespaced: bool = row["namespaced"]
        self.served_by_default: bool = bool(row["servedByDefault"])
        self.status_subresource: bool = row["statusSubresource"]
        self.type: str = row["type"]
        self.deprecated_in: str = row.get("deprecatedIn", "")
        self.removed_in: str = row.get("removedIn", "")

    @property
    def api_version(self) -> str:
        """The apiVersion that a manifest of this kind states."""
        return f"{self.group}/{self.version}" if self.group else self.version


class Tables:
    """All kinds and types of one minor."""

    __slots__ = ("_rows", "_structs", "kinds", "minor", "patch")

    def __init__(self, minor: Minor, data: Mapping[str, Any]) -> None:
        """Read the data of ``minor``; struct types are built when first asked for."""
        self.minor = minor
        self.patch: str = data["patch"]
        rows = data["kinds"]
        kinds = [Kind(row) for row in (rows.values() if isinstance(rows, dict) else rows)]
        self.kinds = {(kind.api_version, kind.kind): kind for kind in kinds}
        self._rows: Mapping[str, Any] = data["types"]
        self._structs: dict[str, StructType] = {}

    def scalar(self, key: str) -> JsonObject | None:
        """The row of the scalar type ``key``; None if ``key`` names a struct type."""
        row: JsonObject = self._rows[key]
        return row if row.get("scalar") else None

    def struct(self, key: str) -> StructType:
        """The struct type ``key``; raises KeyError if missing."""
        found = self._structs.get(key)
        if found is None:
            found = self._structs[key] = StructType(key, self._rows[key])
        return found

    def api_versions(self, kind: str) -> list[str]:
        """The API versions in which the minor has ``kind``, in the order of the table (newest first)."""
        return [api_version for api_version, name in self.kinds if name == kind]


@cache
def tables(minor: Minor) -> Tables:
    """The field tables of ``minor``, which must be one of ``release.KNOWN``; all its patches share them."""
    if minor != minor.at_newest_patch():
        return tables(minor.at_newest_patch())
    return Tables(minor, read_table(f"fields/{minor}.json"))
