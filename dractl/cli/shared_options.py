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
        raise UsageError("--output", "no file is named; is a variable empty?")
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
        "--kube-version", metavar="MINOR", help=f"The Kubernetes minor to follow, {release.known_span()}."
    ),
]
KubeVersions = Annotated[
    str,
    typer.Option(
        "--kube-version",
        metavar="MINOR",
        help=f"The Kubernetes minor to follow, {release.known_span()}, or a range such as 1.33..1.37.",
    ),
]
FeatureGates = Annotated[
    Sequence[str],
    typer.Option(
        "--feature-gates",
        metavar="A=true,B=false",
        help="Feature gates to set beside the defaults of the minor.",
        show_default=False,
    ),
]
NamespaceLabels = Annotated[
    Sequence[str],
    typer.Option(
        "--namespace-labels",
        metavar="NS:K=V,...",
        help="Labels of a namespace, for admin access; once for each namespace. Namespace objects in the "
        "input count too. A namespace that is in neither has no labels then.",
        show_default=False,
    ),
]
Dialect = Annotated[
    str | None,
    typer.Option(
        "--dialect",
        metavar="NAME",
        help="The dialect of a prototype API, such as proto-oneof, where the shape of objects does not tell; "
        "pods are read as its pods then. docs/prototypes.md lists the dialects.",
        show_default=False,
    ),
]
Exclude = Annotated[
    Sequence[str],
    typer.Option(
        "--exclude",
        metavar="GLOB",
        help="Files to leave out, named or in folders, by path or name; may be given several times.",
        show_default=False,
    ),
]
Output = Annotated[
    str | None,
    typer.Option(
        "--output",
        metavar="FILE",
        callback=_named_output,
        help="Write the result to a file, not to standard output, which is - here.",
        show_default=False,
    ),
]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Say only what makes the exit code other than 0.")]
