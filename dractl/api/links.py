"""Where the pages of rules are on the web; the one place that has the address."""

from __future__ import annotations

__all__ = ["BASE", "rule_url"]

BASE = "https://dractl.readthedocs.io/en/stable/reference/rules/"
"""The folder of the site that `python -m tools.site` builds: a page for each group of rules."""


def rule_url(rule: str) -> str:
    """The address of the page that explains a rule."""
    group, _, name = rule.partition("/")
    return f"{BASE}{group}.html#rule-{group}-{name}"
