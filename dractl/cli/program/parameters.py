"""The options of commands as parameters of typer, and the programs that have the commands."""

from __future__ import annotations

from collections.abc import Sequence
from inspect import Parameter
from typing import Annotated, Literal, get_args, get_type_hints

import typer

from dractl import __version__
from dractl.cli import shared_options
from dractl.cli.options import Options, fields
from dractl.cli.program import help_page
from dractl.report import formats
from dractl.report.live import formats as live_formats

__all__ = ["Version", "parameters", "program"]

_NAMES = {"typer": typer, "shared": shared_options, "formats": formats, "live_formats": live_formats}
"""What the declarations of options name."""


def program(name: str, examples: tuple[str, ...]) -> typer.Typer:
    """A program, or a group of commands in one, whose help page ends with ``examples``."""
    return typer.Typer(
        name=name,
        cls=help_page.StartPage,
        context_settings=help_page.CONTEXT,
        epilog=help_page.epilog(examples),
        no_args_is_help=True,
        add_completion=False,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
    )


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"dractl {__version__}")
        raise typer.Exit


Version = Annotated[
    bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Print the version.")
]


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
