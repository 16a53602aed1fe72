"""What ``validate`` reports and fails on: the rules, files, objects and findings that its options name."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from dractl.cli.inputs import Beside, Destination, Inputs, refuse_overwriting
from dractl.cli.options import ValidateOptions
from dractl.cli.server import UsageError, pieces
from dractl.cli.terminal import notice, write
from dractl.finding import Finding, Severity

if TYPE_CHECKING:
    from dractl.lint.base.elsewhere import Elsewhere, External
    from dractl.lint.parameters import ParameterSchemas
    from dractl.lint.suppression.baseline import Baseline

__all__ = [
    "baseline_of",
    "check_baseline",
    "chooser_of",
    "elsewhere_of",
    "external_in",
    "is_failing",
    "schemas_in",
    "tell_outside",
    "write_baseline",
]


def chooser_of(options: ValidateOptions) -> Callable[[Finding], bool] | None:
    """Whether a finding is wanted; None if all are."""
    select, ignore = pieces(options.select), pieces(options.ignore)
    if not select and not ignore and not options.per_file_ignores:
        return None
    from dractl.lint.catalog import UnknownRuleError  # few runs choose rules
    from dractl.lint.selection import by_file, chooser

    try:
        is_chosen = chooser(select, ignore)
    except UnknownRuleError as error:
        raise UsageError("--select or --ignore", str(error)) from None
    rows: list[tuple[str, list[str]]] = []
    for value in options.per_file_ignores:
        glob, colon, rules = value.rpartition(":")
        if not glob or not colon or not pieces([rules]):
            raise UsageError("--per-file-ignores", f"expected GLOB:ID,..., got {value!r}")
        rows.append((glob, pieces([rules])))
    try:
        is_chosen_in_file = by_file(rows)
    except UnknownRuleError as error:
        raise UsageError("--per-file-ignores", str(error)) from None
    return lambda finding: is_chosen(finding) and is_chosen_in_file(finding)


def external_in(values: Sequence[str]) -> Sequence[External]:
    """The objects that exist elsewhere; raises UsageError for a value that names none."""
    if not values:
        return ()
    from dractl.lint.base.elsewhere import ExternalError, external_of  # few runs name any

    try:
        return [external_of(value) for value in pieces(values)]
    except ExternalError as error:
        raise UsageError("--external", str(error)) from None


def elsewhere_of(inputs: Inputs, external: Sequence[External]) -> Elsewhere | None:
    """What exists besides the input; None if nothing is known of it."""
    if not inputs.world and not external:
        return None
    from dractl.lint.base.elsewhere import Elsewhere  # few runs have a world

    return Elsewhere(inputs.world, external)


def baseline_of(options: ValidateOptions) -> Baseline | None:
    """The known findings; None without any. Raises UsageError for a file that cannot be used."""
    if options.write_baseline and not options.baseline:
        raise UsageError("--write-baseline", "requires --baseline FILE")
    if options.baseline is None or options.write_baseline:
        return None
    from dractl.lint.suppression.baseline import BaselineError, read_baseline  # few runs have one

    try:
        return read_baseline(options.baseline)
    except BaselineError as error:
        raise UsageError("--baseline", str(error)) from None


def check_baseline(options: ValidateOptions, wanted: Iterable[Destination]) -> None:
    """Raise UsageError if a result would replace the baseline, by whatever name."""
    if options.baseline is None:
        return
    from dractl.cli.writer import is_same_target

    for place in wanted:
        if place.file is not None and is_same_target(place.file, options.baseline):
            raise UsageError(place.option, f"{place.file} is also the baseline; name another file")


def write_baseline(options: ValidateOptions, inputs: Inputs, findings: Iterable[Finding]) -> int:
    """Write the baseline, and return the exit code: 2 if that failed."""
    from dractl.lint.suppression.baseline import written

    file = options.baseline or ""
    refuse_overwriting([Beside(file, "--baseline")], inputs.files)
    _check_old_baseline(file)
    text = written(findings, file)
    if not write(text, file):
        return 2
    if not options.quiet:
        number = text.count('"rule":')
        notice(f"{file}: {number} {'entry' if number == 1 else 'entries'} written")
    return inputs.exit_code(failed=False)


def _check_old_baseline(file: str) -> None:
    """Raise UsageError if a baseline would replace something else than a baseline or an empty file."""
    from dractl.lint.suppression.baseline import BaselineError, read_baseline

    try:
        is_empty = os.stat(file).st_size == 0  # noqa: PTH116 - pathlib costs time
    except (OSError, ValueError):  # nothing is there, or the writer says what is wrong
        return
    try:
        if not is_empty:
            read_baseline(file)
    except BaselineError:
        message = f"{file} is not a valid baseline and would be overwritten; delete it, or name another file"
        raise UsageError("--baseline", message) from None


def is_failing(options: ValidateOptions) -> Callable[[Finding], bool]:
    """Whether a finding makes the exit code other than 0.

    With ``--strict`` warnings do, but for those about objects that are only missing from the input: otherwise
    one more file could make a run fail.
    """
    if not options.strict:
        return lambda finding: finding.severity is Severity.ERROR
    from dractl.lint.selection import OUTSIDE  # few runs choose rules or are strict

    ignored = frozenset() if options.closed_world else OUTSIDE
    failing = {Severity.ERROR, Severity.WARNING}
    return lambda finding: (
        finding.severity in failing and (finding.severity is Severity.ERROR or finding.rule not in ignored)
    )


def tell_outside(options: ValidateOptions, findings: Iterable[Finding]) -> None:
    """Say which warnings ``--strict`` does not count."""
    if not options.strict or options.closed_world or options.quiet:
        return
    from dractl.lint.selection import OUTSIDE

    number = sum(finding.rule in OUTSIDE for finding in findings)
    if number:
        warnings = "1 warning" if number == 1 else f"{number} warnings"
        notice(f"--strict ignores {warnings} about objects that are not in the input; see --closed-world")


def schemas_in(values: Sequence[str]) -> ParameterSchemas | None:
    """The schemas for parameters that the option names; raises UsageError if one cannot be used."""
    if not values:
        return None
    from dractl.lint import parameters  # few runs bring schemas

    found: list[parameters.ParameterSchema] = []
    for value in values:
        name, equals, file = value.partition("=")
        driver, slash, kind = name.partition("/")
        if not (driver and slash and kind and equals and file):
            raise UsageError("--config-schema", f"expected DRIVER/KIND=FILE, got {value!r}")
        if any((schema.driver, schema.kind) == (driver, kind) for schema in found):
            raise UsageError("--config-schema", f"duplicate schema for {name}; name each kind only once")
        try:
            found.append(parameters.read_schema(driver, kind, file))
        except parameters.SchemaFileError as error:
            raise UsageError("--config-schema", str(error)) from None
    return parameters.ParameterSchemas(found)
