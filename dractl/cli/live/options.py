"""The options of ``kubectl dra``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from dractl.cli.options import Options

if TYPE_CHECKING:
    from dractl.cli import shared_options as shared
    from dractl.report import formats
    from dractl.report.live import formats as live_formats

__all__ = [
    "ClaimsOptions",
    "ClusterAuditOptions",
    "ClusterSizeOptions",
    "ClusterUpgradeOptions",
    "ClusterWhyOptions",
    "DevicesOptions",
    "DrainOptions",
    "RecordOptions",
    "WhatIfOptions",
]

Context = Annotated[
    str | None,
    typer.Option("--context", metavar="NAME", help="Use this context, as kubectl does.", show_default=False),
]
Kubeconfig = Annotated[
    str | None,
    typer.Option(
        "--kubeconfig", metavar="FILE", help="Use this configuration, as kubectl does.", show_default=False
    ),
]
Namespace = Annotated[
    str | None,
    typer.Option(
        "--namespace",
        "-n",
        metavar="NS",
        help="Look in this namespace instead of that of the context.",
        show_default=False,
    ),
]
AllNamespaces = Annotated[
    bool, typer.Option("--all-namespaces", "-A", help="Show the objects of all namespaces.")
]
Watch = Annotated[bool, typer.Option("--watch", "-w", help="Read the cluster again and again, until Ctrl-C.")]
Interval = Annotated[
    int, typer.Option("--interval", metavar="SECONDS", help="Wait so long between two readings of --watch.")
]
Files = Annotated[
    Sequence[str],
    typer.Option(
        "--filename",
        "-f",
        metavar="PATH",
        help="Add the objects of this file or folder, or of standard input (-); repeatable.",
        show_default=False,
    ),
]


class DevicesOptions(Options):
    """The options of ``kubectl dra devices``."""

    node: Annotated[
        str | None,
        typer.Option("--node", metavar="NODE", help="Only list devices of this node.", show_default=False),
    ] = None
    driver: Annotated[
        str | None,
        typer.Option(
            "--driver", metavar="NAME", help="Only list devices of this driver.", show_default=False
        ),
    ] = None
    watch: Watch = False
    interval: Interval = 5
    namespace: Namespace = None
    context: Context = None
    kubeconfig: Kubeconfig = None
    report_format: Annotated[str, live_formats.DEVICES] = "table"
    quiet: shared.Quiet = False


class ClaimsOptions(Options):
    """The options of ``kubectl dra claims``."""

    watch: Watch = False
    interval: Interval = 5
    all_namespaces: AllNamespaces = False
    namespace: Namespace = None
    context: Context = None
    kubeconfig: Kubeconfig = None
    report_format: Annotated[str, live_formats.CLAIMS] = "table"
    quiet: shared.Quiet = False


class ClusterWhyOptions(Options):
    """The options of ``kubectl dra why``."""

    name: Annotated[
        str,
        typer.Argument(
            metavar="POD",
            help="A pod or claim as [KIND/][NAMESPACE/]NAME; by default all pods that are Pending.",
            show_default=False,
        ),
    ] = ""
    node: shared.WhyNode = None
    device: shared.WhyDevice = None
    watch: Watch = False
    interval: Interval = 5
    all_namespaces: AllNamespaces = False
    namespace: Namespace = None
    context: Context = None
    kubeconfig: Kubeconfig = None
    report_format: Annotated[str, formats.WHY] = "text"
    quiet: shared.Quiet = False


class ClusterSizeOptions(Options):
    """The options of ``kubectl dra size``."""

    pod: Annotated[
        Sequence[str],
        typer.Option(
            metavar="[NS/]NAME[=N]",
            help="Copy this pod; repeatable for a mix, with N copies in a set.",
            show_default=False,
        ),
    ] = ()
    like: shared.LikeNode = ()
    namespace: Namespace = None
    context: Context = None
    kubeconfig: Kubeconfig = None
    report_format: Annotated[str, formats.SIZE] = "text"
    quiet: shared.Quiet = False


class WhatIfOptions(Options):
    """The options of ``kubectl dra whatif``."""

    files: Files
    namespace: Namespace = None
    context: Context = None
    kubeconfig: Kubeconfig = None
    report_format: Annotated[str, formats.SIMULATE] = "table"
    quiet: shared.Quiet = False


class DrainOptions(Options):
    """The options of ``kubectl dra drain``."""

    node: Annotated[str, typer.Argument(metavar="NODE", help="The node to drain.", show_default=False)]
    namespace: Namespace = None
    context: Context = None
    kubeconfig: Kubeconfig = None
    report_format: Annotated[str, live_formats.DRAIN] = "table"
    quiet: shared.Quiet = False


class ClusterAuditOptions(Options):
    """The options of ``kubectl dra audit``."""

    namespace: Namespace = None
    context: Context = None
    kubeconfig: Kubeconfig = None
    report_format: Annotated[str, formats.AUDIT] = "text"
    quiet: shared.Quiet = False


class ClusterUpgradeOptions(Options):
    """The options of ``kubectl dra upgrade``."""

    to: shared.ToVersion
    to_gates: shared.ToGates = ()
    namespace: Namespace = None
    context: Context = None
    kubeconfig: Kubeconfig = None
    report_format: Annotated[str, formats.UPGRADE] = "text"
    quiet: shared.Quiet = False


class RecordOptions(Options):
    """The options of ``kubectl dra record``."""

    file: Annotated[str, typer.Argument(metavar="FILE", help="The file to append to.", show_default=False)]
    seconds: Annotated[
        int | None,
        typer.Option(
            "--for",
            metavar="SECONDS",
            help="End after so many seconds instead of at Ctrl-C.",
            show_default=False,
        ),
    ] = None
    namespace: Namespace = None
    context: Context = None
    kubeconfig: Kubeconfig = None
    quiet: shared.Quiet = False
