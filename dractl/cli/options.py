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
    "Options",
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
            raise TypeError(f"{type(self).__name__}: unexpected or missing options: {names}")
        self.__dict__.update(given)

    def __setattr__(self, name: str, value: object) -> None:
        """Raise AttributeError: options are frozen."""
        raise AttributeError(f"{type(self).__name__}.{name} is read-only")


def fields(options: type[Options]) -> tuple[str, ...]:
    """The names of the fields, in order."""
    return tuple(options.__annotations__)


class ValidateOptions(Options):
    """The options of ``dractl validate``."""

    paths: shared.Paths
    kube_version: shared.KubeVersions = NEWEST
    feature_gates: shared.FeatureGatesOfEach = ()
    namespace_labels: shared.NamespaceLabels = ()
    exclude: shared.Exclude = ()
    select: shared.Select = ()
    ignore: shared.Ignore = ()
    config_schema: Annotated[
        Sequence[str],
        typer.Option(
            metavar="DRIVER/KIND=FILE",
            help="Validate opaque parameters of this driver and kind with a JSON Schema, as warnings.",
            show_default=False,
        ),
    ] = ()
    old: Annotated[
        Sequence[str],
        typer.Option(
            metavar="PATH",
            help="Validate each object as an update of its earlier version in this file or folder.",
            show_default=False,
        ),
    ] = ()
    since: Annotated[
        str | None,
        typer.Option(
            metavar="GIT_REF",
            help="Validate each object as an update of its version in this git commit.",
            show_default=False,
        ),
    ] = None
    subresource: Annotated[
        str | None,
        typer.Option(
            metavar="status",
            help="Validate the status of each object as a status update; requires --old or --since.",
            show_default=False,
        ),
    ] = None
    field_validation: shared.FieldValidation = "strict"
    per_file_ignores: Annotated[
        Sequence[str],
        typer.Option(
            metavar="GLOB:ID,...",
            help="Ignore these rules in files whose path or name matches; repeatable.",
            show_default=False,
        ),
    ] = ()
    baseline: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="Do not report the findings that this file lists; report entries that no longer occur.",
            show_default=False,
        ),
    ] = None
    write_baseline: Annotated[
        bool,
        typer.Option("--write-baseline", help="Write the findings to the file of --baseline."),
    ] = False
    external: Annotated[
        Sequence[str],
        typer.Option(
            metavar="KIND/[NS/]NAME",
            help="These objects exist elsewhere; globs allowed (DeviceClass/*.nvidia.com); repeatable.",
            show_default=False,
        ),
    ] = ()
    world: shared.World = ()
    strict: Annotated[
        bool, typer.Option("--strict/--no-strict", help="Fail on warnings too.", show_default=False)
    ] = False
    closed_world: Annotated[
        bool,
        typer.Option(
            "--closed-world/--open-world",
            help="With --strict also fail on references to objects that are not in the input.",
            show_default=False,
        ),
    ] = False
    allow_empty: Annotated[
        bool,
        typer.Option("--allow-empty", help="Accept files without any document."),
    ] = False
    dialect: shared.Dialect = None
    lenient: Annotated[
        bool,
        typer.Option(
            "--lenient",
            help="For objects of a prototype API: only warn about the unknown fields of its examples.",
        ),
    ] = False
    stdin_filename: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Report findings in standard input under this name.",
            show_default=False,
        ),
    ] = None
    fix: Annotated[
        bool,
        typer.Option("--fix", help="Fix in the files what can only mean one thing, and report the rest."),
    ] = False
    unsafe_fixes: Annotated[
        bool,
        typer.Option("--unsafe-fixes", help="With --fix or --diff also fix what may change the meaning."),
    ] = False
    diff: Annotated[
        bool,
        typer.Option(
            "--diff", help="Print what --fix would change as a patch; change nothing, even with --fix."
        ),
    ] = False
    jobs: Annotated[
        str,
        typer.Option(
            metavar="N",
            help="Use so many processes; auto chooses by the size of the input and the CPUs.",
        ),
    ] = "auto"
    report_format: Annotated[Sequence[str], formats.VALIDATE] = ("text",)
    share: shared.Share = False
    playground: shared.Playground = None
    output: shared.Output = None
    quiet: shared.Quiet = False


class TestOptions(Options):
    """The options of ``dractl test``."""

    __test__ = False  # pytest collects classes by this name

    paths: Annotated[
        Sequence[str],
        typer.Argument(
            metavar="FILE...",
            help="Expectation files, or folders to search for them.",
            show_default=False,
        ),
    ]
    update: Annotated[
        bool,
        typer.Option("--update", help="Update the expectation files with the actual results."),
    ] = False
    kube_version: Annotated[
        str | None,
        typer.Option(
            "--kube-version",
            metavar="VERSION",
            help="Follow this Kubernetes minor instead of those in the files: a minor, a patch such as "
            "1.35.4, or a range such as 1.33..1.37.",
            show_default=False,
        ),
    ] = None
    feature_gates: Annotated[
        Sequence[str],
        typer.Option(
            metavar="A=true,B=false",
            help="Override the feature gates of the files.",
            show_default=False,
        ),
    ] = ()
    report_format: Annotated[Sequence[str], formats.TEST] = ("text",)
    output: shared.Output = None
    quiet: shared.Quiet = False


class CelOptions(Options):
    """The options of ``dractl cel``."""

    expression: Annotated[
        str,
        typer.Argument(
            metavar="EXPRESSION",
            help="A device selector, or - to read one per line from standard input (# starts a comment).",
            show_default=False,
        ),
    ]
    paths: Annotated[
        Sequence[str],
        typer.Argument(
            metavar="PATH...",
            help="Files or folders with ResourceSlices, or - for standard input: the devices to evaluate.",
            show_default=False,
        ),
    ] = ()
    kube_version: shared.KubeVersion = NEWEST
    feature_gates: shared.FeatureGates = ()
    dialect: shared.Dialect = None
    env: Annotated[
        Literal["new", "stored", "both"],
        typer.Option(
            "--env",
            help="Compile as the API server for new objects, as the scheduler for stored ones, or both.",
        ),
    ] = "both"
    explain: Annotated[
        bool,
        typer.Option(
            "--explain",
            help="Also print the cost for each device and the value of each sub-expression.",
        ),
    ] = False
    compare: Annotated[
        str | None,
        typer.Option(
            metavar="celpy",
            help="Also print the result of cel-python, which lacks the Kubernetes libraries; requires "
            "pip install 'dractl[celpy]'.",
            show_default=False,
        ),
    ] = None
    exclude: shared.Exclude = ()
    world: shared.World = ()
    report_format: Annotated[Sequence[str], formats.CEL] = ("text",)
    share: shared.Share = False
    playground: shared.Playground = None
    output: shared.Output = None
    quiet: shared.Quiet = False


class ConvertOptions(Options):
    """The options of ``dractl convert``."""

    paths: shared.Paths
    to: Annotated[
        str,
        typer.Option(
            metavar="VERSION",
            help="Convert to this API version, such as resource.k8s.io/v1 or just v1.",
            show_default=False,
        ),
    ]
    kube_version: Annotated[
        str | None,
        typer.Option(
            "--kube-version",
            metavar="VERSION",
            help="Use the fields of this Kubernetes minor (default: the newest that has the version).",
            show_default=False,
        ),
    ] = None
    lossy: Annotated[
        bool,
        typer.Option(
            "--lossy",
            help="Drop what the target version cannot represent, with a warning for each.",
        ),
    ] = False
    in_place: Annotated[
        bool,
        typer.Option(
            "--in-place",
            "-i",
            help="Rewrite the files, unless something would be lost.",
        ),
    ] = False
    diff: shared.PrintDiff = False
    dialect: shared.Dialect = None
    exclude: shared.Exclude = ()
    report_format: Annotated[Sequence[str], formats.CONVERT] = ("yaml",)
    output: shared.Output = None
    quiet: shared.Quiet = False
