"""The options of the commands that read no manifests: references, and servers for other programs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

from dractl.cli.options import NEWEST, Options

if TYPE_CHECKING:
    import typer

    from dractl.cli import shared_options as shared
    from dractl.report import formats

__all__ = [
    "CompletionOptions",
    "ExplainOptions",
    "GatesOptions",
    "LspOptions",
    "McpOptions",
    "RuleOptions",
    "RulesOptions",
    "SchemaOptions",
]


class RuleOptions(Options):
    """The options of ``dractl rule``."""

    id: Annotated[
        str, typer.Argument(metavar="ID", help="A rule id, such as request/name.", show_default=False)
    ]
    report_format: Annotated[Sequence[str], formats.RULE] = ("text",)
    output: shared.Output = None


class ExplainOptions(Options):
    """The options of ``dractl explain``."""

    field: Annotated[
        str,
        typer.Argument(
            metavar="FIELD",
            help="KIND.PATH, such as resourceclaim.spec.devices.requests, or the end of a path.",
            show_default=False,
        ),
    ]
    recursive: Annotated[bool, typer.Option("--recursive", help="List its fields at all levels.")] = False
    api_version: Annotated[
        str | None,
        typer.Option(
            "--api-version",
            metavar="VERSION",
            help="Explain this version of the API, such as v1beta1, instead of the newest.",
            show_default=False,
        ),
    ] = None
    kube_version: shared.KubeVersion = NEWEST
    report_format: Annotated[Sequence[str], formats.EXPLAIN] = ("text",)
    output: shared.Output = None


class RulesOptions(Options):
    """The options of ``dractl rules``."""

    kind: Annotated[
        str | None,
        typer.Option(
            metavar="KIND",
            help="Only list rules for this kind.",
            show_default=False,
        ),
    ] = None
    kube_version: Annotated[
        str | None,
        typer.Option(
            "--kube-version",
            metavar="VERSION",
            help="Only list rules of this Kubernetes minor.",
            show_default=False,
        ),
    ] = None
    report_format: Annotated[Sequence[str], formats.RULES] = ("text",)
    output: shared.Output = None


class GatesOptions(Options):
    """The options of ``dractl gates``."""

    kube_version: shared.KubeVersion = NEWEST
    feature_gates: Annotated[
        Sequence[str],
        typer.Option(
            metavar="A=true,B=false",
            help="Also print which gates are on with these overrides.",
            show_default=False,
        ),
    ] = ()
    report_format: Annotated[Sequence[str], formats.GATES] = ("text",)
    output: shared.Output = None


class CompletionOptions(Options):
    """The options of ``dractl completion``."""

    shell: Annotated[
        str,
        typer.Argument(metavar="SHELL", help="The shell: bash, zsh or fish.", show_default=False),
    ]
    output: shared.Output = None


class LspOptions(Options):
    """``dractl lsp`` has no options: its settings come from the editor."""


class McpOptions(Options):
    """The options of ``dractl mcp``."""

    root: Annotated[
        str,
        typer.Option(
            "--root",
            metavar="DIR",
            help="Read files in this folder only (by default the working folder).",
            show_default=False,
        ),
    ] = "."


class SchemaOptions(Options):
    """The options of ``dractl schema``."""

    kind: Annotated[
        str,
        typer.Argument(
            metavar="KIND",
            help="A kind of resource.k8s.io, such as ResourceClaim, or a file format: scenario, test or "
            "config.",
        ),
    ]
    api_version: Annotated[
        str | None,
        typer.Option(
            metavar="V",
            help="Print the schema of this API version, such as v1beta1 (default: the newest).",
            show_default=False,
        ),
    ] = None
    kube_version: shared.KubeVersion = NEWEST
    dialect: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Print the schema of this dialect of a prototype API.",
            show_default=False,
        ),
    ] = None
    output: shared.Output = None
