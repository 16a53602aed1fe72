"""What an audit comes out with: violations, and what could not be checked."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from dractl.api.json_types import JsonDict
from dractl.cluster.objects import Objects
from dractl.records import NamedTuple

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
    """What an audit could not check, and why: the claim or device, and the reason.

    ``is_claim``: it may be an allocation, which may be illegal. Otherwise it is another object, and what it
    means for allocations is a violation of these.
    """

    subject: str
    reason: str
    is_claim: bool = False


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

    @property
    def is_complete(self) -> bool:
        """Whether every claim could be checked."""
        return not any(entry.is_claim for entry in self.unchecked)

    def with_unchecked(self, more: Iterable[Unchecked]) -> Audit:
        """The same with more that could not be checked."""
        return self._replace(unchecked=(*more, *self.unchecked))

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
            "unchecked": [{"subject": entry.subject, "reason": entry.reason} for entry in self.unchecked],
        }
