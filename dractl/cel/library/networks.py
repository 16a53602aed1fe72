"""IP addresses and networks, as ``library/ip.go`` and ``library/cidr.go``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dractl.cel.common import types
from dractl.cel.common.errors import EvaluationError
from dractl.cel.common.operators import not_comparable
from dractl.cel.common.overload import Overload, overload
from dractl.cel.common.values import Value
from dractl.records import NamedTuple

if TYPE_CHECKING:
    from ipaddress import IPv4Address, IPv6Address


class IP(NamedTuple):
    """An address."""

    address: IPv4Address | IPv6Address

    @property
    def cel_type(self) -> types.Type:
        """The type ``net.IP``."""
        return types.IP

    def cel_equal(self, other: Value) -> bool:
        """Whether both are the same address; raises EvaluationError for another type."""
        if type(other) is not IP:
            not_comparable(self, other)
        return self.address == other.address

    def cel_size(self) -> int:
        """The number of bytes, for the cost."""
        return self.address.max_prefixlen // 8


class CIDR(NamedTuple):
    """An address with the number of bits that name its network."""

    address: IPv4Address | IPv6Address
    bits: int

    @property
    def cel_type(self) -> types.Type:
        """The type ``net.CIDR``."""
        return types.CIDR

    def cel_equal(self, other: Value) -> bool:
        """Whether address and bits are the same; raises EvaluationError for another type."""
        if type(other) is not CIDR:
            not_comparable(self, other)
        return self.address == other.address and self.bits == other.bits

    def cel_size(self) -> int:
        """The number of bytes that the bits fill, for the cost."""
        return -(-self.bits // 8)

    def masked(self) -> CIDR:
        """The network with all other bits zero."""
        shift = self.address.max_prefixlen - self.bits
        return CIDR(type(self.address)(int(self.address) >> shift << shift), self.bits)


def _parsed(text: str) -> IPv4Address | IPv6Address | None:
    """The address that ``text`` writes, as ``netip.ParseAddr``; zones and mapped IPv4 are not allowed."""
    from ipaddress import AddressValueError, IPv4Address, IPv6Address

    if not text.isascii() or "%" in text or "/" in text:
        return None
    try:
        if ":" not in text:
            return IPv4Address(text)
        address = IPv6Address(text)
    except (AddressValueError, ValueError):
        return None
    return None if address.ipv4_mapped is not None else address


def _ip(text: str) -> IP:
    address = _parsed(text)
    if address is None:
        raise EvaluationError(f"{text!r} is not an IP address without zone or IPv4-mapped IPv6")
    return IP(address)


def _is_ip(text: str) -> bool:
    return _parsed(text) is not None


def _is_canonical(text: str) -> bool:
    return str(_ip(text).address) == text


def _cidr_or_none(text: str) -> CIDR | None:
    head, slash, bits = text.rpartition("/")
    address = _parsed(head) if slash else None
    if address is None or not bits.isascii() or not bits.isdigit() or len(bits) > 3:
        return None
    if (len(bits) > 1 and bits[0] == "0") or int(bits) > address.max_prefixlen:
        return None
    return CIDR(address, int(bits))


def _cidr(text: str) -> CIDR:
    found = _cidr_or_none(text)
    if found is None:
        raise EvaluationError(f"{text!r} is not a network such as 10.0.0.0/8")
    return found


def _is_cidr(text: str) -> bool:
    return _cidr_or_none(text) is not None


def _family(value: IP) -> int:
    return value.address.version


def _is_loopback(value: IP) -> bool:
    return value.address.is_loopback


def _is_unspecified(value: IP) -> bool:
    return value.address.is_unspecified


def _within(value: IP, bits: int, first4: int, bits6: int, first6: int) -> bool:
    address = value.address
    if address.version == 4:
        return int(address) >> (32 - bits) == first4
    return int(address) >> (128 - bits6) == first6


def _is_link_local_multicast(value: IP) -> bool:
    if value.address.version == 6:
        # Any flags, scope 2: the first and the last four of 16 bits count.
        return int(value.address) >> 112 & 0xFF0F == 0xFF02
    return int(value.address) >> 8 == 0xE00000


def _is_link_local_unicast(value: IP) -> bool:
    return _within(value, 16, 0xA9FE, 10, 0x3FA)


def _is_global_unicast(value: IP) -> bool:
    address = value.address
    if address.version == 4 and int(address) in {0, 0xFFFFFFFF}:
        return False
    excluded = address.is_unspecified or address.is_loopback or address.is_multicast
    return not excluded and not _is_link_local_unicast(value)


def _contains_ip(network: CIDR, value: IP) -> bool:
    address = value.address
    if address.version != network.address.version:
        return False
    shift = address.max_prefixlen - network.bits
    return int(address) >> shift == int(network.address) >> shift


def _contains_ip_text(network: CIDR, text: str) -> bool:
    return _contains_ip(network, _ip(text))


def _contains_cidr(network: CIDR, other: CIDR) -> bool:
    return network.bits <= other.bits and _contains_ip(network, IP(other.address))


def _contains_cidr_text(network: CIDR, text: str) -> bool:
    return _contains_cidr(network, _cidr(text))


def _contains_cidr_131(network: CIDR, other: CIDR) -> bool:
    """As in 1.31, which asked for the same network address."""
    return network.bits <= other.bits and network.masked().address == other.address


def _contains_cidr_text_131(network: CIDR, text: str) -> bool:
    return _contains_cidr_131(network, _cidr(text))


def _ip_of(network: CIDR) -> IP:
    return IP(network.address)


def _ip_text(value: IP) -> str:
    return str(value.address)


def _cidr_text(network: CIDR) -> str:
    return f"{network.address}/{network.bits}"


def _is_mask(network: CIDR) -> bool:
    return network.masked().address == network.address


def _bits(network: CIDR) -> int:
    return network.bits


OVERLOADS: tuple[Overload, ...] = (
    overload("ip", "string_to_ip", "(string) -> IP", _ip, cost="parse", doc="parsed"),
    overload("isIP", "is_ip", "(string) -> bool", _is_ip, cost="parse", doc="whether it is an address"),
    overload("ip.isCanonical", "ip_is_canonical", "(string) -> bool", _is_canonical, cost="parse-twice"),
    overload("family", "ip_family", "IP.() -> int", _family, doc="4 or 6"),
    overload("isUnspecified", "ip_is_unspecified", "IP.() -> bool", _is_unspecified),
    overload("isLoopback", "ip_is_loopback", "IP.() -> bool", _is_loopback),
    overload("isLinkLocalMulticast", "ip_is_link_local_multicast", "IP.() -> bool", _is_link_local_multicast),
    overload("isLinkLocalUnicast", "ip_is_link_local_unicast", "IP.() -> bool", _is_link_local_unicast),
    overload("isGlobalUnicast", "ip_is_global_unicast", "IP.() -> bool", _is_global_unicast),
    overload("string", "ip_to_string", "(IP) -> string", _ip_text, doc="in canonical form"),
    overload("cidr", "string_to_cidr", "(string) -> CIDR", _cidr, cost="parse", doc="parsed"),
    overload("isCIDR", "is_cidr", "(string) -> bool", _is_cidr, cost="parse", doc="whether it is a network"),
    overload(
        "containsIP",
        "cidr_contains_ip_string",
        "CIDR.(string) -> bool",
        _contains_ip_text,
        cost="contains-ip-text",
    ),
    overload("containsIP", "cidr_contains_ip_ip", "CIDR.(IP) -> bool", _contains_ip, cost="contains-ip"),
    overload("ip", "cidr_ip", "CIDR.() -> IP", _ip_of, doc="its address"),
    overload("prefixLength", "cidr_prefix_length", "CIDR.() -> int", _bits),
    overload("masked", "cidr_masked", "CIDR.() -> CIDR", CIDR.masked, doc="with all other bits zero"),
    overload("string", "cidr_to_string", "(CIDR) -> string", _cidr_text, doc="in canonical form"),
)

MASKS: tuple[Overload, ...] = (
    overload("isMask", "cidr_is_mask", "CIDR.() -> bool", _is_mask, doc="whether no bit of a host is set"),
)

CONTAINED: tuple[Overload, ...] = (
    overload(
        "containsCIDR",
        "cidr_contains_cidr_string",
        "CIDR.(string) -> bool",
        _contains_cidr_text,
        cost="contains-cidr-text",
    ),
    overload(
        "containsCIDR", "cidr_contains_cidr", "CIDR.(CIDR) -> bool", _contains_cidr, cost="contains-cidr"
    ),
)

CONTAINED_131: tuple[Overload, ...] = (
    CONTAINED[0]._replace(implementation=_contains_cidr_text_131),
    CONTAINED[1]._replace(implementation=_contains_cidr_131),
)
