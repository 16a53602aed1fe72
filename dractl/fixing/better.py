"""Whether an object is better after a fix than before."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TypeAlias

from dractl.finding import Finding, Severity

__all__ = ["Judgement", "new_error", "why_not"]

Judgement: TypeAlias = "Sequence[Sequence[Finding]]"
"""The findings of a text, for each server."""


def why_not(before: Judgement, after: Judgement) -> str:
    """Why the text after a fix is not better than before; empty if it is.

    It is better with fewer errors, or as many errors and fewer warnings, and without a new error anywhere.
    """
    error = new_error(before, after)
    if error is not None:
        return f"it would lead to another error: {error.sentence} [{error.rule}]"
    old, new = (_counts(judgement) for judgement in (before, after))
    return "" if new < old else "it would not help"


def new_error(before: Judgement, after: Judgement) -> Finding | None:
    """The first error that a server reports after a fix only."""
    for old, new in zip(before, after, strict=True):
        known = Counter(_key(finding) for finding in old if _is_error(finding))
        for finding in new:
            if not _is_error(finding):
                continue
            key = _key(finding)
            known[key] -= 1
            if known[key] < 0:
                return finding
    return None


def _key(finding: Finding) -> tuple[str, str]:
    """What makes two errors the same, wherever they are in the text."""
    return finding.rule, finding.field or finding.message


def _counts(judgement: Judgement) -> tuple[int, int]:
    errors = sum(_is_error(finding) for findings in judgement for finding in findings)
    warnings = sum(finding.severity is Severity.WARNING for findings in judgement for finding in findings)
    return errors, warnings


def _is_error(finding: Finding) -> bool:
    return finding.severity is Severity.ERROR
