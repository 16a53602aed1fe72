"""The commands as typer knows them: each takes its options, calls its module, and ends with the exit code.

``--help`` prints the docstrings of these functions and the tables below, without importing the commands.
"""

from __future__ import annotations

from collections.abc import Callable
from inspect import Parameter, Signature
from typing import TypeVar

import typer

from dractl import __version__
from dractl.cli import shared_options
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
from dractl.cli.options import CelOptions, ConvertOptions, Options, TestOptions, ValidateOptions
from dractl.cli.program import help_page
from dractl.cli.program.pages import EXAMPLES, EXIT_CODES
from dractl.cli.program.parameters import Version, parameters, program
from dractl.cli.reference_options import (
    CompletionOptions,
    ExplainOptions,
    GatesOptions,
    LspOptions,
    McpOptions,
    RuleOptions,
    RulesOptions,
    SchemaOptions,
)
from dractl.cli.settings.run import WITHOUT
from dractl.cli.settings.run import run as run_with_settings

__all__ = ["app", "driver"]

app = program("dractl", EXAMPLES["dractl"])

driver = program("driver", EXAMPLES["driver"])
app.add_typer(driver, help="Check what a DRA driver publishes.")

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


@app.callback()
def dractl(
    *,
    version: Version = False,
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
