"""The fixes of values that a rule rejects, by the rule."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from dractl.api import semver
from dractl.api.edits import Replace
from dractl.api.path import Steps
from dractl.finding import Applicability, Fix
from dractl.lint.fixes.text_edits import fix_of
from dractl.lint.fixes.wording import described
from dractl.source.document import Document

__all__ = ["FIXERS"]


def _version(document: Document, steps: Steps, value: object) -> Fix | None:
    """A version with three numbers. A driver may compare it with the text that was there, so it is unsafe."""
    if not isinstance(value, str):
        return None
    try:
        likely = str(semver.normalized(value.strip().removeprefix("V")))
    except ValueError:
        return None
    changes = (Replace(steps, likely),)
    return fix_of(document, changes, Applicability.UNSAFE, described(changes))


FIXERS: Mapping[str, Callable[[Document, Steps, object], Fix | None]] = {"device/attr-version": _version}
"""By the rule: makes the fix of a document, the place in it, and the value there."""
