"""The commands of ``kubectl dra`` as typer knows them."""

from __future__ import annotations

from collections.abc import Callable
from inspect import Signature
from typing import TypeVar

import typer

from dractl.cli.live.options import (
    ClaimsOptions,
    ClusterAuditOptions,
    ClusterSizeOptions,
    ClusterUpgradeOptions,
    ClusterWhyOptions,
    DevicesOptions,
    DrainOptions,
    RecordOptions,
    WhatIfOptions,
)
from dractl.cli.options import Options
from dractl.cli.program import help_page
from dractl.cli.program.parameters import Version, parameters, program

__all__ = ["EXAMPLES", "EXIT_CODES", "app"]

_CODE_2 = "wrong usage, or the cluster cannot be read"

EXIT_CODES = {
    "devices": ("", "", _CODE_2),
    "claims": ("", "", _CODE_2),
    "why": ("it has its devices, or nothing is Pending", "it is Pending", f"{_CODE_2}, or an unknown name"),
    "size": ("a copy fits", "no copy fits, or pods stay Pending with added nodes", _CODE_2),
    "whatif": ("everything has its devices", "something is Pending, rejected or unreadable", _CODE_2),
    "drain": ("every pod has a new node", "a pod stays Pending", _CODE_2),
    "audit": ("every allocation is legal", "an allocation is illegal", _CODE_2),
    "upgrade": ("nothing to do", "something to do before the upgrade", _CODE_2),
    "record": ("recorded", "", _CODE_2),
}
"""What the exit codes of a command mean, from 0 on."""

EXAMPLES = {
    "dra": ("kubectl dra devices", "kubectl dra why train", "kubectl dra drain node-a"),
    "devices": ("kubectl dra devices", "kubectl dra devices --node node-a --watch"),
    "claims": ("kubectl dra claims -n ml", "kubectl dra claims -A -o json"),
    "why": ("kubectl dra why train", "kubectl dra why -A", "kubectl dra why ml/train --node node-a"),
    "size": ("kubectl dra size --pod train", "kubectl dra size --like node-a"),
    "whatif": ("kubectl dra whatif -f job.yaml",),
    "drain": ("kubectl dra drain node-a",),
    "audit": ("kubectl dra audit",),
    "upgrade": ("kubectl dra upgrade --to 1.37",),
    "record": ("kubectl dra record events.jsonl", "kubectl dra record events.jsonl --for 3600"),
}
"""Command lines for the end of each help page."""

app = program("kubectl dra", EXAMPLES["dra"])

Given = TypeVar("Given", bound=Options)
Command = Callable[[Given], int]


def _command(options: type[Given]) -> Callable[[Command[Given]], Command[Given]]:
    """Register a command that takes ``options``."""

    def register(run: Command[Given]) -> Command[Given]:
        def command(**values: object) -> None:
            given = {name: value for name, value in values.items() if value is not None}
            raise typer.Exit(run(options(**given)))

        command.__name__, command.__doc__ = run.__name__, run.__doc__
        signature = Signature(parameters(options, ("--output", "-o")))
        command.__signature__ = signature  # type: ignore[attr-defined]
        epilog = help_page.epilog(EXAMPLES[run.__name__], EXIT_CODES[run.__name__])
        app.command(cls=help_page.Page, epilog=epilog)(command)
        return run

    return register


@app.callback()
def dra(
    *,
    version: Version = False,
) -> None:
    """Explain and simulate device allocation in a running cluster.

    Reads the cluster through kubectl, with your rights, and changes nothing in it. Its minor and feature
    gates are those of the API server, as far as you may read them.
    """


@_command(DevicesOptions)
def devices(options: DevicesOptions) -> int:
    """List the devices, and the claims that have them.

    Of each pool only the newest generation counts. Taints are those of the driver and of DeviceTaintRules.
    """
    from dractl.cli.live import tables as command

    return command.devices(options)


@_command(ClaimsOptions)
def claims(options: ClaimsOptions) -> int:
    """List the claims, with their devices and pods."""
    from dractl.cli.live import tables as command

    return command.claims(options)


@_command(ClusterWhyOptions)
def why(options: ClusterWhyOptions) -> int:
    """Explain why a pod is Pending, or why it got its devices."""
    from dractl.cli.live import questions as command

    return command.why(options)


@_command(ClusterSizeOptions)
def size(options: ClusterSizeOptions) -> int:
    """Count how many more copies of a pod fit."""
    from dractl.cli.live import questions as command

    return command.size(options)


@_command(WhatIfOptions)
def whatif(options: WhatIfOptions) -> int:
    """Simulate the cluster with more objects.

    Prints where the pods of the files would run, and those of the cluster that have no node yet. An object of
    the same kind and name replaces that of the cluster.
    """
    from dractl.cli.live import questions as command

    return command.whatif(options)


@_command(DrainOptions)
def drain(options: DrainOptions) -> int:
    """Predict where the pods of a node move if it is drained.

    Pods with a controller come back, with new claims of their templates; others end. The node is not touched.
    """
    from dractl.cli.live import questions as command

    return command.drain(options)


@_command(ClusterAuditOptions)
def audit(options: ClusterAuditOptions) -> int:
    """Check that the allocations in the cluster are legal."""
    from dractl.cli.live import questions as command

    return command.audit(options)


@_command(ClusterUpgradeOptions)
def upgrade(options: ClusterUpgradeOptions) -> int:
    """Plan an upgrade of the cluster.

    Compares the release that the cluster runs with another one, for the objects that it has.
    """
    from dractl.cli.live import questions as command

    return command.upgrade(options)


@_command(RecordOptions)
def record(options: RecordOptions) -> int:
    """Record what happens in the cluster.

    Appends the state and then each change to a file of JSON lines, until Ctrl-C; dractl replay plays it.
    """
    from dractl.cli.live import recording as command

    return command.record(options)
