"""Uniform resource identifiers, as Go's ``net/url`` reads them."""

from __future__ import annotations

import re
from urllib.parse import unquote_to_bytes

from dractl.cel.common import types
from dractl.cel.common.operators import not_comparable
from dractl.cel.common.values import Value
from dractl.records import NamedTuple

STRICT = frozenset({"http", "https"})
"""Schemes whose hosts may hold a colon only before the port."""

SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.\-]*:")
_ESCAPE = re.compile(r"%[0-9a-fA-F]{2}")
BAD_ESCAPE = re.compile(r"%(?![0-9a-fA-F]{2})")
USERINFO = re.compile(r"(?:[A-Za-z0-9\-._:~!$&'()*+,;=@]|%[0-9a-fA-F]{2})*")
PORT = re.compile(r"(?::[0-9]*)?")
HOST = re.compile(r"(?:[A-Za-z0-9\-_.~!$&'()*+,;=:\[\]<>\"]|[^\x00-\x7f]|%(?:25|[89a-fA-F][0-9a-fA-F]))*")
_PATH_KEPT = re.compile(r"(?:[A-Za-z0-9\-_.~!$&'()*+,;=:@\[\]/]|%[0-9a-fA-F]{2})*")
_PATH_PLAIN = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.~$&+,/:;=@")


class URL(NamedTuple):
    """A parsed URL; ``path`` is escaped. ``bare`` tells of a question mark with nothing after it."""

    scheme: str
    opaque: str
    userinfo: str
    host: str
    path: str
    query: str
    fragment: str
    bare: bool = False

    @property
    def cel_by_identity(self) -> bool:
        """That as the key of a map it is equal to itself only."""
        return True

    @property
    def cel_type(self) -> types.Type:
        """The type ``kubernetes.URL``."""
        return types.URL

    def cel_equal(self, other: Value) -> bool:
        """Whether both write the same; raises EvaluationError for another type."""
        if type(other) is not URL:
            not_comparable(self, other)
        return tuple(self) == tuple(other)

    def hostname(self) -> str:
        """The host without port and brackets."""
        host = self.host
        if host.startswith("["):
            return host[1 : host.rfind("]")] if "]" in host else host
        return host.rpartition(":")[0] if ":" in host else host

    def port(self) -> str:
        """The port, or an empty text."""
        rest = self.host[self.host.rfind("]") + 1 :] if self.host.startswith("[") else self.host
        _, _, port = rest.rpartition(":") if ":" in rest else ("", "", "")
        return port


def request_uri(text: str) -> URL | None:
    """The URL that ``text`` writes, as ``url.ParseRequestURI`` and then ``url.Parse``; None if it is none."""
    if _parsed(text, via_request=True) is None:
        return None
    before, _, fragment = text.partition("#")
    found = _parsed(before, via_request=False)
    if found is None or BAD_ESCAPE.search(fragment):
        return None
    return found._replace(fragment=_escaped(fragment))


def is_request_uri(text: str) -> bool:
    """Whether ``url.ParseRequestURI`` takes ``text``."""
    return _parsed(text, via_request=True) is not None


def _parsed(text: str, *, via_request: bool) -> URL | None:
    if any(character < " " or character == "\x7f" for character in text):
        return None
    if not text and via_request:
        return None
    if text == "*":
        return URL("", "", "", "", "*", "", "")
    match = SCHEME.match(text)
    scheme = match[0][:-1].lower() if match else ""
    rest = text[match.end() :] if match else text
    if rest.startswith(":") and not match:
        return None
    rest, mark, query = rest.partition("?")
    bare = bool(mark) and not query
    if not rest.startswith("/"):
        if scheme:
            return URL(scheme, rest, "", "", "", query, "", bare)
        if via_request or ":" in rest.partition("/")[0]:
            return None
    userinfo = host = ""
    if rest.startswith("//") and (scheme or (not via_request and not rest.startswith("///"))):
        authority, slash, path = rest[2:].partition("/")
        rest = slash + path
        userinfo, at, host = authority.rpartition("@")
        if not USERINFO.fullmatch(userinfo) or not _is_host(host, strict=scheme in STRICT):
            return None
        userinfo = _unescaped_user(userinfo) + at
    if BAD_ESCAPE.search(rest):
        return None
    return URL(scheme, "", userinfo, _unescaped_host(host), _escaped(rest), query, "", bare)


def _unescaped_user(userinfo: str) -> str:
    """Name and password as they are compared."""
    return ":".join([unquote_to_bytes(part).decode(errors="replace") for part in userinfo.split(":", 1)])


def _unescaped_host(host: str) -> str:
    return unquote_to_bytes(host).decode(errors="replace") if "%" in host else host


def _is_host(host: str, *, strict: bool) -> bool:
    if host.rfind("[") > 0:
        return False
    if host.startswith("["):
        end = host.rfind("]")
        if end < 0 or not PORT.fullmatch(host[end + 1 :]):
            return False
        address, percent, zone = host[1:end].partition("%25")
        return _is_ipv6(address) and (_is_zone(zone) if percent else "%" not in address)
    name, colon, port = host.rpartition(":")
    if not colon:
        name = host
    elif not PORT.fullmatch(f":{port}") or (strict and ":" in name):
        return False
    return HOST.fullmatch(name) is not None


def _is_zone(zone: str) -> bool:
    """Whether a zone holds only what a host may hold; escaped also percent signs and spaces."""
    escaped = [chr(int(match[0][1:], 16)) for match in _ESCAPE.finditer(zone)]
    if not all(each in "% " or (each.isascii() and HOST.fullmatch(each)) for each in escaped):
        return False
    return bool(zone) and HOST.fullmatch(_ESCAPE.sub("", zone)) is not None


def _is_ipv6(text: str) -> bool:
    from ipaddress import AddressValueError, IPv6Address

    try:
        IPv6Address(text)
    except (AddressValueError, ValueError):
        return False
    return True


def _escaped(path: str) -> str:
    """The path as ``EscapedPath`` gives it: as written if that is well escaped, else escaped again."""
    if path == "*" or _PATH_KEPT.fullmatch(path):
        return path
    raw = unquote_to_bytes(path)
    return "".join([chr(byte) if byte in _PATH_PLAIN else f"%{byte:02X}" for byte in raw])


def query_values(query: str) -> dict[str, list[str]]:
    """The values of a query by key, as ``URL.Query``; what is badly escaped is left out."""
    found: dict[str, list[str]] = {}
    for part in query.split("&"):
        if not part or ";" in part or BAD_ESCAPE.search(part):
            continue
        key, _, value = part.partition("=")
        found.setdefault(_unescaped(key), []).append(_unescaped(value))
    return found


def _unescaped(text: str) -> str:
    return unquote_to_bytes(text.replace("+", " ")).decode(errors="replace")
