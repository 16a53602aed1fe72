"""The options of ``dractl driver check``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

from dractl.api.release import KNOWN
from dractl.cli.options import Options

if TYPE_CHECKING:
    import typer

    from dractl.cli import shared_options as shared
    from dractl.report import formats

__all__ = ["DriverCheckOptions"]


class DriverCheckOptions(Options):
    """The options of ``dractl driver check``."""

    paths: shared.Paths
    kube_version: shared.KubeVersions = f"{KNOWN[0]}..{KNOWN[-1]}"
    feature_gates: shared.FeatureGates = ()
    exclude: shared.Exclude = ()
    old: Annotated[
        Sequence[str],
        typer.Option(
            "--old",
            metavar="PATH",
            help="Compare generations with what was published before, in this file or folder; repeatable.",
            show_default=False,
        ),
    ] = ()
    strict: Annotated[bool, typer.Option("--strict", help="Exit with 1 for warnings too.")] = False
    report_format: Annotated[Sequence[str], formats.DRIVER_CHECK] = ("text",)
    verbose: Annotated[bool, typer.Option("--verbose", help="Print every fact, with places and hints.")] = (
        False
    )
    output: shared.Output = None
    quiet: shared.Quiet = False
