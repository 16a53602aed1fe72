"""What a claim of 1.30 asks for: its class, and the parameters that both refer to.

Mirrors ``lookupParameters`` and ``newClaimController`` of the scheduler's dynamic resources plugin (1.30).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dractl.api.json_types import JsonObject, Object
from dractl.cel.common.errors import CelError
from dractl.cel.compile import Environment, Selector, compile_selector
from dractl.cluster.objects import Objects, full_name, namespace_of
from dractl.records import NamedTuple
from dractl.simulation.pods.outcome import CLASS_MISSING, DRIVER_ALLOCATES, ERROR, PARAMETERS_MISSING

__all__ = ["DriverRequests", "Problem", "Wanted", "wanted_by"]

_GROUP = "resource.k8s.io"


class Problem(NamedTuple):
    """Why no node can be looked at for a claim."""

    category: str
    message: str


class DriverRequests(NamedTuple):
    """The requests to one driver, in order, with the parameters that go with each, and the class's filter."""

    driver: str
    selectors: tuple[Selector, ...]
    parameters: tuple[object, ...]
    filter: Selector | None


class Wanted(NamedTuple):
    """Everything that a claim asks for."""

    device_class: Object
    requests: tuple[DriverRequests, ...]
    is_shareable: bool
    class_parameters: JsonObject
    claim_parameters: JsonObject


def wanted_by(claim: Object, api_objects: Objects, environment: Environment) -> Wanted | Problem:
    """What ``claim`` asks for, or why that cannot be said yet."""
    name = (claim.get("spec") or {}).get("resourceClassName", "")
    found = api_objects.get("ResourceClass", "", name)
    if found is None:
        return Problem(
            CLASS_MISSING, f"ResourceClass {name} {api_objects.absence('ResourceClass', '', name)}"
        )
    if found.get("structuredParameters") is not True:
        message = (
            f"ResourceClass {name} has no structuredParameters: true, so the control plane controller of its "
            f"driver {found.get('driverName', '')} allocates the claim, which cannot be simulated"
        )
        return Problem(DRIVER_ALLOCATES, message)
    class_parameters = _class_parameters(found, api_objects)
    if isinstance(class_parameters, Problem):
        return class_parameters
    claim_parameters = _claim_parameters(claim, found, api_objects)
    if isinstance(claim_parameters, Problem):
        return claim_parameters
    requests = _requests(claim_parameters, class_parameters, environment)
    if isinstance(requests, Problem):
        return requests
    is_shareable = claim_parameters.get("shareable") is True
    return Wanted(found, requests, is_shareable, class_parameters, claim_parameters)


def _class_parameters(found: Object, api_objects: Objects) -> Mapping[str, Any] | Problem:
    reference = found.get("parametersRef")
    if reference is None:
        return {}
    # Classes have no namespace, and that of the class is where generated parameters are looked for.
    return _referenced("ResourceClassParameters", reference, reference.get("namespace", ""), "", api_objects)


def _claim_parameters(claim: Object, found: JsonObject, api_objects: Objects) -> Mapping[str, Any] | Problem:
    reference = (claim.get("spec") or {}).get("parametersRef")
    if reference is None:
        # A claim without parameters gets any one resource of the class's driver.
        request = {"namedResources": {"selector": "true"}}
        driver = found.get("driverName", "")
        return {"shareable": True, "driverRequests": [{"driverName": driver, "requests": [request]}]}
    namespace = namespace_of(claim)
    return _referenced("ResourceClaimParameters", reference, namespace, namespace, api_objects)


def _referenced(
    kind: str, reference: Mapping[str, Any], namespace: str, home: str, api_objects: Objects
) -> Mapping[str, Any] | Problem:
    """The parameters that a reference leads to: named by it, or generated from what it names.

    ``home`` is the namespace in which generated ones are looked for; all of them for none.
    """
    name = reference.get("name", "")
    if reference.get("apiGroup") == _GROUP and reference.get("kind") == kind:
        found = api_objects.get(kind, namespace, name)
        if found is not None:
            return found
        where = f"{namespace}/{name}" if namespace else name
        return Problem(PARAMETERS_MISSING, f"{kind} {where} {api_objects.absence(kind, namespace, name)}")
    source = {key: reference.get(key, "") for key in ("apiGroup", "kind", "name", "namespace")}
    for item in api_objects.of_kind(kind):
        generated = item.get("generatedFrom")
        if generated is None or (home and namespace_of(item) != home):
            continue
        if {key: generated.get(key, "") for key in source} == source:
            return item
    what = f"{source['kind']}.{source['apiGroup']} {name}".replace(". ", " ")
    return Problem(PARAMETERS_MISSING, f"no {kind} are generated from {what}; the driver creates them")


def _requests(
    claim_parameters: Mapping[str, Any], class_parameters: JsonObject, environment: Environment
) -> tuple[DriverRequests, ...] | Problem:
    """The requests per driver, with all selectors compiled."""
    found: dict[str, tuple[list[Selector], list[Any]]] = {}
    for entry in claim_parameters.get("driverRequests") or ():
        for number, request in enumerate(entry.get("requests") or ()):
            named = request.get("namedResources")
            if named is None:
                where = f"{full_name(claim_parameters)}, request {number} to {entry.get('driverName', '')}"
                return Problem(ERROR, f"{where}: no model that a 1.30 scheduler supports")
            selector = compile_selector(named.get("selector", ""), environment)
            if isinstance(selector, CelError):
                return Problem(ERROR, f"a selector does not compile: {selector.message}")
            selectors, parameters = found.setdefault(entry.get("driverName", ""), ([], []))
            selectors.append(selector)
            parameters.append(request.get("vendorParameters"))
    requests = []
    for driver, (selectors, parameters) in found.items():
        rule = _filter(driver, class_parameters, environment)
        if isinstance(rule, Problem):
            return rule
        requests.append(DriverRequests(driver, tuple(selectors), tuple(parameters), rule))
    return tuple(requests)


def _filter(
    driver: str, class_parameters: Mapping[str, Any], environment: Environment
) -> Selector | Problem | None:
    """The first filter that the class has for a driver."""
    for entry in class_parameters.get("filters") or ():
        named = entry.get("namedResources")
        if entry.get("driverName") == driver and named is not None:
            selector = compile_selector(named.get("selector", ""), environment)
            if isinstance(selector, CelError):
                return Problem(ERROR, f"a filter does not compile: {selector.message}")
            return selector
    return None
