"""The effective options of a run: the command line beats the environment, and that beats the file."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Generic, NamedTuple, TypeVar

from dractl.api.release import is_range
from dractl.api.wording import choose_from, did_you_mean
from dractl.cli.options import Options, fields
from dractl.cli.server import UsageError
from dractl.cli.settings import CONFIG, PREFIX, TRACEBACK
from dractl.cli.settings.files import ConfigFile
from dractl.cli.settings.table import (
    COMMANDS,
    OWN,
    SHARED,
    VARIABLES,
    Setting,
    applies,
    option_of,
    settings_of,
)
from dractl.cli.settings.toml import line_of, tables_in
from dractl.cli.settings.values import ValueFormError, from_file, from_variable

__all__ = ["Settled", "settle", "shown", "unknown_variables"]

_RANGES = frozenset({"driver", "simulate", "test", "validate", "why"})
"""The commands that take a range of minors."""

_MOST_NAMED = 3

Given = TypeVar("Given", bound=Options)


class _Source(NamedTuple):
    """Where a value is from: a place and a key of a file, or a variable."""

    place: str
    name: str

    def __str__(self) -> str:
        return f"{self.place}: {self.name}" if self.place else self.name


class Settled(NamedTuple, Generic[Given]):
    """The options of a command, and where those are from that the command line leaves open, by field."""

    options: Given
    sources: Mapping[str, _Source]
    given: frozenset[str]
    command: str

    def named(self, error: UsageError) -> UsageError:
        """An error about an option, named as where its value is from."""
        for row in settings_of(self.command, fields(type(self.options))).values():
            if row.field in self.sources and option_of(row.field) in error.option.split(" or "):
                return UsageError(str(self.sources[row.field]), error.message)
        return error


def settle(
    command: str,
    kind: type[Given],
    given: Mapping[str, object],
    file: ConfigFile | None,
    environment: Mapping[str, str],
) -> Settled[Given]:
    """The options of class ``kind``; ``given`` are those on the command line.

    Raises UsageError for an unknown key and for a value of a wrong type, with their place.
    """
    known = fields(kind)
    values: dict[str, object] = {}
    sources: dict[str, _Source] = {}
    for row, value, source in (*_of_file(command, known, file), *_of_variables(command, known, environment)):
        if row.field == "kube_version" and command not in _RANGES and is_range(str(value)):
            raise UsageError(str(source), _one_minor(command, file))
        values[row.field], sources[row.field] = value, source
    for name in given:
        sources.pop(name, None)
    return Settled(kind(**{**values, **given}), sources, frozenset(given), command)


def _one_minor(command: str, file: ConfigFile | None) -> str:
    """What to do about a range for a command that follows one minor."""
    table = None if file is None else tables_in(file).get(command)
    is_own = isinstance(table, dict) and "kube-version" in table
    where = "name one" if is_own else f"set kube-version in the table of {command}"
    return f"{command} follows one minor; {where}"


def _of_file(
    command: str, known: tuple[str, ...], file: ConfigFile | None
) -> Iterator[tuple[Setting, object, _Source]]:
    if file is None:
        return
    tables = tables_in(file)
    top = {row.key: row for row in SHARED}
    found: list[tuple[Setting, object, _Source]] = []
    for key, value in tables.items():
        if key in COMMANDS:
            continue
        row = top.get(key)
        if row is None:
            raise _unknown(file, (), key, (*top, *COMMANDS))
        entry = _read(row, value, file, ())
        if applies(command, row, known):
            found.append(entry)
    for name in COMMANDS:
        if name in tables:
            own = list(_of_table(name, tables[name], file))
            # Those of other commands are only checked.
            found += [entry for entry in own if name == command and entry[0].field in known]
    yield from found


def _of_table(command: str, table: object, file: ConfigFile) -> Iterator[tuple[Setting, object, _Source]]:
    if not isinstance(table, dict):
        raise UsageError(f"{file.path}:{line_of(file, (), command)}", f"{command} must be a table")
    rows = {row.key: row for row in (*SHARED, *OWN[command])}
    for key, value in table.items():
        row = rows.get(key)
        if row is None:
            raise _unknown(file, (command,), key, rows)
        yield _read(row, value, file, (command,))


def _read(
    row: Setting, value: object, file: ConfigFile, table: tuple[str, ...]
) -> tuple[Setting, object, _Source]:
    source = _Source(f"{file.path}:{line_of(file, table, row.key)}", row.key)
    try:
        return row, from_file(row, value, file), source
    except ValueFormError as error:
        raise UsageError(source.place, f"{row.key} {error}") from None


def _unknown(
    file: ConfigFile, table: tuple[str, ...], key: str, known: Mapping[str, Setting] | tuple[str, ...]
) -> UsageError:
    place = f"{file.path}:{line_of(file, table, key)}"
    for row in VARIABLES:
        if row.key == key:
            return UsageError(place, f"{key} cannot be set in a file; set {_variable(row)}")
    owners = [] if table else [name for name, rows in OWN.items() if any(row.key == key for row in rows)]
    if owners:
        tables = " or ".join(f"[{name}]" for name in owners[:_MOST_NAMED])
        advice = f"write it in the table of a command: {tables}"
    else:
        advice = did_you_mean(key, known) or choose_from(known)
    where = f" in the table of {table[0]}" if table else ""
    return UsageError(place, f"unknown key {key}{where}; {advice}")


def _variable(row: Setting) -> str:
    return PREFIX + row.key.upper().replace("-", "_")


def _of_variables(
    command: str, known: tuple[str, ...], environment: Mapping[str, str]
) -> Iterator[tuple[Setting, object, _Source]]:
    for row in (*SHARED, *VARIABLES):
        name = _variable(row)
        text = environment.get(name, "")
        if text and applies(command, row, known):
            try:
                yield row, from_variable(row, text), _Source("", name)
            except ValueFormError as error:
                raise UsageError(name, str(error)) from None


def unknown_variables(environment: Mapping[str, str]) -> Iterator[str]:
    """The variables whose names are nearly those of settings."""
    known = {*map(_variable, (*SHARED, *VARIABLES)), CONFIG, TRACEBACK}
    for name in environment:
        if name not in known and (advice := did_you_mean(name, known, least=0.8)):
            yield f"warning: unknown environment variable {name}; {advice}"


def shown(settled: Settled[Given], file: ConfigFile | None) -> str:
    """The text of ``--show-config``: each setting of the command, and where its value is from."""
    kind = type(settled.options)
    lines = [f"# dractl {settled.command}; configuration file: {file.path if file else 'none'}"]
    for row in settings_of(settled.command, fields(kind)).values():
        value = getattr(settled.options, row.field)
        if row.field in settled.given:
            origin = "command line"
        elif row.field in settled.sources:
            source = settled.sources[row.field]
            origin = source.place or source.name
        else:
            origin = "default"
        written = json.dumps(list(value) if isinstance(value, tuple | list) else value, ensure_ascii=False)
        lines.append(f"{row.key} = {written}  # {origin}" if value is not None else f"# {row.key} is not set")
    return "\n".join(lines) + "\n"
