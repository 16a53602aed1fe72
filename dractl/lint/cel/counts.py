"""Whether there are as many devices as a request asks for."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from dractl.api.path import Steps
from dractl.lint.base.input_set import InputObject, InputSet, Lint
from dractl.lint.base.request_drivers import drivers_of
from dractl.lint.cel.known_devices import KnownDevices, SelectorResult
from dractl.lint.cel.rules import TOO_FEW

if TYPE_CHECKING:
    from dractl.api.objects.resource import DeviceSubRequest, ExactDeviceRequest

__all__ = ["too_few_devices"]


def too_few_devices(
    inputs: InputSet,
    given: InputObject,
    place: Steps,
    body: ExactDeviceRequest | DeviceSubRequest,
    trial: SelectorResult,
    known_devices: KnownDevices,
) -> Iterator[Lint]:
    """The count of a request that is above the number of all devices that it selects, on whatever nodes.

    Silent unless all slices of the drivers are there that the request can get devices of.
    """
    count, matched = body.get("count", 1), trial.matched
    if body.get("allocationMode") == "All" or not matched or matched >= count:
        return
    drivers = drivers_of(inputs, body)
    if drivers and all(known_devices.is_complete(driver) for driver in drivers):
        devices = "device" if matched == 1 else "devices"
        message = f"the request selects only {matched} {devices} in the input"
        yield Lint(TOO_FEW, given, (*place, "count"), message)
