"""The commands as typer knows them: each takes its options, calls its module, and ends with the exit code.

The texts of the commands' functions are what ``--help`` shows.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from dractl import __version__
from dractl.api import release
from dractl.cli import options

__all__ = ["app"]

app = typer.Typer(
    name="dractl",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)

NEWEST = str(release.NEWEST)


class FindingFormat(StrEnum):
    """How findings can be written."""

    TEXT = "text"
    JSON = "json"


class PlainFormat(StrEnum):
    """How answers that are no findings can be written."""

    TEXT = "text"
    JSON = "json"


class CelEnvironment(StrEnum):
    """Which of the CEL environments of a minor are asked."""

    NEW = "new"
    STORED = "stored"
    BOTH = "both"


class VerdictFormat(StrEnum):
    """How the results of tests can be written."""

    TEXT = "text"
    JUNIT = "junit"
    JSON = "json"


class PlacementFormat(StrEnum):
    """How a simulation can be written."""

    TABLE = "table"
    JSON = "json"
    YAML = "yaml"


Format = Annotated[PlainFormat, typer.Option("--format", help="Text for people, or a JSON document.")]


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"dractl {__version__}")
        raise typer.Exit


@app.callback()
def dractl(
    *,
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Validate Kubernetes DRA manifests and simulate device allocation, from files."""


@app.command()
def validate(  # noqa: PLR0913 - a command has its options
    paths: options.Paths,
    *,
    kube_version: options.KubeVersions = NEWEST,
    feature_gates: options.FeatureGates = None,
    namespace_labels: options.NamespaceLabels = None,
    exclude: options.Exclude = None,
    select: Annotated[
        list[str] | None,
        typer.Option(
            metavar="ID,...",
            help="Only these rules; globs such as request/* mean several.",
            show_default=False,
        ),
    ] = None,
    ignore: Annotated[
        list[str] | None, typer.Option(metavar="ID,...", help="All rules but these.", show_default=False)
    ] = None,
    config_schema: Annotated[
        list[str] | None,
        typer.Option(
            metavar="DRIVER/KIND=FILE",
            help="A JSON Schema for the opaque parameters of a driver that are of this kind; what it does "
            "not allow is a warning.",
            show_default=False,
        ),
    ] = None,
    old: Annotated[
        list[str] | None,
        typer.Option(
            metavar="PATH",
            help="An earlier state, files or a folder: each object is judged as an update of its earlier "
            "self, found by kind, namespace and name.",
            show_default=False,
        ),
    ] = None,
    since: Annotated[
        str | None,
        typer.Option(
            metavar="GIT_REF",
            help="The same with the state of the paths in a commit, also of files renamed since.",
            show_default=False,
        ),
    ] = None,
    subresource: Annotated[
        str | None,
        typer.Option(
            metavar="status",
            help="Judge the status of each object as a status update; needs --old or --since.",
            show_default=False,
        ),
    ] = None,
    strict: Annotated[bool, typer.Option("--strict", help="Warnings fail too.")] = False,
    allow_empty: Annotated[
        bool, typer.Option("--allow-empty", help="Files without any document are fine, as for a hook.")
    ] = False,
    dialect: options.Dialect = None,
    lenient: Annotated[
        bool,
        typer.Option(
            "--lenient", help="Only warn of what the files of prototype APIs do and their types do not have."
        ),
    ] = False,
    report_format: Annotated[
        FindingFormat, typer.Option("--format", help="How findings are written.")
    ] = FindingFormat.TEXT,
    output: options.Output = None,
    quiet: options.Quiet = False,
) -> None:
    """Say what the API server of a Kubernetes minor would say to every object.

    Objects of resource.k8s.io are judged in full, pods and workloads by structure, metadata and their DRA
    parts. Over a range of minors, such as 1.33..1.37, every finding is shown with the minors that have it,
    and the objects whose verdict changes. Exit code: 0 no errors, 1 errors, 2 wrong usage or nothing to read.
    """
    from dractl.cli import validate as command  # noqa: PLC0415 - --help need not wait for it

    raise typer.Exit(
        command.validate(
            paths,
            kube_version=kube_version,
            feature_gates=feature_gates or (),
            namespace_labels=namespace_labels or (),
            exclude=exclude or (),
            select=select or (),
            ignore=ignore or (),
            config_schema=config_schema or (),
            old=old or (),
            since=since,
            subresource=subresource,
            strict=strict,
            allow_empty=allow_empty,
            dialect=dialect,
            lenient=lenient,
            report_format=report_format.value,
            output=output,
            quiet=quiet,
        )
    )


@app.command()
def simulate(  # noqa: PLR0913 - a command has its options
    paths: options.Paths,
    *,
    kube_version: options.KubeVersion = NEWEST,
    feature_gates: options.FeatureGates = None,
    namespace_labels: options.NamespaceLabels = None,
    exclude: options.Exclude = None,
    node_order: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NODE,...",
            help="Nodes to prefer, in this order, where several are equally good; the others follow by name.",
            show_default=False,
        ),
    ] = None,
    replicas: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=N",
            help="Another number of pods for a workload, by NAME, KIND/NAME or KIND/NAMESPACE/NAME; may be "
            "given several times.",
            show_default=False,
        ),
    ] = None,
    scenario: Annotated[
        list[str] | None,
        typer.Option(
            metavar="FILE",
            help="A file of steps that happen to the cluster; the state after each is shown.",
            show_default=False,
        ),
    ] = None,
    report_format: Annotated[
        PlacementFormat,
        typer.Option(
            "--format", help="A table, a JSON document, or the objects with their new status as YAML."
        ),
    ] = PlacementFormat.TABLE,
    save_state: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="Write the objects with their new status to a file, too, as --format yaml does.",
            show_default=False,
        ),
    ] = None,
    dialect: options.Dialect = None,
    output: options.Output = None,
    quiet: options.Quiet = False,
) -> None:
    """Say which device the scheduler of a Kubernetes minor would give to which container.

    The files hold nodes (or slices that name them), slices, classes, claims, templates, pods and workloads.
    Pods get their devices in order, and so do claims that no pod refers to. Exit code: 0 all have their
    devices, 1 something could not be allocated or was refused, 2 wrong usage or nothing to read.
    """
    from dractl.cli import simulate as command  # noqa: PLC0415 - --help need not wait for it

    raise typer.Exit(
        command.simulate(
            paths,
            kube_version=kube_version,
            feature_gates=feature_gates or (),
            namespace_labels=namespace_labels or (),
            exclude=exclude or (),
            node_order=node_order or (),
            replicas=replicas or (),
            scenario=scenario,
            dialect=dialect,
            report_format=report_format.value,
            save_state=save_state,
            output=output,
            quiet=quiet,
        )
    )


@app.command()
def test(
    paths: Annotated[
        list[str],
        typer.Argument(
            metavar="FILE...",
            help="Expectation files, or folders, which are searched for them.",
            show_default=False,
        ),
    ],
    *,
    update: Annotated[
        bool, typer.Option("--update", help="Write what comes into the files, where it is otherwise.")
    ] = False,
    kube_version: Annotated[
        str | None,
        typer.Option(
            "--kube-version",
            metavar="MINOR",
            help="A Kubernetes minor, or a range of minors, in place of what the files say.",
            show_default=False,
        ),
    ] = None,
    feature_gates: options.FeatureGates = None,
    report_format: Annotated[
        VerdictFormat, typer.Option("--format", help="Text for people, JUnit XML, or a JSON document.")
    ] = VerdictFormat.TEXT,
    output: options.Output = None,
    quiet: options.Quiet = False,
) -> None:
    """Hold simulations against what is expected of them.

    An expectation file stands beside manifests and says which pod lands where, with which devices, what stays
    pending for which reason, and what is refused by which rule. Exit code: 0 all is as expected, 1 something
    is not, 2 wrong usage or a file that is no expectation file.
    """
    from dractl.cli import testing as command  # noqa: PLC0415 - --help need not wait for it

    raise typer.Exit(
        command.run_tests(
            paths,
            update=update,
            kube_version=kube_version,
            feature_gates=feature_gates or (),
            report_format=report_format.value,
            output=output,
            quiet=quiet,
        )
    )


@app.command()
def cel(  # noqa: PLR0913 - a command has its options
    expression: Annotated[
        str,
        typer.Argument(
            metavar="EXPRESSION",
            help="A device selector, or - for several on standard input: one a line, # begins a comment.",
            show_default=False,
        ),
    ],
    paths: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="PATH...",
            help="Files or folders with ResourceSlices, or - for standard input: the devices to try.",
            show_default=False,
        ),
    ] = None,
    *,
    kube_version: options.KubeVersion = NEWEST,
    feature_gates: options.FeatureGates = None,
    env: Annotated[
        CelEnvironment,
        typer.Option(
            "--env",
            help="What the API server checks new objects with, what the scheduler runs (stored), or both.",
        ),
    ] = CelEnvironment.BOTH,
    explain: Annotated[
        bool,
        typer.Option(
            "--explain", help="Also the cost for each device, and the value of each sub-expression."
        ),
    ] = False,
    compare: Annotated[
        str | None,
        typer.Option(
            metavar="celpy",
            help="Also what cel-python says, which knows no Kubernetes; needs pip install 'dractl[celpy]'.",
            show_default=False,
        ),
    ] = None,
    exclude: options.Exclude = None,
    report_format: Format = PlainFormat.TEXT,
    output: options.Output = None,
    quiet: options.Quiet = False,
) -> None:
    """Compile a device selector, and say which devices it selects.

    Shows errors with their place, the type, and the estimated cost against the API server's limit; then for
    every device of the ResourceSlices in PATH true, false, or why the evaluation fails. Exit code: 0, 1 if an
    expression is refused, 2 for wrong usage or nothing to read.
    """
    from dractl.cli import cel as command  # noqa: PLC0415 - --help need not wait for it

    raise typer.Exit(
        command.cel(
            expression,
            paths or (),
            kube_version=kube_version,
            feature_gates=feature_gates or (),
            env=env.value,
            explain=explain,
            compare=compare,
            exclude=exclude or (),
            report_format=report_format.value,
            output=output,
            quiet=quiet,
        )
    )


@app.command()
def convert(  # noqa: PLR0913 - a command has its options
    paths: options.Paths,
    *,
    to: Annotated[
        str,
        typer.Option(
            metavar="VERSION", help="The API version wanted, such as resource.k8s.io/v1.", show_default=False
        ),
    ],
    kube_version: Annotated[
        str | None,
        typer.Option(
            "--kube-version",
            metavar="MINOR",
            help="The Kubernetes minor whose fields count; without it the newest that has the version.",
            show_default=False,
        ),
    ] = None,
    lossy: Annotated[
        bool, typer.Option("--lossy", help="Leave out what the version cannot say, with a warning for each.")
    ] = False,
    in_place: Annotated[
        bool,
        typer.Option("--in-place", "-i", help="Write the files themselves, unless something would be lost."),
    ] = False,
    diff: Annotated[
        bool, typer.Option("--diff", help="Show what would change in the files, as a patch.")
    ] = False,
    dialect: options.Dialect = None,
    exclude: options.Exclude = None,
    output: options.Output = None,
    quiet: options.Quiet = False,
) -> None:
    """Write objects in another API version of resource.k8s.io.

    Converts between v1alpha3, v1beta1, v1beta2 and v1 as the API server does, in YAML and JSON, in lists and
    in pods (which named claims below `source` in 1.30), and from the prototype APIs to v1. Lines that need no
    change stay as they are, with their comments; so do objects of other kinds. What the version cannot say is
    listed, and nothing is written. Exit code: 0, 1 if something would be lost or cannot be read, 2 for wrong
    usage.
    """
    from dractl.cli import convert as command  # noqa: PLC0415 - --help need not wait for it

    raise typer.Exit(
        command.convert(
            paths,
            to=to,
            kube_version=kube_version,
            lossy=lossy,
            in_place=in_place,
            diff=diff,
            dialect=dialect,
            exclude=exclude or (),
            output=output,
            quiet=quiet,
        )
    )


@app.command()
def rule(
    id: Annotated[str, typer.Argument(metavar="ID", help="Such as request/name.", show_default=False)],  # noqa: A002 - the argument's name
    *,
    report_format: Format = PlainFormat.TEXT,
    output: options.Output = None,
) -> None:
    """Explain a rule, with a good and a bad example.

    Says what the rule demands, in which kinds and places, since which minor, under which feature gate, and
    which function of Kubernetes it mirrors. Exit code: 0, or 2 if no rule has that id.
    """
    from dractl.cli import reference as command  # noqa: PLC0415 - --help need not wait for it

    raise typer.Exit(command.show_rule(id, report_format=report_format.value, output=output))


@app.command()
def rules(
    *,
    kind: Annotated[
        str | None, typer.Option(metavar="KIND", help="Only rules about this kind.", show_default=False)
    ] = None,
    kube_version: Annotated[
        str | None,
        typer.Option("--kube-version", metavar="MINOR", help="Only rules of this minor.", show_default=False),
    ] = None,
    report_format: Format = PlainFormat.TEXT,
    output: options.Output = None,
) -> None:
    """List the rules, those of the API server and dractl's own.

    dractl rule ID explains one of them. Exit code: 0, or 2 for a kind or minor that dractl does not know.
    """
    from dractl.cli import reference as command  # noqa: PLC0415 - --help need not wait for it

    raise typer.Exit(
        command.list_rules(
            kind=kind, kube_version=kube_version, report_format=report_format.value, output=output
        )
    )


@app.command()
def gates(
    *,
    kube_version: options.KubeVersion = NEWEST,
    feature_gates: options.FeatureGates = None,
    report_format: Format = PlainFormat.TEXT,
    output: options.Output = None,
) -> None:
    """List the feature gates of a Kubernetes minor.

    These are the gates that have a say in DRA: their stage, whether they are on by default, what they need
    and what they are for. With --feature-gates also what is on then; a set with which no server starts is
    refused. Exit code: 0, or 2 for wrong usage.
    """
    from dractl.cli import reference as command  # noqa: PLC0415 - --help need not wait for it

    raise typer.Exit(
        command.list_gates(
            kube_version=kube_version,
            feature_gates=feature_gates or (),
            report_format=report_format.value,
            output=output,
        )
    )


@app.command()
def schema(
    kind: Annotated[
        str,
        typer.Argument(
            metavar="KIND", help="A kind of resource.k8s.io, such as ResourceClaim; or scenario, or test."
        ),
    ],
    *,
    api_version: Annotated[
        str | None,
        typer.Option(
            metavar="V", help="An API version such as v1beta1; without it the newest.", show_default=False
        ),
    ] = None,
    kube_version: options.KubeVersion = NEWEST,
    dialect: options.Dialect = None,
    output: options.Output = None,
) -> None:
    """Print the JSON Schema of a kind.

    It says which fields there are and of which type, nothing more: what decoding takes. The same schemas
    stand as files below schemas/. Exit code: 0, or 2 for wrong usage.
    """
    from dractl.cli import schema as command  # noqa: PLC0415 - --help need not wait for it

    raise typer.Exit(
        command.print_schema(
            kind, api_version=api_version, kube_version=kube_version, dialect=dialect, output=output
        )
    )
