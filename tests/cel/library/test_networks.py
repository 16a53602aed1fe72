"""IP addresses and networks. The expected values are those of the real evaluator."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from dractl.cel.compile import CelError

GIVES: list[tuple[str, Any]] = [
    ('string(ip("2001:DB8:0:0::1"))', "2001:db8::1"),
    ('ip("10.0.0.1").family()', 4),
    ('ip("::1").family()', 6),
    ('isIP("1.2.3.4")', True),
    ('isIP("1.2.3")', False),
    ('ip.isCanonical("2001:db8::1")', True),
    ('ip.isCanonical("2001:DB8::1")', False),
    ('ip("0.0.0.0").isUnspecified()', True),
    ('ip("127.0.0.1").isLoopback()', True),
    ('ip("224.0.0.1").isLinkLocalMulticast()', True),
    ('ip("ff12::1").isLinkLocalMulticast()', True),
    ('ip("224.0.1.0").isLinkLocalMulticast()', False),
    ('ip("169.254.1.1").isLinkLocalUnicast()', True),
    ('ip("fe80::1").isLinkLocalUnicast()', True),
    ('ip("255.255.255.255").isGlobalUnicast()', False),
    ('ip("10.0.0.1").isGlobalUnicast()', True),
    ('ip("10.0.0.1") == ip("10.0.0.1")', True),
    ('string(cidr("10.0.0.1/8"))', "10.0.0.1/8"),
    ('string(cidr("10.0.0.1/8").masked())', "10.0.0.0/8"),
    ('cidr("10.0.0.0/8").prefixLength()', 8),
    ('string(cidr("10.0.0.1/8").ip())', "10.0.0.1"),
    ('isCIDR("10.0.0.0/8")', True),
    ('isCIDR("10.0.0.0")', False),
    ('cidr("10.0.0.0/8").containsIP("10.1.2.3")', True),
    ('cidr("10.0.0.0/8").containsIP(ip("11.1.2.3"))', False),
    ('cidr("10.0.0.0/8").containsCIDR("10.1.0.0/16")', True),
    ('cidr("10.1.0.0/16").containsCIDR(cidr("10.0.0.0/8"))', False),
    ('cidr("::/0").containsIP("10.0.0.1")', False),
    ('cidr("10.0.0.0/8") == cidr("10.0.0.1/8")', False),
]

FAILS: list[str] = [
    'ip.isCanonical("x")',
    'cidr("10.0.0.0/8").containsIP("x")',
]


@pytest.mark.parametrize(("expression", "expected"), GIVES)
def test_what_it_gives(value_of: Callable[[str], Any], expression: str, expected: Any) -> None:
    value = value_of(expression)
    assert value == expected
    assert isinstance(value, bool) == isinstance(expected, bool)


@pytest.mark.parametrize("expression", FAILS)
def test_what_fails(value_of: Callable[[str], Any], expression: str) -> None:
    value = value_of(expression)
    assert isinstance(value, CelError)
    assert value.kind == "runtime"
    assert value.message
