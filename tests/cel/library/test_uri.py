"""Uniform resource identifiers. What is read, and how, is what the real evaluator says."""

from __future__ import annotations

import pytest

from dractl.cel.common.errors import EvaluationError
from dractl.cel.library.formatting import formatted
from dractl.cel.library.uri import is_request_uri, query_values, request_uri
from tests.rows import each_row

# Scheme, host, host name, port and escaped path.
PARTS: list[tuple[str, list[str]]] = [
    (
        "https://example.com:8080/p/%20?q=1&q=2#f",
        ["https", "example.com:8080", "example.com", "8080", "/p/%20"],
    ),
    ("https://example.com", ["https", "example.com", "example.com", "", ""]),
    ("https://example.com/", ["https", "example.com", "example.com", "", "/"]),
    ("HTTP://EXAMPLE.com/%7Ea", ["http", "EXAMPLE.com", "EXAMPLE.com", "", "/%7Ea"]),
    ("http://user:pw@h/a b", ["http", "h", "h", "", "/a%20b"]),
    ("http://user@h:80", ["http", "h:80", "h", "80", ""]),
    ("http://h:", ["http", "h:", "h", "", ""]),
    ("http://h:/", ["http", "h:", "h", "", "/"]),
    ("http://[::1]:80/", ["http", "[::1]:80", "::1", "80", "/"]),
    ("http://[fe80::1%25en0]/", ["http", "[fe80::1%en0]", "fe80::1%en0", "", "/"]),
    ("http://[fe80::1%25e%20x]:1/", ["http", "[fe80::1%e x]:1", "fe80::1%e x", "1", "/"]),
    ("http://[::ffff:1.2.3.4]/", ["http", "[::ffff:1.2.3.4]", "::ffff:1.2.3.4", "", "/"]),
    ("/a/b?x=%zz", ["", "", "", "", "/a/b"]),
    ("/", ["", "", "", "", "/"]),
    ("/a b", ["", "", "", "", "/a%20b"]),
    ("/a%20b", ["", "", "", "", "/a%20b"]),
    ("/ü", ["", "", "", "", "/%C3%BC"]),
    ("//host/path", ["", "host", "host", "", "/path"]),
    ("*", ["", "", "", "", "*"]),
    ("mailto:a@b", ["mailto", "", "", "", ""]),
    ("foo:bar", ["foo", "", "", "", ""]),
    ("foo:/bar", ["foo", "", "", "", "/bar"]),
    ("foo://bar", ["foo", "bar", "bar", "", ""]),
    ("a+b.c-1:x", ["a+b.c-1", "", "", "", ""]),
    ("http://h/?a=b&&=c&d", ["http", "h", "h", "", "/"]),
    ("http://h?x", ["http", "h", "h", "", ""]),
    ("http://h/p?", ["http", "h", "h", "", "/p"]),
    ("http://h/#", ["http", "h", "h", "", "/"]),
    ("/p;a?b=c;d", ["", "", "", "", "/p;a"]),
    ("http://a.b/c%2Fd", ["http", "a.b", "a.b", "", "/c%2Fd"]),
    ("http://a.b/c/../d", ["http", "a.b", "a.b", "", "/c/../d"]),
    ("http://h/a'(b)!*", ["http", "h", "h", "", "/a'(b)!*"]),
    ("http://%E2%82%AC/", ["http", "€", "€", "", "/"]),
    ("http://h/[x]", ["http", "h", "h", "", "/[x]"]),
    ("ftp://a:b:80/", ["ftp", "a:b:80", "a:b", "80", "/"]),
    ("http:///p", ["http", "", "", "", "/p"]),
    ("http://", ["http", "", "", "", ""]),
    ("https://h:443/p%2fq", ["https", "h:443", "h", "443", "/p%2fq"]),
    ("x://h:080/", ["x", "h:080", "h", "080", "/"]),
    ("http://a@b@c/", ["http", "c", "c", "", "/"]),
    ("http://h/:", ["http", "h", "h", "", "/:"]),
    ("/:80", ["", "", "", "", "/:80"]),
    ("http://h/%41", ["http", "h", "h", "", "/%41"]),
    ("http://h/~!@$&'()*+,;=:", ["http", "h", "h", "", "/~!@$&'()*+,;=:"]),
    ("http://ex%E3%80%80ample/", ["http", "ex　ample", "ex　ample", "", "/"]),
    ("http://localhost", ["http", "localhost", "localhost", "", ""]),
]

NO_URLS = [
    "http://a:b:c/",
    "",
    "x y",
    "abc",
    "a/b",
    ":80",
    "://h",
    "1http://h",
    "http://h:8o/",
    "http://h:-1/",
    "http://[::1",
    "http://[1.2.3.4]/",
    "http://[::1]a/",
    "http://[fe80::1%en0]/",
    "http://[fe80::1%25]/",
    "http://ex[ample/",
    "http://us er@h/",
    "http://u%zzr@h/",
    "http://h%41/",
    "http://h%/",
    "/a%",
    "/a%2",
    "/a%zz",
    "http://h/%",
    "http://a b/",
    "http://h\x7f/",
    "/a\nb",
    "http://a:b:c:80/",
    "http://h/\x00",
    "#f",
    "?q",
    "http://h`/",
    "http://{h}/",
]

# How %s shows the values.
QUERIES: list[tuple[str, str]] = [
    ("a=1", '{"a":["1"]}'),
    ("a=1&a=2&b=3", '{"a":["1", "2"], "b":["3"]}'),
    ("", "{}"),
    ("a", '{"a":[""]}'),
    ("a=", '{"a":[""]}'),
    ("=a", '{"":["a"]}'),
    ("&&", "{}"),
    ("a=b=c", '{"a":["b=c"]}'),
    ("a+b=c+d", '{"a b":["c d"]}'),
    ("a%20b=%26", '{"a b":["&"]}'),
    ("a=%zz&b=1", '{"b":["1"]}'),
    ("a;b=1&c=2", '{"c":["2"]}'),
    ("%41=1", '{"A":["1"]}'),
    ("a=1&b", '{"a":["1"], "b":[""]}'),
    ("a=%C3%BC", '{"a":["ü"]}'),
    ("x=1#y", '{"x":["1"]}'),
]

EQUAL: list[tuple[str, str, bool]] = [
    ("http://h/a", "http://h/a", True),
    ("http://h/a", "HTTP://h/a", True),
    ("http://h/a", "http://H/a", False),
    ("http://h/a", "http://h/a?", False),
    ("/a%20b", "/a b", True),
    ("http://h", "http://h/", False),
    ("http://h/#a", "http://h/#b", False),
    ("http://h/%41", "http://h/A", False),
    ("http://h/a?#f", "http://h/a#f", False),
    ("http://h/#", "http://h/", True),
    ("a:b?", "a:b", False),
    ("http://@h", "http://h", False),
    ("http://%75@h", "http://u@h", True),
    ("http://u:@h", "http://u@h", False),
    ("/#%20", "/# ", True),
    ("/a?b=%20", "/a?b= ", False),
]


@each_row(("text", "parts"), PARTS)
def test_a_url_is_taken_apart(text: str, parts: list[str]) -> None:
    found = request_uri(text)
    assert found is not None
    assert [found.scheme, found.host, found.hostname(), found.port(), found.path] == parts
    assert is_request_uri(text)


@each_row("text", NO_URLS)
def test_what_is_no_absolute_url_and_no_path_is_refused(text: str) -> None:
    assert request_uri(text) is None
    assert not is_request_uri(text)


@pytest.mark.parametrize("text", ["http://h/?q#%zz", "/?#%"])
def test_a_badly_escaped_fragment_is_refused_only_where_it_is_read(text: str) -> None:
    assert is_request_uri(text)
    assert request_uri(text) is None


@each_row(("query", "shown"), QUERIES)
def test_a_query_has_values_by_name(query: str, shown: str) -> None:
    found = request_uri(f"/?{query}")
    assert found is not None
    assert formatted("%s", [query_values(found.query)]) == shown


@each_row(("left", "right", "equal"), EQUAL)
def test_urls_are_equal_if_they_write_the_same(left: str, right: str, equal: bool) -> None:
    one, other = request_uri(left), request_uri(right)
    assert one is not None
    assert one.cel_equal(other) is equal


def test_a_url_is_compared_with_urls_only() -> None:
    found = request_uri("/a")
    assert found is not None
    with pytest.raises(EvaluationError, match="cannot compare a URL with a string"):
        found.cel_equal("/a")


def test_a_url_as_the_key_of_a_map_is_found_by_identity() -> None:
    found = request_uri("/a")
    assert found is not None
    assert found.cel_by_identity
    assert str(found.cel_type) == "kubernetes.URL"
