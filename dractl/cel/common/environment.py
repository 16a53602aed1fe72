"""What an expression is compiled for: a minor, its gates, and which of its two CEL environments."""

from __future__ import annotations

from dractl.api import release
from dractl.api.gates import GateSet
from dractl.api.release import Minor
from dractl.records import NamedTuple

MAX_COST = 1_000_000
"""Largest estimated cost that the API server takes, and the largest cost of one evaluation."""


_DELAYED_SINCE = release.at("1.38")


class Environment(NamedTuple):
    """One of the CEL environments of a Kubernetes minor.

    ``stored`` is what the scheduler compiles with, and the API server for expressions that are in the store
    already (``environment.StoredExpressions``); otherwise it is what the API server compiles new
    expressions with (``environment.NewExpressions``): only what the minor before knew, and what gates allow.
    """

    minor: Minor
    gates: GateSet
    stored: bool

    @property
    def delays_attributes(self) -> bool:
        """Whether a value that cannot be used is an error only where an expression reads it (since 1.38)."""
        return self.minor.within(_DELAYED_SINCE, None)
