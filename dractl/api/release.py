"""Kubernetes minors and their patches: parsing, order, and which ones dractl supports.

The only module that compares minors.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from functools import cache, lru_cache
from typing import cast

from dractl.api.stored import read_table
from dractl.records import NamedTuple

_NUMBER = "0|[1-9][0-9]{0,8}"
_VERSION = re.compile(rf"v?({_NUMBER})\.({_NUMBER})(?:\.({_NUMBER})([-+].*)?)?")
_RANGE = ".."


@cache
def _dashed() -> re.Pattern[str]:
    return re.compile(r"v?([0-9]{1,9}\.[0-9]{1,9})\s*(?:-|:|,|to)\s*v?([0-9]{1,9}\.[0-9]{1,9})")


_NEWEST_PATCH = sys.maxsize


class UnknownMinorError(ValueError):
    """A text that names no Kubernetes release dractl supports; its message lists those."""


class Minor(NamedTuple):
    """A Kubernetes minor at one of its patches, by default the newest; ordered as releases follow each other.

    As a text it is the minor, which is the key of most tables; ``version`` names the patch too.
    """

    major: int
    minor: int
    patch: int = _NEWEST_PATCH

    def __str__(self) -> str:
        return f"{self.major}.{self.minor}"

    @property
    def version(self) -> str:
        """What to show: ``1.35.4`` if the patch was named, else ``1.35``."""
        return str(self) if self.patch == _NEWEST_PATCH else patches_of(self)[self.patch]

    def at_newest_patch(self) -> Minor:
        """The minor as such: that of most tables, which are the same for all patches."""
        return Minor(self.major, self.minor)

    def previous(self) -> Minor:
        """The minor before: the compatibility version of a server with default settings."""
        return Minor(self.major, self.minor - 1)

    def within(self, since: Minor | None, until: Minor | None) -> bool:
        """Whether something that came with ``since`` and went after ``until`` (None: open) is there.

        Both may name a patch. Without one, ``since`` starts at patch 0 and ``until`` includes all patches.
        """
        if since is not None:
            first = since[:2] if since.patch == _NEWEST_PATCH else since
            if self < first:
                return False
        return until is None or self <= until


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
    """The minor with its stage, as in ``1.38 (beta)``; of a released one and of a patch just the version."""
    stage = STAGES.get(minor)
    return f"{minor} ({stage})" if stage else minor.version


def known_span() -> str:
    """From which minor to which one dractl knows them, as in ``1.30 to 1.38 (beta)``."""
    return f"{KNOWN[0]} to {title(KNOWN[-1])}"


def titled(text: str) -> str:
    """The same for a minor given as text; a text that names no known minor is left as it is."""
    return next((title(minor) for minor in STAGES if str(minor) == text), text)


@cache
def parse(text: str) -> Minor:
    """The minor that ``text`` names, ``1.37`` or ``v1.37``, or the patch: ``v1.37.2``.

    Distributions append to the version, as in ``v1.35.4-gke.100`` and ``v1.34.1+k3s1``; that is ignored.

    Raises UnknownMinorError for any other text, for a minor without tables, and for an unknown patch.
    """
    if not isinstance(text, str):
        raise UnknownMinorError(f"expected a Kubernetes minor as a string, such as '1.37', got {text!r}")
    if is_range(text):
        raise UnknownMinorError(f"expected one minor, got the range {text!r}")
    match = _VERSION.fullmatch(text.strip())
    minor = Minor(int(match[1]), int(match[2])) if match else None
    if match is None or minor not in KNOWN:
        message = f"unsupported Kubernetes minor {text!r}; dractl supports {known_span()}"
        if ends := _dashed().fullmatch(text.strip()):
            message = f"{text!r} is not a Kubernetes minor; write a range as {ends[1]}..{ends[2]}"
        raise UnknownMinorError(message)
    if match[3] is None:
        return minor
    patch, known = int(match[3]), patches_of(minor)
    if patch not in known or not f"{minor}.{patch}{match[4] or ''}".startswith(known[patch]):
        *_, newest = known.values()
        span = newest if len(known) == 1 else f"{known[0]} to {newest}"
        raise UnknownMinorError(
            f"unknown patch release {text!r}; dractl supports {span}, and {minor} means {newest}"
        )
    return minor._replace(patch=patch)


@cache
def _newest_patches() -> Mapping[str, str]:
    return cast("Mapping[str, str]", read_table("patches.json")["newest"])


@cache
def patches_of(minor: Minor) -> Mapping[int, str]:
    """The known patches of ``minor``, oldest first, each with its version: ``1.35.4``, ``1.38.0-beta.0``."""
    newest = _newest_patches()[str(minor)]
    last, _, _ = newest.removeprefix(f"{minor}.").partition("-")
    return {**{patch: f"{minor}.{patch}" for patch in range(int(last))}, int(last): newest}


def is_range(text: str) -> bool:
    """Whether ``text`` has the form of a range of minors, ``1.33..1.37``."""
    return _RANGE in str(text)


def parse_range(text: str) -> tuple[Minor, ...]:
    """The minors of a range such as ``1.33..1.37``, oldest first; of a text without ``..`` the one it names.

    A range has the newest patch of each minor, also if its ends name others.

    Raises UnknownMinorError for an end that is not a minor with tables, and for ends in the wrong order.
    """
    if not is_range(text):
        return (parse(text),)
    first, _, last = (end.strip() for end in text.partition(_RANGE))
    if not (first and last):
        missing = "start" if last else "end"
        example = f"{KNOWN[0]}..{last}" if last else f"{first or KNOWN[0]}..{KNOWN[-1]}"
        raise UnknownMinorError(f"the range {text!r} has no {missing}; write, for example, {example}")
    if last.startswith("."):
        raise UnknownMinorError(f"{text!r} is not a range; write {first}..{last.lstrip('.')}")
    since, until = parse(first).at_newest_patch(), parse(last).at_newest_patch()
    if since > until:
        raise UnknownMinorError(f"the range {text!r} is reversed; use {until}..{since}")
    return tuple(minor for minor in KNOWN if minor.within(since, until))


@lru_cache(maxsize=1024)
def at(text: str) -> Minor:
    """The minor or patch that a table row names as ``since`` or ``until``; also one beyond the known ones."""
    return Minor(*map(int, text.split(".")))
