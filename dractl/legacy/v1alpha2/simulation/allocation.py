"""Named resources to the requests of one claim: for each request the first free instance that fits.

There is no way back in 1.30: an instance that a request took is not given up for a later one. Mirrors
``Controller.allocate`` of the named resources model, and ``claimController.allocate`` around it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from dractl.cel.common.errors import CelError
from dractl.cel.compile import Selector
from dractl.legacy.v1alpha2.simulation.instances import Held, Instance, Instances
from dractl.legacy.v1alpha2.simulation.parameters import DriverRequests, Wanted
from dractl.records import NamedTuple

__all__ = ["Failure", "allocate"]


class Failure(NamedTuple):
    """Why a node has nothing for a claim, and whether that is only unknown."""

    message: str
    is_unevaluated: bool = False


def allocate(wanted: Wanted, node: str, instances: Instances, held: Held) -> Mapping[str, Any] | Failure:
    """The allocation of a claim on ``node`` in the shape of v1alpha2, next to what is ``held``."""
    handles = []
    for requests in wanted.requests:
        free = instances.free(node, requests.driver, held)
        chosen = _chosen(requests, free)
        if isinstance(chosen, Failure):
            return chosen
        handles.append(_handle(requests, chosen, node, wanted))
    requirement = {"key": "kubernetes.io/hostname", "operator": "In", "values": [node]}
    return {
        "resourceHandles": handles,
        "availableOnNodes": {"nodeSelectorTerms": [{"matchExpressions": [requirement]}]},
        **({"shareable": True} if wanted.is_shareable else {}),
    }


def _chosen(requests: DriverRequests, free: Sequence[Instance]) -> list[str] | Failure:
    left = list(free)
    chosen: list[str] = []
    for number, selector in enumerate(requests.selectors):
        tests = (selector,) if requests.filter is None else (requests.filter, selector)
        for instance in left:
            fits = _fits(instance, tests)
            if isinstance(fits, CelError):
                where = f"instance {instance.name} of {requests.driver}"
                return Failure(f"a selector fails for {where}: {fits.message}", fits.kind == "budget")
            if fits:
                left.remove(instance)
                chosen.append(instance.name)
                break
        else:
            return Failure(_shortage(requests, number, len(free), len(left)))
    return chosen


def _fits(instance: Instance, tests: Iterable[Selector]) -> bool | CelError:
    for test in tests:
        value = instance.value
        answer = value if isinstance(value, CelError) else test.evaluate(value)
        if answer is not True:
            return answer
    return True


def _shortage(requests: DriverRequests, number: int, free: int, left: int) -> str:
    if not free:
        return f"no instance of {requests.driver} is free"
    text = f"none of the free instances of {requests.driver} ({left}) matches request {number}"
    before = f"earlier requests took {number}, and 1.30 does not retry them with others"
    return f"{text}; {before}" if number else text


def _handle(requests: DriverRequests, chosen: Sequence[str], node: str, wanted: Wanted) -> dict[str, Any]:
    results = []
    for parameters, name in zip(requests.parameters, chosen, strict=True):
        result: dict[str, Any] = {"namedResources": {"name": name}}
        results.append(result if parameters is None else {"vendorRequestParameters": parameters, **result})
    data: dict[str, Any] = {}
    of_class = _parameters(wanted.class_parameters.get("vendorParameters"), requests.driver, "parameters")
    of_claim = _parameters(wanted.claim_parameters.get("driverRequests"), requests.driver, "vendorParameters")
    if of_class is not None:
        data["vendorClassParameters"] = of_class
    if of_claim is not None:
        data["vendorClaimParameters"] = of_claim
    data |= {"nodeName": node, "results": results}
    return {"driverName": requests.driver, "structuredData": data}


def _parameters(entries: Any, driver: str, field: str) -> Any:
    """The parameters in the first entry for a driver."""
    return next((entry.get(field) for entry in entries or () if entry.get("driverName") == driver), None)
