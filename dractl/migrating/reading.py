"""Written objects as a migration reads them: nothing is known of their shape until it is looked at."""

from __future__ import annotations

from collections.abc import Iterator

from dractl.api.json_types import JsonObject
from dractl.api.path import Steps, path_text
from dractl.lint.base.placing import location, object_ref
from dractl.migrating.model import Place
from dractl.source.document import Document

__all__ = ["at", "has_uid", "items_at", "mapping_at", "metadata_text", "place", "text_at"]


def at(value: object, *steps: str | int) -> object:
    """What is at ``steps``; None where they lead nowhere."""
    for step in steps:
        if isinstance(value, dict) and isinstance(step, str):
            value = value.get(step)
        elif isinstance(value, list) and isinstance(step, int) and step < len(value):
            value = value[step]
        else:
            return None
    return value


def mapping_at(value: object, *steps: str | int) -> JsonObject:
    """The mapping at ``steps``; empty if there is something else."""
    found = at(value, *steps)
    return found if isinstance(found, dict) else {}


def items_at(value: object, *steps: str | int) -> Iterator[tuple[int, JsonObject]]:
    """The mappings in the list at ``steps``, each with its position."""
    found = at(value, *steps)
    for position, item in enumerate(found if isinstance(found, list) else ()):
        if isinstance(item, dict):
            yield position, item


def text_at(value: object, *steps: str | int) -> str:
    """The text at ``steps``; empty if there is something else."""
    found = at(value, *steps)
    return found if isinstance(found, str) else ""


def metadata_text(document: Document, field: str) -> str:
    """A text in the metadata of an object; empty if unset."""
    return text_at(document.value, "metadata", field)


def has_uid(document: Document) -> bool:
    """Whether the object came out of a cluster."""
    return bool(metadata_text(document, "uid"))


def place(document: Document, steps: Steps = ()) -> Place:
    """An object and the field at ``steps``."""
    return Place(object_ref(document), location(document, steps), path_text(steps))
