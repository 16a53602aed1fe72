"""The options that commands share, as typer declares them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import typer

from dractl.api import release
from dractl.cli.server import UsageError

__all__ = [
    "Dialect",
    "Exclude",
    "FeatureGates",
    "KubeVersion",
    "KubeVersions",
    "NamespaceLabels",
    "Output",
    "Paths",
    "Quiet",
]


def _named_output(output: str | None) -> str | None:
    if output == "":
        raise UsageError("--output", "expected a file name (unset shell variable?)")
    return None if output == "-" else output


Paths = Annotated[
    Sequence[str],
    typer.Argument(
        metavar="PATH...",
        help="Files, folders (searched for *.yaml, *.yml and *.json), or - for standard input.",
        show_default=False,
    ),
]
KubeVersion = Annotated[
    str,
    typer.Option(
        "--kube-version",
        metavar="VERSION",
        help=f"Follow this Kubernetes minor, {release.known_span()}, or a patch such as 1.35.4.",
    ),
]
KubeVersions = Annotated[
    str,
    typer.Option(
        "--kube-version",
        metavar="VERSION",
        help=f"Follow this Kubernetes minor, {release.known_span()}, a patch such as 1.35.4, or "
        "a range such as 1.33..1.37.",
    ),
]
FeatureGates = Annotated[
    Sequence[str],
    typer.Option(
        "--feature-gates",
        metavar="A=true,B=false",
        help="Override feature gates; only those that dractl gates lists are accepted.",
        show_default=False,
    ),
]
NamespaceLabels = Annotated[
    Sequence[str],
    typer.Option(
        "--namespace-labels",
        metavar="NS:K=V,...",
        help="Set the labels of a namespace, for admin access; repeatable.",
        show_default=False,
    ),
]
Dialect = Annotated[
    str | None,
    typer.Option(
        "--dialect",
        metavar="NAME",
        help="For objects of a prototype API: read them in this dialect if several fit.",
        show_default=False,
    ),
]
Exclude = Annotated[
    Sequence[str],
    typer.Option(
        "--exclude",
        metavar="GLOB",
        help="Ignore files whose path or name matches; repeatable.",
        show_default=False,
    ),
]
Output = Annotated[
    str | None,
    typer.Option(
        "--output",
        metavar="FILE",
        callback=_named_output,
        help="Write the result to FILE instead of standard output (-).",
        show_default=False,
    ),
]
Quiet = Annotated[
    bool,
    typer.Option(
        "--quiet",
        "-q",
        help="Print only what causes a non-zero exit code.",
    ),
]
