"""The options of ``upgrade`` and ``advisories``, declared like those of the other commands."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

from dractl.cli.options import Options

if TYPE_CHECKING:
    import typer

    from dractl.cli import shared_options as shared
    from dractl.report import formats

__all__ = ["AdvisoriesOptions", "UpgradeOptions"]


class UpgradeOptions(Options):
    """The options of ``dractl upgrade``."""

    paths: shared.Paths
    from_version: Annotated[
        str,
        typer.Option(
            "--from",
            metavar="VERSION",
            help="Upgrade from this Kubernetes minor, or a patch such as 1.35.4.",
            show_default=False,
        ),
    ]
    to: Annotated[
        str,
        typer.Option(
            metavar="VERSION",
            help="Upgrade to this Kubernetes minor or patch.",
            show_default=False,
        ),
    ]
    from_gates: Annotated[
        Sequence[str],
        typer.Option(
            metavar="A=true,B=false",
            help="Set the feature gates of the cluster; the target keeps those that it has.",
            show_default=False,
        ),
    ] = ()
    to_gates: Annotated[
        Sequence[str],
        typer.Option(
            metavar="A=true,B=false",
            help="Override feature gates of the target.",
            show_default=False,
        ),
    ] = ()
    write: Annotated[
        bool,
        typer.Option(
            "--write",
            help="Rewrite the files with objects in API versions that the target does not serve.",
        ),
    ] = False
    namespace_labels: shared.NamespaceLabels = ()
    exclude: shared.Exclude = ()
    report_format: Annotated[str, formats.UPGRADE] = "text"
    output: shared.Output = None
    quiet: shared.Quiet = False


class AdvisoriesOptions(Options):
    """The options of ``dractl advisories``."""

    paths: Annotated[
        Sequence[str],
        typer.Argument(
            metavar="PATH...",
            help="Files or folders, or - for standard input: only list faults that these objects reach.",
            show_default=False,
        ),
    ] = ()
    kube_version: Annotated[
        str | None,
        typer.Option(
            "--kube-version",
            metavar="VERSION",
            help="Only list faults of this Kubernetes minor, or patch such as 1.35.4.",
            show_default=False,
        ),
    ] = None
    feature_gates: shared.FeatureGates = ()
    namespace_labels: shared.NamespaceLabels = ()
    exclude: shared.Exclude = ()
    report_format: Annotated[str, formats.ADVISORIES] = "text"
    output: shared.Output = None
