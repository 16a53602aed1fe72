"""The claims of a simulation: what they ask for, what they have, and who uses them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from dractl.api.json_types import JsonObject
from dractl.api.quantity import Quantity
from dractl.legacy.prototypes.allocation.demand import Demand
from dractl.legacy.prototypes.dialects.reading import Item

__all__ = ["Claim", "InputObject"]


class InputObject(NamedTuple):
    """A device that a claim has, for which of the parts, and what of the device is counted as used.

    ``option`` counts from 1 where the part is a choice of ``of`` options; otherwise it is 0.
    """

    part: str
    option: int
    of: int
    driver: str
    pool: str
    device: str
    amounts: Mapping[str, Quantity]
    admin: bool

    @property
    def request(self) -> str:
        """What tables call it."""
        return f"{self.part}/option {self.option} of {self.of}" if self.of else self.part


class Claim:
    """A claim of the input, or one that a pod's template makes.

    ``item`` is the object that holds the spec. ``given`` is None while nothing is allocated; ``node`` is None
    where the devices are not bound to one.
    """

    __slots__ = (
        "demand",
        "given",
        "is_generated",
        "item",
        "name",
        "namespace",
        "node",
        "spec",
        "template",
        "users",
    )

    def __init__(
        self,
        item: Item,
        name: str,
        namespace: str,
        spec: Mapping[str, Any],
        demand: Demand,
        *,
        is_generated: bool,
        template: JsonObject | None = None,
    ) -> None:
        """Start without devices; ``template`` is the metadata that a generated claim gets."""
        self.item = item
        self.name = name
        self.namespace = namespace
        self.spec = spec
        self.demand = demand
        self.is_generated = is_generated
        self.template: JsonObject = template or {}
        self.given: tuple[InputObject, ...] | None = None
        self.node: str | None = None
        self.users: list[str] = []

    @property
    def is_set(self) -> bool:
        """Whether it consists of several claims, each with a status of its own."""
        return "claimSpec" in self.spec

    @property
    def full_name(self) -> str:
        """Namespace and name."""
        return f"{self.namespace}/{self.name}"

    @property
    def uid(self) -> str:
        """The claim's uid, made up where it has none."""
        own = self.item.metadata.get("uid") if not self.is_generated else None
        return str(own or f"uid:{self.full_name}")
