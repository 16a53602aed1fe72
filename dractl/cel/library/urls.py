"""URLs, as ``k8s.io/apiserver/pkg/cel/library/urls.go``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dractl.cel.common.errors import EvaluationError
from dractl.cel.common.overload import Overload, overload

if TYPE_CHECKING:
    from dractl.cel.library.uri import URL


def _url(text: str) -> URL:
    from dractl.cel.library.uri import request_uri

    found = request_uri(text)
    if found is None:
        raise EvaluationError(f"{text!r} is not a URL; it must be absolute, or a path that begins with /")
    return found


def _is_url(text: str) -> bool:
    from dractl.cel.library.uri import is_request_uri

    return is_request_uri(text)


def _query(url: URL) -> dict[str, list[str]]:
    from dractl.cel.library.uri import query_values

    return query_values(url.query)


OVERLOADS: tuple[Overload, ...] = (
    overload("url", "string_to_url", "(string) -> URL", _url, cost="parse-sized", doc="parsed"),
    overload("isURL", "is_url_string", "(string) -> bool", _is_url, doc="whether it is one"),
)

PARTS_137: tuple[Overload, ...] = (
    overload("getScheme", "url_get_scheme", "URL.() -> string", lambda url: url.scheme),
    overload(
        "getHost", "url_get_host", "URL.() -> string", lambda url: url.host, doc="with port and brackets"
    ),
    overload("getHostname", "url_get_hostname", "URL.() -> string", lambda url: url.hostname()),
    overload("getPort", "url_get_port", "URL.() -> string", lambda url: url.port()),
    overload("getEscapedPath", "url_get_escaped_path", "URL.() -> string", lambda url: url.path),
    overload("getQuery", "url_get_query", "URL.() -> map(string,list(string))", _query),
)

PARTS: tuple[Overload, ...] = tuple(
    row._replace(cost={"getEscapedPath": "escaped-part", "getQuery": "call"}.get(row.function, "part"))
    for row in PARTS_137
)
"""The rows since 1.38, whose estimate bounds a part by the length of the URL, three times that if escaped."""
