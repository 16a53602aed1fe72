"""Addresses of network interfaces: how the server wants them written."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ipaddress import IPv4Address, IPv6Address

_LEADING_ZEROS = re.compile(r"\b0+(?=\d)", re.ASCII)
_PREFIX = re.compile(r"[0-9]{1,8}", re.ASCII)


def _parsed(text: str) -> tuple[IPv4Address | IPv6Address, int] | None:
    """Address and prefix length that ``text`` means, or None; mirrors ``ParseCIDRSloppy``."""
    import ipaddress  # only where a status has addresses

    address, slash, prefix = text.partition("/")
    if not slash or "%" in address or _PREFIX.fullmatch(prefix) is None:
        return None
    length = int(prefix)
    try:
        # Upstream still reads leading zeros, and takes the number for a decimal one.
        found = ipaddress.ip_address(_LEADING_ZEROS.sub("", address))
    except ValueError:
        return None
    return (found, length) if length <= found.max_prefixlen else None


def meaning(text: str) -> str | None:
    """What servers of 1.32 compare in place of ``text``: address and prefix length; None if it is none.

    An IPv4 address inside an IPv6 one counts as IPv4, but not so the prefix length.
    """
    found = _parsed(text)
    if found is None:
        return None
    address, length = found
    return f"{getattr(address, 'ipv4_mapped', None) or address}/{length}"


def canonical(text: str) -> str | None:
    """``text``, an IP address with ``/`` and the length of its prefix, in its one canonical spelling.

    That is: no leading zeros, IPv6 as short as it can be and in lower case, and an IPv4 address inside an
    IPv6 one as IPv4. None if it is no such address, or one whose prefix ends before the IPv4 address
    inside. Mirrors ``IsValidInterfaceAddress``.
    """
    found = _parsed(text)
    if found is None:
        return None
    address, length = found
    inner = getattr(address, "ipv4_mapped", None)
    if inner is not None:
        return f"{inner}/{length - 96}" if length >= 96 else None
    return f"{address}/{length}"
