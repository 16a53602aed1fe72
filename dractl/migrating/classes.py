"""The device class that serves a device plugin resource: chosen, offered by the class, or the nearest."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from dractl.api.names import IMPLICIT_RESOURCE
from dractl.migrating.reading import items_at, metadata_text, text_at
from dractl.records import NamedTuple
from dractl.source.document import Document

__all__ = ["Choice", "ClassTable"]

_DRIVER = re.compile(r"""device\.driver\s*==\s*["']([^"']+)["']""")
_MOST_NAMED = 5


class Choice(NamedTuple):
    """The class for a resource and why it is that one; without a class, why none was found and what to do."""

    device_class: str
    reason: str
    action: str = ""


class ClassTable:
    """The device classes of the input, and those that were chosen for resources."""

    def __init__(self, documents: Iterable[Document], chosen: Mapping[str, str]) -> None:
        """Take the DeviceClasses among ``documents``; of two with one name the later one counts."""
        self.documents = {
            metadata_text(document, "name"): document
            for document in documents
            if text_at(document.value, "kind") == "DeviceClass"
        }
        self.chosen = chosen
        self._drivers = {name: _drivers_of(document) for name, document in self.documents.items()}
        self._answers: dict[str, Choice] = {}

    def behind(self, resource: str) -> Choice:
        """The class that serves ``resource``."""
        found = self._answers.get(resource)
        if found is None:
            found = self._answers[resource] = self._find(resource)
        return found

    def publishing(self, resource: str) -> list[str]:
        """The classes that have ``resource`` as their extended resource name."""
        return sorted(
            name
            for name, document in self.documents.items()
            if text_at(document.value, "spec", "extendedResourceName") == resource
        )

    def _find(self, resource: str) -> Choice:
        if resource in self.chosen:
            return Choice(self.chosen[resource], "chosen with --class")
        implicit = resource.removeprefix(IMPLICIT_RESOURCE)
        if implicit != resource:
            return Choice(implicit, "the implicit resource name of the class")
        published = self.publishing(resource)
        if len(published) == 1:
            return Choice(published[0], "extendedResourceName of the class")
        ways = (published, *self._by_driver(resource))
        nearest = next((names for names in ways if names), [])
        if len(nearest) == 1:
            return Choice(nearest[0], "nearest by driver")
        if nearest:
            return Choice("", f"several DeviceClasses could serve {resource}", _choose(resource, nearest))
        domain = resource.partition("/")[0]
        near = sorted(
            name
            for name, drivers in self._drivers.items()
            if any(driver == domain or driver.endswith(f".{domain}") for driver in drivers)
        )
        return Choice("", f"no DeviceClass of the input serves {resource}", _choose(resource, near))

    def _by_driver(self, resource: str) -> Iterable[list[str]]:
        """Classes by how near they are: by their name, then by the driver that they select."""
        domain, _, leaf = resource.partition("/")
        for driver in (f"{leaf}.{domain}", domain):
            yield [name for name in self._drivers if name == driver]
            yield sorted(name for name, drivers in self._drivers.items() if driver in drivers)


def _drivers_of(document: Document) -> set[str]:
    """The drivers that the selectors of a class name, and the name of the class, which often is one."""
    expressions = (
        text_at(selector, "cel", "expression")
        for _, selector in items_at(document.value, "spec", "selectors")
    )
    found = {driver for expression in expressions for driver in _DRIVER.findall(expression)}
    return found | {metadata_text(document, "name")}


def _choose(resource: str, names: list[str]) -> str:
    more = f" and {len(names) - _MOST_NAMED} more" if len(names) > _MOST_NAMED else ""
    known = f" (of this vendor: {', '.join(names[:_MOST_NAMED])}{more})" if names else ""
    return f"choose one with --class {resource}=DEVICECLASS{known}"
