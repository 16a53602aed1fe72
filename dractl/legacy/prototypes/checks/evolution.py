"""Rules about the classes, claims, pods and quotas of DRA evolution."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, cast

from dractl.api import names
from dractl.api.path import Steps
from dractl.legacy.prototypes.checks.claims import check_count, check_expression
from dractl.legacy.prototypes.checks.cross_object import missing_class
from dractl.legacy.prototypes.checks.pods import containers
from dractl.legacy.prototypes.checks.shared_amounts import Ids, amount_of, check_shared
from dractl.legacy.prototypes.dialects.amounts import attribute_name, members
from dractl.legacy.prototypes.dialects.dialects import EVOLUTION
from dractl.legacy.prototypes.dialects.directory import Directory
from dractl.legacy.prototypes.dialects.reading import Item

if TYPE_CHECKING:
    from dractl.legacy.prototypes.dialects import objects

__all__ = ["check_evolution", "check_evolution_across"]

_MOST_USERS = 32
_MOST_RESULTS = 32


def check_evolution(item: Item) -> None:
    """Note what is wrong with an object other than a pool."""
    if item.kind == "DeviceClass":
        _requirements(item, item.value.get("requirements"), ("requirements",))
        _config(item, item.value.get("config"), ("config",))
    elif item.kind == "ResourceClaim":
        _claim(item, item.spec, ("spec",))
        _status(item)
    elif item.kind == "ResourceClaimTemplate":
        _claim(item, cast("objects.EvolutionClaim", item.spec.get("spec") or {}), ("spec", "spec"))
        for name in item.spec.get("metadata") or {}:
            if name not in ("labels", "annotations"):
                message = f"the metadata of a template must not have {name}"
                item.fault(
                    "de-16", ("spec", "metadata", name), message, "only labels and annotations are copied"
                )
    elif item.kind == "Pod":
        _pod(item)


def _requirements(item: Item, found: Sequence[objects.Requirement] | None, steps: Steps) -> None:
    for number, entry in enumerate(found or ()):
        here: Steps = (*steps, number, "deviceSelector")
        if entry.get("deviceSelector") is not None:
            check_expression(item, "de-9", entry["deviceSelector"], here, "typed")
        elif not entry.get("resource"):
            message = (
                "a requirement must have a deviceSelector: it is empty or has an unknown member of a newer "
                "client"
            )
            item.fault("de-9", (*steps, number), message, is_empty=True)


def _config(item: Item, found: Sequence[objects.Config] | None, steps: Steps) -> None:
    for number, entry in enumerate(found or ()):
        opaque, here = entry.get("opaque"), (*steps, number)
        if opaque is None:
            message = (
                "a configuration must have exactly one member, opaque: it is empty or has an unknown member "
                "of a newer client"
            )
            item.fault("de-15", here, message, is_empty=True)
            continue
        driver = opaque.get("driverName")
        if not driver or names.dns_subdomain(driver):
            item.fault(
                "de-15",
                (*here, "opaque", "driverName"),
                "the configuration requires a driver: a DNS subdomain",
            )
        if not isinstance(opaque.get("parameters", {}), dict):
            item.fault("de-15", (*here, "opaque", "parameters"), "the parameters must be an object")


def _claim(item: Item, spec: objects.EvolutionClaim, steps: Steps) -> None:
    seen: set[str] = set()
    for number, request in enumerate(spec.get("requests") or ()):
        here: Steps = (*steps, "requests", number)
        if item.dialect != "dra-evo-named" or request.get("name"):
            _name(item, request.get("name"), here, seen)
        _request(item, request, here)
    for number, entry in enumerate(spec.get("constraints") or ()):
        here = (*steps, "constraints", number)
        wanted = entry.get("matchAttribute")
        if not wanted:
            message = (
                "a constraint must have a matchAttribute: it is empty or has an unknown member of a newer "
                "client"
            )
            item.fault("de-10", here, message, is_empty=True)
        elif problem := attribute_name(wanted):
            item.fault("de-10", (*here, "matchAttribute"), f"{wanted!r} is not an attribute name: {problem}")
    _config(item, spec.get("config"), (*steps, "config"))
    if spec.get("controllerName"):
        message = f"controller {spec['controllerName']} allocates this claim; its result is unknown"
        item.fault("de-controller", (*steps, "controllerName"), message)


def _name(item: Item, name: str | None, steps: Steps, seen: set[str]) -> None:
    if not name:
        item.fault("de-11", steps, "the request requires a name", "names are required since commit 34a6650")
        return
    if name in seen:
        item.fault("de-11", (*steps, "name"), f"duplicate {name!r}")
    elif names.dns_label(name):
        item.fault("de-11", (*steps, "name"), f"{name!r} is not a DNS label")
    seen.add(name)


_SAYING = ("deviceClassName", "resourceClassName", "config", "adminAccess", "requirements", "count", "match")


def _request(item: Item, request: objects.Request, steps: Steps) -> None:
    said = members(request, _SAYING)
    is_of_class = bool(request.get("deviceClassName") or request.get("resourceClassName"))
    if not said:
        item.fault("de-12", steps, "a request must have more than a name")
    elif not is_of_class and not request.get("requirements"):
        item.fault("de-14", steps, "without class and requirements, any device of the node matches")
    if request.get("deviceClassName") == "":
        item.fault("de-13", (*steps, "deviceClassName"), "the class name must not be empty")
    _requirements(item, request.get("requirements"), (*steps, "requirements"))
    _config(item, request.get("config"), (*steps, "config"))
    count: objects.Count = request.get("count") or {}
    least, most = count.get("minimum", 1), count.get("maximum")
    check_count(item, count.get("minimum"), (*steps, "count", "minimum"))
    check_count(item, most, (*steps, "count", "maximum"))
    for number, entry in enumerate(request.get("requirements") or ()):
        resource = entry.get("resource") or {}
        here = (*steps, "requirements", number, "resource")
        wanted = amount_of(resource.get("name", ""), here, resource.get("quantity"))
        check_shared(item, [wanted], Ids(amount="de-amount", never=""))
    if most is not None and most < least:
        item.fault(
            "de-count",
            (*steps, "count"),
            f"the minimum of {least} devices must not exceed the maximum of {most}",
        )


def _status(item: Item) -> None:
    users = item.status.get("reservedFor") or ()
    if len(users) > _MOST_USERS:
        item.fault(
            "de-19",
            ("status", "reservedFor"),
            f"must have at most {_MOST_USERS} consumers, got {len(users)}",
        )
    uids: set[object] = set()
    for number, user in enumerate(users):
        if user.get("uid") in uids:
            item.fault("de-19", ("status", "reservedFor", number), f"duplicate uid {user.get('uid')}")
        uids.add(user.get("uid"))
    known = {request.get("name") for request in item.spec.get("requests") or ()} - {None}
    data = (item.status.get("allocation") or {}).get("driverData") or ()
    if len(data) > _MOST_RESULTS:
        item.fault(
            "de-20", ("status", "allocation", "driverData"), f"must have at most {_MOST_RESULTS} drivers"
        )
    for number, entry in enumerate(data):
        here: Steps = ("status", "allocation", "driverData", number)
        if names.dns_subdomain(entry.get("driverName") or ""):
            item.fault("de-20", (*here, "driverName"), f"{entry.get('driverName')!r} is not a DNS subdomain")
        for position, result in enumerate((entry.get("data") or {}).get("results") or ()):
            where = (*here, "data", "results", position)
            _result(item, result.get("requestName"), where, known)
    for number, result in enumerate((item.status.get("allocation") or {}).get("results") or ()):
        _result(item, result.get("requestName"), ("status", "allocation", "results", number), known)


def _result(item: Item, name: str | None, steps: Steps, known: set[object]) -> None:
    if not name:
        item.fault("de-20", steps, "the result requires a request")
    elif name not in known:
        item.fault("de-20", (*steps, "requestName"), f"unknown request {name!r}")


def _pod(item: Item) -> None:
    spec = item.document.value.get("spec")
    if isinstance(spec, dict) and "deviceClaims" in spec:
        message = "a Pod of resource.k8s.io/v1alpha2 belongs to DRA evolution, which has no deviceClaims"
        item.fault("dia-4", ("spec", "deviceClaims"), message, "use apiVersion: v1, or resourceClaims")
    entries: Sequence[objects.Entry] = item.spec.get("resourceClaims") or ()
    seen: set[str] = set()
    for number, entry in enumerate(entries):
        here: Steps = ("spec", "resourceClaims", number)
        name = entry.get("name")
        if not name or names.dns_label(name):
            item.fault("de-17", here, "the claim name must be a DNS label")
        elif name in seen:
            item.fault("de-17", (*here, "name"), f"duplicate {name!r}")
        seen.add(name or "")
        source = {**(entry.get("source") or {}), **entry}
        given = members(source, ("resourceClaimName", "resourceClaimTemplateName"))
        if len(given) != 1:
            which = " and ".join(given) if given else "none, or an unknown one of a newer client"
            message = f"a claim must have exactly one source, got {which}"
            item.fault("de-17", here, message, is_empty=not given)
    for steps, container in containers(item):
        used: set[str] = set()
        for number, claim in enumerate((container.get("resources") or {}).get("claims") or ()):
            where = (*steps, "resources", "claims", number)
            name = claim.get("name") or ""
            if name not in seen:
                listed = ", ".join(sorted(seen)) or "nothing"
                item.fault("de-18", (*where, "name"), f"unknown claim {name!r}; the pod has {listed}")
            elif name in used:
                message = f"duplicate {name!r}: a container cannot use two requests of one claim"
                item.fault("de-18", (*where, "name"), message)
            used.add(name)


def check_evolution_across(directory: Directory) -> None:
    """Note what does not go together among several objects."""
    for item in directory.of_kind("ResourceClaim", "ResourceClaimTemplate", family=EVOLUTION):
        is_template = item.kind == "ResourceClaimTemplate"
        spec = (item.spec.get("spec") or {}) if is_template else item.spec
        _classes(
            item,
            cast("objects.EvolutionClaim", spec),
            ("spec", "spec") if is_template else ("spec",),
            directory,
        )
    for item in directory.reading.of_kind("Pod"):
        if item.family == EVOLUTION:
            _sources(item, directory)


def _classes(item: Item, spec: objects.EvolutionClaim, steps: Steps, directory: Directory) -> None:
    quotas = [
        quota for quota in directory.of_kind("Quota", family=EVOLUTION) if quota.namespace == item.namespace
    ]
    allowed = any(quota.spec.get("allowManagementAccess") for quota in quotas)
    for number, request in enumerate(spec.get("requests") or ()):
        here: Steps = (*steps, "requests", number)
        for field in ("deviceClassName", "resourceClassName"):
            if request.get(field):
                missing_class(item, request[field], (*here, field), directory, "de-13")
        if request.get("adminAccess") and not allowed:
            message = f"no Quota in namespace {item.namespace} allows it, so nothing is allocated"
            item.fault("de-21", (*here, "adminAccess"), message)


def _is_elsewhere(item: Item, directory: Directory) -> bool:
    """Whether a pod of v1 is in a namespace without claims of the prototype, so that it may be none of it."""
    claims = directory.of_kind("ResourceClaim", "ResourceClaimTemplate")
    return item.document.value.get("apiVersion") == "v1" and all(
        claim.namespace != item.namespace for claim in claims
    )


def _sources(item: Item, directory: Directory) -> None:
    for number, entry in enumerate(item.spec.get("resourceClaims") or ()):
        source = {**(entry.get("source") or {}), **entry}
        for field, kind in (
            ("resourceClaimName", "ResourceClaim"),
            ("resourceClaimTemplateName", "ResourceClaimTemplate"),
        ):
            name = source.get(field)
            if not name:
                continue
            found = directory.get(EVOLUTION, kind, item.namespace, name)
            if found is None and _is_elsewhere(item, directory):
                continue
            if found is None:
                where = ("spec", "resourceClaims", number, field)
                item.fault("de-17", where, f"{kind} {item.namespace}/{name} does not exist")
                continue
            spec = found.spec if kind == "ResourceClaim" else found.spec.get("spec") or {}
            requests = {request.get("name") for request in spec.get("requests") or ()}
            for place, wanted in _named(item, entry.get("name")):
                if wanted not in requests:
                    item.fault("de-18", place, f"claim {name} has no request {wanted!r}")


def _named(item: Item, claim: str | None) -> Iterator[tuple[Steps, str]]:
    """The requests of a claim that containers name."""
    for steps, container in containers(item):
        for number, entry in enumerate((container.get("resources") or {}).get("claims") or ()):
            if entry.get("name") == claim and entry.get("requestName"):
                yield (*steps, "resources", "claims", number, "requestName"), entry["requestName"]
