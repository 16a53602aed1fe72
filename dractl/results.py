"""The types of all results and of their parts, for annotations; each is loaded when it is used."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dractl.auditing.model import Audit, Breach, Unchecked, Violation
    from dractl.cel.common.errors import CelError
    from dractl.cel.interpreter.explain import Part
    from dractl.cluster.devices import DeviceID
    from dractl.conversion.result import Conversion, ConvertedFile, Lost
    from dractl.diffing.model import (
        AttributeChange,
        ClaimChange,
        Diff,
        FieldChange,
        ObjectChange,
        SelectorChange,
        Selects,
    )
    from dractl.diffing.model import Move as DiffMove
    from dractl.diffing.model import Placed as DiffPlaced
    from dractl.explanation.model import (
        CapacityShort,
        ClaimElsewhere,
        ConstraintUnmet,
        CounterShort,
        DeviceTainted,
        Explanation,
        Group,
        Holder,
        InUse,
        Member,
        NodeRefuses,
        NodeShort,
        NoDevices,
        NotSelected,
        NotTogether,
        Other,
        PodRef,
        Step,
        Together,
        TooFew,
        Unmet,
        WayOut,
    )
    from dractl.explanation.one_device import DeviceStep
    from dractl.explanation.placed import PlacedPod
    from dractl.finding import Finding, Fix, Location, ObjectRef, Severity
    from dractl.fixing.model import Fixing, Unfixed
    from dractl.lint.report import Report, Summary
    from dractl.scenario.reading import Faulty
    from dractl.simulation.engine.report import Explained, Help, Simulation
    from dractl.simulation.pods.outcome import (
        Config,
        Eviction,
        LeftOut,
        LongSearch,
        Note,
        Outcome,
        Pending,
        Placement,
        PodOutcome,
        Refusal,
    )
    from dractl.sizing.model import (
        Addition,
        Amounts,
        Limit,
        NodeSize,
        Shortage,
        Size,
        StillPending,
        Stranded,
        Unit,
    )
    from dractl.sizing.model import Holder as SizeHolder
    from dractl.sizing.model import Move as SizeMove
    from dractl.testing.cases import Case
    from dractl.testing.compare import Change, Mismatch
    from dractl.testing.runner import CaseResult, Failure, Results
    from dractl.upgrading.model import Change as PlanChange
    from dractl.upgrading.model import GateChange, Placed, Plan, Reached
    from dractl.upgrading.model import Move as PlanMove
    from dractl.workflows.cel import Answer, Examination, Examined, KnownDevice, Verdict
    from dractl.workflows.matrix import Matrix, Spanning, Verdicts
    from dractl.workflows.possible import Kind as DeviceKind
    from dractl.workflows.possible import PoolSets, Possible
    from dractl.workflows.possible import Sets as DeviceSets
    from dractl.workflows.questions import Why

__all__ = [
    "Addition",
    "Amounts",
    "Answer",
    "AttributeChange",
    "Audit",
    "Breach",
    "CapacityShort",
    "Case",
    "CaseResult",
    "CelError",
    "Change",
    "ClaimChange",
    "ClaimElsewhere",
    "Config",
    "ConstraintUnmet",
    "Conversion",
    "ConvertedFile",
    "CounterShort",
    "DeviceID",
    "DeviceKind",
    "DeviceSets",
    "DeviceStep",
    "DeviceTainted",
    "Diff",
    "DiffMove",
    "DiffPlaced",
    "Eviction",
    "Examination",
    "Examined",
    "Explained",
    "Explanation",
    "Failure",
    "Faulty",
    "FieldChange",
    "Finding",
    "Fix",
    "Fixing",
    "GateChange",
    "Group",
    "Help",
    "Holder",
    "InUse",
    "KnownDevice",
    "LeftOut",
    "Limit",
    "Location",
    "LongSearch",
    "Lost",
    "Matrix",
    "Member",
    "Mismatch",
    "NoDevices",
    "NodeRefuses",
    "NodeShort",
    "NodeSize",
    "NotSelected",
    "NotTogether",
    "Note",
    "ObjectChange",
    "ObjectRef",
    "Other",
    "Outcome",
    "Part",
    "Pending",
    "Placed",
    "PlacedPod",
    "Placement",
    "Plan",
    "PlanChange",
    "PlanMove",
    "PodOutcome",
    "PodRef",
    "PoolSets",
    "Possible",
    "Reached",
    "Refusal",
    "Report",
    "Results",
    "SelectorChange",
    "Selects",
    "Severity",
    "Shortage",
    "Simulation",
    "Size",
    "SizeHolder",
    "SizeMove",
    "Spanning",
    "Step",
    "StillPending",
    "Stranded",
    "Summary",
    "Together",
    "TooFew",
    "Unchecked",
    "Unfixed",
    "Unit",
    "Unmet",
    "Verdict",
    "Verdicts",
    "Violation",
    "WayOut",
    "Why",
]

_HOMES = {
    "Addition": ("dractl.sizing.model", "Addition"),
    "Amounts": ("dractl.sizing.model", "Amounts"),
    "Answer": ("dractl.workflows.cel", "Answer"),
    "AttributeChange": ("dractl.diffing.model", "AttributeChange"),
    "Audit": ("dractl.auditing.model", "Audit"),
    "Breach": ("dractl.auditing.model", "Breach"),
    "CapacityShort": ("dractl.explanation.model", "CapacityShort"),
    "Case": ("dractl.testing.cases", "Case"),
    "CaseResult": ("dractl.testing.runner", "CaseResult"),
    "CelError": ("dractl.cel.common.errors", "CelError"),
    "Change": ("dractl.testing.compare", "Change"),
    "ClaimChange": ("dractl.diffing.model", "ClaimChange"),
    "ClaimElsewhere": ("dractl.explanation.model", "ClaimElsewhere"),
    "Config": ("dractl.simulation.pods.outcome", "Config"),
    "ConstraintUnmet": ("dractl.explanation.model", "ConstraintUnmet"),
    "Conversion": ("dractl.conversion.result", "Conversion"),
    "ConvertedFile": ("dractl.conversion.result", "ConvertedFile"),
    "CounterShort": ("dractl.explanation.model", "CounterShort"),
    "DeviceID": ("dractl.cluster.devices", "DeviceID"),
    "DeviceKind": ("dractl.workflows.possible", "Kind"),
    "DeviceSets": ("dractl.workflows.possible", "Sets"),
    "DeviceStep": ("dractl.explanation.one_device", "DeviceStep"),
    "DeviceTainted": ("dractl.explanation.model", "DeviceTainted"),
    "Diff": ("dractl.diffing.model", "Diff"),
    "DiffMove": ("dractl.diffing.model", "Move"),
    "DiffPlaced": ("dractl.diffing.model", "Placed"),
    "Eviction": ("dractl.simulation.pods.outcome", "Eviction"),
    "Examination": ("dractl.workflows.cel", "Examination"),
    "Examined": ("dractl.workflows.cel", "Examined"),
    "Explained": ("dractl.simulation.engine.report", "Explained"),
    "Explanation": ("dractl.explanation.model", "Explanation"),
    "Failure": ("dractl.testing.runner", "Failure"),
    "Faulty": ("dractl.scenario.reading", "Faulty"),
    "FieldChange": ("dractl.diffing.model", "FieldChange"),
    "Finding": ("dractl.finding", "Finding"),
    "Fix": ("dractl.finding", "Fix"),
    "Fixing": ("dractl.fixing.model", "Fixing"),
    "GateChange": ("dractl.upgrading.model", "GateChange"),
    "Group": ("dractl.explanation.model", "Group"),
    "Help": ("dractl.simulation.engine.report", "Help"),
    "Holder": ("dractl.explanation.model", "Holder"),
    "InUse": ("dractl.explanation.model", "InUse"),
    "KnownDevice": ("dractl.workflows.cel", "KnownDevice"),
    "LeftOut": ("dractl.simulation.pods.outcome", "LeftOut"),
    "Limit": ("dractl.sizing.model", "Limit"),
    "Location": ("dractl.finding", "Location"),
    "LongSearch": ("dractl.simulation.pods.outcome", "LongSearch"),
    "Lost": ("dractl.conversion.result", "Lost"),
    "Matrix": ("dractl.workflows.matrix", "Matrix"),
    "Member": ("dractl.explanation.model", "Member"),
    "Mismatch": ("dractl.testing.compare", "Mismatch"),
    "NoDevices": ("dractl.explanation.model", "NoDevices"),
    "NodeRefuses": ("dractl.explanation.model", "NodeRefuses"),
    "NodeShort": ("dractl.explanation.model", "NodeShort"),
    "NodeSize": ("dractl.sizing.model", "NodeSize"),
    "NotSelected": ("dractl.explanation.model", "NotSelected"),
    "NotTogether": ("dractl.explanation.model", "NotTogether"),
    "Note": ("dractl.simulation.pods.outcome", "Note"),
    "ObjectChange": ("dractl.diffing.model", "ObjectChange"),
    "ObjectRef": ("dractl.finding", "ObjectRef"),
    "Other": ("dractl.explanation.model", "Other"),
    "Outcome": ("dractl.simulation.pods.outcome", "Outcome"),
    "Part": ("dractl.cel.interpreter.explain", "Part"),
    "Pending": ("dractl.simulation.pods.outcome", "Pending"),
    "Placed": ("dractl.upgrading.model", "Placed"),
    "PlacedPod": ("dractl.explanation.placed", "PlacedPod"),
    "Placement": ("dractl.simulation.pods.outcome", "Placement"),
    "Plan": ("dractl.upgrading.model", "Plan"),
    "PlanChange": ("dractl.upgrading.model", "Change"),
    "PlanMove": ("dractl.upgrading.model", "Move"),
    "PodOutcome": ("dractl.simulation.pods.outcome", "PodOutcome"),
    "PodRef": ("dractl.explanation.model", "PodRef"),
    "PoolSets": ("dractl.workflows.possible", "PoolSets"),
    "Possible": ("dractl.workflows.possible", "Possible"),
    "Reached": ("dractl.upgrading.model", "Reached"),
    "Refusal": ("dractl.simulation.pods.outcome", "Refusal"),
    "Report": ("dractl.lint.report", "Report"),
    "Results": ("dractl.testing.runner", "Results"),
    "SelectorChange": ("dractl.diffing.model", "SelectorChange"),
    "Selects": ("dractl.diffing.model", "Selects"),
    "Severity": ("dractl.finding", "Severity"),
    "Shortage": ("dractl.sizing.model", "Shortage"),
    "Simulation": ("dractl.simulation.engine.report", "Simulation"),
    "Size": ("dractl.sizing.model", "Size"),
    "SizeHolder": ("dractl.sizing.model", "Holder"),
    "SizeMove": ("dractl.sizing.model", "Move"),
    "Spanning": ("dractl.workflows.matrix", "Spanning"),
    "Step": ("dractl.explanation.model", "Step"),
    "StillPending": ("dractl.sizing.model", "StillPending"),
    "Stranded": ("dractl.sizing.model", "Stranded"),
    "Summary": ("dractl.lint.report", "Summary"),
    "Together": ("dractl.explanation.model", "Together"),
    "TooFew": ("dractl.explanation.model", "TooFew"),
    "Unchecked": ("dractl.auditing.model", "Unchecked"),
    "Unfixed": ("dractl.fixing.model", "Unfixed"),
    "Unit": ("dractl.sizing.model", "Unit"),
    "Unmet": ("dractl.explanation.model", "Unmet"),
    "Verdict": ("dractl.workflows.cel", "Verdict"),
    "Verdicts": ("dractl.workflows.matrix", "Verdicts"),
    "Violation": ("dractl.auditing.model", "Violation"),
    "WayOut": ("dractl.explanation.model", "WayOut"),
    "Why": ("dractl.workflows.questions", "Why"),
}
"""The module of each type, and its name there."""


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module 'dractl.results' has no attribute {name!r}")
    module, own = _HOMES[name]
    return getattr(import_module(module), own)


def __dir__() -> list[str]:
    return list(__all__)
