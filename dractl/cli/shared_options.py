"""The options that commands share, and some of single commands, as typer declares them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal

import typer

from dractl.api import release
from dractl.cli.server import UsageError

__all__ = [
    "Config",
    "Dialect",
    "Exclude",
    "FeatureGates",
    "FeatureGatesOfEach",
    "FieldValidation",
    "Ignore",
    "Isolated",
    "KubeVersion",
    "KubeVersions",
    "LikeNode",
    "NamespaceLabels",
    "Native",
    "NodeOrder",
    "Output",
    "Paths",
    "Playground",
    "PrintDiff",
    "Quiet",
    "Replicas",
    "SchedulerFeatureGates",
    "SchedulerVersion",
    "Select",
    "Share",
    "ShowConfig",
    "ToGates",
    "ToVersion",
    "WhyDevice",
    "WhyNode",
    "World",
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
FeatureGatesOfEach = Annotated[
    Sequence[str],
    typer.Option(
        "--feature-gates",
        metavar="A=true,B=false",
        help="Override feature gates that dractl gates lists; 1.33:A=true does so in one minor of a range.",
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
World = Annotated[
    Sequence[str],
    typer.Option(
        "--world",
        metavar="PATH",
        help="Files or folders with objects of the cluster, such as slices and classes; their own findings "
        "are not reported; repeatable.",
        show_default=False,
    ),
]
Config = Annotated[
    str | None,
    typer.Option(
        "--config",
        metavar="FILE",
        help="Read the configuration from FILE instead of searching for it.",
        show_default=False,
    ),
]
Isolated = Annotated[
    bool, typer.Option("--isolated", help="Ignore configuration files and environment variables.")
]
ShowConfig = Annotated[
    bool,
    typer.Option("--show-config", help="Print the effective configuration, and where it is from."),
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
Native = Annotated[
    bool,
    typer.Option(
        "--native",
        help="Also print the scheduler's own event for each Pending pod, in the words of the minor.",
        show_default=False,
    ),
]
Share = Annotated[
    bool,
    typer.Option(
        "--share",
        help="Also print a link that opens the files in the playground; it holds their text, secrets too.",
    ),
]
Playground = Annotated[
    str | None,
    typer.Option(
        "--playground",
        metavar="URL",
        help="With --share: the address of the playground (default: that of the documentation).",
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
FieldValidation = Annotated[
    Literal["strict", "warn", "ignore"],
    typer.Option(
        "--field-validation",
        help="Reject unknown and duplicate fields, or drop them as the API server does for a client "
        "that asks it to warn about them or to ignore them.",
    ),
]
SchedulerVersion = Annotated[
    str | None,
    typer.Option(
        "--scheduler-version",
        metavar="VERSION",
        help="Follow the scheduler of this Kubernetes minor or patch, as in the middle of an upgrade "
        "(default: that of --kube-version).",
        show_default=False,
    ),
]
SchedulerFeatureGates = Annotated[
    Sequence[str],
    typer.Option(
        "--scheduler-feature-gates",
        metavar="A=true,B=false",
        help="Override feature gates of the scheduler, in addition to --feature-gates.",
        show_default=False,
    ),
]
NodeOrder = Annotated[
    Sequence[str],
    typer.Option(
        metavar="NODE,...",
        help="Prefer these nodes, in this order, if several are equally good; the others follow by name.",
        show_default=False,
    ),
]
Replicas = Annotated[
    Sequence[str],
    typer.Option(
        metavar="NAME=N",
        help="Override the number of pods of NAME, KIND/NAME or KIND/NAMESPACE/NAME; repeatable.",
        show_default=False,
    ),
]
Select = Annotated[
    Sequence[str],
    typer.Option(
        metavar="ID,...",
        help="Only report these rules; globs allowed (request/*).",
        show_default=False,
    ),
]
Ignore = Annotated[
    Sequence[str],
    typer.Option(
        metavar="ID,...",
        help="Report all rules except these.",
        show_default=False,
    ),
]

LikeNode = Annotated[
    Sequence[str],
    typer.Option(
        metavar="NODE",
        help="Count the nodes like this one that the pending pods need; repeatable.",
        show_default=False,
    ),
]

PrintDiff = Annotated[bool, typer.Option("--diff", help="Print the changes as a patch.")]

ToGates = Annotated[
    Sequence[str],
    typer.Option(
        metavar="A=true,B=false",
        help="Override feature gates of the target.",
        show_default=False,
    ),
]

ToVersion = Annotated[
    str,
    typer.Option(
        metavar="VERSION",
        help="Upgrade to this Kubernetes minor or patch.",
        show_default=False,
    ),
]

WhyDevice = Annotated[
    str | None,
    typer.Option(
        "--device",
        metavar="DEVICE",
        help="Explain why not this device: its name, or driver/pool/name.",
        show_default=False,
    ),
]

WhyNode = Annotated[
    str | None,
    typer.Option(
        "--node",
        metavar="NODE",
        help="Explain why not this node.",
        show_default=False,
    ),
]
