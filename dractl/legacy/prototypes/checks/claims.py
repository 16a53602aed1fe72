"""Rules about the classes and claims of devmgmtproto.k8s.io, each object by itself."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from dractl.api import names
from dractl.api.path import Steps
from dractl.api.quantity import Quantity
from dractl.cel.common.errors import CelError
from dractl.legacy.prototypes.cel import Flavour, compile_prototype
from dractl.legacy.prototypes.dialects.amounts import amount, members
from dractl.legacy.prototypes.dialects.reading import Item

if TYPE_CHECKING:
    from dractl.legacy.prototypes.dialects import objects

__all__ = ["check_claim", "check_class", "check_count", "check_counted", "check_expression"]

_CONFIG = ("apiVersion", "kind", "name")


def check_expression(item: Item, rule: str, text: object, steps: Steps, flavour: Flavour = "plain") -> None:
    """Note where an expression does not compile. An empty one is true."""
    if not isinstance(text, str) or (not text and flavour == "plain"):
        return
    found = compile_prototype(text, flavour)
    if isinstance(found, CelError):
        hint = ""
        if "unknown variable" in found.message and "-" in text:
            hint = "write a name with a hyphen as device['…']"
        item.fault(rule, steps, found.message, hint, offset=found.offset)


def check_class(item: Item) -> None:
    """Note what is wrong with a class."""
    if item.dialect == "proto-pools":
        _counted_class(item)
        return
    selector, definition = item.spec.get("selector"), item.spec.get("definition")
    given = members(item.spec, ("selector", "definition"))
    if len(given) != 1:
        which = " and ".join(given) if given else "none, or an unknown one of a newer client"
        item.fault(
            "dc-1",
            ("spec",),
            f"a class must have exactly one of selector and definition, got {which}",
            is_empty=not given,
        )
    if selector is not None and not selector.get("matchLabels") and not selector.get("matchExpressions"):
        message = "an empty selector matches every class, including this one"
        item.fault("dc-9", ("spec", "selector"), message)
    if definition is None:
        return
    steps: Steps = ("spec", "definition")
    if not definition.get("driver"):
        item.fault("dc-3", (*steps, "driver"), "the class has no driver, so it matches no device")
    check_expression(item, "dc-4", definition.get("constraints"), (*steps, "constraints"))
    _class_configs(item, definition, steps)


def _class_configs(item: Item, holder: objects.CountedSpec, steps: Steps) -> None:
    for number, config in enumerate(holder.get("configs") or ()):
        missing = [name for name in (*_CONFIG, "namespace") if not config.get(name)]
        if missing:
            item.fault("dc-5", (*steps, "configs", number), f"the config requires {' and '.join(missing)}")


def _claim_configs(item: Item, holder: objects.CountedSpec | objects.Detail, steps: Steps) -> None:
    for number, config in enumerate(holder.get("configs") or ()):
        missing = [name for name in _CONFIG if not config.get(name)]
        if missing:
            item.fault("cl-13", (*steps, "configs", number), f"the config requires {' and '.join(missing)}")
        if config.get("namespace"):
            where = (*steps, "configs", number, "namespace")
            item.fault("cl-13", where, "a config of a claim must be in its namespace")


def _counted_class(item: Item) -> None:
    if not item.spec.get("deviceType"):
        item.fault("pp-7", ("spec", "deviceType"), "the class requires a deviceType")
    check_expression(item, "dc-4", item.spec.get("constraints"), ("spec", "constraints"))
    _class_configs(item, item.spec, ("spec",))
    _matched(item, item.spec.get("matchAttributes"), ("spec", "matchAttributes"))
    _counts(item, item.spec, ("spec",))


def _counts(item: Item, spec: objects.ClaimSpec, steps: Steps) -> None:
    for field in ("minDeviceCount", "maxDeviceCount"):
        check_count(item, cast("int | None", spec.get(field)), (*steps, field))
    least, most = spec.get("minDeviceCount", 1), spec.get("maxDeviceCount")
    if most is not None and most < least:
        item.fault(
            "pp-2",
            (*steps, "maxDeviceCount"),
            f"the minimum of {least} devices must not exceed the maximum of {most}",
        )


def check_count(item: Item, count: int | None, steps: Steps) -> None:
    """Note a number of devices that is read as 1."""
    if count is not None and count < 1:
        item.fault("cl-19", steps, f"{count} means 1", "omit it, or request at least 1 device")


def check_counted(item: Item, spec: objects.ClaimSpec, steps: Steps) -> None:
    """Note what is wrong with a claim that a pod of counted pools has in itself."""
    _counted_spec(item, spec, steps)


def check_claim(item: Item) -> None:
    """Note what is wrong with a claim, whatever the state."""
    if item.dialect == "proto-pools":
        _counted_claim(item)
    else:
        _parts(item)
    _claim_status(item)


def _counted_claim(item: Item) -> None:
    spec = item.spec
    if item.kind == "DeviceClaimTemplate":
        given = members(spec, ("claimSpec", "privilegedClaimSpec", "setClaimSpec"))
        if len(given) != 1:
            which = " and ".join(given) if given else "none"
            message = f"a template must have exactly one claim spec, got {which}"
            item.fault("pp-4", ("spec",), message, is_empty=not given)
        for name in given:
            _counted_spec(item, spec[name], ("spec", name))
    else:
        _counted_spec(item, spec, ("spec",))


def _counted_spec(item: Item, spec: objects.ClaimSpec, steps: Steps) -> None:
    if "claimSpec" in spec:
        _matched(item, spec.get("matchAttributes"), (*steps, "matchAttributes"))
        for number, part in enumerate(spec["claimSpec"]):
            _counted_spec(item, part, (*steps, "claimSpec", number))
        return
    is_privileged = item.kind == "DevicePrivilegedClaim" or steps[-1] == "privilegedClaimSpec"
    wanted = "driver" if is_privileged else "deviceClass"
    if not spec.get(wanted):
        item.fault("pp-7", (*steps, wanted), f"the claim requires a {wanted}")
    check_expression(item, "cl-8", spec.get("constraints"), (*steps, "constraints"))
    _matched(item, spec.get("matchAttributes"), (*steps, "matchAttributes"))
    _claim_configs(item, spec, steps)
    _counts(item, spec, steps)


def _parts(item: Item) -> None:
    parts: Sequence[objects.Part] = item.spec.get("devices") or ()
    if not parts:
        item.fault("cl-1", ("spec", "devices"), "the claim has no requests")
    _matched(item, item.spec.get("matchAttributes"), ("spec", "matchAttributes"))
    seen: dict[str, int] = {}
    for number, part in enumerate(parts):
        steps: Steps = ("spec", "devices", number)
        name = part.get("name")
        if not name:
            item.fault("cl-2", steps, "this part of the claim requires a name")
        elif name in seen:
            item.fault("cl-2", (*steps, "name"), f"duplicate name {name!r}, also at #{seen[name]}")
        elif names.dns_label(name) and not name.startswith("#"):
            item.fault("cl-2-form", (*steps, "name"), f"{name!r} is not a DNS label")
        seen.setdefault(name or "", number)
        _alternatives(item, part, steps)


def _alternatives(item: Item, part: objects.Part, steps: Steps) -> None:
    every, one = part.get("allOf") or (), part.get("oneOf") or ()
    if not every and not one:
        message = (
            "neither allOf nor oneOf has an entry: it is empty or has an unknown member of a newer client"
        )
        item.fault("cl-4-none", steps, message, is_empty=True)
    if len(one) == 1:
        item.fault("cl-5", (*steps, "oneOf"), "a oneOf with one option is the same as allOf")
    for form, entries in (("allOf", every), ("oneOf", one)):
        for number, detail in enumerate(entries):
            _detail(item, detail, (*steps, form, number))


def _detail(item: Item, detail: objects.Detail, steps: Steps) -> None:
    if not detail.get("class"):
        item.fault("cl-6", (*steps, "class"), "the request requires a class")
    check_expression(item, "cl-8", detail.get("constraints"), (*steps, "constraints"))
    _matched(item, detail.get("matchAttributes"), (*steps, "matchAttributes"))
    _amounts(item, detail, steps)
    if detail.get("adminAccess"):
        idle = [
            name for name in ("requests", "maxDevices", "matchAttributes") if detail.get(name) is not None
        ]
        if idle:
            item.fault("cl-12", (*steps, idle[0]), f"{' and '.join(idle)} have no effect with adminAccess")
    _claim_configs(item, detail, steps)


def _amounts(item: Item, detail: objects.Detail, steps: Steps) -> None:
    least = 1
    for name, text in (detail.get("requests") or {}).items():
        size = amount(text)
        here: Steps = (*steps, "requests", name)
        if name == "devices":
            if size is None or size.milli_value % 1000 or size.value < 1:
                item.fault("cl-9", here, f"{text!r} is not a number of devices")
            else:
                least = size.value
        elif size is None or not _is_positive(size):
            item.fault("cl-11", here, "a requested amount must be greater than zero")
    most = detail.get("maxDevices")
    if most is not None and most < max(1, least):
        item.fault(
            "cl-10", (*steps, "maxDevices"), f"the maximum of {most} devices must be at least {max(1, least)}"
        )


def _is_positive(size: Quantity) -> bool:
    return size.unscaled > 0


def _matched(item: Item, found: Sequence[str] | None, steps: Steps) -> None:
    for number, name in enumerate(found or ()):
        if not name:
            item.fault("cl-3", (*steps, number), "an attribute name must not be empty")
        elif name in (found or ())[:number]:
            item.fault("cl-3", (*steps, number), f"duplicate {name}")


def _claim_status(item: Item) -> None:
    for number, entry in enumerate(item.status.get("allocations") or ()):
        if not entry.get("devicePoolName") or not (entry.get("deviceName") or "deviceCount" in entry):
            item.fault(
                "cl-17", ("status", "allocations", number), "an allocation requires a pool and a device"
            )
    seen: set[tuple[object, object]] = set()
    for number, entry in enumerate(item.status.get("deviceStatuses") or ()):
        key = (entry.get("devicePoolName"), entry.get("deviceName"))
        if key in seen:
            item.fault("cl-16", ("status", "deviceStatuses", number), "duplicate device")
        seen.add(key)
    pods = item.status.get("podNames") or ()
    for number, name in enumerate(pods):
        if name in pods[:number]:
            item.fault("cl-16", ("status", "podNames", number), f"duplicate pod {name}")
