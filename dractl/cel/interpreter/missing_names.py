"""What to write for an attribute or capacity that a selector reads and no known device has."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, cast

from dractl.api.json_types import JsonObject
from dractl.api.wording import nearest_or_all
from dractl.cel.common.device import split_name
from dractl.cel.common.errors import CelError
from dractl.cel.common.operators import GUARD
from dractl.cel.common.tree import Node
from dractl.cel.interpreter.references import Reference, references_in

if TYPE_CHECKING:
    from dractl.api.objects.resource import Device

__all__ = ["KnownNames", "failing_reference"]

_SECTIONS = ("attributes", "capacity")
_CALLED = {"attributes": "an attribute", "capacity": "a capacity"}


class KnownNames:
    """The names of the attributes and capacities of devices, by section and domain."""

    __slots__ = ("_names",)

    def __init__(self, devices: Iterable[tuple[str, JsonObject]]) -> None:
        """Collect the names of devices, each in v1 shape and with its driver."""
        self._names: dict[str, dict[str, dict[str, None]]] = {section: {} for section in _SECTIONS}
        seen: set[tuple[object, ...]] = set()
        for driver, device in devices:
            read = cast("Device", device)
            key = (driver, tuple(read.get("attributes") or ()), tuple(read.get("capacity") or ()))
            if key not in seen:
                seen.add(key)
                for section, names in zip(_SECTIONS, key[1:], strict=True):
                    for name in names:
                        domain, identifier = split_name(name, driver)
                        self._names[section].setdefault(domain, {})[identifier] = None

    def advised(self, error: CelError, tree: Node) -> CelError:
        """``error``, advising on the missing key: a guard helps only if some device has the key.

        ``tree`` is the expression that failed. Errors of another kind are returned as they are.
        """
        reference = failing_reference(error, tree)
        if reference is None or self._has(reference):
            return error
        advice = self.advice(reference)
        if not advice:
            return error
        return error._replace(message=error.message.removesuffix(GUARD) + advice)

    def advice(self, reference: Reference) -> str:
        """The name to use instead of one that no device has; empty if no device has any."""
        section, domain, name = reference.section, reference.domain, reference.name
        for other in _SECTIONS:
            if other != section and name in self._names[other].get(domain, ()):
                return f'{name} is {_CALLED[other]}; use `device.{other}["{domain}"].{name}`'
        domains = self._names[section]
        if domain in domains:
            return nearest_or_all(name, sorted(domains[domain]))
        if not domains:
            return ""
        plural = "attributes" if section == "attributes" else "capacities"
        return f"no device has {plural} of the domain {domain}; {nearest_or_all(domain, sorted(domains))}"

    def _has(self, reference: Reference) -> bool:
        return reference.name in self._names[reference.section].get(reference.domain, ())


def failing_reference(error: CelError, tree: Node) -> Reference | None:
    """The attribute or capacity whose absence is why an evaluation failed; None if it failed otherwise."""
    if error.kind != "runtime" or not error.message.startswith("no such key"):
        return None
    for reference in references_in(tree):
        if reference.is_plain and reference.node.offset == error.offset:
            return reference
    return None
