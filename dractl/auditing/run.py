"""An audit of a cluster: all rules over all allocations, without any search."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from dractl.api.gates import GateSet
from dractl.api.json_types import Object
from dractl.auditing.ledger import Ledger
from dractl.auditing.model import Audit, Unchecked, Violation
from dractl.auditing.rules import AUDIT_RULES
from dractl.cel.common.environment import Environment
from dractl.cel.common.work import WORK
from dractl.simulation.allocator.model.features import features_of

__all__ = ["audit"]


@WORK.run()
def audit(objects: Iterable[Object], gates: GateSet) -> Audit:
    """Hold every allocation among ``objects`` (decoded, v1 shape, defaulted) against all rules.

    Pools, amounts and taints are read as the allocator of a scheduler with ``gates`` reads them.
    """
    features = features_of(gates)
    ledger = Ledger(objects, features, Environment(gates.minor, gates, stored=True))
    violations = tuple(
        Violation(rule.id, *found, any(getattr(features.quirks, fault) for fault in rule.faults))
        for rule in AUDIT_RULES
        for found in rule.check(ledger)
    )
    allocations = sum(1 for _ in ledger.entries())
    return Audit(
        kube_version=gates.minor.version,
        feature_gates=gates.overrides,
        claims=len(ledger.accounts),
        allocations=allocations,
        violations=violations,
        unchecked=tuple(_unchecked(ledger)),
        objects=ledger.objects,
    )


_NO_NODE = "no node of the input can use the allocation, so its devices are unknown"


def _unchecked(ledger: Ledger) -> Iterator[Unchecked]:
    """The claims with an allocation that could not be checked as a whole."""
    for account in ledger.accounts:
        if account.supply is None:
            yield Unchecked(account.name, _NO_NODE)
        missing = {
            request.class_name
            for entry in account.entries
            if (request := entry.request) is not None and not request.device_class
        }
        for name in sorted(missing):
            yield Unchecked(account.name, f"DeviceClass {name} does not exist, so its selectors are unknown")
