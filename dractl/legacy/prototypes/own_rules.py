"""The rules of the prototypes as ``dractl rules`` lists them, each with its page."""

from __future__ import annotations

from dractl.legacy.prototypes.dialects.rules import PROTOTYPE_RULES
from dractl.legacy.prototypes.examples import page_of
from dractl.lint.base.lint_rule import OwnRule, own_rule

__all__ = ["OWN_RULES"]

OWN_RULES: tuple[OwnRule, ...] = tuple(
    own_rule(row.id, severity=row.severity, kind=row.kinds, doc=page_of(row)) for row in PROTOTYPE_RULES
)
