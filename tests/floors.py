"""The floors of the package and of its wings, for the layers test and for CONTRIBUTING.md alike."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tests.paths import ROOT

__all__ = ["FLOORS", "MOST_MODULES", "drawing"]

FLOORS: dict[str, tuple[tuple[str, ...], ...]] = {
    "dractl": (
        ("__main__", "pytest_plugin"),
        ("cli", "legacy", "assertions"),
        ("agents", "editor", "play"),
        ("report", "results"),
        ("testing", "public_questions", "public_clusters", "observing"),
        ("scenario", "public"),
        ("migrating",),
        ("diffing",),
        ("fixing", "upgrading", "drivers"),
        ("workflows",),
        ("advisories",),
        ("lint", "explanation", "auditing", "sizing"),
        ("simulation", "conversion"),
        ("admission", "sharing"),
        ("cluster", "finding", "live"),
        ("versions", "source", "cel"),
        ("api", "collecting", "extensions", "workers"),
        ("records",),
    ),
    "dractl.editor": (
        ("server",),
        ("session",),
        ("analysis",),
        ("colors", "completion", "hints", "references"),
        ("context", "expressions"),
        ("api_fields", "flow", "items", "scalars", "settings", "worker", "workspace", "world"),
        ("buffer",),
    ),
    "dractl.explanation": (
        ("placed",),
        ("document", "long_form", "one_device"),
        ("wording",),
        ("remedies",),
        ("diagnosis", "phrases", "ways_out"),
        ("grouping",),
        ("unmet", "empty", "trials"),
        ("causes", "node_causes"),
        ("binding_waits", "extended_names", "funnel", "holders", "selector_values"),
        ("constraint_groups", "model"),
        ("world",),
    ),
    "dractl.migrating": (
        ("run",),
        ("claims", "effects", "extended", "rules", "versions"),
        ("texts",),
        ("classes", "requests"),
        ("reading",),
        ("model",),
    ),
    "dractl.auditing": (
        ("run",),
        ("rules",),
        ("claims", "devices", "together"),
        ("ledger",),
        ("model",),
    ),
    "dractl.explanation.remedies": (
        ("attach", "wording"),
        ("find", "gangs", "prove"),
        ("conflict", "pairs"),
    ),
    "dractl.explanation.trials": (
        ("situation", "parts"),
        ("claims", "holding", "nearby"),
        ("edits",),
    ),
    "dractl.explanation.ways_out": (
        ("wording",),
        ("registry",),
        (
            "admission",
            "amount",
            "constraint",
            "free",
            "label",
            "missing",
            "node",
            "scheduling",
            "selector",
            "toleration",
        ),
        ("count", "expression"),
        ("candidate",),
    ),
    "dractl.advisories": (
        ("listing",),
        ("reach",),
        ("conditions", "table"),
        ("capacity_conditions",),
        ("known",),
    ),
    "dractl.upgrading": (
        ("run",),
        ("causes", "changes", "gate_changes"),
        ("moves", "verdicts"),
        ("model", "releases", "subjects"),
    ),
    "dractl.fixing": (
        ("run",),
        ("mend",),
        ("better", "model", "texts"),
    ),
    "dractl.diffing": (
        ("run",),
        ("claims", "findings", "moves", "objects", "selectors"),
        ("devices", "sides"),
        ("model",),
    ),
    "dractl.drivers": (
        ("run",),
        ("classes", "headroom", "minors", "names", "partitions", "pools"),
        ("alike",),
        ("view",),
        ("checks", "model"),
    ),
    "dractl.sizing": (
        ("run",),
        ("adding",),
        ("cloning", "filling", "limits", "partitions", "quota"),
        ("question", "subjects"),
        ("model",),
    ),
    "dractl.sharing": (("selectors",), ("fragment", "names")),
    "dractl.live": (
        ("recording", "owners"),
        ("reading",),
        ("gate_metrics", "hashing"),
        ("kinds", "kubectl", "trimming"),
    ),
    "dractl.observing": (
        ("agreement",),
        ("situations",),
        ("decisions",),
        ("claims", "devices", "drain", "recorded"),
    ),
    "dractl.admission": (
        ("status_update", "warnings"),
        ("admit", "update"),
        ("kinds",),
        ("extensions",),
        ("claim", "slice", "pod", "admin_kinds"),
        ("shared",),
        ("framework",),
    ),
    "dractl.cel": (
        ("compile", "second_opinion"),
        ("pipeline",),
        ("interpreter",),
        ("checker", "cost"),
        ("library",),
        ("parser", "regex"),
        ("common",),
    ),
    "dractl.simulation": (
        ("engine",),
        ("controllers",),
        ("scheduler",),
        ("allocator",),
        ("pods",),
    ),
    "dractl.simulation.engine": (
        ("native_events", "replay", "selection", "steps"),
        ("report",),
        ("cluster",),
        ("events", "run"),
        ("fault_notes", "unreferenced"),
        ("scheduler",),
        ("binding_cycle", "controller_manager", "gangs"),
        ("cluster_state",),
        ("caches", "scheduling_queue"),
        ("bulk", "notes", "settings"),
    ),
    "dractl.simulation.scheduler": (
        ("schedule_one",),
        ("native", "unschedulable"),
        ("filter", "score"),
        ("prefilter", "plugins"),
        ("framework",),
        ("claim_allocator", "control_plane", "prebind"),
        ("pod_claims", "schedule_result"),
        ("snapshot", "extended"),
        ("binding", "node_allocatable", "node_classes", "node_load", "priorities", "timeouts"),
        ("nodes",),
        ("resources",),
    ),
    "dractl.simulation.allocator": (
        ("result", "result_cache"),
        ("search", "supply_keys"),
        ("pruning", "level_stack", "search_result"),
        ("device",),
        ("checks", "config", "taint_rules", "explain"),
        ("model",),
    ),
    "dractl.lint": (
        ("field_pages",),
        ("pages", "selection"),
        ("catalog",),
        ("cross_checks", "later_minors", "server_warnings", "unallocatable"),
        (
            "cel",
            "cross_object",
            "decode_errors",
            "changes",
            "document_rules",
            "gate_rules",
            "update_rules",
            "notes",
            "parameters",
            "unsimulated",
        ),
        ("generations",),
        ("suppression",),
        ("earlier", "report"),
        ("fixes",),
        ("base", "capped", "limited_schemas"),
    ),
    "dractl.report.html": (
        ("scenario", "upgrade", "why"),
        ("audit", "simulation", "size"),
        ("common", "picture", "waiting"),
        ("counters", "reach", "render"),
        ("uses",),
        ("model",),
    ),
    "dractl.legacy": (("prototypes", "v1alpha2"),),
    "dractl.legacy.v1alpha2": (
        ("admission", "simulation", "conversion", "named_resources"),
        ("instance_value",),
    ),
    "dractl.legacy.prototypes": (
        ("possible",),
        ("convert", "run", "selecting"),
        ("to_v1",),
        ("v1",),
        ("validate",),
        ("allocation",),
        ("checks", "own_rules", "json_schema"),
        ("examples", "kubecon"),
        ("dialects", "cel"),
    ),
}
"""The rooms of each wing, its floors from the top down.

A room is a folder or a module. Nothing imports from a floor above, or from a neighbour on its own floor.
"""

MOST_MODULES = 20
"""In one folder; a longer list hides its floors."""


def drawing() -> str:
    """The floors in Markdown, each room with the first sentence of its docstring."""
    return "\n".join(line for wing, floors in FLOORS.items() for line in _wing(wing, floors))


def _wing(wing: str, floors: tuple[tuple[str, ...], ...]) -> Iterator[str]:
    yield f"**{wing.replace('.', '/')}**\n"
    yield "| floor | room | what it is |"
    yield "|---|---|---|"
    for number, rooms in zip(range(len(floors), 0, -1), floors, strict=True):
        for room in rooms:
            yield f"| {number} | `{room}` | {_sentence(f'{wing}.{room}')} |"
    yield ""


def _sentence(module: str) -> str:
    """The first sentence of a module or package."""
    path = ROOT.joinpath(*module.split("."))
    source = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    docstring = ast.get_docstring(ast.parse(source.read_text(encoding="utf-8"))) or ""
    first = " ".join(docstring.partition("\n\n")[0].split())
    return first.partition(". ")[0].removesuffix(".").replace("|", "\\|")
