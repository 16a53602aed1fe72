"""Checks across the objects that were given together; all of them are warnings or less.

The API server sees one object at a time. What is missing may be elsewhere, so nothing here is an error, and
nothing is said of what the input does not speak of.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from dractl.admission.framework.server import Admission
from dractl.api.gates import GateSet
from dractl.finding import Finding
from dractl.lint.base.input_pools import pools_of
from dractl.lint.base.input_set import InputSet, Lint
from dractl.lint.base.lint_rule import OwnRule
from dractl.lint.cross_object import (
    counters as across_counters,
)  # fmt: skip
from dractl.lint.cross_object import (
    devices as across_devices,
)
from dractl.lint.cross_object import (
    names as across_names,
)
from dractl.lint.cross_object import (
    pools as across_pools,
)
from dractl.lint.cross_object import (
    references as across_references,
)
from dractl.lint.cross_object import (
    sharing as across_sharing,
)
from dractl.lint.cross_object import (
    taint_rules as across_taint_rules,
)
from dractl.source.document import Document

__all__ = ["ACROSS_RULES", "findings_across", "findings_on_devices"]

ACROSS_RULES: tuple[OwnRule, ...] = (
    *across_references.RULES,
    *across_names.RULES,
    *across_sharing.RULES,
    *across_pools.RULES,
    *across_counters.RULES,
    *across_devices.RULES,
    *across_taint_rules.RULES,
)
"""All of them, in the order in which they are listed."""

_WITH_SELECTORS = ("DeviceClass", "ResourceClaim", "ResourceClaimTemplate")

_BY_NAME: tuple[Callable[[InputSet], Iterator[Lint]], ...] = (
    across_references.classes_exist,
    across_references.pod_claims_exist,
    across_references.requests_exist,
    across_names.names_are_unique,
    across_sharing.claims_are_named_once,
    across_sharing.replicas_have_their_own_claims,
    across_sharing.extended_names_differ,
)


def findings_across(
    entries: Iterable[tuple[Document, Admission | None]], gates: GateSet
) -> dict[int, list[Finding]]:
    """The findings about documents that do not fit each other, by the number of the document concerned.

    ``gates`` are those of the server, whose minor runs the selectors.
    """
    found: dict[int, list[Finding]] = {}
    for told in _told(InputSet(entries), gates):
        found.setdefault(told.given.number, []).append(told.finding())
    return found


_ON_DEVICES = frozenset(
    {
        "across/allocation-nowhere",
        "across/attribute-twice",
        "across/constraint-nothing",
        "across/device-duplicate",
        "across/pool-nodes",
        "across/request-missing",
    }
)
"""The rules whose findings explain why devices go elsewhere than expected."""


def findings_on_devices(entries: Iterable[tuple[Document, Admission | None]]) -> list[Finding]:
    """Those of the findings that somebody should know who is told which devices go where, in order."""
    inputs = InputSet(entries)
    told = [*across_references.requests_exist(inputs)]
    pools = pools_of(inputs)
    for pool in pools:
        told.extend(across_pools.check_pool(pool, is_alone=False))
    published = across_devices.published(pools)
    told.extend(across_devices.attribute_names_are_unique(published))
    told.extend(across_devices.constraints_can_match(inputs, across_devices.Drivers(published)))
    told.extend(across_devices.allocations_exist(inputs, pools))
    wanted = [entry for entry in told if entry.rule.id in _ON_DEVICES]
    return [entry.finding() for entry in sorted(wanted, key=lambda entry: entry.given.number)]


def _told(inputs: InputSet, gates: GateSet) -> Iterator[Lint]:
    for check in _BY_NAME:
        yield from check(inputs)
    pools = pools_of(inputs)
    is_alone = len(pools) == 1 and not inputs.of("Node")
    for pool in pools:
        yield from across_pools.check_pool(pool, is_alone=is_alone)
        yield from across_counters.check_counters(pool)
    published = across_devices.published(pools)
    yield from across_devices.attribute_names_are_unique(published)
    yield from across_devices.constraints_can_match(inputs, across_devices.Drivers(published))
    yield from across_devices.allocations_exist(inputs, pools)
    yield from across_taint_rules.taint_rules_select(inputs, pools)
    if pools and any(map(inputs.of, _WITH_SELECTORS)):
        from dractl.lint.cel.against_devices import selectors_make_sense  # noqa: PLC0415 - few inputs have both

        yield from selectors_make_sense(inputs, pools, gates)
