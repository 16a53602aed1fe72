"""The commands and options of dractl, with the values that a shell can complete."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple, cast

import typer

from dractl.api import release
from dractl.api.gates import gates_of
from dractl.cli.commands import app
from dractl.cli.completion.command import SHELLS
from dractl.cli.program import help_page
from dractl.lint.catalog import known_ids
from dractl.report import formats
from dractl.versions.registry import DRA_GROUP
from dractl.versions.table import tables
from tests.paths import ROOT

__all__ = ["FOLDER", "NONE", "Command", "Option", "Value", "commands", "word_lists"]

FOLDER = ROOT / "dractl" / "cli" / "completion"
"""Where the scripts are."""


class Value(NamedTuple):
    """What an option or argument takes.

    ``kind``: ``words`` (one of them), ``list`` (some of them, separated by commas), ``path`` (of manifests),
    ``file``, ``folder``, ``ref`` (of Git), or ``none`` for what no shell can complete.
    """

    kind: str
    words: tuple[str, ...] = ()


class Option(NamedTuple):
    """An option with all its names; a flag takes no value."""

    names: tuple[str, ...]
    text: str
    value: Value | None
    metavar: str
    is_repeatable: bool


class Command(NamedTuple):
    """A command with what its help page prints."""

    name: str
    summary: str
    description: str
    options: tuple[Option, ...]
    argument: Value
    usage: str
    groups: Mapping[str, list[tuple[str, str]]]
    epilog: str


NONE = Value("none")


def _gates() -> tuple[str, ...]:
    """The gates of all minors."""
    return tuple(sorted({name for minor in release.KNOWN for name in gates_of(minor)}))


def _kinds() -> tuple[str, ...]:
    rows = (row for minor in release.KNOWN for row in tables(minor).kinds.values())
    return tuple(
        sorted({row.kind for row in rows if row.group == DRA_GROUP and not row.kind.endswith("List")})
    )


def _api_versions() -> tuple[str, ...]:
    rows = (row for minor in reversed(release.KNOWN) for row in tables(minor).kinds.values())
    return tuple(dict.fromkeys(row.version for row in rows if row.group == DRA_GROUP))


@cache
def _by_option() -> dict[str, Value]:
    minors = Value("words", tuple(map(str, release.KNOWN)))
    overrides = Value("list", tuple(f"{gate}={state}" for gate in _gates() for state in ("true", "false")))
    ids = tuple(known_ids())
    versions = Value("words", _api_versions())
    return {
        **dict.fromkeys(("--kube-version", "--scheduler-version", "--from", "upgrade --to"), minors),
        **dict.fromkeys(("convert --to", "--api-version"), versions),
        **dict.fromkeys(
            ("--feature-gates", "--scheduler-feature-gates", "--from-gates", "--to-gates"), overrides
        ),
        **dict.fromkeys(("--select", "--ignore"), Value("list", ids)),
        "--kind": Value("words", _kinds()),
        "--subresource": Value("words", ("status",)),
        "--compare": Value("words", ("celpy",)),
        "completion": Value("words", SHELLS),
        "rule": Value("words", ids),
        "schema": Value("words", (*_kinds(), "scenario", "test")),
        "explain": Value("words", tuple(kind.lower() for kind in _kinds())),
    }


_BY_METAVAR = {
    **dict.fromkeys(("PATH", "PATH...", "FILE..."), Value("path")),
    "FILE": Value("file"),
    "DIR": Value("folder"),
    "GIT_REF": Value("ref"),
}


def _value(command: str, name: str, parameter: Any) -> Value:
    choices = getattr(parameter.type, "choices", None)
    if choices:
        return Value("words", tuple(choices))
    if name == "--format":
        return Value("words", formats.names(formats.COMMANDS[command]))
    table = _by_option()
    found = table.get(f"{command} {name}".strip()) or table.get(name)
    return found or _BY_METAVAR.get(parameter.metavar or "", NONE)


def _option(command: str, parameter: Any, context: Any) -> Option:
    names = tuple(sorted(parameter.opts, key=len))
    shown, text = parameter.get_help_record(context)
    value = None if parameter.is_flag else _value(command, names[-1], parameter)
    return Option(names, text.partition("  [")[0], value, shown.partition(" ")[2], parameter.multiple)


def commands() -> tuple[Command, ...]:
    """All commands in the order of ``dractl --help``; the program itself comes first, without a name."""
    program = cast("Any", typer.main.get_command(app))
    return tuple(_command(name, page) for name, page in (("", program), *program.commands.items()))


def word_lists(known: Sequence[Command]) -> tuple[tuple[str, ...], ...]:
    """The lists of words that the commands complete, each once."""
    values = (value for each in known for value in (each.argument, *(o.value for o in each.options)) if value)
    return tuple(dict.fromkeys(value.words for value in values if value.words))


def _command(name: str, page: Any) -> Command:
    context = page.context_class(page, info_name=f"dractl {name}".strip(), **help_page.CONTEXT)
    parameters = page.get_params(context)
    options = tuple(_option(name, each, context) for each in parameters if each.param_type_name == "option")
    taken = [_value(name, "", each) for each in parameters if each.param_type_name == "argument"]
    return Command(
        name,
        " ".join(page.help.partition("\n\n")[0].split()),
        "\n\n".join(" ".join(part.split()) for part in page.help.split("\n\n")[1:]),
        options,
        next((value for value in reversed(taken) if value != NONE), NONE),
        " ".join([context.info_name, *page.collect_usage_pieces(context)]),
        help_page.groups(page, context),
        page.epilog or "",
    )
