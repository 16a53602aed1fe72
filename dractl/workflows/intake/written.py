"""Objects as they come out of a simulation: in their API version, and what is unchanged in its own words."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, cast

from dractl.api.json_types import JsonDict, Object
from dractl.api.release import Minor
from dractl.records import NamedTuple
from dractl.source.document import Document
from dractl.versions.encode import encode
from dractl.versions.layout import to_version
from dractl.versions.registry import DRA_GROUP
from dractl.versions.table import tables

if TYPE_CHECKING:
    from dractl.api.objects.resource import ResourceClaimTemplateSpec

__all__ = ["Source", "as_written", "overlaid", "partly_seen_templates"]


class Source(NamedTuple):
    """An object as it was written, with its place, and as it went into the simulation.

    ``stored`` is the object of the API server, if the scheduler sees only a part of it.
    """

    document: Document
    written: Object
    item: Object
    stored: JsonDict | None = None


def partly_seen_templates(sources: Iterable[Source]) -> dict[int, object]:
    """The stored specs of claims that the scheduler sees in part, by that part in their template."""
    return {
        id(source.item["spec"].get("spec")): cast(
            "ResourceClaimTemplateSpec", source.stored.get("spec") or {}
        ).get("spec")
        for source in sources
        if source.stored is not None and source.item["kind"] == "ResourceClaimTemplate"
    }


def as_written(minor: Minor, item: Object, source: Source | None, spec: object = None) -> Object:
    """An object that came out of the simulation, in its version, and unchanged in its own words.

    ``spec`` is the stored one of a generated claim that the scheduler sees only in part.
    """
    if source is not None and item is source.item:
        return source.written
    if source is not None and source.stored is not None:
        # The scheduler changes what it sees of an object; the rest stays as the server has it.
        item = overlaid(source.stored, source.item, item)
    elif spec is not None:
        item = {**item, "spec": spec}
    if not item["apiVersion"].startswith(f"{DRA_GROUP}/"):
        return item if source is None else overlaid(source.written, source.item, item)
    known = tables(minor)
    kind = known.kinds.get((item["apiVersion"], item["kind"]))
    if kind is None:
        # A generated claim names v1, which older minors do not have.
        kind = known.kinds[known.api_versions(item["kind"])[0], item["kind"]]
    item = {**item, "apiVersion": kind.api_version}
    return encode(minor, kind, to_version(kind.api_version, kind.kind, item))


def overlaid(written: JsonDict, before: JsonDict, after: JsonDict) -> JsonDict:
    """``written`` with what makes the difference between ``before`` and ``after``, and nothing else."""
    shown = {key: value for key, value in written.items() if key in after or key not in before}
    for key, value in after.items():
        old = before.get(key)
        if old == value:
            continue
        inner = written.get(key)
        if isinstance(value, dict) and isinstance(old, dict):
            shown[key] = overlaid(inner if isinstance(inner, dict) else {}, old, value)
        else:
            shown[key] = value
    return shown
