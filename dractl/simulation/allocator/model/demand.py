"""What is asked for: claims read into requests, with their classes, selectors and constraints."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast

from dractl.api import quantity
from dractl.api.json_types import JsonObject
from dractl.api.quantity import Quantity
from dractl.cluster.objects import full_name
from dractl.records import NamedTuple
from dractl.simulation.allocator.model.features import Features
from dractl.simulation.allocator.model.reasons import Fatal

if TYPE_CHECKING:
    from dractl.api.objects import resource

    Body = resource.ExactDeviceRequest | resource.DeviceSubRequest


MAX_RESULTS = 32
"""Most devices that one claim can hold (``AllocationResultsMaxSize``)."""

ClassLookup = Callable[[str], JsonObject | None]


class Test(NamedTuple):
    """One selector, and whose it is: ``class NAME`` or ``request``."""

    owner: str
    number: int
    expression: str


class Request:
    """A request, or one subrequest of it. Compared by identity."""

    __slots__ = (
        "admin_access",
        "capacity",
        "class_name",
        "count",
        "data",
        "derived_attributes",
        "device_class",
        "is_all",
        "name",
        "own_tests",
        "parent",
        "tests",
        "tolerations",
        "totals",
    )

    def __init__(self, name: str, parent: str | None, data: JsonObject, device_class: JsonObject) -> None:
        """Read a defaulted request; ``parent`` is the request's name where this is a subrequest."""
        self.name = name
        self.parent = parent
        # The requests of prototypes have fields of their own.
        self.data: Any = data
        body = cast("resource.ExactDeviceRequest", data)
        self.device_class = device_class
        self.class_name: str = body.get("deviceClassName", "")
        self.is_all: bool = body.get("allocationMode") == "All"
        self.count: int = body.get("count") or 1
        self.admin_access: bool = parent is None and body.get("adminAccess") is True
        self.tolerations: Sequence[resource.DeviceToleration] = body.get("tolerations") or ()
        requests: Mapping[str, str] = (body.get("capacity") or {}).get("requests") or {}
        self.capacity: Mapping[str, Quantity] = {
            name: quantity.parse(text) for name, text in requests.items()
        }
        # What all devices of the request must provide together; no released API has it.
        self.totals: Mapping[str, Quantity] = {}
        self.derived_attributes: Mapping[str, str] = {
            entry.get("name", ""): entry.get("expression", "")
            for entry in body.get("derivedAttributes") or ()
        }
        self.own_tests = tuple(_tests("request", body.get("selectors")))
        class_spec = cast("resource.DeviceClassSpec", device_class.get("spec") or {})
        self.tests = (
            *_tests(f"class {self.class_name}", class_spec.get("selectors")),
            *self.own_tests,
        )

    def __repr__(self) -> str:
        return f"Request({self.full_name})"

    @property
    def full_name(self) -> str:
        """The name in results: ``request`` or ``request/subrequest``."""
        return self.name if self.parent is None else f"{self.parent}/{self.name}"

    def is_named_by(self, names: frozenset[str]) -> bool:
        """Whether a constraint or config that lists ``names`` is about this request."""
        return self.full_name in names or (self.parent is not None and self.parent in names)


class Ask(NamedTuple):
    """One entry of ``spec.devices.requests``: one request, or subrequests in the order of preference."""

    name: str
    alternatives: tuple[Request, ...]
    is_prioritized: bool


class Constraint(NamedTuple):
    """A constraint of a claim; an empty ``requests`` means all of them."""

    number: int
    requests: frozenset[str]
    attribute: str
    is_distinct: bool

    def concerns(self, request: Request) -> bool:
        """Whether devices of the request are checked."""
        return not self.requests or request.is_named_by(self.requests)


class ClaimDemand(NamedTuple):
    """A claim that has no devices yet."""

    name: str
    data: JsonObject
    asks: tuple[Ask, ...]
    constraints: tuple[Constraint, ...]


def missing_class(claim: JsonObject, classes: ClassLookup) -> tuple[str, str] | None:
    """The first request of a claim whose device class does not exist, and that class.

    As the scheduler's PreFilter looks before any node is.
    """
    for entry in _devices(claim).get("requests") or ():
        for name, body in _bodies(entry):
            class_name = body.get("deviceClassName", "")
            if classes(class_name) is None:
                return name, class_name
    return None


def demand_of(claim: JsonObject, classes: ClassLookup, features: Features) -> ClaimDemand | Fatal:
    """Read a claim, or return why the allocator refuses it before it checks any device.

    Mirrors the checks of ``Allocate`` and ``validateDeviceRequest`` that do not depend on the node.
    """
    for entry in _devices(claim).get("requests") or ():
        problem = _ask_problem(entry, classes, features)
        if problem:
            return Fatal(f"claim {full_name(claim)}, {problem}")
    for number, rule in enumerate(_devices(claim).get("constraints") or ()):
        is_known = rule.get("matchAttribute") is not None or (
            rule.get("distinctAttribute") is not None and not features.quirks.knows_no_capacity
        )
        if not is_known:
            return Fatal(f"claim {full_name(claim)}, constraint #{number}: unsupported constraint type")
    return unchecked_demand(claim, classes)


def unchecked_demand(claim: JsonObject, classes: ClassLookup) -> ClaimDemand:
    """Read a claim that was allocated already: a class that is gone since then has no selectors."""
    devices = _devices(claim)
    constraints = (_constraint(number, rule) for number, rule in enumerate(devices.get("constraints") or ()))
    return ClaimDemand(
        full_name(claim),
        claim,
        tuple(_ask(entry, classes) for entry in devices.get("requests") or ()),
        tuple(constraint for constraint in constraints if constraint is not None),
    )


def _devices(claim: JsonObject) -> resource.DeviceClaim:
    spec = cast("resource.ResourceClaimSpec", claim.get("spec") or {})
    return spec.get("devices") or {}


def _bodies(entry: resource.DeviceRequest) -> list[tuple[str, Body]]:
    """Name and body of the request, or of each subrequest."""
    name = entry.get("name", "")
    if entry.get("firstAvailable"):
        return [(f"{name}/{body.get('name', '')}", body) for body in entry["firstAvailable"]]
    return [(name, entry.get("exactly") or {})]


def _ask(entry: resource.DeviceRequest, classes: ClassLookup) -> Ask:
    name: str = entry.get("name", "")
    is_prioritized = bool(entry.get("firstAvailable"))
    requests = []
    for _, body in _bodies(entry):
        device_class = classes(body.get("deviceClassName", "")) or {}
        own = cast("resource.DeviceSubRequest", body).get("name", "") if is_prioritized else name
        requests.append(Request(own, name if is_prioritized else None, body, device_class))
    return Ask(name, tuple(requests), is_prioritized)


def _ask_problem(entry: resource.DeviceRequest, classes: ClassLookup, features: Features) -> str:
    """Why an entry of the requests is refused, or nothing."""
    is_prioritized = bool(entry.get("firstAvailable"))
    if is_prioritized and not features.prioritized_list:
        return f"request {entry.get('name', '')}: has subrequests, but prioritized lists are off"
    bodies = _bodies(entry)
    if not features.quirks.knows_no_capacity and not features.consumable_capacity:
        for full, body in bodies:
            if body.get("capacity") is not None:
                return f"request {full}: requests capacity, but consumable capacity is off"
    for full, body in bodies:
        problem = _problem(body, classes, features, is_subrequest=is_prioritized)
        if problem:
            return f"request {full}: {problem}"
    return ""


def _problem(body: Body, classes: ClassLookup, features: Features, *, is_subrequest: bool) -> str:
    """Why one request is refused, or nothing; in the order of ``validateDeviceRequest``."""
    if body.get("derivedAttributes") and not features.derived_attributes:
        return "defines derived attributes, but they are off"
    for number, selector in enumerate(body.get("selectors") or ()):
        if selector.get("cel") is None:
            return f"selector #{number} has no CEL expression"
    admin_access = cast("resource.ExactDeviceRequest", body).get("adminAccess")
    if not is_subrequest and admin_access is not None and not features.admin_access:
        return "requests admin access, but it is off"
    class_name = body.get("deviceClassName", "")
    if not class_name:
        return "has no device class"
    if classes(class_name) is None:
        return f"device class {class_name} does not exist"
    mode = body.get("allocationMode") or "ExactCount"
    if mode not in ("ExactCount", "All"):
        return f"unknown allocation mode {mode!r}; use ExactCount or All"
    return ""


def _constraint(number: int, entry: resource.DeviceConstraint) -> Constraint | None:
    requests = frozenset(entry.get("requests") or ())
    if entry.get("matchAttribute") is not None:
        return Constraint(number, requests, entry["matchAttribute"], is_distinct=False)
    if entry.get("distinctAttribute") is not None:
        return Constraint(number, requests, entry["distinctAttribute"], is_distinct=True)
    return None


def _tests(owner: str, selectors: Sequence[resource.DeviceSelector] | None) -> list[Test]:
    return [
        Test(owner, number, (selector.get("cel") or {}).get("expression", ""))
        for number, selector in enumerate(selectors or ())
    ]
