"""The options of each command, each declared once: typer fills them in, and the command takes them.

The declarations are texts until a command line needs typer; ``validate`` without options does without it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Literal, dataclass_transform

from dractl.api import release

if TYPE_CHECKING:
    import typer

    from dractl.cli import shared_options as shared
    from dractl.report import formats

__all__ = [
    "CelOptions",
    "ConvertOptions",
    "GatesOptions",
    "Options",
    "RuleOptions",
    "RulesOptions",
    "SchemaOptions",
    "SimulateOptions",
    "TestOptions",
    "ValidateOptions",
    "fields",
]

NEWEST = str(release.NEWEST)


@dataclass_transform(frozen_default=True)
class Options:
    """The arguments and options of a command, frozen, in the order of ``--help``.

    A dataclass in all but its cost: dataclasses would make each start 14 ms slower, named tuples 2 ms.
    """

    def __init__(self, *values: object, **named: object) -> None:
        """Take the fields in order or by name; raises TypeError for one that is unknown, missing or twice."""
        known = fields(type(self))
        given = dict(zip(known, values, strict=False))
        twice = given.keys() & named.keys()
        given |= named
        unknown = given.keys() - set(known)
        missing = {name for name in known if name not in given and not hasattr(type(self), name)}
        if len(values) > len(known) or twice or unknown or missing:
            names = ", ".join(sorted(twice | unknown | missing)) or f"{len(values)} values"
            raise TypeError(f"{type(self).__name__} does not fit: {names}")
        self.__dict__.update(given)

    def __setattr__(self, name: str, value: object) -> None:
        """Raise AttributeError: options are frozen."""
        raise AttributeError(f"{type(self).__name__}.{name} cannot be changed")


def fields(options: type[Options]) -> tuple[str, ...]:
    """The names of the fields, in order."""
    return tuple(options.__annotations__)


class ValidateOptions(Options):
    """The options of ``dractl validate``."""

    paths: shared.Paths
    kube_version: shared.KubeVersions = NEWEST
    feature_gates: shared.FeatureGates = ()
    namespace_labels: shared.NamespaceLabels = ()
    exclude: shared.Exclude = ()
    select: Annotated[
        Sequence[str],
        typer.Option(
            metavar="ID,...",
            help="Only these rules; globs such as request/* mean several.",
            show_default=False,
        ),
    ] = ()
    ignore: Annotated[
        Sequence[str], typer.Option(metavar="ID,...", help="All rules but these.", show_default=False)
    ] = ()
    config_schema: Annotated[
        Sequence[str],
        typer.Option(
            metavar="DRIVER/KIND=FILE",
            help="A JSON Schema for the opaque parameters of a driver that are of this kind; what it does "
            "not allow is a warning.",
            show_default=False,
        ),
    ] = ()
    old: Annotated[
        Sequence[str],
        typer.Option(
            metavar="PATH",
            help="An earlier state, files or a folder: each object is judged as an update of its earlier "
            "self, found by kind, namespace and name.",
            show_default=False,
        ),
    ] = ()
    since: Annotated[
        str | None,
        typer.Option(
            metavar="GIT_REF",
            help="The same with the state of the paths in a commit, also of files renamed since.",
            show_default=False,
        ),
    ] = None
    subresource: Annotated[
        str | None,
        typer.Option(
            metavar="status",
            help="Judge the status of each object as a status update; needs --old or --since.",
            show_default=False,
        ),
    ] = None
    strict: Annotated[bool, typer.Option("--strict", help="Warnings fail too.")] = False
    allow_empty: Annotated[
        bool, typer.Option("--allow-empty", help="Files without any document are fine, as for a hook.")
    ] = False
    dialect: shared.Dialect = None
    lenient: Annotated[
        bool,
        typer.Option(
            "--lenient", help="Only warn of what the files of prototype APIs do and their types do not have."
        ),
    ] = False
    report_format: Annotated[str, formats.VALIDATE] = "text"
    output: shared.Output = None
    quiet: shared.Quiet = False


class SimulateOptions(Options):
    """The options of ``dractl simulate``."""

    paths: shared.Paths
    kube_version: shared.KubeVersion = NEWEST
    feature_gates: shared.FeatureGates = ()
    namespace_labels: shared.NamespaceLabels = ()
    exclude: shared.Exclude = ()
    node_order: Annotated[
        Sequence[str],
        typer.Option(
            metavar="NODE,...",
            help="Nodes to prefer, in this order, where several are equally good; the others follow by name.",
            show_default=False,
        ),
    ] = ()
    replicas: Annotated[
        Sequence[str],
        typer.Option(
            metavar="NAME=N",
            help="Another number of pods for a workload, by NAME, KIND/NAME or KIND/NAMESPACE/NAME; may be "
            "given several times.",
            show_default=False,
        ),
    ] = ()
    scenario: Annotated[
        Sequence[str],
        typer.Option(
            metavar="FILE",
            help="A file of steps that happen to the cluster; the state after each is shown.",
            show_default=False,
        ),
    ] = ()
    report_format: Annotated[str, formats.SIMULATE] = "table"
    save_state: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="Write the objects with their new status to a file, too, as --format yaml does.",
            show_default=False,
        ),
    ] = None
    dialect: shared.Dialect = None
    output: shared.Output = None
    quiet: shared.Quiet = False


class TestOptions(Options):
    """The options of ``dractl test``."""

    __test__ = False  # pytest collects classes by this name

    paths: Annotated[
        Sequence[str],
        typer.Argument(
            metavar="FILE...",
            help="Expectation files, or folders, which are searched for them.",
            show_default=False,
        ),
    ]
    update: Annotated[
        bool, typer.Option("--update", help="Write the actual results into the files where they differ.")
    ] = False
    kube_version: Annotated[
        str | None,
        typer.Option(
            "--kube-version",
            metavar="MINOR",
            help="A Kubernetes minor, or a range of minors, in place of what the files say.",
            show_default=False,
        ),
    ] = None
    feature_gates: shared.FeatureGates = ()
    report_format: Annotated[str, formats.TEST] = "text"
    output: shared.Output = None
    quiet: shared.Quiet = False


class CelOptions(Options):
    """The options of ``dractl cel``."""

    expression: Annotated[
        str,
        typer.Argument(
            metavar="EXPRESSION",
            help="A device selector, or - for several on standard input: one a line, # begins a comment.",
            show_default=False,
        ),
    ]
    paths: Annotated[
        Sequence[str],
        typer.Argument(
            metavar="PATH...",
            help="Files or folders with ResourceSlices, or - for standard input: the devices to try.",
            show_default=False,
        ),
    ] = ()
    kube_version: shared.KubeVersion = NEWEST
    feature_gates: shared.FeatureGates = ()
    env: Annotated[
        Literal["new", "stored", "both"],
        typer.Option(
            "--env",
            help="What the API server checks new objects with, what the scheduler runs (stored), or both.",
        ),
    ] = "both"
    explain: Annotated[
        bool,
        typer.Option(
            "--explain", help="Also the cost for each device, and the value of each sub-expression."
        ),
    ] = False
    compare: Annotated[
        str | None,
        typer.Option(
            metavar="celpy",
            help="Also what cel-python says, which knows no Kubernetes; needs pip install 'dractl[celpy]'.",
            show_default=False,
        ),
    ] = None
    exclude: shared.Exclude = ()
    report_format: Annotated[str, formats.CEL] = "text"
    output: shared.Output = None
    quiet: shared.Quiet = False


class ConvertOptions(Options):
    """The options of ``dractl convert``."""

    paths: shared.Paths
    to: Annotated[
        str,
        typer.Option(
            metavar="VERSION", help="The API version wanted, such as resource.k8s.io/v1.", show_default=False
        ),
    ]
    kube_version: Annotated[
        str | None,
        typer.Option(
            "--kube-version",
            metavar="MINOR",
            help="The Kubernetes minor whose fields count; without it the newest that has the version.",
            show_default=False,
        ),
    ] = None
    lossy: Annotated[
        bool, typer.Option("--lossy", help="Leave out what the version cannot say, with a warning for each.")
    ] = False
    in_place: Annotated[
        bool,
        typer.Option("--in-place", "-i", help="Write the files themselves, unless something would be lost."),
    ] = False
    diff: Annotated[bool, typer.Option("--diff", help="Show what would change in the files, as a patch.")] = (
        False
    )
    dialect: shared.Dialect = None
    exclude: shared.Exclude = ()
    output: shared.Output = None
    quiet: shared.Quiet = False


class RuleOptions(Options):
    """The options of ``dractl rule``."""

    id: Annotated[str, typer.Argument(metavar="ID", help="Such as request/name.", show_default=False)]
    report_format: Annotated[str, formats.RULE] = "text"
    output: shared.Output = None


class RulesOptions(Options):
    """The options of ``dractl rules``."""

    kind: Annotated[
        str | None, typer.Option(metavar="KIND", help="Only rules about this kind.", show_default=False)
    ] = None
    kube_version: Annotated[
        str | None,
        typer.Option("--kube-version", metavar="MINOR", help="Only rules of this minor.", show_default=False),
    ] = None
    report_format: Annotated[str, formats.RULES] = "text"
    output: shared.Output = None


class GatesOptions(Options):
    """The options of ``dractl gates``."""

    kube_version: shared.KubeVersion = NEWEST
    feature_gates: shared.FeatureGates = ()
    report_format: Annotated[str, formats.GATES] = "text"
    output: shared.Output = None


class SchemaOptions(Options):
    """The options of ``dractl schema``."""

    kind: Annotated[
        str,
        typer.Argument(
            metavar="KIND", help="A kind of resource.k8s.io, such as ResourceClaim; or scenario, or test."
        ),
    ]
    api_version: Annotated[
        str | None,
        typer.Option(
            metavar="V", help="An API version such as v1beta1; without it the newest.", show_default=False
        ),
    ] = None
    kube_version: shared.KubeVersion = NEWEST
    dialect: shared.Dialect = None
    output: shared.Output = None
