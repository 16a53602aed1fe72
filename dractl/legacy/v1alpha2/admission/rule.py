"""How this wing declares a rule: as one that is loaded when it is needed."""

from __future__ import annotations

from functools import partial

from dractl.admission.framework import rule as framework

__all__ = ["rule"]

rule = partial(framework.rule, of_wing=True)
"""Declares a rule; see there."""
