"""The named resources of a slice of Kubernetes 1.30 as what selectors are evaluated for."""

from __future__ import annotations

from collections.abc import Iterator

from dractl.api.json_types import Object
from dractl.cel.common.device import DeviceValue
from dractl.cel.common.errors import CelError
from dractl.cluster.devices import DeviceID
from dractl.legacy.v1alpha2.instance_value import instance_value

__all__ = ["named_resources"]


def named_resources(item: Object) -> Iterator[tuple[DeviceID, DeviceValue | CelError]]:
    """The instances of a slice, called as simulations call them, each with the variables of selectors."""
    for instance in (item.get("namedResources") or {}).get("instances") or ():
        identity = DeviceID(item.get("driverName", ""), item.get("nodeName", ""), instance.get("name", ""))
        yield identity, instance_value(instance.get("attributes") or ())
