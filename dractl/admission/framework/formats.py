"""The text formats that declarative rules name; mirrors ``apimachinery/pkg/api/validate/strfmt.go``."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache

from dractl.api import names, release
from dractl.api.errors import OMITTED, ErrorType
from dractl.api.release import Minor

Broken = tuple[ErrorType, str, str]
"""What is wrong with a text: error type, the bad value that is reported, and a message."""

Format = Callable[[str], Iterator[Broken]]


def _plain(check: Callable[[str], tuple[str, ...]]) -> Format:
    def look(value: str) -> Iterator[Broken]:
        for message in check(value):
            subject = f"{value!r}" if value else "must not be empty; it"
            yield ErrorType.INVALID, value, f"{subject} {message}"

    return look


def _caseless(value: str) -> Iterator[Broken]:
    # Upstream matches without regard to case, and then the long s counts as an s.
    for message in names.dns_subdomain(value.lower().replace("\u017f", "s")):
        yield ErrorType.INVALID, value, f"{value!r} {message.replace('lower-case letters', 'letters')}"


def _pool_name(value: str) -> Iterator[Broken]:
    if names.byte_length(value) > names.POOL_MAX:
        yield ErrorType.TOO_LONG, OMITTED, f"a pool name can have at most {names.POOL_MAX} bytes"
    for segment in value.split("/"):
        if segment:
            yield from _plain(names.dns_subdomain)(segment)
        else:
            yield ErrorType.INVALID, value, f"{value!r} must not have an empty part between '/'"


def _identifier(value: str) -> Iterator[Broken]:
    if names.byte_length(value) > names.IDENTIFIER_MAX:
        yield ErrorType.TOO_LONG, OMITTED, f"an identifier can have at most {names.IDENTIFIER_MAX} bytes"
    yield from _plain(names.c_identifier)(value)


def _fully_qualified_name(value: str) -> Iterator[Broken]:
    parts = value.split("/")
    if len(parts) == 1:
        yield from _identifier(value)
        message = f"{value!r} has no domain; write DOMAIN/NAME, such as gpu.example.com/{value or 'model'}"
        yield ErrorType.INVALID, value, message
    elif len(parts) == 2:
        domain, name = parts
        if not domain:
            yield ErrorType.INVALID, "", "the domain before '/' must not be empty"
        else:
            if names.byte_length(domain) > names.DRIVER_MAX:
                yield ErrorType.TOO_LONG, OMITTED, f"a domain can have at most {names.DRIVER_MAX} bytes"
            yield from _plain(names.dns_subdomain)(domain)
        if name:
            yield from _identifier(name)
        else:
            yield ErrorType.INVALID, "", "the name after '/' must not be empty"


def _one_slash(value: str) -> Iterator[Broken]:
    if value.count("/") > 1:
        yield ErrorType.INVALID, value, names.second_slash(value)
    else:
        yield from _fully_qualified_name(value)


FORMATS: dict[str, Format] = {
    "k8s-short-name": _plain(names.dns_label),
    "k8s-long-name": _plain(names.dns_subdomain),
    "k8s-long-name-caseless": _caseless,
    "k8s-label-key": _plain(names.label_key),
    "k8s-uuid": _plain(names.uuid),
    "k8s-extended-resource-name": _plain(names.extended_resource),
    "k8s-resource-pool-name": _pool_name,
    "k8s-resource-fully-qualified-name": _fully_qualified_name,
    "k8s-resource-fully-qualified-name since 1.38": _one_slash,
}

_CHANGED = (("k8s-resource-fully-qualified-name", "1.38"),)
"""Formats that later minors check otherwise, with the minor."""


@cache
def format_in(name: str, minor: Minor) -> Format:
    """The format ``name`` as ``minor`` checks it."""
    for changed, since in _CHANGED:
        if changed == name and minor.within(release.at(since), None):
            return FORMATS[f"{name} since {since}"]
    return FORMATS[name]
