"""Verdicts and device allocation for Kubernetes DRA manifests, from files.

``validate`` says what the API server of a Kubernetes minor would say, ``simulate`` which devices the
scheduler would give to which container; ``validate_range`` asks the API servers of several minors, and
``convert`` writes objects in another API version; ``fix`` mends texts; ``audit`` checks allocations; ``size``
counts how many more copies of a pod fit; ``upgrade`` compares two releases. They are loaded when first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dractl.auditing.model import Audit
    from dractl.conversion.result import Conversion
    from dractl.finding import Finding
    from dractl.fixing.model import Fixing
    from dractl.lint.report import Report
    from dractl.public import audit, convert, fix, simulate, size, upgrade, validate, validate_range
    from dractl.simulation.engine.report import Simulation
    from dractl.sizing.model import Size
    from dractl.upgrading.model import Plan
    from dractl.workflows.matrix import Matrix

__all__ = [
    "Audit",
    "Conversion",
    "Finding",
    "Fixing",
    "Matrix",
    "Plan",
    "Report",
    "Simulation",
    "Size",
    "__version__",
    "audit",
    "convert",
    "fix",
    "simulate",
    "size",
    "upgrade",
    "validate",
    "validate_range",
]

__version__ = "0.1.0"

_HOMES = {
    "audit": "dractl.public",
    "convert": "dractl.public",
    "fix": "dractl.public",
    "validate": "dractl.public",
    "validate_range": "dractl.public",
    "simulate": "dractl.public",
    "upgrade": "dractl.public",
    "size": "dractl.public",
    "Audit": "dractl.auditing.model",
    "Conversion": "dractl.conversion.result",
    "Finding": "dractl.finding",
    "Fixing": "dractl.fixing.model",
    "Matrix": "dractl.workflows.matrix",
    "Plan": "dractl.upgrading.model",
    "Report": "dractl.lint.report",
    "Simulation": "dractl.simulation.engine.report",
    "Size": "dractl.sizing.model",
}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module 'dractl' has no attribute {name!r}")
    from importlib import import_module  # importing dractl alone must cost nothing

    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted(__all__)
