"""Addresses of network interfaces: how the server wants them written."""

from __future__ import annotations

import re

_LEADING_ZEROS = re.compile(r"\b0+(?=\d)", re.ASCII)
_PREFIX = re.compile(r"[0-9]{1,8}", re.ASCII)


def canonical(text: str) -> str | None:
    """``text``, an IP address with ``/`` and the length of its prefix, in its one canonical spelling.

    That is: no leading zeros, IPv6 as short as it can be and in lower case, and an IPv4 address inside an
    IPv6 one as IPv4. None if it is no such address, or one whose prefix ends before the IPv4 address
    inside. Mirrors ``IsValidInterfaceAddress``.
    """
    import ipaddress  # noqa: PLC0415 - only where a status has addresses

    address, slash, prefix = text.partition("/")
    if not slash or "%" in address or _PREFIX.fullmatch(prefix) is None:
        return None
    length = int(prefix)
    try:
        # Upstream still reads leading zeros, and takes the number for a decimal one.
        found = ipaddress.ip_address(_LEADING_ZEROS.sub("", address))
    except ValueError:
        return None
    if length > found.max_prefixlen:
        return None
    if isinstance(found, ipaddress.IPv6Address) and found.ipv4_mapped is not None:
        return f"{found.ipv4_mapped}/{length - 96}" if length >= 96 else None
    return f"{found}/{length}"
