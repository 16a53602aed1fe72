"""Verdicts and device allocation for Kubernetes DRA manifests, from files.

``validate`` checks manifests as the API server of a Kubernetes minor would, ``simulate`` allocates devices
as the scheduler would; ``validate_range`` validates for several minors, and ``convert`` writes objects in
another API version; ``fix`` fixes texts; ``audit`` checks allocations; ``size`` counts how many more copies
of a pod fit; ``possible`` lists the sets of devices that can be in use at once; ``upgrade`` compares two
releases, and ``diff`` two inputs; ``cel`` evaluates selectors; ``why`` explains why a pod is Pending; and
``test`` runs expectation files. They are loaded when first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dractl.auditing.model import Audit
    from dractl.conversion.result import Conversion
    from dractl.diffing.model import Diff
    from dractl.finding import Finding
    from dractl.fixing.model import Fixing
    from dractl.lint.report import Report
    from dractl.public import convert, fix, validate, validate_range
    from dractl.public_clusters import audit, diff, possible, simulate, size, upgrade
    from dractl.public_questions import cel, why
    from dractl.simulation.engine.report import Simulation
    from dractl.sizing.model import Size
    from dractl.testing.run import test
    from dractl.testing.runner import Results
    from dractl.upgrading.model import Plan
    from dractl.workflows.cel import Examination
    from dractl.workflows.matrix import Matrix
    from dractl.workflows.possible import Possible
    from dractl.workflows.questions import Why

__all__ = [
    "Audit",
    "Conversion",
    "Diff",
    "Examination",
    "Finding",
    "Fixing",
    "Matrix",
    "Plan",
    "Possible",
    "Report",
    "Results",
    "Simulation",
    "Size",
    "Why",
    "__version__",
    "audit",
    "cel",
    "convert",
    "diff",
    "fix",
    "possible",
    "simulate",
    "size",
    "test",
    "upgrade",
    "validate",
    "validate_range",
    "why",
]

__version__ = "0.1.0"

_HOMES = {
    "Audit": "dractl.auditing.model",
    "Conversion": "dractl.conversion.result",
    "Diff": "dractl.diffing.model",
    "Examination": "dractl.workflows.cel",
    "Finding": "dractl.finding",
    "Fixing": "dractl.fixing.model",
    "Matrix": "dractl.workflows.matrix",
    "Plan": "dractl.upgrading.model",
    "Possible": "dractl.workflows.possible",
    "Report": "dractl.lint.report",
    "Results": "dractl.testing.runner",
    "Simulation": "dractl.simulation.engine.report",
    "Size": "dractl.sizing.model",
    "Why": "dractl.workflows.questions",
    "audit": "dractl.public_clusters",
    "cel": "dractl.public_questions",
    "convert": "dractl.public",
    "diff": "dractl.public_clusters",
    "fix": "dractl.public",
    "possible": "dractl.public_clusters",
    "simulate": "dractl.public_clusters",
    "size": "dractl.public_clusters",
    "test": "dractl.testing.run",
    "upgrade": "dractl.public_clusters",
    "validate": "dractl.public",
    "validate_range": "dractl.public",
    "why": "dractl.public_questions",
}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module 'dractl' has no attribute {name!r}")
    from importlib import import_module  # importing dractl alone must cost nothing

    home = import_module(_HOMES[name])
    # Both the package and the function are called cel; the package can be called like the function.
    return import_module("dractl.cel") if name == "cel" else getattr(home, name)


def __dir__() -> list[str]:
    return sorted(__all__)
