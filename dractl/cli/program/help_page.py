"""Help pages as plain text: options in groups, then examples and exit codes.

typer prints groups only with rich, whose import would double the time until help appears.
"""

from __future__ import annotations

from typing import Any

from typer.core import TyperCommand, TyperGroup

__all__ = ["CONTEXT", "Page", "StartPage", "epilog", "groups"]

CONTEXT = {"help_option_names": ["--help", "-h"], "max_content_width": 100}
"""The context settings of the program; its commands inherit them."""

_ARGUMENTS = "Arguments"
_OTHERS = "Options"
_GROUPS = {
    "Question": ("--pod", "--like", "--price", "--from-zero"),
    "Kubernetes": (
        "--kube-version",
        "--from",
        "--from-gates",
        "--to-gates",
        "--feature-gates",
        "--namespace-labels",
        "--scheduler-version",
        "--scheduler-feature-gates",
        "--env",
        "--api-version",
        "--kind",
    ),
    "Cluster": (
        *("--all-namespaces", "--namespace", "--context", "--kubeconfig", "--watch", "--interval", "--for"),
    ),
    "Recording": ("--at",),
    "Input": (
        *("--filename", "--root", "--with", "--exclude", "--world", "--driver", "--pool", "--allow-empty"),
        *("--dialect", "--lenient", "--stdin-filename", "--jobs"),
    ),
    "Requests": ("--field-validation",),
    "Updates": ("--old", "--since", "--subresource"),
    "Findings": (
        *("--select", "--ignore", "--per-file-ignores", "--baseline", "--write-baseline"),
        *("--config-schema", "--external", "--strict", "--closed-world"),
    ),
    "Fixes": ("--fix", "--unsafe-fixes"),
    "Simulation": (
        *("--node-order", "--replicas", "--allocate-unreferenced", "--scenario"),
        *("--all", "--node", "--device"),
    ),
    "Conversion": ("--to", "--class", "--lossy", "--in-place", "--write"),
    "Output": (
        *("--recursive", "--verbose", "--update", "--explain", "--compare", "--hash-names", "--hash-key"),
        *("--diff", "--pod", "--native", "--prove"),
        *("--format", "--save-state", "--share", "--playground", "--output", "--quiet"),
    ),
    "Configuration": ("--config", "--isolated", "--show-config"),
}
"""The groups of options in their order, the same for all commands."""

_WIDEST = 31
"""Longer names of options get a line of their own: the width of ``--feature-gates A=true,B=false``."""


def epilog(examples: tuple[str, ...], exit_codes: tuple[str, ...] = ()) -> str:
    """The end of a help page: command lines, and what each exit code means, from 0 on ("" skips one)."""
    codes = [f"{code}  {meaning}" for code, meaning in enumerate(exit_codes) if meaning]
    parts = (("Examples", examples), ("Exit codes", codes))
    return "\n\n".join("\n  ".join([f"{title}:", *lines]) for title, lines in parts if lines)


class Page(TyperCommand):
    """A command whose help shows options in groups."""

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """The usage without braces around required arguments, as kubectl writes it."""
        return [piece.strip("{}") for piece in super().collect_usage_pieces(ctx)]

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write a section for the arguments, then one for each group of options."""
        _write_groups(self, ctx, formatter)

    def format_epilog(self, ctx: Any, formatter: Any) -> None:  # noqa: ARG002 - typer calls it
        """Write the end of the page as it is, without wrapping its lines."""
        _write_epilog(self, formatter)


class StartPage(TyperGroup):
    """The program, whose help lists the commands first."""

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write the commands, then the options."""
        self.format_commands(ctx, formatter)
        _write_groups(self, ctx, formatter)

    def format_epilog(self, ctx: Any, formatter: Any) -> None:  # noqa: ARG002 - typer calls it
        """Write the end of the page as it is, without wrapping its lines."""
        _write_epilog(self, formatter)


def groups(command: Any, ctx: Any) -> dict[str, list[tuple[str, str]]]:
    """The arguments and options of a command, as names and text, by the title of their group."""
    found: dict[str, list[tuple[str, str]]] = {}
    for parameter in command.get_params(ctx):
        record = parameter.get_help_record(ctx)
        if record is not None:
            found.setdefault(_group(parameter), []).append(record)
    return {title: found[title] for title in (_ARGUMENTS, *_GROUPS, _OTHERS) if title in found}


def _write_groups(command: Any, ctx: Any, formatter: Any) -> None:
    shown = groups(command, ctx)
    names = [name for rows in shown.values() for name, _ in rows]
    # One width for all groups, so that their texts line up.
    width = max((len(name) for name in names if len(name) <= _WIDEST), default=0)
    for title, rows in shown.items():
        with formatter.section(title):
            formatter.write_dl([(name.ljust(width), text) for name, text in rows], col_max=width)


def _group(parameter: Any) -> str:
    if parameter.param_type_name == "argument":
        return _ARGUMENTS
    return next((title for title, names in _GROUPS.items() if {*names} & {*parameter.opts}), _OTHERS)


def _write_epilog(command: Any, formatter: Any) -> None:
    if command.epilog:
        formatter.write_paragraph()
        formatter.write(f"{command.epilog}\n")
