"""The formats of names, keys and identifiers: each function returns what is wrong with a text.

The answer is a list of sentences, one for each part of the format that is broken (empty: nothing is wrong),
as the server counts one error for each. Mirrors ``k8s.io/apimachinery/pkg/util/validation``.
"""

from __future__ import annotations

import re
from functools import lru_cache

LABEL_MAX = 63
SUBDOMAIN_MAX = 253
DRIVER_MAX = 63
IDENTIFIER_MAX = 32
POOL_MAX = 253

IMPLICIT_RESOURCE = "deviceclass.resource.kubernetes.io/"
"""Begins the extended resource that each device class offers under its own name."""

_LABEL = re.compile(r"[a-z0-9]([-a-z0-9]*[a-z0-9])?", re.ASCII)
_SUBDOMAIN = re.compile(r"[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*", re.ASCII)
_NAME_PART = re.compile(r"([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]", re.ASCII)
_IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]*", re.ASCII)
_UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", re.ASCII)

_NOT_IN_LABEL = re.compile(r"[^a-z0-9-]+")
_NOT_IN_SUBDOMAIN = re.compile(r"[^a-z0-9.-]+")
_NOT_IN_IDENTIFIER = re.compile(r"[^A-Za-z0-9_]+|^(?=[0-9])")
_LONGEST_ADVISED = 60

_LABEL_RULE = "lower-case letters, digits and '-', beginning and ending with a letter or digit"
_SUBDOMAIN_RULE = (
    "lower-case letters, digits, '-' and '.', each part beginning and ending with a letter or digit"
)
_NAME_RULE = "letters, digits, '-', '_' and '.', beginning and ending with a letter or digit"


def byte_length(text: str) -> int:
    """The length of ``text`` in bytes, as Go counts."""
    return len(text.encode("utf-8", "surrogatepass"))


def lowered(value: str) -> str:
    """``value`` in lower case as ``strings.ToLower`` writes it, which makes a plain i of \u0130."""
    return value.replace("\u0130", "i").lower()


def _instead(value: str, form: re.Pattern[str], other: re.Pattern[str], substitute: str) -> str:
    """Advice with the nearest text of a form; empty if ``value`` resembles none, or is too long to repeat."""
    written = value if form is _IDENTIFIER else value.lower()
    nearest = other.sub(substitute, written).strip("-.")
    is_fitting = (
        len(value) <= _LONGEST_ADVISED and value.isprintable() and form.fullmatch(nearest) is not None
    )
    return f"; write {nearest}" if is_fitting else ""


@lru_cache(maxsize=65536)
def dns_label(value: str) -> tuple[str, ...]:
    """What keeps ``value`` from being a DNS label (RFC 1123): 1 to 63 bytes."""
    wrong = []
    if byte_length(value) > LABEL_MAX:
        wrong.append(f"must have at most {LABEL_MAX} characters")
    if _LABEL.fullmatch(value) is None:
        wrong.append(f"must consist of {_LABEL_RULE}{_instead(value, _LABEL, _NOT_IN_LABEL, '-')}")
    return tuple(wrong)


@lru_cache(maxsize=65536)
def dns_subdomain(value: str) -> tuple[str, ...]:
    """What keeps ``value`` from being a DNS subdomain (RFC 1123): labels joined with dots, 253 bytes."""
    wrong = []
    if byte_length(value) > SUBDOMAIN_MAX:
        wrong.append(f"must have at most {SUBDOMAIN_MAX} characters")
    if _SUBDOMAIN.fullmatch(value) is None:
        wrong.append(
            f"must consist of {_SUBDOMAIN_RULE}{_instead(value, _SUBDOMAIN, _NOT_IN_SUBDOMAIN, '-')}"
        )
    return tuple(wrong)


def second_slash(value: str) -> str:
    """What is wrong with an attribute or capacity name of three or more parts."""
    return f"{value!r} must not contain more than one '/'"


@lru_cache(maxsize=65536)
def label_key(value: str) -> tuple[str, ...]:
    """What keeps ``value`` from being the key of a label: an optional prefix and ``/``, then a name."""
    parts = value.split("/")
    if len(parts) > 2:
        return (f"must be a name of {_NAME_RULE}, with at most one prefix and '/'",)
    wrong = []
    if len(parts) == 2:
        if parts[0]:
            wrong += [f"prefix part {text}" for text in dns_subdomain(parts[0])]
        else:
            wrong.append("prefix part must not be empty")
    name = parts[-1]
    if not name:
        wrong.append("name part must not be empty")
    elif byte_length(name) > LABEL_MAX:
        wrong.append(f"name part must have at most {LABEL_MAX} characters")
    if _NAME_PART.fullmatch(name) is None:
        wrong.append(f"name part must consist of {_NAME_RULE}")
    return tuple(wrong)


@lru_cache(maxsize=65536)
def label_value(value: str) -> tuple[str, ...]:
    """What keeps ``value`` from being the value of a label: empty, or like a label's name."""
    wrong = []
    if byte_length(value) > LABEL_MAX:
        wrong.append(f"must have at most {LABEL_MAX} characters")
    if value and _NAME_PART.fullmatch(value) is None:
        wrong.append(f"must be empty or consist of {_NAME_RULE}")
    return tuple(wrong)


@lru_cache(maxsize=65536)
def c_identifier(value: str) -> tuple[str, ...]:
    """What keeps ``value`` from being an identifier as in C; its length is not looked at."""
    if _IDENTIFIER.fullmatch(value) is None:
        advice = _instead(value, _IDENTIFIER, _NOT_IN_IDENTIFIER, "_")
        return (f"must consist of letters, digits and '_', not beginning with a digit{advice}",)
    return ()


@lru_cache(maxsize=4096)
def uuid(value: str) -> tuple[str, ...]:
    """What keeps ``value`` from being a UUID in its normal spelling: lower case, 8-4-4-4-12."""
    if _UUID.fullmatch(value) is None:
        return ("must be a UUID such as 123e4567-e89b-12d3-a456-426614174000, in lower case",)
    return ()


@lru_cache(maxsize=4096)
def extended_resource(value: str) -> tuple[str, ...]:
    """What keeps ``value`` from being the name of an extended resource, such as ``example.com/gpu``."""
    wrong = []
    if "/" not in value:
        wrong.append("must have a domain before a '/', such as example.com/gpu")
    elif "kubernetes.io/" in value:
        wrong.append("must not be in the domain kubernetes.io")
    if value.startswith("requests."):
        wrong.append("must not begin with 'requests.'")
    wrong += label_key(f"requests.{value}")
    return tuple(wrong)
