"""The tools that an agent can call, each with the command line that answers it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from dractl.api.json_types import JsonDict
from dractl.records import NamedTuple

__all__ = ["TOOLS", "BadCallError", "Call", "Tool", "call_of"]

Arguments = Mapping[str, object]

_TEXT: JsonDict = {"type": "string"}
_MANIFESTS: JsonDict = {"type": "string", "description": "Manifests as YAML or JSON, instead of paths."}
_PATHS: JsonDict = {
    "type": "array",
    "items": {"type": "string"},
    "description": "Files or folders in the folder of the server, instead of manifests.",
}
_VERSION: JsonDict = {
    "type": "string",
    "description": "A Kubernetes minor or patch, such as 1.36 or 1.35.4. Default: the newest released minor.",
}
_GATES: JsonDict = {
    "type": "object",
    "additionalProperties": {"type": "boolean"},
    "description": "Feature gates that differ from the defaults of the minor.",
}
_FORMAT: JsonDict = {
    "enum": ["text", "json"],
    "description": "Text for people, the default, or the JSON document of the command.",
}
_SHARED: JsonDict = {"kube_version": _VERSION, "feature_gates": _GATES, "format": _FORMAT}
_INPUT: JsonDict = {"manifests": _MANIFESTS, "paths": _PATHS}


class BadCallError(ValueError):
    """Arguments that make no command line; the message is for the agent."""


class Call(NamedTuple):
    """A command line without the program, and what goes to its standard input."""

    arguments: list[str]
    text: str


class Tool(NamedTuple):
    """A tool: what it is for, what it takes, and the start of its command line.

    ``text_format`` is what the command calls its text; ``needs_input``: it requires manifests.
    """

    name: str
    title: str
    description: str
    properties: JsonDict
    required: tuple[str, ...]
    start: Callable[[Arguments], list[str]]
    text_format: str = "text"
    needs_input: bool = True

    def listed(self) -> JsonDict:
        """The entry of ``tools/list``."""
        return {
            "name": self.name,
            "title": self.title,
            "description": self.description,
            "inputSchema": self.schema(),
            "annotations": {"readOnlyHint": True, "openWorldHint": False},
        }

    def schema(self) -> JsonDict:
        """The JSON Schema of the arguments."""
        return {
            "type": "object",
            "properties": self.properties,
            "required": list(self.required),
            "additionalProperties": False,
        }


def _named(command: str, *names: str) -> Callable[[Arguments], list[str]]:
    """A command line that starts with a command and the values of some arguments."""
    return lambda arguments: [command, *(str(arguments[name]) for name in names)]


TOOLS = (
    Tool(
        "validate",
        "Validate manifests",
        "The verdict of the Kubernetes API server on DRA manifests (slices, classes, claims, templates, "
        "taint rules, pods, workloads), and warnings about what will not do what it seems to do.",
        {**_INPUT, **_SHARED},
        (),
        _named("validate"),
    ),
    Tool(
        "simulate",
        "Allocate devices",
        "The device that the scheduler gives to each container request, and why a pod stays Pending. The "
        "input needs the slices, classes, claims and pods.",
        {**_INPUT, **_SHARED},
        (),
        _named("simulate"),
        "table",
    ),
    Tool(
        "why",
        "Explain a pod",
        "Why a pod or claim is Pending, who holds what it waits for, and which changes were tried and help; "
        "or why it got its devices.",
        {"name": {**_TEXT, "description": "POD, NAMESPACE/POD or KIND/NAMESPACE/NAME."}, **_INPUT, **_SHARED},
        ("name",),
        _named("why", "name"),
    ),
    Tool(
        "cel",
        "Check a selector",
        "Whether a CEL device selector compiles, its cost, and which of the devices in the input it selects.",
        {"expression": {**_TEXT, "description": "The selector."}, **_INPUT, **_SHARED},
        ("expression",),
        _named("cel", "expression"),
        needs_input=False,
    ),
    Tool(
        "explain_field",
        "Explain a field",
        "A field of the Kubernetes API: type, versions, feature gates, limits, default, rules, an example.",
        {
            "field": {
                **_TEXT,
                "description": "KIND.PATH, such as resourceclaim.spec.devices, or a field name.",
            },
            "kube_version": _VERSION,
            "format": _FORMAT,
        },
        ("field",),
        _named("explain", "field"),
        needs_input=False,
    ),
    Tool(
        "explain_rule",
        "Explain a rule",
        "What a rule id of a finding checks, since which minor, with a good and a bad example.",
        {"rule": {**_TEXT, "description": "The id in the brackets of a finding."}, "format": _FORMAT},
        ("rule",),
        _named("rule", "rule"),
        needs_input=False,
    ),
)


def call_of(tool: Tool, arguments: Arguments, root: Path) -> Call:
    """The command line for arguments that match the schema of the tool.

    Paths lead from ``root`` and stay inside it. Raises BadCallError.
    """
    command, *positional = tool.start(arguments)
    options = [f"--format={tool.text_format if arguments.get('format', 'text') == 'text' else 'json'}"]
    if "kube_version" in arguments:
        options.append(f"--kube-version={arguments['kube_version']}")
    gates = arguments.get("feature_gates")
    if isinstance(gates, Mapping) and gates:
        options.append(
            "--feature-gates=" + ",".join(f"{name}={str(on).lower()}" for name, on in gates.items())
        )
    paths, text = _input(tool, arguments, root)
    # An expression or a name may start with a minus.
    return Call([command, *options, "--", *positional, *paths], text)


def _input(tool: Tool, arguments: Arguments, root: Path) -> tuple[list[str], str]:
    manifests, paths = arguments.get("manifests"), arguments.get("paths")
    if manifests is not None and paths:
        raise BadCallError("give manifests or paths, not both")
    if isinstance(manifests, str):
        return ["-"], manifests
    if isinstance(paths, Sequence) and paths:
        return [str(_inside(str(path), root)) for path in paths], ""
    if tool.needs_input:
        raise BadCallError("give manifests as text, or paths")
    return [], ""


def _inside(path: str, root: Path) -> Path:
    try:
        found = (root / path).resolve()
    except (OSError, ValueError) as error:
        raise BadCallError(f"path {path!r}: {error}") from None
    if not found.is_relative_to(root):
        raise BadCallError(f"path {path!r} is outside the folder of the server")
    return found
