"""The options of ``dractl migrate``, declared like those of the other commands."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Literal

from dractl.cli.options import NEWEST, Options

if TYPE_CHECKING:
    import typer

    from dractl.cli import shared_options as shared
    from dractl.report import formats

__all__ = ["MigrateOptions"]


class MigrateOptions(Options):
    """The options of ``dractl migrate``."""

    paths: shared.Paths
    to: Annotated[
        Literal["claims", "extended-resource"],
        typer.Option(help="Migrate requests to claims in pods, or to extended resources of classes."),
    ] = "claims"
    device_class: Annotated[
        Sequence[str],
        typer.Option(
            "--class",
            metavar="RESOURCE=DEVICECLASS",
            help="Serve this device plugin resource with this DeviceClass; repeatable.",
            show_default=False,
        ),
    ] = ()
    diff: shared.PrintDiff = False
    write: Annotated[
        bool,
        typer.Option("--write", help="Rewrite the files, unless the result is rejected."),
    ] = False
    kube_version: shared.KubeVersion = NEWEST
    feature_gates: shared.FeatureGates = ()
    namespace_labels: shared.NamespaceLabels = ()
    exclude: shared.Exclude = ()
    report_format: Annotated[Sequence[str], formats.MIGRATE] = ("text",)
    output: shared.Output = None
    quiet: shared.Quiet = False
