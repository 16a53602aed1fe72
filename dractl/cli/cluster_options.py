"""The options of the commands that look at a whole cluster, declared like those of the other commands."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

from dractl.cli.options import NEWEST, Options

if TYPE_CHECKING:
    import typer

    from dractl.cli import shared_options as shared
    from dractl.report import formats

__all__ = [
    "AdvisoriesOptions",
    "AuditOptions",
    "DiffOptions",
    "PossibleOptions",
    "SimulateOptions",
    "SizeOptions",
    "UpgradeOptions",
    "WhyOptions",
]


class SimulateOptions(Options):
    """The options of ``dractl simulate``."""

    paths: shared.Paths
    kube_version: shared.KubeVersions = NEWEST
    feature_gates: shared.FeatureGatesOfEach = ()
    namespace_labels: shared.NamespaceLabels = ()
    exclude: shared.Exclude = ()
    world: shared.World = ()
    scheduler_version: shared.SchedulerVersion = None
    scheduler_feature_gates: shared.SchedulerFeatureGates = ()
    node_order: shared.NodeOrder = ()
    replicas: shared.Replicas = ()
    allocate_unreferenced: Annotated[
        bool,
        typer.Option(
            "--allocate-unreferenced",
            help="Also allocate claims that no pod refers to, after the pods; no cluster does that.",
            show_default=False,
        ),
    ] = False
    scenario: Annotated[
        Sequence[str],
        typer.Option(
            metavar="FILE",
            help="Run the steps of a scenario file and print the state after each.",
            show_default=False,
        ),
    ] = ()
    pod: Annotated[
        Sequence[str],
        typer.Option(
            metavar="NS/NAME",
            help="Only report this pod (NS: default if unset), although all are simulated; repeatable.",
            show_default=False,
        ),
    ] = ()
    native: shared.Native = False
    report_format: Annotated[Sequence[str], formats.SIMULATE] = ("table",)
    save_state: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="Also write the objects with their new status to FILE, as --format yaml does.",
            show_default=False,
        ),
    ] = None
    dialect: shared.Dialect = None
    share: shared.Share = False
    playground: shared.Playground = None
    output: shared.Output = None
    quiet: shared.Quiet = False


class WhyOptions(Options):
    """The options of ``dractl why``."""

    name: Annotated[
        str,
        typer.Argument(
            metavar="NAME",
            help="A pod, claim, workload or PodGroup as [KIND/][NAMESPACE/]NAME; with --all the first PATH.",
            show_default=False,
        ),
    ] = ""
    paths: Annotated[
        Sequence[str],
        typer.Argument(
            metavar="PATH...",
            help="Files, folders (searched for *.yaml, *.yml and *.json), or - for standard input.",
            show_default=False,
        ),
    ] = ()
    kube_version: shared.KubeVersions = NEWEST
    feature_gates: shared.FeatureGatesOfEach = ()
    namespace_labels: shared.NamespaceLabels = ()
    exclude: shared.Exclude = ()
    dialect: shared.Dialect = None
    world: shared.World = ()
    all_pending: Annotated[bool, typer.Option("--all", help="Explain everything that is Pending.")] = False
    node: shared.WhyNode = None
    device: shared.WhyDevice = None
    prove: Annotated[
        str | None,
        typer.Option(
            "--prove",
            metavar="DIR",
            help="Write each way to place the pod to a new file in DIR that dractl simulate can run.",
            show_default=False,
        ),
    ] = None
    native: shared.Native = False
    report_format: Annotated[Sequence[str], formats.WHY] = ("text",)
    share: shared.Share = False
    playground: shared.Playground = None
    output: shared.Output = None
    quiet: shared.Quiet = False


class PossibleOptions(Options):
    """The options of ``dractl possible``."""

    paths: shared.Paths
    kube_version: shared.KubeVersion = NEWEST
    feature_gates: shared.FeatureGates = ()
    exclude: shared.Exclude = ()
    driver: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Only pools of this driver.", show_default=False),
    ] = None
    pool: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Only the pool of this name.", show_default=False),
    ] = None
    dialect: shared.Dialect = None
    report_format: Annotated[Sequence[str], formats.POSSIBLE] = ("text",)
    output: shared.Output = None
    quiet: shared.Quiet = False


class AuditOptions(Options):
    """The options of ``dractl audit``."""

    paths: shared.Paths
    kube_version: shared.KubeVersion = NEWEST
    feature_gates: shared.FeatureGates = ()
    namespace_labels: shared.NamespaceLabels = ()
    exclude: shared.Exclude = ()
    world: shared.World = ()
    report_format: Annotated[Sequence[str], formats.AUDIT] = ("text",)
    output: shared.Output = None
    quiet: shared.Quiet = False


class SizeOptions(Options):
    """The options of ``dractl size``."""

    paths: shared.Paths
    pod: Annotated[
        Sequence[str],
        typer.Option(
            metavar="NS/NAME[=N]",
            help="Copy this pod, or a pod of this workload; repeatable for a mix, with N copies in a set.",
            show_default=False,
        ),
    ] = ()
    like: shared.LikeNode = ()
    price: Annotated[
        Sequence[str],
        typer.Option(
            metavar="NODE=AMOUNT",
            help="Set the price of a node of --like, to list the cheapest first; repeatable.",
            show_default=False,
        ),
    ] = ()
    from_zero: Annotated[
        bool,
        typer.Option(
            "--from-zero",
            help="Use the nodes of --like as templates only: the cluster does not have them yet.",
        ),
    ] = False
    replicas: shared.Replicas = ()
    kube_version: shared.KubeVersion = NEWEST
    feature_gates: shared.FeatureGates = ()
    namespace_labels: shared.NamespaceLabels = ()
    exclude: shared.Exclude = ()
    world: shared.World = ()
    report_format: Annotated[Sequence[str], formats.SIZE] = ("text",)
    output: shared.Output = None
    quiet: shared.Quiet = False


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
    to: shared.ToVersion
    from_gates: Annotated[
        Sequence[str],
        typer.Option(
            metavar="A=true,B=false",
            help="Set the feature gates of the cluster; the target keeps those that it has.",
            show_default=False,
        ),
    ] = ()
    to_gates: shared.ToGates = ()
    write: Annotated[
        bool,
        typer.Option(
            "--write",
            help="Rewrite the files with objects in API versions that the target does not serve.",
        ),
    ] = False
    namespace_labels: shared.NamespaceLabels = ()
    exclude: shared.Exclude = ()
    report_format: Annotated[Sequence[str], formats.UPGRADE] = ("text",)
    output: shared.Output = None
    quiet: shared.Quiet = False


class DiffOptions(Options):
    """The options of ``dractl diff``."""

    sides: Annotated[
        Sequence[str],
        typer.Argument(
            metavar="OLD NEW",
            help="Two files, folders, - or REF:PATH; or one or two git commits, then -- and paths.",
            show_default=False,
        ),
    ] = ()
    since: Annotated[
        str | None,
        typer.Option(
            metavar="GIT_REF",
            help="Compare the paths with this git commit, as REF -- PATH does.",
            show_default=False,
        ),
    ] = None
    shared_paths: Annotated[
        Sequence[str],
        typer.Option(
            "--with",
            metavar="PATH",
            help="Add these objects to both sides, except those that a side has itself; repeatable.",
            show_default=False,
        ),
    ] = ()
    kube_version: shared.KubeVersion = NEWEST
    feature_gates: shared.FeatureGates = ()
    namespace_labels: shared.NamespaceLabels = ()
    exclude: shared.Exclude = ()
    dialect: shared.Dialect = None
    report_format: Annotated[Sequence[str], formats.DIFF] = ("text",)
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
    report_format: Annotated[Sequence[str], formats.ADVISORIES] = ("text",)
    output: shared.Output = None
