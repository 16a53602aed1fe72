"""URLs. The expected values are those of the real evaluator."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

GIVES: list[tuple[str, Any]] = [
    ('url("https://user@example.com:80/a%20b?x=1&x=2#f").getScheme()', "https"),
    ('url("https://user@example.com:80/a%20b?x=1&x=2#f").getHost()', "example.com:80"),
    ('url("https://user@example.com:80/a%20b?x=1&x=2#f").getHostname()', "example.com"),
    ('url("https://user@example.com:80/a%20b?x=1&x=2#f").getPort()', "80"),
    ('url("https://user@example.com:80/a%20b?x=1&x=2#f").getEscapedPath()', "/a%20b"),
    ('url("https://user@example.com:80/a%20b?x=1&x=2#f").getQuery()["x"]', ["1", "2"]),
    ('url("https://[::1]:80/").getHost()', "[::1]:80"),
    ('url("https://[::1]:80/").getHostname()', "::1"),
    ('url("https://[::1]/").getPort()', ""),
    ('url("/path").getHost()', ""),
    ('url("/a b").getEscapedPath()', "/a%20b"),
    ('url("x://a:80:80/").getPort()', "80"),
    ('url("mailto:a@b").getScheme()', "mailto"),
    ('url("http://h/p?a=%zz&b=c+d").getQuery().size()', 1),
    ('url("http://h/p?b=c+d").getQuery()["b"]', ["c d"]),
    ('isURL("https://example.com")', True),
    ('isURL("https://a b")', False),
    ('isURL("example.com")', False),
    ('isURL("http://h/%zz")', False),
    ('url("http://h/") == url("http://h/")', True),
]


@pytest.mark.parametrize(("expression", "expected"), GIVES)
def test_what_it_gives(value_of: Callable[[str], Any], expression: str, expected: Any) -> None:
    value = value_of(expression)
    assert value == expected
    assert isinstance(value, bool) == isinstance(expected, bool)
