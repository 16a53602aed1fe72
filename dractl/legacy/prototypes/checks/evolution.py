"""Rules about the classes, claims, pods and quotas of DRA evolution."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, cast

from dractl.api import names
from dractl.api.path import Steps
from dractl.legacy.prototypes.checks.claims import check_expression
from dractl.legacy.prototypes.checks.cross_object import missing_class
from dractl.legacy.prototypes.checks.pods import containers
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
                message = f"the metadata of a template has no {name}"
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
            message = "a requirement has a deviceSelector: empty, or with a member that a newer client wrote"
            item.fault("de-9", (*steps, number), message, is_empty=True)


def _config(item: Item, found: Sequence[objects.Config] | None, steps: Steps) -> None:
    for number, entry in enumerate(found or ()):
        opaque, here = entry.get("opaque"), (*steps, number)
        if opaque is None:
            message = (
                "a configuration has exactly one member, opaque: empty, or with one that a newer client wrote"
            )
            item.fault("de-15", here, message, is_empty=True)
            continue
        driver = opaque.get("driverName")
        if not driver or names.dns_subdomain(driver):
            item.fault(
                "de-15",
                (*here, "opaque", "driverName"),
                "the configuration names no driver, by a DNS subdomain",
            )
        if not isinstance(opaque.get("parameters", {}), dict):
            item.fault("de-15", (*here, "opaque", "parameters"), "the parameters are an object")


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
            message = "a constraint has a matchAttribute: empty, or with a member that a newer client wrote"
            item.fault("de-10", here, message, is_empty=True)
        elif problem := attribute_name(wanted):
            item.fault(
                "de-10", (*here, "matchAttribute"), f"{wanted!r} is no name of an attribute: {problem}"
            )
    _config(item, spec.get("config"), (*steps, "config"))
    if spec.get("controllerName"):
        message = f"the controller {spec['controllerName']} allocates this claim, and its choice is not known"
        item.fault("de-controller", (*steps, "controllerName"), message)


def _name(item: Item, name: str | None, steps: Steps, seen: set[str]) -> None:
    if not name:
        item.fault("de-11", steps, "the request has no name", "names became mandatory in commit 34a6650")
        return
    if name in seen:
        item.fault("de-11", (*steps, "name"), f"{name!r} is there already")
    elif names.dns_label(name):
        item.fault("de-11", (*steps, "name"), f"{name!r} is no DNS label")
    seen.add(name)


_SAYING = ("deviceClassName", "resourceClassName", "config", "adminAccess", "requirements", "count", "match")


def _request(item: Item, request: objects.Request, steps: Steps) -> None:
    said = members(request, _SAYING)
    is_of_class = bool(request.get("deviceClassName") or request.get("resourceClassName"))
    if not said:
        item.fault("de-12", steps, "a bare name is unknown: the request must say for what it is")
    elif not is_of_class and not request.get("requirements"):
        item.fault("de-14", steps, "without class and requirements any device of the node would do")
    if request.get("deviceClassName") == "":
        item.fault("de-13", (*steps, "deviceClassName"), "the name of the class is empty")
    _requirements(item, request.get("requirements"), (*steps, "requirements"))
    _config(item, request.get("config"), (*steps, "config"))
    count: objects.Count = request.get("count") or {}
    least, most = count.get("minimum", 1), count.get("maximum")
    if most is not None and most < least:
        item.fault("de-count", (*steps, "count"), f"at least {least} and at most {most} devices are none")


def _status(item: Item) -> None:
    users = item.status.get("reservedFor") or ()
    if len(users) > _MOST_USERS:
        item.fault(
            "de-19",
            ("status", "reservedFor"),
            f"there are {len(users)} users, and at most {_MOST_USERS} can be",
        )
    uids: set[object] = set()
    for number, user in enumerate(users):
        if user.get("uid") in uids:
            item.fault(
                "de-19", ("status", "reservedFor", number), f"the uid {user.get('uid')} is there already"
            )
        uids.add(user.get("uid"))
    known = {request.get("name") for request in item.spec.get("requests") or ()} - {None}
    data = (item.status.get("allocation") or {}).get("driverData") or ()
    if len(data) > _MOST_RESULTS:
        item.fault("de-20", ("status", "allocation", "driverData"), f"at most {_MOST_RESULTS} drivers can be")
    for number, entry in enumerate(data):
        here: Steps = ("status", "allocation", "driverData", number)
        if names.dns_subdomain(entry.get("driverName") or ""):
            item.fault("de-20", (*here, "driverName"), f"{entry.get('driverName')!r} is no DNS subdomain")
        for position, result in enumerate((entry.get("data") or {}).get("results") or ()):
            where = (*here, "data", "results", position)
            _result(item, result.get("requestName"), where, known)
    for number, result in enumerate((item.status.get("allocation") or {}).get("results") or ()):
        _result(item, result.get("requestName"), ("status", "allocation", "results", number), known)


def _result(item: Item, name: str | None, steps: Steps, known: set[object]) -> None:
    if not name:
        item.fault("de-20", steps, "the result names no request")
    elif name not in known:
        item.fault("de-20", (*steps, "requestName"), f"the claim has no request {name!r}")


def _pod(item: Item) -> None:
    spec = item.document.value.get("spec")
    if isinstance(spec, dict) and "deviceClaims" in spec:
        message = (
            "a Pod of resource.k8s.io/v1alpha2 stands for one of DRA evolution, which has no deviceClaims"
        )
        item.fault("dia-4", ("spec", "deviceClaims"), message, "write apiVersion: v1, or resourceClaims")
    entries: Sequence[objects.Entry] = item.spec.get("resourceClaims") or ()
    seen: set[str] = set()
    for number, entry in enumerate(entries):
        here: Steps = ("spec", "resourceClaims", number)
        name = entry.get("name")
        if not name or names.dns_label(name):
            item.fault("de-17", here, "the claim has no name that is a DNS label")
        elif name in seen:
            item.fault("de-17", (*here, "name"), f"{name!r} is there already")
        seen.add(name or "")
        source = {**(entry.get("source") or {}), **entry}
        given = members(source, ("resourceClaimName", "resourceClaimTemplateName"))
        if len(given) != 1:
            which = " and ".join(given) if given else "none, or one that a newer client wrote"
            message = f"a claim has exactly one source, and this one has {which}"
            item.fault("de-17", here, message, is_empty=not given)
    for steps, container in containers(item):
        used: set[str] = set()
        for number, claim in enumerate((container.get("resources") or {}).get("claims") or ()):
            where = (*steps, "resources", "claims", number)
            name = claim.get("name") or ""
            if name not in seen:
                listed = ", ".join(sorted(seen)) or "nothing"
                item.fault("de-18", (*where, "name"), f"the pod has no claim {name!r}; there is {listed}")
            elif name in used:
                message = f"{name!r} is there already: a container cannot pick two requests of one claim"
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
        _allocated(item, directory)
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
            message = f"no Quota of the namespace {item.namespace} allows it, so nothing is allocated"
            item.fault("de-21", (*here, "adminAccess"), message)


def _allocated(item: Item, directory: Directory) -> None:
    allocation = cast("objects.EvolutionAllocation", item.status.get("allocation") or {})
    node = allocation.get("nodeName")
    known = {
        (pool.spec.get("driverName"), pool.spec.get("nodeName"), device.get("name"))
        for pool in directory.of_kind("ResourcePool", family=EVOLUTION)
        for device in pool.spec.get("devices") or ()
    }
    missing = [
        f"{entry.get('driverName')}/{node}/{result.get('deviceName')}"
        for entry in allocation.get("driverData") or ()
        for result in (entry.get("data") or {}).get("results") or ()
        if (entry.get("driverName"), node, result.get("deviceName")) not in known
    ]
    if missing and directory.of_kind("ResourcePool", "DevicePool"):
        message = f"it is allocated, with devices that no pool of the input lists: {', '.join(missing)}"
        item.fault("de-allocated", ("status", "allocation"), message)


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
            if found is None:
                where = ("spec", "resourceClaims", number, field)
                item.fault("de-17", where, f"there is no {kind} {item.namespace}/{name}")
                continue
            spec = found.spec if kind == "ResourceClaim" else found.spec.get("spec") or {}
            requests = {request.get("name") for request in spec.get("requests") or ()}
            for place, wanted in _named(item, entry.get("name")):
                if wanted not in requests:
                    item.fault("de-18", place, f"the claim {name} has no request {wanted!r}")


def _named(item: Item, claim: str | None) -> Iterator[tuple[Steps, str]]:
    """The requests of a claim that containers name."""
    for steps, container in containers(item):
        for number, entry in enumerate((container.get("resources") or {}).get("claims") or ()):
            if entry.get("name") == claim and entry.get("requestName"):
                yield (*steps, "resources", "claims", number, "requestName"), entry["requestName"]
