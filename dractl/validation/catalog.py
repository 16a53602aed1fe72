"""Every id that a finding can carry: those of the server's rules, and dractl's own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fnmatch import fnmatchcase

import dractl.admission.admit  # noqa: F401 - declares the rules
from dractl.admission.rule import declared
from dractl.validation.across import ACROSS_RULES
from dractl.validation.own_rule import OwnRule
from dractl.validation.shape_rules import SHAPE_RULES

__all__ = ["OWN", "OWN_RULES", "UnknownRuleError", "known_ids", "matching"]

OWN_RULES: tuple[OwnRule, ...] = (*SHAPE_RULES, *ACROSS_RULES)
"""The rules of dractl's own that have pages."""

OWN: Mapping[str, str] = {
    "decode/fatal": "the text or a value in it cannot be read as what the field holds",
    "decode/unknown": "the API version has no such field",
    "decode/duplicate": "a key stands more than once in one mapping",
    "version/unserved": "the Kubernetes minor does not have the API version or kind",
    "version/not-served-by-default": "a server serves the API version only if it is switched on",
    "gate/dropped": "the server drops a field, because its feature gate is off",
    "admin/unknown-namespace": "whether the namespace allows admin access is not known",
    "config/schema": "opaque parameters do not follow the schema that was given for them",
    "update/new": "the earlier state does not have the object, so it is judged as a new one",
    "update/gone": "the earlier state has an object that is not there any more",
    "update/no-status": "the kind has no status to update, so the object is judged as a new one",
    "document/unnamed": "a document has neither apiVersion nor kind and is skipped",
    "document/skipped": "a document is of a kind that dractl does not read and is skipped",
    **{row.id: row.summary.removesuffix(".") for row in OWN_RULES},
}
"""The ids that are no rules of the API server, with their meaning."""


class UnknownRuleError(ValueError):
    """An id or pattern that no rule has; the message names the nearest id."""


def known_ids() -> Iterator[str]:
    """All ids, the server's rules first, in the order of declaration."""
    yield from declared()
    yield from OWN


def matching(pattern: str) -> frozenset[str]:
    """The ids that ``pattern`` means: one id, or a glob such as ``request/*``.

    Raises UnknownRuleError if there is none.
    """
    ids = list(known_ids())
    found = frozenset(known for known in ids if fnmatchcase(known, pattern))
    if not found:
        import difflib  # noqa: PLC0415 - only on the way to an error

        near = difflib.get_close_matches(pattern, ids, n=1, cutoff=0.4)
        advice = f"; did you mean {near[0]}?" if near else ""
        raise UnknownRuleError(f"no rule is called {pattern}{advice}")
    return found
