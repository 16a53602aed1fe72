"""The options of ``dractl snapshot`` and ``dractl replay``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from dractl.cli.live.options import Context, Kubeconfig, Namespace
from dractl.cli.options import Options

if TYPE_CHECKING:
    from dractl.cli import shared_options as shared
    from dractl.report import formats

__all__ = ["ReplayOptions", "SnapshotOptions"]


class SnapshotOptions(Options):
    """The options of ``dractl snapshot``."""

    output: Annotated[
        str | None,
        typer.Option(
            "--output",
            metavar="FILE|DIR",
            help="Write to FILE, or a file for each kind into DIR, instead of to standard output (-).",
            show_default=False,
        ),
    ] = None
    hash_names: Annotated[
        bool,
        typer.Option(
            "--hash-names",
            help="Replace the names of nodes, namespaces, pods, claims, pools and devices.",
        ),
    ] = False
    hash_key: Annotated[
        str | None,
        typer.Option(
            "--hash-key",
            metavar="TEXT",
            help="With the same key a name is hashed in the same way again (default: a random key).",
            show_default=False,
        ),
    ] = None
    namespace: Namespace = None
    context: Context = None
    kubeconfig: Kubeconfig = None
    quiet: shared.Quiet = False


class ReplayOptions(Options):
    """The options of ``dractl replay``."""

    file: Annotated[
        str,
        typer.Argument(metavar="FILE", help="A recording of kubectl dra record.", show_default=False),
    ]
    at: Annotated[
        str | None,
        typer.Option(
            "--at",
            metavar="TIME",
            help="Print the state at TIME as YAML, as in 2026-05-01T12:00:00Z, or +90 for seconds.",
            show_default=False,
        ),
    ] = None
    pod: Annotated[
        str | None,
        typer.Option(
            "--pod",
            metavar="NS/NAME",
            help="Only report this pod (NS: default if unset).",
            show_default=False,
        ),
    ] = None
    compare: Annotated[
        bool,
        typer.Option("--compare", help="Simulate each placement, and print the share that agrees."),
    ] = False
    report_format: Annotated[Sequence[str], formats.REPLAY] = ("text",)
    output: shared.Output = None
    quiet: shared.Quiet = False
