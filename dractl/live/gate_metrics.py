"""The minor and the feature gates of an API server, from ``/version`` and ``/metrics``."""

from __future__ import annotations

import re

from dractl.api import release
from dractl.api.gates import GateError, GateSet, gates_of, resolve
from dractl.api.release import Minor
from dractl.live.kubectl import FORBIDDEN, Kubectl, KubectlError
from dractl.records import NamedTuple

__all__ = ["Release", "release_of"]

_ENABLED = re.compile(r'^kubernetes_feature_enabled\{name="(\w+)",stage="\w*"\} ([01])\b', re.MULTILINE)
_LONGEST_VERSION = 100


class Release(NamedTuple):
    """A server: the version that it reports, its gates, and notes on what is assumed instead.

    ``has_real_gates``: the gates are the server's own, and not the defaults of the minor.
    """

    version: str
    gates: GateSet
    has_real_gates: bool
    notes: tuple[str, ...]


def release_of(kubectl: Kubectl) -> Release:
    """The release of the cluster. Raises KubectlError if it has none, or one that dractl does not know."""
    version = kubectl.json("/version").get("gitVersion")
    if not isinstance(version, str) or len(version) > _LONGEST_VERSION:
        raise KubectlError("the answer for /version has no gitVersion")
    minor, notes = _minor(version)
    try:
        metrics = kubectl.raw("/metrics").decode("utf-8", "replace")
    except KubectlError as error:
        if not error.reason:
            raise
        why = "may not be read" if error.reason in FORBIDDEN else "cannot be read"
        return Release(
            version,
            resolve(minor),
            False,
            (*notes, f"feature gates: the defaults of {minor}; /metrics {why}"),
        )
    states = _ENABLED.findall(metrics)
    known = gates_of(minor)
    overrides = {
        name: state == "1"
        for name, state in states
        if name in known and known[name].default != (state == "1")
    }
    if not states:
        more = f"feature gates: the defaults of {minor}; /metrics lists none"
        return Release(version, resolve(minor), False, (*notes, more))
    try:
        return Release(version, resolve(minor, overrides), True, notes)
    except GateError as error:
        more = f"feature gates: the defaults of {minor}; those of the server do not fit: {error}"
        return Release(version, resolve(minor), False, (*notes, more))


def _minor(version: str) -> tuple[Minor, tuple[str, ...]]:
    try:
        return release.parse(version), ()
    except release.UnknownMinorError as error:
        plain = ".".join(version.lstrip("v").split(".")[:2])
        try:
            minor = release.parse(plain)
        except release.UnknownMinorError:
            raise KubectlError(f"the cluster runs {version}: {error}") from None
        return minor, (f"the cluster runs {version}, which dractl does not know; it is treated as {minor}",)
