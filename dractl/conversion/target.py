"""Where a conversion leads: an API version, as a Kubernetes minor has it."""

from __future__ import annotations

from dractl.api import release
from dractl.api.release import Minor
from dractl.records import NamedTuple
from dractl.versions.convert import Versioned, newest
from dractl.versions.registry import DRA_GROUP
from dractl.versions.table import tables

__all__ = ["APART", "Target", "TargetError", "target_of"]

APART = f"{DRA_GROUP}/v1alpha2"
"""The version that shares no more than names with later ones: no API server ever converted it."""


class TargetError(ValueError):
    """A text that names no API version which dractl converts to."""


class Target(NamedTuple):
    """An API version, and the minor whose fields count; None for the newest that has the kind."""

    api_version: str
    minor: Minor | None

    def of_kind(self, kind: str) -> Versioned | None:
        """The kind in this version; None if it is not there."""
        if self.minor is None:
            return newest(self.api_version, kind)
        found = tables(self.minor).kinds.get((self.api_version, kind))
        return None if found is None else Versioned(self.minor, found)

    @property
    def server(self) -> Minor:
        """The newest minor that has the version at all, or the one that was asked for."""
        having = (minor for minor in release.NEWEST_FIRST if self.api_version in _versions(minor))
        return self.minor or next(having)


def target_of(text: str, kube_version: str | None = None) -> Target:
    """The target that ``text`` names, ``resource.k8s.io/v1`` or short ``v1``.

    Raises TargetError for a version that dractl cannot write, or that ``kube_version`` does not have, and
    release.UnknownMinorError for an unknown minor.
    """
    api_version = text if "/" in text else f"{DRA_GROUP}/{text}"
    minor = release.parse(kube_version) if kube_version is not None else None
    known = list(dict.fromkeys(version for minor in release.NEWEST_FIRST for version in _versions(minor)))
    if api_version not in known or api_version == APART:
        choices = ", ".join(version for version in known if version != APART)
        raise TargetError(f"cannot convert to {text!r} (choose from {choices})")
    if minor is not None and api_version not in _versions(minor):
        raise TargetError(f"Kubernetes {minor} does not have {api_version}")
    return Target(api_version, minor)


def _versions(minor: Minor) -> list[str]:
    """The versions of the DRA group in a minor, the newest first."""
    found = (version for version, _ in tables(minor).kinds if version.startswith(f"{DRA_GROUP}/"))
    return list(dict.fromkeys(found))
