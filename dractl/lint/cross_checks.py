"""Checks across the objects that were given together; all of them are warnings or less.

The API server sees one object at a time. What is missing may be elsewhere, so nothing here is an error, and
there are no findings about what the input does not speak of.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from dractl.admission.framework.server import Admission
from dractl.api.gates import GateSet
from dractl.finding import Finding
from dractl.lint.base.cross_check import CrossCheck, CrossInput
from dractl.lint.base.elsewhere import External
from dractl.lint.base.input_set import InputSet, Lint
from dractl.lint.base.lint_rule import OwnRule
from dractl.lint.cross_object import (
    allocations,
    counters,
    devices,
    extended_resources,
    names,
    node_selection,
    pools,
    quotas,
    references,
    requests,
    sharing,
    slice_nodes,
    surprises,
    taint_rules,
)
from dractl.source.document import Document

__all__ = ["ACROSS_RULES", "findings_across", "findings_on_devices"]

_CHECKS: tuple[CrossCheck, ...] = (
    *references.CHECKS,
    *names.CHECKS,
    *sharing.CHECKS,
    *quotas.CHECKS,
    *pools.CHECKS,
    *slice_nodes.CHECKS,
    *counters.CHECKS,
    *devices.CHECKS,
    *allocations.CHECKS,
    *node_selection.CHECKS,
    *requests.CHECKS,
    *extended_resources.CHECKS,
    *taint_rules.CHECKS,
    *surprises.CHECKS,
)
"""All of them, in the order in which they run."""

ACROSS_RULES: tuple[OwnRule, ...] = tuple(rule for check in _CHECKS for rule in check.rules)
"""Their rules, in the order in which they are listed."""

_WITH_SELECTORS = ("DeviceClass", "ResourceClaim", "ResourceClaimTemplate")


def findings_across(
    entries: Iterable[tuple[Document, Admission | None]],
    gates: GateSet,
    external: Sequence[External] = (),
) -> dict[int, list[Finding]]:
    """The findings about documents that do not fit each other, by the number of the document concerned.

    ``gates`` are those of the server, whose minor runs the selectors; ``external`` exists elsewhere.
    """
    given = CrossInput(InputSet(entries, external), gates.minor, gates=gates)
    found: dict[int, list[Finding]] = {}
    for lint in (*_lints(given), *_of_selectors(given, gates)):
        found.setdefault(lint.given.number, []).append(lint.finding())
    return found


def findings_on_devices(
    entries: Iterable[tuple[Document, Admission | None]], gates: GateSet
) -> list[Finding]:
    """Those of the findings that somebody should know who is told which devices go where, in order."""
    given = CrossInput(InputSet(entries), gates.minor, is_placing=True)
    lints = [
        lint
        for check in _CHECKS
        if check.explains_placement
        for lint in check.run(given)
        if lint.rule.explains_placement
    ]
    return [lint.finding() for lint in sorted(lints, key=lambda lint: lint.given.number)]


def _lints(given: CrossInput) -> Iterator[Lint]:
    for check in _CHECKS:
        yield from check.run(given)


def _of_selectors(given: CrossInput, gates: GateSet) -> Iterator[Lint]:
    if given.pools and any(map(given.inputs.of, _WITH_SELECTORS)):
        from dractl.lint.cel.against_devices import selectors_make_sense  # few inputs have both

        yield from selectors_make_sense(given.inputs, given.pools, gates)
