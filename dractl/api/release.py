"""Kubernetes minors: parsing, order, and which ones dractl supports. The only module that compares minors."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

_NUMBER = "0|[1-9][0-9]{0,8}"
_MINOR = re.compile(rf"v?({_NUMBER})\.({_NUMBER})(?:\.(?:{_NUMBER})(?:[-+].*)?)?")
_RANGE = ".."


class UnknownMinorError(ValueError):
    """A text that names no Kubernetes minor dractl supports; its message lists those."""


class Minor(NamedTuple):
    """A Kubernetes minor, ordered as minors follow each other."""

    major: int
    minor: int

    def __str__(self) -> str:
        return f"{self.major}.{self.minor}"

    def previous(self) -> Minor:
        """The minor before: the compatibility version of a server with default settings."""
        return Minor(self.major, self.minor - 1)

    def within(self, since: Minor | None, until: Minor | None) -> bool:
        """Whether something that came with ``since`` and went after ``until`` (None: open) is there."""
        return (since is None or self >= since) and (until is None or self <= until)


KNOWN: tuple[Minor, ...] = tuple(Minor(1, minor) for minor in range(30, 39))
"""The minors with field tables in ``dractl/api/data``, oldest first."""

STAGES: Mapping[Minor, str] = {Minor(1, 38): "beta"}
"""The minors that are not released yet, with the stage of the release that their tables were read from."""

NEWEST: Minor = max(minor for minor in KNOWN if minor not in STAGES)
"""The newest released minor: the default."""

NEWEST_FIRST: tuple[Minor, ...] = tuple(
    sorted(KNOWN, key=lambda minor: (minor not in STAGES, minor), reverse=True)
)
"""The released minors from the newest one on, then the others: where one that has something is looked for."""


def title(minor: Minor) -> str:
    """The minor with its stage, as in ``1.38 (beta)``; of a released one just its number."""
    stage = STAGES.get(minor)
    return f"{minor} ({stage})" if stage else str(minor)


def known_span() -> str:
    """From which minor to which one dractl knows them, as in ``1.30 to 1.38 (beta)``."""
    return f"{KNOWN[0]} to {title(KNOWN[-1])}"


def titled(text: str) -> str:
    """The same for a minor given as text; a text that names no known minor is left as it is."""
    return next((title(minor) for minor in STAGES if str(minor) == text), text)


@cache
def parse(text: str) -> Minor:
    """The minor that ``text`` names: ``1.37``, ``v1.37`` or a full version such as ``v1.37.2``.

    Raises UnknownMinorError for any other text and for a minor without tables.
    """
    if not isinstance(text, str):
        raise UnknownMinorError(f"expected a Kubernetes minor as a string, such as '1.37', got {text!r}")
    if is_range(text):
        raise UnknownMinorError(f"expected one minor, got the range {text!r}")
    match = _MINOR.fullmatch(text.strip())
    minor = Minor(int(match[1]), int(match[2])) if match else None
    if minor not in KNOWN:
        raise UnknownMinorError(f"unsupported Kubernetes minor {text!r}; dractl supports {known_span()}")
    return minor


def is_range(text: str) -> bool:
    """Whether ``text`` has the form of a range of minors, ``1.33..1.37``."""
    return _RANGE in str(text)


def parse_range(text: str) -> tuple[Minor, ...]:
    """The minors of a range such as ``1.33..1.37``, oldest first; of a text without ``..`` the one it names.

    Raises UnknownMinorError for an end that is not a minor with tables, and for ends in the wrong order.
    """
    if not is_range(text):
        return (parse(text),)
    first, _, last = text.partition(_RANGE)
    since, until = parse(first), parse(last)
    if since > until:
        raise UnknownMinorError(f"the range {text!r} is reversed; use {until}..{since}")
    return tuple(minor for minor in KNOWN if minor.within(since, until))


def at(text: str) -> Minor:
    """The minor that a table row names as ``since`` or ``until``; also one beyond the known ones."""
    major, minor = text.split(".")
    return Minor(int(major), int(minor))
