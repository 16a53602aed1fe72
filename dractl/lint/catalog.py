"""Every id that a finding can carry: those of the server's rules, and dractl's own."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from fnmatch import fnmatchcase

import dractl.admission.admit
import dractl.admission.status_update
import dractl.admission.warnings.pods
import dractl.admission.warnings.table  # noqa: F401 - together they declare all rules of the server
from dractl.admission.extensions import declare_all
from dractl.admission.framework.rule import Rule, declared, place_in_lists
from dractl.admission.framework.warning import warned
from dractl.api.wording import did_you_mean
from dractl.extensions import ExtensionPoint
from dractl.lint.base.lint_rule import OwnRule
from dractl.lint.cel.rules import CEL_LINT_RULES
from dractl.lint.cross_checks import ACROSS_RULES
from dractl.lint.decode_errors.rules import SHAPE_RULES
from dractl.lint.document_rules import DOCUMENT_RULES
from dractl.lint.gate_rules import GATE_RULES
from dractl.lint.later_minors import LATER_RULES
from dractl.lint.suppression.rules import SUPPRESSION_RULES
from dractl.lint.unallocatable import UNALLOCATABLE_RULES
from dractl.lint.update_rules import UPDATE_RULES

__all__ = [
    "OWN",
    "OWN_RULES",
    "UnknownRuleError",
    "known_ids",
    "matching",
    "of_servers",
    "unknown_rule",
]

declare_all()
_OF_WINGS: ExtensionPoint[tuple[OwnRule, ...]] = ExtensionPoint("own-rules")

OWN_RULES: tuple[OwnRule, ...] = (
    *DOCUMENT_RULES,
    *GATE_RULES,
    *UPDATE_RULES,
    *UNALLOCATABLE_RULES,
    *LATER_RULES,
    *SHAPE_RULES,
    *ACROSS_RULES,
    *CEL_LINT_RULES,
    *SUPPRESSION_RULES,
    *(row for rows in _OF_WINGS.all() for row in rows),
)
"""The rules that no released server has: dractl's own, and those of the wings."""

OWN: Mapping[str, str] = {row.id: row.summary.removesuffix(".") for row in OWN_RULES}
"""The ids that are not rules of the API server, with their meaning."""


class UnknownRuleError(ValueError):
    """An id or pattern that no rule has; the message names the nearest id."""


def of_servers() -> Mapping[str, list[Rule]]:
    """The rows of all rules of the API server by id, with what it only warns about, in the order of lists."""
    found = {**declared(), **warned()}
    return {name: found[name] for name in sorted(found, key=place_in_lists)}


def known_ids() -> Iterator[str]:
    """All ids, the server's rules first, in the order of declaration."""
    yield from of_servers()
    yield from OWN


def matching(pattern: str) -> frozenset[str]:
    """The ids that ``pattern`` means: one id, or a glob such as ``request/*``.

    Raises UnknownRuleError if there is none.
    """
    ids = list(known_ids())
    found = frozenset(known for known in ids if fnmatchcase(known, pattern))
    if not found:
        raise unknown_rule(pattern, ids)
    return found


def unknown_rule(name: str, ids: Iterable[str]) -> UnknownRuleError:
    """The error of an id or pattern that none of ``ids`` has; the name of a group gets its first id."""
    ids = list(ids)
    advice = did_you_mean(name, ids)
    if first := next((known for known in ids if known.startswith(f"{name}/")), None):
        advice = f"an id is GROUP/NAME, such as {first}"
    return UnknownRuleError(f"unknown rule {name}{advice and f'; {advice}'}")
