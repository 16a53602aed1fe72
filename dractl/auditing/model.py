"""What an audit comes out with: violations, and what could not be checked."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from dractl.api.json_types import JsonDict
from dractl.cluster.objects import Objects

SCHEMA = "dractl.audit/1"


class Breach(NamedTuple):
    """What a check found: claims as ``namespace/name``, the device or pool (or neither), and the fault."""

    claims: tuple[str, ...]
    device: str
    message: str


class Violation(NamedTuple):
    """One fault of an allocation, or of several together.

    ``rule`` is the id of an audit rule, ``claims`` the claims concerned as ``namespace/name``, ``device`` the
    device as ``driver/pool/device``, empty where none stands for the fault. ``is_known_fault``: the allocator
    of this minor does not see it, so the scheduler itself may have made the allocation.
    """

    rule: str
    claims: tuple[str, ...]
    device: str
    message: str
    is_known_fault: bool = False


class Unchecked(NamedTuple):
    """What an audit could not check, and why: the claim or device, and the reason."""

    subject: str
    reason: str


class Audit(NamedTuple):
    """The result of an audit: how many devices are allocated to how many claims, and what is wrong.

    ``objects`` are those of the cluster.
    """

    kube_version: str
    feature_gates: Mapping[str, bool]
    claims: int
    allocations: int
    violations: tuple[Violation, ...]
    unchecked: tuple[Unchecked, ...] = ()
    objects: Objects = Objects()

    @property
    def ok(self) -> bool:
        """Whether no rule is broken."""
        return not self.violations

    def with_unchecked(self, more: Iterable[tuple[str, str]]) -> Audit:
        """The same with more that could not be checked: subjects, each with its reason."""
        return self._replace(unchecked=(*(Unchecked(*entry) for entry in more), *self.unchecked))

    def to_dict(self) -> JsonDict:
        """The JSON document of ``dractl audit --format json``."""
        return {
            "schema": SCHEMA,
            "kubeVersion": self.kube_version,
            "featureGates": dict(sorted(self.feature_gates.items())),
            "claims": self.claims,
            "allocations": self.allocations,
            "violations": [
                {
                    "rule": found.rule,
                    "claims": list(found.claims),
                    "device": found.device,
                    "message": found.message,
                    "knownFault": found.is_known_fault,
                }
                for found in self.violations
            ],
            "unchecked": [entry._asdict() for entry in self.unchecked],
        }
