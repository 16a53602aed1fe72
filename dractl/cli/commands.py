"""The commands as typer knows them: each takes its options, calls its module, and ends with the exit code.

What ``--help`` shows are the texts of these functions; it does not wait for the modules of the commands.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from inspect import Parameter, Signature
from typing import Annotated, Literal, TypeVar, get_args, get_type_hints

import typer

from dractl import __version__
from dractl.cli import shared_options
from dractl.cli.options import (
    CelOptions,
    ConvertOptions,
    GatesOptions,
    Options,
    RuleOptions,
    RulesOptions,
    SchemaOptions,
    SimulateOptions,
    TestOptions,
    ValidateOptions,
    fields,
)
from dractl.report import formats

__all__ = ["app"]

app = typer.Typer(
    name="dractl",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)

_NAMES = {"typer": typer, "shared": shared_options, "formats": formats}
"""What the declarations of options name."""

Given = TypeVar("Given", bound=Options)
Command = Callable[[Given], int]


def _command(options: type[Given]) -> Callable[[Command[Given]], Command[Given]]:
    """Register a command that takes ``options``: typer fills them in, and exits with its exit code."""

    def register(run: Command[Given]) -> Command[Given]:
        def command(**values: object) -> None:
            given = {name: value for name, value in values.items() if value is not None}
            raise typer.Exit(run(options(**given)))

        command.__name__, command.__doc__ = run.__name__, run.__doc__
        command.__signature__ = Signature(_parameters(options))  # type: ignore[attr-defined]
        app.command()(command)
        return run

    return register


def _parameters(options: type[Options]) -> list[Parameter]:
    """A parameter for typer for each field of ``options``."""
    hints = get_type_hints(options, localns=_NAMES, include_extras=True)
    return [
        _parameter(name, hints[name], getattr(options, name, Parameter.empty)) for name in fields(options)
    ]


def _parameter(name: str, hint: object, default: object) -> Parameter:
    """The field as typer declares it: sequences are lists of values, formats the choice of their names."""
    taken, declared = get_args(hint)
    if taken == Sequence[str]:
        # typer shows an empty list as a default, and None as none
        taken, default = (list[str], default) if default is Parameter.empty else (list[str] | None, None)
    if isinstance(declared, tuple):
        choices: object = formats.names(declared)
        taken, declared = Literal[choices], typer.Option("--format", help=formats.help_text(declared))
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
    """Validate Kubernetes DRA manifests and simulate device allocation, from files."""


@_command(ValidateOptions)
def validate(options: ValidateOptions) -> int:
    """Say what the API server of a Kubernetes minor would say to every object.

    Objects of resource.k8s.io are judged in full, pods and workloads by structure, metadata and their DRA
    parts. Over a range of minors, such as 1.33..1.37, every finding is shown with the minors that have it,
    and the objects whose verdict changes. Exit code: 0 no errors, 1 errors, 2 wrong usage or nothing to read.
    """
    from dractl.cli import validate as command

    return command.validate(options)


@_command(SimulateOptions)
def simulate(options: SimulateOptions) -> int:
    """Say which device the scheduler of a Kubernetes minor would give to which container.

    The files hold nodes (or slices that name them), slices, classes, claims, templates, pods and workloads.
    Pods get their devices in order, and so do claims that no pod refers to. Exit code: 0 all have their
    devices, 1 something could not be allocated or was refused, 2 wrong usage or nothing to read.
    """
    from dractl.cli import simulate as command

    return command.simulate(options)


@_command(TestOptions)
def test(options: TestOptions) -> int:
    """Hold simulations against what is expected of them.

    An expectation file stands beside manifests and says which pod lands where, with which devices, what stays
    pending for which reason, and what is refused by which rule. Exit code: 0 all is as expected, 1 something
    is not, 2 wrong usage or a file that is no expectation file.
    """
    from dractl.cli import testing as command

    return command.run_tests(options)


@_command(CelOptions)
def cel(options: CelOptions) -> int:
    """Compile a device selector, and say which devices it selects.

    Shows errors with their place, the type, and the estimated cost against the API server's limit; then for
    every device of the ResourceSlices in PATH true, false, or why the evaluation fails. Exit code: 0, 1 if an
    expression is refused, 2 for wrong usage or nothing to read.
    """
    from dractl.cli import cel as command

    return command.cel(options)


@_command(ConvertOptions)
def convert(options: ConvertOptions) -> int:
    """Write objects in another API version of resource.k8s.io.

    Converts between v1alpha3, v1beta1, v1beta2 and v1 as the API server does, in YAML and JSON, in lists and
    in pods (which named claims below `source` in 1.30), and from the prototype APIs to v1. Lines that need no
    change stay as they are, with their comments; so do objects of other kinds. What the version cannot say is
    listed, and nothing is written. Exit code: 0, 1 if something would be lost or cannot be read, 2 for wrong
    usage.
    """
    from dractl.cli import convert as command

    return command.convert(options)


@_command(RuleOptions)
def rule(options: RuleOptions) -> int:
    """Explain a rule, with a good and a bad example.

    Says what the rule demands, in which kinds and places, since which minor, under which feature gate, and
    which function of Kubernetes it mirrors. Exit code: 0, or 2 if no rule has that id.
    """
    from dractl.cli import reference as command

    return command.show_rule(options)


@_command(RulesOptions)
def rules(options: RulesOptions) -> int:
    """List the rules, those of the API server and dractl's own.

    dractl rule ID explains one of them. Exit code: 0, or 2 for a kind or minor that dractl does not know.
    """
    from dractl.cli import reference as command

    return command.list_rules(options)


@_command(GatesOptions)
def gates(options: GatesOptions) -> int:
    """List the feature gates of a Kubernetes minor.

    These are the gates that have a say in DRA: their stage, whether they are on by default, what they need
    and what they are for. With --feature-gates also what is on then; a set with which no server starts is
    refused. Exit code: 0, or 2 for wrong usage.
    """
    from dractl.cli import reference as command

    return command.list_gates(options)


@_command(SchemaOptions)
def schema(options: SchemaOptions) -> int:
    """Print the JSON Schema of a kind.

    It says which fields there are and of which type, nothing more: what decoding takes. The same schemas
    stand as files below schemas/. Exit code: 0, or 2 for wrong usage.
    """
    from dractl.cli import schema as command

    return command.print_schema(options)
