"""What claims of all dialects ask for, as the spec of a claim of v1."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast

from dractl.api.path import Steps
from dractl.legacy.prototypes.allocation.demand import Wish, demand_of
from dractl.legacy.prototypes.dialects.dialects import EVOLUTION
from dractl.legacy.prototypes.dialects.directory import Directory
from dractl.legacy.prototypes.dialects.reading import Item
from dractl.legacy.prototypes.v1.losses import Losses
from dractl.legacy.prototypes.v1.v1_classes import opaque_of, referenced, selector_of
from dractl.legacy.prototypes.v1.vocabulary import Vocabulary, label, object_name
from dractl.records import NamedTuple

if TYPE_CHECKING:
    from dractl.api.objects import resource
    from dractl.legacy.prototypes.dialects import objects

__all__ = ["ANY_CLASS", "Spec", "Specs"]

_MOST_OPTIONS = 8

ANY_CLASS = "any-device"
"""The class that is made up for requests without one."""


class Spec(NamedTuple):
    """A claim's spec in v1, and which requests each part of the claim became."""

    spec: resource.ResourceClaimSpec
    requests: Mapping[str, tuple[str, ...]]


class Specs:
    """Converts the specs of claims; ``needs_class`` means that a class was made up."""

    def __init__(self, directory: Directory, vocabulary: Vocabulary, losses: Losses) -> None:
        """Start with nothing converted."""
        self.directory = directory
        self.vocabulary = vocabulary
        self.losses = losses
        self.needs_class = False

    def of(self, item: Item, spec: Any, steps: Steps) -> Spec:
        """The spec of a claim or template that is at ``steps`` of ``item``."""
        if item.family == EVOLUTION:
            return self._of_evolution(item, spec, steps)
        return self._of_devmgmtproto(item, spec, steps)

    # devmgmtproto

    def _of_devmgmtproto(self, item: Item, spec: objects.ClaimSpec, steps: Steps) -> Spec:
        demand = demand_of(item, spec, self.directory)
        written = {part.get("name", ""): (n, part) for n, part in enumerate(spec.get("devices") or ())}
        requests: list[resource.DeviceRequest] = []
        constraints: list[resource.DeviceConstraint] = []
        config: list[resource.DeviceClaimConfiguration] = []
        names: dict[str, tuple[str, ...]] = {}
        for part in demand.parts:
            number, source = written.get(part.name, (0, {}))
            stem = (
                label(part.name, f"request-{number}")
                if not part.name.startswith("#")
                else f"request-{part.name[1:]}"
            )
            count = len(part.every) + bool(part.options)
            made = [stem if count == 1 else f"{stem}-{position}" for position in range(count)]
            for position, wish in enumerate(part.every):
                where = (*steps, "devices", number, "allOf", position) if source else steps
                detail = (source.get("allOf") or [{}])[position] if source else spec
                requests.append({"name": made[position], "exactly": self._exactly(item, wish, where)})
                self._extras(item, wish, detail, where, made[position], constraints, config)
            if part.options:
                where = (*steps, "devices", number, "oneOf")
                options = self._options(
                    item, part.options, where, source.get("oneOf") or (), made[-1], constraints, config
                )
                requests.append({"name": made[-1], "firstAvailable": options})
            names[part.name] = tuple(made)
        admin = [request["name"] for request in requests if (request.get("exactly") or {}).get("adminAccess")]
        others = [request["name"] for request in requests if request["name"] not in admin]
        for number, attribute in enumerate(demand.matched):
            key = self._matched(item, attribute, (*steps, "matchAttributes", number))
            if key:
                limited: resource.DeviceConstraint = {"requests": others} if admin else {}
                constraints.insert(number, {**limited, "matchAttribute": key})
        return Spec(_spec(requests, constraints, config), names)

    def _exactly(self, item: Item, wish: Wish, steps: Steps) -> resource.ExactDeviceRequest:
        body: resource.ExactDeviceRequest = {"deviceClassName": object_name(wish.class_name)}
        if not wish.class_name:
            body["deviceClassName"] = ANY_CLASS
            self.losses.add(item, steps, f"v1 requires a class; {ANY_CLASS} is created for it")
            self.needs_class = True
        selectors: list[resource.DeviceSelector] = [
            {
                "cel": {
                    "expression": selector_of(
                        item, text, (*steps, "constraints"), self.vocabulary, self.losses
                    )
                }
            }
            for text in wish.expressions
        ]
        drivers = [leaf.driver for leaf in wish.leaves or () if leaf.driver and not wish.class_name]
        drivers += [wish.driver] if wish.driver is not None else []
        of_drivers: list[resource.DeviceSelector] = [
            {"cel": {"expression": f'device.driver == "{name}"'}} for name in drivers
        ]
        selectors = of_drivers + selectors
        selectors += self._totals(item, wish, steps)
        if selectors:
            body["selectors"] = selectors
        if wish.admin:
            return {**body, "adminAccess": True, "allocationMode": "All"}
        if wish.most > wish.least:
            text = f"v1 supports a fixed number of devices, not {wish.least} to {wish.most}"
            self.losses.add(item, (*steps, "maxDevices"), text)
        return {**body, "allocationMode": "ExactCount", "count": wish.least}

    def _totals(self, item: Item, wish: Wish, steps: Steps) -> list[resource.DeviceSelector]:
        """Amounts that one device must have; those of several devices together are lost."""
        found: list[resource.DeviceSelector] = []
        for name, size in wish.totals.items():
            if wish.most > 1:
                where = (*steps, "requests", name)
                self.losses.add(item, where, f"v1 does not support a total {name} of several devices")
                continue
            known = self.vocabulary.capacity(name)
            holder = f'device.capacity["{known.domain}"]'
            test = f'{holder}.{known.identifier}.compareTo(quantity("{size}")) >= 0'
            found.append({"cel": {"expression": f'"{known.identifier}" in {holder} && {test}'}})
        return found

    def _extras(
        self,
        item: Item,
        wish: Wish,
        detail: objects.Detail | objects.CountedSpec,
        steps: Steps,
        name: str,
        constraints: list[resource.DeviceConstraint],
        config: list[resource.DeviceClaimConfiguration],
    ) -> None:
        for number, attribute in enumerate(wish.matched):
            key = self._matched(item, attribute, (*steps, "matchAttributes", number))
            if key:
                constraints.append({"requests": [name], "matchAttribute": key})
        drivers = list(dict.fromkeys(leaf.driver for leaf in wish.leaves or () if leaf.driver))
        for entry in referenced(item, detail, steps, drivers, self.directory, self.losses):
            config.append({"requests": [name], **entry})  # noqa: PERF401 - it is clearer so

    def _options(
        self,
        item: Item,
        options: tuple[Wish, ...],
        steps: Steps,
        details: Sequence[objects.Detail],
        name: str,
        constraints: list[resource.DeviceConstraint],
        config: list[resource.DeviceClaimConfiguration],
    ) -> list[resource.DeviceSubRequest]:
        if len(options) > _MOST_OPTIONS:
            self.losses.add(item, steps, f"it has {len(options)} options; v1 allows at most {_MOST_OPTIONS}")
        found: list[resource.DeviceSubRequest] = []
        for number, wish in enumerate(options[:_MOST_OPTIONS]):
            where = (*steps, number)
            body = self._exactly(item, wish, where)
            if body.pop("adminAccess", None):
                self.losses.add(item, (*where, "adminAccess"), "a v1 option does not support admin access")
                body = {**body, "allocationMode": "ExactCount", "count": 1}
            found.append(cast("resource.DeviceSubRequest", {"name": f"option-{number}", **body}))
            self._extras(item, wish, details[number], where, f"{name}/option-{number}", constraints, config)
        return found

    def _matched(self, item: Item, attribute: str, steps: Steps) -> str:
        known = self.vocabulary.attribute(attribute, item.family)
        if "quantity" in known.kinds:
            self.losses.add(item, steps, f"{attribute} is a quantity, but v1 matches only attributes")
            return ""
        return known.key

    # DRA evolution

    def _of_evolution(self, item: Item, spec: objects.EvolutionClaim, steps: Steps) -> Spec:
        demand = demand_of(item, spec, self.directory)
        requests: list[resource.DeviceRequest] = []
        written = [
            opaque_of(entry)
            for entry in spec.get("config") or ()
            if (entry.get("opaque") or {}).get("driverName")
        ]
        config = cast("list[resource.DeviceClaimConfiguration]", written)
        names: dict[str, tuple[str, ...]] = {}
        for number, (part, request) in enumerate(zip(demand.parts, spec.get("requests") or (), strict=True)):
            name = f"request-{number}" if part.name.startswith("#") else label(part.name, f"request-{number}")
            where: Steps = (*steps, "requests", number)
            body = self._exactly(item, part.every[0]._replace(admin=False), where)
            if part.every[0].admin:
                body["adminAccess"] = True
            requests.append({"name": name, "exactly": body})
            own = [
                opaque_of(entry)
                for entry in request.get("config") or ()
                if (entry.get("opaque") or {}).get("driverName")
            ]
            config += [
                cast("resource.DeviceClaimConfiguration", {"requests": [name], **entry}) for entry in own
            ]
            names[part.name] = (name,)
        constraints: list[resource.DeviceConstraint] = []
        for number, attribute in enumerate(demand.matched):
            key = self._matched(item, attribute, (*steps, "constraints", number, "matchAttribute"))
            if key and "/" not in key:
                self.losses.add(
                    item, (*steps, "constraints", number), f"{key} has no domain, which v1 requires"
                )
            elif key:
                constraints.append({"matchAttribute": key})
        if spec.get("controllerName"):
            self.losses.add(item, (*steps, "controllerName"), "controllers do not allocate claims in v1")
        if item.kind == "ResourceClaim" and not spec.get("shareable"):
            self.losses.add(
                item,
                (*steps, "shareable"),
                "several pods can use a v1 claim, but only one can use this claim",
            )
        return Spec(_spec(requests, constraints, config), names)


def _spec(
    requests: list[resource.DeviceRequest],
    constraints: list[resource.DeviceConstraint],
    config: list[resource.DeviceClaimConfiguration],
) -> resource.ResourceClaimSpec:
    parts = (("requests", requests), ("constraints", constraints), ("config", config))
    return {"devices": cast("resource.DeviceClaim", {name: found for name, found in parts if found})}
