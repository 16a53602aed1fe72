"""The commands as typer knows them: each takes its options, calls its module, and ends with the exit code.

``--help`` prints the docstrings of these functions and the tables below, without importing the commands.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from inspect import Parameter, Signature
from typing import Annotated, Literal, TypeVar, get_args, get_type_hints

import typer

from dractl import __version__
from dractl.cli import help_page, shared_options
from dractl.cli.cluster.driver_options import DriverCheckOptions
from dractl.cli.cluster.migrate_options import MigrateOptions
from dractl.cli.cluster_options import (
    AdvisoriesOptions,
    AuditOptions,
    DiffOptions,
    PossibleOptions,
    SimulateOptions,
    SizeOptions,
    UpgradeOptions,
    WhyOptions,
)
from dractl.cli.live.snapshot_options import ReplayOptions, SnapshotOptions
from dractl.cli.options import (
    CelOptions,
    CompletionOptions,
    ConvertOptions,
    ExplainOptions,
    GatesOptions,
    LspOptions,
    McpOptions,
    Options,
    RuleOptions,
    RulesOptions,
    SchemaOptions,
    TestOptions,
    ValidateOptions,
    fields,
)
from dractl.cli.settings.run import WITHOUT
from dractl.cli.settings.run import run as run_with_settings
from dractl.report import formats
from dractl.report.live import formats as live_formats

__all__ = ["app", "parameters"]

_COMMON_CODE_2 = "wrong usage, or no documents found"

EXIT_CODES = {
    "validate": (
        "no errors",
        "errors; warnings with --strict; changes with --diff",
        _COMMON_CODE_2,
    ),
    "simulate": (
        "everything that requests devices has them",
        "something is Pending, rejected or unreadable",
        _COMMON_CODE_2,
    ),
    "audit": (
        "every allocation is legal",
        "an allocation is illegal or cannot be checked, or a file is unreadable",
        _COMMON_CODE_2,
    ),
    "why": ("it has its devices, or nothing is Pending", "it is Pending", "wrong usage, or an unknown name"),
    "upgrade": ("nothing to do", "something to do before the upgrade", _COMMON_CODE_2),
    "migrate": (
        "migrated, or nothing to migrate",
        "something cannot be migrated, is lost or rejected, or a pod becomes Pending",
        _COMMON_CODE_2,
    ),
    "diff": ("nothing differs", "something differs", _COMMON_CODE_2),
    "advisories": (
        "no objects are given, or they reach no fault",
        "the objects reach a fault",
        _COMMON_CODE_2,
    ),
    "size": (
        "a copy fits, or added nodes take all pending pods",
        "no copy fits, or pods stay Pending with added nodes",
        _COMMON_CODE_2,
    ),
    "test": ("all cases pass", "a case fails", "wrong usage, or an invalid expectation file"),
    "cel": ("every expression compiles", "an expression is rejected", _COMMON_CODE_2),
    "possible": (
        "every pool can be used",
        "a pool is incomplete or invalid, or something is rejected or unreadable",
        _COMMON_CODE_2,
    ),
    "driver_check": (
        "no errors",
        "an error, or a warning with --strict",
        "wrong usage, or no ResourceSlice found",
    ),
    "convert": ("converted", "something would be lost or cannot be read", "wrong usage"),
    "explain": ("", "", "wrong usage, or an unknown field"),
    "rule": ("", "", "unknown rule"),
    "mcp": ("the client ended the session", "", "wrong usage"),
    "lsp": ("the editor ended the session", "", "wrong usage, or pygls is missing"),
    "gates": ("", "", "wrong usage, or an invalid combination of feature gates"),
    "completion": ("", "", "wrong usage"),
    "snapshot": ("written", "", "wrong usage, or the cluster cannot be read"),
    "replay": (
        "everything agrees",
        "a placement differs without an explanation",
        "wrong usage, or no recording",
    ),
}
"""What the exit codes of a command mean, from 0 on, for the end of its help."""

EXAMPLES = {
    "dractl": (
        "dractl validate manifests/",
        "dractl validate manifests/ --kube-version 1.33..1.37",
        "dractl simulate manifests/",
        "dractl convert manifests/ --to v1 --diff",
    ),
    "validate": (
        "dractl validate manifests/",
        "dractl validate manifests/ --kube-version 1.33..1.37 --strict",
        "dractl validate manifests/ --old released/",
        "dractl validate manifests/ --diff",
        "cat manifests/*.yaml | dractl validate -",
    ),
    "simulate": (
        "dractl simulate manifests/",
        "dractl simulate manifests/ --kube-version 1.34 --replicas web=3",
        "dractl simulate manifests/ --scenario drain.yaml",
    ),
    "audit": (
        "dractl audit manifests/",
        "dractl audit manifests/ --kube-version 1.35.4 --format json",
    ),
    "why": (
        "dractl why default/train cluster.yaml",
        "dractl why --all cluster.yaml",
        "dractl why default/train cluster.yaml --node node-a --device gpu-0",
    ),
    "upgrade": (
        "dractl upgrade manifests/ --from 1.34 --to 1.37",
        "dractl upgrade manifests/ --from 1.35.4 --to 1.36.1 --format json",
        "dractl upgrade manifests/ --from 1.33 --to 1.38 --write",
    ),
    "migrate": (
        "dractl migrate manifests/ --class nvidia.com/gpu=gpu.nvidia.com",
        "dractl migrate manifests/ --to extended-resource --diff",
        "dractl migrate manifests/ --kube-version 1.35 --write",
    ),
    "diff": (
        "dractl diff released/ manifests/ --with cluster.yaml",
        "dractl diff origin/main --format markdown -- manifests/",
        "dractl diff origin/main:manifests manifests/",
    ),
    "advisories": (
        "dractl advisories --kube-version 1.36.1",
        "dractl advisories manifests/ --kube-version 1.35.4",
    ),
    "size": (
        "dractl size manifests/ --pod default/train",
        "dractl size manifests/ --pod train=1 --pod chat=4",
        "dractl size manifests/ --like node-a --price node-a=12.50",
    ),
    "test": (
        "dractl test tests/",
        "dractl test tests/ --kube-version 1.34..1.37",
        "dractl test tests/ --update",
    ),
    "cel": (
        """dractl cel 'device.driver == "gpu.example.com"'""",
        """dractl cel 'device.driver == "gpu.example.com"' manifests/ --explain""",
        "dractl cel - manifests/ < selectors.txt",
    ),
    "convert": (
        "dractl convert manifests/ --to v1 --diff",
        "dractl convert manifests/ --to v1 --in-place",
        "dractl convert manifests/ --to v1beta1 --lossy --output old.yaml",
    ),
    "possible": (
        "dractl possible manifests/",
        "dractl possible manifests/ --driver gpu.example.com --format json",
    ),
    "driver": ("dractl driver check manifests/",),
    "driver_check": (
        "dractl driver check manifests/",
        "dractl driver check manifests/ --kube-version 1.34..1.38 --strict",
        "dractl driver check manifests/ --old released/ --format json",
    ),
    "explain": (
        "dractl explain resourceclaim.spec.devices.requests",
        "dractl explain resourceslice.spec.devices --recursive",
        "dractl explain adminAccess --kube-version 1.34",
    ),
    "rule": ("dractl rule request/name",),
    "rules": ("dractl rules --kind ResourceClaim", "dractl rules --kube-version 1.34 --format json"),
    "gates": (
        "dractl gates --kube-version 1.34",
        "dractl gates --feature-gates DRAPartitionableDevices=false",
    ),
    "mcp": ("dractl mcp", "dractl mcp --root manifests/"),
    "completion": (
        "dractl completion bash > dractl.bash",
        "dractl completion zsh --output _dractl",
    ),
    "lsp": ("dractl lsp",),
    "snapshot": ("dractl snapshot --output cluster.yaml", "dractl snapshot --hash-names --output shared/"),
    "replay": (
        "dractl replay events.jsonl --compare",
        "dractl replay events.jsonl --at +90 --output state.yaml",
    ),
    "schema": ("dractl schema ResourceClaim --kube-version 1.34", "dractl schema scenario"),
}
"""Command lines for the end of each help page."""

app = typer.Typer(
    name="dractl",
    cls=help_page.StartPage,
    context_settings=help_page.CONTEXT,
    epilog=help_page.epilog(EXAMPLES["dractl"]),
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)

driver = typer.Typer(
    name="driver",
    cls=help_page.StartPage,
    help="Check what a DRA driver publishes.",
    epilog=help_page.epilog(EXAMPLES["driver"]),
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)
app.add_typer(driver)

_NAMES = {"typer": typer, "shared": shared_options, "formats": formats, "live_formats": live_formats}
"""What the declarations of options name."""

Given = TypeVar("Given", bound=Options)
Command = Callable[[Given], int]


def _command(options: type[Given], group: typer.Typer = app) -> Callable[[Command[Given]], Command[Given]]:
    """Register a command that takes ``options``: typer fills them in, and exits with its exit code.

    In a ``group`` of commands its name is what follows that of the group: ``driver_check`` is ``check``.
    """

    def register(run: Command[Given]) -> Command[Given]:
        name = run.__name__
        has_settings = name not in WITHOUT

        def command(command_context: typer.Context, **values: object) -> None:
            # What is not on the command line may be in a configuration, and has a default otherwise.
            given = {
                field: value
                for field, value in values.items()
                if value is not None and _is_given(command_context, field)
            }
            asked = {each.name: given.pop(each.name) for each in _SETTINGS if each.name in given}
            table = name if group is app else name.partition("_")[0]
            raise typer.Exit(run_with_settings(table, run, options, given, **asked))  # type: ignore[arg-type]

        command.__name__, command.__doc__ = name, run.__doc__
        shown = [*parameters(options), *(_SETTINGS if has_settings else ())]
        context = Parameter("command_context", Parameter.POSITIONAL_OR_KEYWORD, annotation=typer.Context)
        command.__signature__ = Signature([context, *shown])  # type: ignore[attr-defined]
        group.command(
            name=None if group is app else run.__name__.rpartition("_")[2],
            cls=help_page.Page,
            epilog=help_page.epilog(EXAMPLES[run.__name__], EXIT_CODES.get(run.__name__, ())),
        )(command)
        return run

    return register


_SETTINGS = (
    Parameter("config", Parameter.KEYWORD_ONLY, default=None, annotation=shared_options.Config),
    Parameter("isolated", Parameter.KEYWORD_ONLY, default=False, annotation=shared_options.Isolated),
    Parameter("show_config", Parameter.KEYWORD_ONLY, default=False, annotation=shared_options.ShowConfig),
)
"""The options of all commands that obey a configuration."""


def _is_given(context: typer.Context, field: str) -> bool:
    """Whether the command line has the option, rather than its default."""
    source = context.get_parameter_source(field)
    return source is not None and source.name == "COMMANDLINE"


def parameters(options: type[Options], format_names: Sequence[str] = ("--format",)) -> list[Parameter]:
    """A parameter for typer for each field of ``options``; ``format_names`` are those of its format."""
    hints = get_type_hints(options, localns=_NAMES, include_extras=True)
    return [
        _parameter(name, hints[name], getattr(options, name, Parameter.empty), format_names)
        for name in fields(options)
    ]


def _parameter(name: str, hint: object, default: object, format_names: Sequence[str]) -> Parameter:
    """The field as typer declares it: sequences are lists of values, formats the choice of their names."""
    taken, declared = get_args(hint)
    if taken == Sequence[str]:
        # typer shows an empty list as a default, and None as none
        taken, default = (list[str], default) if default is Parameter.empty else (list[str] | None, None)
        if isinstance(declared, tuple):
            declared = typer.Option(
                "--format",
                metavar=formats.metavar(declared),
                help=formats.help_text(declared),
                show_default=False,
            )
    if isinstance(declared, tuple):
        choices: object = formats.names(declared)
        taken, declared = (
            Literal[choices],
            typer.Option(*format_names, help=formats.help_text(declared, several=False)),
        )
    return Parameter(name, Parameter.KEYWORD_ONLY, default=default, annotation=Annotated[taken, declared])


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
    """Validate Kubernetes DRA manifests and simulate device allocation offline."""


@_command(ValidateOptions)
def validate(options: ValidateOptions) -> int:
    """Validate manifests as the API server would.

    Objects of resource.k8s.io are validated in full, pods and workloads by structure, metadata and DRA
    fields. For a range of minors, each finding is printed with the minors that have it.
    """
    from dractl.cli import validate as command

    return command.validate(options)


@_command(SimulateOptions)
def simulate(options: SimulateOptions) -> int:
    """Allocate devices to pods as the scheduler would.

    PATH contains nodes (or slices that name them), ResourceSlices, DeviceClasses, claims, claim templates,
    pods and workloads. Pods are scheduled in order. As in a cluster, claims that no pod refers to stay
    unallocated.
    """
    from dractl.cli import simulate as command

    return command.simulate(options)


@_command(AuditOptions)
def audit(options: AuditOptions) -> int:
    """Check that the allocations in the input are legal.

    Compares every allocated device, whoever allocated it, with its slice, its class, the request and the
    other claims: generation, nodes, selectors, counts, constraints, taints, exclusive use, counters, shares.
    Nothing is searched or changed.
    """
    from dractl.cli.cluster import audit as command

    return command.audit(options)


@_command(WhyOptions)
def why(options: WhyOptions) -> int:
    """Explain why a pod is Pending, or why it got its devices.

    Prints the causes by group of nodes, the nearest miss first; whether the pod would fit empty nodes; how
    many devices are left after each check; what the devices have where selectors look; and who holds what
    the pod waits for.
    """
    from dractl.cli.cluster import why as command

    return command.why(options)


@_command(UpgradeOptions)
def upgrade(options: UpgradeOptions) -> int:
    """Plan an upgrade of Kubernetes.

    Compares two releases for the objects in PATH: what the newer one rejects, does not serve, drops or warns
    about, which pods it places otherwise, and which known faults begin or end. Objects with a uid come from
    a cluster and are updated; the others are created.
    """
    from dractl.cli.cluster import upgrade as command

    return command.upgrade(options)


@_command(MigrateOptions)
def migrate(options: MigrateOptions) -> int:
    """Migrate from device plugins and older APIs.

    Prints how requests for device plugin resources become claims or extended resources, which objects get a
    newer API version, and which DeviceTaintRules select devices another way; then what cannot be migrated
    and what is lost. The result is validated and simulated. --diff prints the changes, --write makes them.
    """
    from dractl.cli.cluster import migrate as command

    return command.migrate(options)


@_command(DiffOptions)
def diff(options: DiffOptions) -> int:
    """Compare findings, placements and claims of two inputs.

    Validates and simulates both sides. Prints which findings begin and end, which pods become Pending or
    move and why, how many devices each selector selects before and after, which allocations become illegal,
    and which objects changed.
    """
    from dractl.cli.cluster import diff as command

    return command.diff(options)


@_command(AdvisoriesOptions)
def advisories(options: AdvisoriesOptions) -> int:
    """List known faults of Kubernetes releases.

    Prints which releases are affected, what the fault does and what to do. With PATH, only faults that these
    objects reach, and which objects do.
    """
    from dractl.cli import reference as command

    return command.list_advisories(options)


@_command(SizeOptions)
def size(options: SizeOptions) -> int:
    """Count how many more copies of a pod fit.

    Places the pods of the input, then copies one by one until one stays Pending, and prints what runs out on
    each node, which partitions are stranded, and how many nodes the pending pods need.
    """
    from dractl.cli.cluster import size as command

    return command.size(options)


@_command(TestOptions)
def test(options: TestOptions) -> int:
    """Compare simulations with expectation files.

    An expectation file lists manifests and the expected results: the node and devices of each pod,
    why a pod stays Pending, and which rule rejects an object. The command runs the simulations and prints
    where a result is not as expected.
    """
    from dractl.cli import testing as command

    return command.run_tests(options)


@_command(CelOptions)
def cel(options: CelOptions) -> int:
    """Compile a device selector and list the devices it selects.

    Prints errors with their position, the type, and the estimated cost against the API server's limit; then
    how the selector evaluates for the devices of the ResourceSlices in PATH.
    """
    from dractl.cli import cel as command

    return command.cel(options)


@_command(PossibleOptions)
def possible(options: PossibleOptions) -> int:
    """List the sets of devices that can be in use at once.

    Devices that consume shared counters, such as the partitions of a GPU, exclude each other. Prints for each
    pool which numbers of them fit together, so that no further one does.
    """
    from dractl.cli.cluster import possible as command

    return command.possible(options)


@_command(DriverCheckOptions, driver)
def driver_check(options: DriverCheckOptions) -> int:
    """Check the slices, classes and claims of a DRA driver.

    Prints what each Kubernetes minor makes of them, the headroom to every limit, misspelled standard
    attributes, devices that selectors cannot tell apart, partitions that cannot be allocated, missing
    classes, and faults of pools.
    """
    from dractl.cli.cluster import driver as command

    return command.driver_check(options)


@_command(ConvertOptions)
def convert(options: ConvertOptions) -> int:
    """Convert objects to another API version of resource.k8s.io.

    Converts v1alpha3, v1beta1, v1beta2 and v1 as the API server does, and the prototype APIs to v1, in YAML
    and JSON. Keeps comments, unchanged lines and objects of other kinds. If something would be lost, lists
    it and writes nothing.
    """
    from dractl.cli import convert as command

    return command.convert(options)


@_command(RuleOptions)
def rule(options: RuleOptions) -> int:
    """Explain a rule, with a good and a bad example.

    Prints what the rule requires, for which kinds and fields, since which minor, under which feature gate,
    and which function of Kubernetes it mirrors.
    """
    from dractl.cli import reference as command

    return command.show_rule(options)


@_command(ExplainOptions)
def explain(options: ExplainOptions) -> int:
    """Explain a field of the API.

    Prints its type, the versions and minors that have it, its feature gates, limits, default and rules, its
    fields, and an example. A name without a kind lists all DRA fields of that name.
    """
    from dractl.cli import reference as command

    return command.explain_field(options)


@_command(RulesOptions)
def rules(options: RulesOptions) -> int:
    """List the rules of the API server and dractl's own.

    dractl rule ID explains one of them.
    """
    from dractl.cli import reference as command

    return command.list_rules(options)


@_command(GatesOptions)
def gates(options: GatesOptions) -> int:
    """List the feature gates that affect DRA in a Kubernetes minor.

    Prints their stage, default, dependencies and purpose.
    """
    from dractl.cli import reference as command

    return command.list_gates(options)


@_command(McpOptions)
def mcp(options: McpOptions) -> int:
    """Serve coding agents through the Model Context Protocol.

    Reads messages from standard input and answers on standard output, until the input ends. Tools: validate,
    simulate, why, cel, explain_field and explain_rule. Nothing is written, and no network is used.
    """
    from dractl.cli import sessions as command

    return command.serve_agent(options)


@_command(LspOptions)
def lsp(_: LspOptions) -> int:
    """Serve editors through the Language Server Protocol.

    Reads messages from standard input and answers on standard output. Shows findings with quick fixes,
    explains fields, and completes fields, names and selectors with what the workspace has. Needs pip install
    'dractl[lsp]'.
    """
    from dractl.cli import sessions as command

    return command.serve_editor(__version__)


@_command(SchemaOptions)
def schema(options: SchemaOptions) -> int:
    """Print the JSON Schema of a kind.

    The schema contains fields and types: what strict decoding accepts. The same schemas are in schemas/.
    """
    from dractl.cli import schema as command

    return command.print_schema(options)


@_command(CompletionOptions)
def completion(options: CompletionOptions) -> int:
    """Print the completion script of a shell.

    Completes commands, options and their values, rule ids, feature gates, minors and paths. The scripts start
    no program, except git for --since.
    """
    from dractl.cli.completion import command

    return command.print_script(options)


@_command(SnapshotOptions)
def snapshot(options: SnapshotOptions) -> int:
    """Write the DRA state of a cluster as YAML.

    Reads the cluster through kubectl, with your rights, and changes nothing in it. Secrets, environment,
    commands and most annotations are left out. The first lines name the options for the other commands.
    """
    from dractl.cli.live import snapshot as command

    return command.snapshot(options)


@_command(ReplayOptions)
def replay(options: ReplayOptions) -> int:
    """Replay a recording of kubectl dra record.

    Lists when each pod got its node and devices. With --compare each of these placements is simulated in the
    state before it.
    """
    from dractl.cli.live import replaying as command

    return command.replay(options)
