"""The claims of a simulation: what they ask for, what they have, and who uses them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dractl.api.json_types import JsonDict, JsonObject
from dractl.api.quantity import Quantity
from dractl.legacy.prototypes.allocation.demand import Demand
from dractl.legacy.prototypes.dialects.reading import Item
from dractl.records import NamedTuple

__all__ = ["Claim", "InputObject", "User"]


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


class User(NamedTuple):
    """Who uses a claim, usually a pod, with the entry of the status if one had it before."""

    name: str
    written: JsonDict | None = None

    def is_pod(self, pod: Item) -> bool:
        """Whether it is this pod, and not another kind of consumer or an earlier pod of that name."""
        entry = self.written or {}
        is_pods = not entry.get("apiGroup") and entry.get("resource") in (None, "pods")
        uid, own = entry.get("uid"), pod.metadata.get("uid")
        is_other = bool(uid and own and uid not in (own, f"uid:{pod.namespace}/{pod.name}"))
        return is_pods and self.name == pod.name and not is_other

    def __str__(self) -> str:
        entry = self.written or {}
        what = "/".join(str(entry[name]) for name in ("apiGroup", "resource") if entry.get(name))
        return self.name if what in ("", "pods") else f"{what} {self.name}"


class Claim:
    """A claim of the input, or one that a pod's template makes.

    ``item`` is the object that holds the spec. ``given`` is None while nothing is allocated; ``node`` is None
    where the devices are not bound to one. ``is_restored``: the text of the input has the devices.
    """

    __slots__ = (
        "demand",
        "given",
        "is_generated",
        "is_restored",
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
        self.is_restored = False
        self.node: str | None = None
        self.users: list[User] = []

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
