"""Rules for the network interface that a driver reports of an allocated device."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dractl.admission.claim.interface_address import canonical, meaning
from dractl.admission.framework.context import Context
from dractl.admission.framework.quirks import COMPARES_PARSED_ADDRESSES
from dractl.admission.framework.scope import Scope
from dractl.admission.shared.checks import at_most, too_long, unique
from dractl.api import limits
from dractl.api.errors import ErrorType
from dractl.api.path import FieldPath

if TYPE_CHECKING:
    from dractl.api.objects.resource import NetworkDeviceData


_IP = Scope(
    kind="ResourceClaim",
    at="status.devices[*].networkData.ips[*]",
    since="1.32",
    frame="""
        status:
          allocation:
            devices: {results: [{request: gpu, driver: gpu.example.com, pool: node-a, device: gpu-0}]}
          devices:
          - driver: gpu.example.com
            pool: node-a
            device: gpu-0
            <here>
        """,
)

_NETWORK = Scope(
    kind="ResourceClaim",
    at="status.devices[*].networkData",
    since="1.32",
    upstream="validateNetworkDeviceData",
    frame="""
        status:
          allocation:
            devices:
              results: [{request: gpu, driver: nic.example.com, pool: node-a, device: nic-0}]
          devices:
          - driver: nic.example.com
            pool: node-a
            device: nic-0
            <here>
        """,
)

DSTAT_IF_NAME = _NETWORK.rule(
    "dstat/if-name",
    at="interfaceName",
    type=ErrorType.TOO_LONG,
    covered=True,
    doc="""The name of a network interface can have at most 256 bytes.

    Good:
        status:
          allocation:
            devices:
              results: [{request: gpu, driver: nic.example.com, pool: node-a, device: nic-0}]
          devices:
          - {driver: nic.example.com, pool: node-a, device: nic-0, networkData: {interfaceName: eth1}}
    Bad here:
        networkData: {interfaceName: "<257 times x>"}
    """,
)

DSTAT_HW_ADDR = _NETWORK.rule(
    "dstat/hw-addr",
    at="hardwareAddress",
    type=ErrorType.TOO_LONG,
    covered=True,
    doc="""The hardware address of a network interface can have at most 128 bytes.

    Good here:
        networkData: {hardwareAddress: "ea:9f:cb:40:b1:7b"}
    Bad here:
        networkData: {hardwareAddress: "<43 times ea:>"}
    """,
)

DSTAT_IPS_SIZE = _NETWORK.rule(
    "dstat/ips-size",
    at="ips",
    type=ErrorType.TOO_MANY,
    covered=True,
    doc="""A network interface can have at most 16 IP addresses.

    Good here:
        networkData: {ips: [<16 times 10.9.8.#/24, >]}
    Bad here:
        networkData: {ips: [<17 times 10.9.8.#/24, >]}
    """,
)

DSTAT_IPS_FORMAT = _IP.rule(
    "dstat/ips-format",
    type=ErrorType.INVALID,
    since="1.33",
    upstream="IsValidInterfaceAddress",
    doc="""An address of a network interface must be a canonical CIDR: an IP address, `/` and a prefix length.

    Use no leading zeros, the shortest lower-case form of IPv6, and plain IPv4 for IPv4-mapped IPv6. 1.32
    accepts any valid form.

    Good here:
        networkData: {ips: [192.0.2.7/24, "2001:db8::7/64"]}
    Bad here:
        networkData: {ips: [192.0.2.7/24, "2001:DB8::7/64"]}
    """,
)

DSTAT_IPS_PARSED = _IP.rule(
    "dstat/ips-format",
    type=ErrorType.INVALID,
    until="1.32",
    upstream="IsValidCIDR",
    doc="""An address of a network interface must be a CIDR: an IP address, `/` and a prefix length.

    Since 1.33 it must also be in canonical form.

    Good here:
        networkData: {ips: ["2001:0DB8::7/64"]}
    Bad here:
        networkData: {ips: [192.0.2.7]}
    """,
)

DSTAT_IPS_DUPLICATE = _IP.rule(
    "dstat/ips-duplicate",
    type=ErrorType.DUPLICATE,
    covered=True,
    upstream="validateNetworkDeviceData",
    doc="""The addresses of a network interface must be unique.

    Good here:
        networkData: {ips: [192.0.2.7/24, 192.0.2.8/24]}
    Bad here:
        networkData: {ips: [192.0.2.7/24, 192.0.2.7/24]}
    """,
)


def check_network(ctx: Context, network: NetworkDeviceData, path: FieldPath) -> None:
    """The network interface of one device; mirrors ``validateNetworkDeviceData``."""
    name, address = network.get("interfaceName", ""), network.get("hardwareAddress", "")
    too_long(
        ctx, DSTAT_IF_NAME, path.child("interfaceName"), name, limits.of("network.interfaceName", ctx.minor)
    )
    most = limits.of("network.hardwareAddress", ctx.minor)
    too_long(ctx, DSTAT_HW_ADDR, path.child("hardwareAddress"), address, most)
    ips: list[str] = network.get("ips") or []
    place = path.child("ips")
    if not at_most(ctx, DSTAT_IPS_SIZE, place, ips, "network.ips"):
        return
    if ctx.does(COMPARES_PARSED_ADDRESSES):
        _check_parsed(ctx, ips, place)
        return
    for position, text in enumerate(ips):
        spelled = canonical(text)
        if spelled is None:
            message = f"{text[:60]!r} must be an IP address with a prefix length, such as 192.0.2.7/24"
            ctx.refuse(DSTAT_IPS_FORMAT, place.index(position), text, message)
        elif spelled != text:
            ctx.refuse(DSTAT_IPS_FORMAT, place.index(position), text, f"write {text!r} as {spelled}")
    unique(ctx, DSTAT_IPS_DUPLICATE, place, ips, what="the address")


def _check_parsed(ctx: Context, ips: list[str], path: FieldPath) -> None:
    """Addresses in any spelling, compared by what they mean; those that mean nothing are all the same."""
    meanings = [meaning(text) for text in ips]
    for position, (text, found) in enumerate(zip(ips, meanings, strict=True)):
        if found is None:
            message = f"{text[:60]!r} must be an IP address with a prefix length, such as 192.0.2.7/24"
            ctx.refuse(DSTAT_IPS_PARSED, path.index(position), text, message)
    unique(ctx, DSTAT_IPS_DUPLICATE, path, (found or "" for found in meanings), what="the address")
