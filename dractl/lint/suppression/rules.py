"""The rules about what silences findings: comments without use or reason, and entries of a baseline."""

from __future__ import annotations

from dractl.finding import Severity
from dractl.lint.base.lint_rule import OwnRule, document_rule

__all__ = ["INVALID", "NO_REASON", "STALE", "SUPPRESSION_RULES", "UNUSED"]

UNUSED, NO_REASON, INVALID, STALE = "ignore/unused", "ignore/no-reason", "ignore/invalid", "baseline/stale"

SUPPRESSION_RULES: tuple[OwnRule, ...] = (
    document_rule(
        UNUSED,
        Severity.WARNING,
        """A comment that ignores a rule must silence a finding.

        Otherwise it hides the next mistake at that place. Rules about several objects, about updates and
        about parameters are not checked in every run, so comments about them are never reported.

        Good:
            apiVersion: resource.k8s.io/v1
            kind: DeviceClass
            metadata: {name: GPU}  # dractl: ignore[meta/name-format] an example of a bad name
            spec: {}
        Bad:
            apiVersion: resource.k8s.io/v1
            kind: DeviceClass
            metadata: {name: gpu}  # dractl: ignore[meta/name-format] an example of a bad name
            spec: {}
        """,
    ),
    document_rule(
        NO_REASON,
        Severity.WARNING,
        """A comment that ignores a rule must have a reason.

        The reason follows the bracket. Without it, nobody can decide later whether the comment is still
        right.

        Good:
            apiVersion: resource.k8s.io/v1
            kind: DeviceClass
            metadata: {name: GPU}  # dractl: ignore[meta/name-format] an example of a bad name
            spec: {}
        Bad:
            apiVersion: resource.k8s.io/v1
            kind: DeviceClass
            metadata: {name: GPU}  # dractl: ignore[meta/name-format]
            spec: {}
        """,
    ),
    document_rule(
        INVALID,
        Severity.WARNING,
        """A comment for dractl must be `ignore[ID, ...] REASON` or `ignore-file[ID, ...] REASON`.

        Each id is that of a rule; globs are not allowed. `dractl rules` lists the ids.

        Good:
            apiVersion: resource.k8s.io/v1
            kind: DeviceClass
            metadata: {name: GPU}  # dractl: ignore[meta/name-format] an example of a bad name
            spec: {}
        Bad:
            apiVersion: resource.k8s.io/v1
            kind: DeviceClass
            metadata: {name: gpu}  # dractl: ignore[meta/name-fromat] an example of a bad name
            spec: {}
        """,
    ),
    document_rule(
        STALE,
        Severity.WARNING,
        """An entry of a baseline must occur.

        The finding is gone: remove its entry with `dractl validate --write-baseline`, so that it fails when
        it comes back. Only entries about files of the input are compared. With a baseline that lists
        `meta/name-format` of the DeviceClass `GPU.example.com`:

        Good:
            apiVersion: resource.k8s.io/v1
            kind: DeviceClass
            metadata: {name: GPU.example.com}
            spec: {}
        Bad:
            apiVersion: resource.k8s.io/v1
            kind: DeviceClass
            metadata: {name: gpu.example.com}
            spec: {}
        """,
    ),
)
"""All of them, in the order in which they are listed."""
