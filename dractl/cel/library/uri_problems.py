"""Why a text is not a URI, in the words of Go's ``url.ParseRequestURI``."""

from __future__ import annotations

from dractl.cel.library.formatting import quoted
from dractl.cel.library.uri import BAD_ESCAPE, HOST, PORT, SCHEME, STRICT, USERINFO


def problem_of(text: str) -> str:
    """The sentence about a text that ``uri.is_request_uri`` does not take."""
    return f"parse {quoted(text)}: {_reason(text)}"


def _reason(text: str) -> str:
    if any(character < " " or character == "\x7f" for character in text):
        return "net/url: invalid control character in URL"
    if not text:
        return "empty url"
    if text.startswith(":"):
        return "missing protocol scheme"
    match = SCHEME.match(text)
    scheme = match[0][:-1].lower() if match else ""
    rest = text[len(scheme) + 1 if match else 0 :].partition("?")[0]
    if not rest.startswith("/"):
        return "invalid URI for request"
    if scheme and rest.startswith("//"):
        authority, slash, path = rest[2:].partition("/")
        wrong = _reason_of_authority(authority, strict=scheme in STRICT)
        if wrong:
            return wrong
        rest = slash + path
    bad = BAD_ESCAPE.search(rest)
    return _escape(rest, bad.start()) if bad else "invalid URI for request"


def _escape(text: str, position: int) -> str:
    return f"invalid URL escape {quoted(text[position : position + 3])}"


def _reason_of_authority(authority: str, *, strict: bool) -> str:
    userinfo, _, host = authority.rpartition("@")
    wrong = _reason_of_literal(host) if "[" in host else _reason_of_name(host, strict=strict)
    if wrong or USERINFO.fullmatch(userinfo):
        return wrong
    bad = BAD_ESCAPE.search(userinfo)
    if bad and USERINFO.fullmatch(BAD_ESCAPE.sub("", userinfo)):
        return _escape(userinfo, bad.start())
    return "net/url: invalid userinfo"


def _reason_of_name(host: str, *, strict: bool) -> str:
    colon = host.find(":") if strict else host.rfind(":")
    if colon >= 0 and not PORT.fullmatch(host[colon:]):
        return f"invalid port {quoted(host[colon:])} after host"
    match = HOST.match(host)
    end = match.end() if match else 0
    if end == len(host):
        return ""
    if host[end] == "%":
        return _escape(host, end)
    return f"invalid character {quoted(host[end])} in host name"


def _reason_of_literal(host: str) -> str:
    if not host.startswith("[") or host.rfind("[") > 0:
        return "invalid IP-literal"
    end = host.rfind("]")
    if end < 0:
        return "missing ']' in host"
    if not PORT.fullmatch(host[end + 1 :]):
        return f"invalid port {quoted(host[end + 1 :])} after host"
    address = host[1:end]
    if ":" in address or "%" in address:
        return ""
    return f"invalid host: ParseAddr({quoted(address)}): unable to parse IP"
