"""The formats of each command: a row for each name that ``--format`` takes, with its writer.

What a format leaves out is decided before its writer runs. A writer loads its module when it is called,
because a run needs one format.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from dractl.report.formats.clusters import (
    AUDIT,
    POSSIBLE,
    REPLAY,
    SCENARIO,
    SIMULATE,
    SIMULATE_RANGE,
    SIZE,
    TEST,
    WHY,
    WHY_RANGE,
    Answers,
)
from dractl.report.formats.format import Format, View, help_text, metavar, names
from dractl.report.formats.manifests import (
    CEL,
    CONVERT,
    DIFF,
    DRIVER_CHECK,
    MIGRATE,
    UPGRADE,
    VALIDATE,
    VALIDATE_RANGE,
    Checked,
)
from dractl.report.formats.reference import ADVISORIES, EXPLAIN, GATES, RULE, RULES

__all__ = [
    "ADVISORIES",
    "AUDIT",
    "CEL",
    "COMMANDS",
    "CONVERT",
    "DIFF",
    "DRIVER_CHECK",
    "EXPLAIN",
    "GATES",
    "MIGRATE",
    "POSSIBLE",
    "REPLAY",
    "RULE",
    "RULES",
    "SCENARIO",
    "SIMULATE",
    "SIMULATE_RANGE",
    "SIZE",
    "TEST",
    "UPGRADE",
    "VALIDATE",
    "VALIDATE_RANGE",
    "WHY",
    "WHY_RANGE",
    "Answers",
    "Checked",
    "Format",
    "View",
    "help_text",
    "metavar",
    "names",
]

COMMANDS: Mapping[str, Sequence[Format[Any]]] = {
    "validate": VALIDATE,
    "simulate": SIMULATE,
    "audit": AUDIT,
    "why": WHY,
    "upgrade": UPGRADE,
    "migrate": MIGRATE,
    "diff": DIFF,
    "advisories": ADVISORIES,
    "size": SIZE,
    "test": TEST,
    "cel": CEL,
    "possible": POSSIBLE,
    "driver check": DRIVER_CHECK,
    "convert": CONVERT,
    "explain": EXPLAIN,
    "rule": RULE,
    "rules": RULES,
    "gates": GATES,
    "replay": REPLAY,
}
"""The commands that have ``--format``, with their rows."""
