"""The named resources of a slice of Kubernetes 1.30 as what selectors are evaluated for."""

from __future__ import annotations

from collections.abc import Iterator

from dractl.api.json_types import JsonDict
from dractl.cel.common.device import DeviceValue
from dractl.cel.common.errors import CelError
from dractl.cluster.devices import DeviceID
from dractl.legacy.v1alpha2.instance_value import instance_value

__all__ = ["named_resources"]


def named_resources(item: JsonDict) -> Iterator[tuple[DeviceID, DeviceValue | CelError]]:
    """The instances of a slice, called as simulations call them, each with the variables of selectors."""
    model = item.get("namedResources")
    driver, node = str(item.get("driverName", "")), str(item.get("nodeName", ""))
    for instance in (model.get("instances") or ()) if isinstance(model, dict) else ():
        identity = DeviceID(driver, node, instance.get("name", ""))
        yield identity, instance_value(instance.get("attributes") or ())
